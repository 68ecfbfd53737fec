#include <hsm/replay/replay.hpp>

#include <hsm/define/detail/shown.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/replay/detail/saved_scope.hpp>

#include <algorithm>
#include <memory>
#include <new>

namespace hsm {

using namespace detail;

namespace detail {

class log_player {
public:
    explicit log_player(std::span<const std::byte> log)
        : bytes_(log.begin(), log.end()), log_(read_log(bytes_)), calls_(log_.calls, 0, 0, has_checks()) {}
    log_player(const log_player&) = delete;
    log_player& operator=(const log_player&) = delete;

    void attach(std::unique_ptr<logged> of, const logged_contexts& contexts) {
        const auto number = scope_.members().size();
        const auto other = [&](std::string what, std::string hint) {
            throw replay_error({code::other_log, of ? of->path() : "", std::move(what), std::move(hint)});
        };
        if (number == log_.machines.size())
            other(fmt::format("the log has {} machines", number), "attach exactly the machines of the log, in the same order");
        const auto& noted = log_.machines[number];
        const auto made_as = of->made_as();
        if (made_as.kind != noted.kind || made_as.chart != noted.chart)
            other(made_as.kind != noted.kind ? fmt::format("at this position, the log has {}", name_of(noted.kind))
                                             : "the log belongs to another chart",
                  "attach the machines of the log in the same order");
        auto added = saved_scope::make(std::move(of), contexts);
        if (added.made_as != noted)
            throw replay_error({code::other_log, added.of->path(), "the log belongs to another build, or to another context",
                                "replay it with the program that wrote it"});
        scope_.add(std::move(added));
    }
    void read_notes_by(owned<note_reader> reader) {
        if (notes_)
            throw usage_error(
                {code::bad_option, "", "on_note was called before: a replay has one function for all notes", "use one type for all notes of a log"});
        notes_ = std::move(reader);
    }

    void reload_by(owned<plan_player> plan) { plans_.push_back(std::move(plan)); }

    const log_head& head() const { return log_.head; }
    std::uint64_t call() const { return call_; }
    std::uint64_t frame() const { return frame_; }

    void seek(std::uint64_t call) {
        call = std::min(call, log_.head.calls);
        go_near([&](const keyframe_head& k) { return k.call <= call; }, call_ <= call);
        while (call_ < call && step()) {
        }
    }
    void seek_frame(std::uint64_t frame) {
        go_near([&](const keyframe_head& k) { return k.frame <= frame; }, frame_ <= frame);
        while (frame_ < frame && step()) {
        }
        while (call_ < log_.head.calls && step_if([](const log_call& next) { return !next.is_frame(); })) {
        }
    }

    bool step() {
        begin();
        return step_if([](const log_call&) { return true; });
    }

    std::optional<log_difference> check() {
        begin();
        if (!parted_ && differs_before_next()) parted_ = place{call_, frame_};
        auto keyframe = std::ranges::lower_bound(log_.keyframes, call_, {}, [](const auto& k) { return k.head.call; });
        for (; keyframe != log_.keyframes.end() && keyframe->head.call == call_; ++keyframe) {
            if (keyframe->head.is_jump) continue;
            auto found = compare(*keyframe);
            if (found && parted_) found->call = parted_->call - 1, found->frame = parted_->frame;
            if (found) return found;
        }
        if (parted_ && call_ == log_.head.calls) return log_difference{parted_->call - 1, parted_->frame, 0, false, {}, call_};
        return {};
    }
    std::optional<log_difference> run() {
        for (;;) {
            if (auto found = check()) return found;
            if (!step()) return {};
        }
    }

private:
    bool has_checks() const { return log_.head.flags & log_has_checks; }
    static std::string_view name_of(log_machine::kind_of kind) {
        return kind == log_machine::instance ? "an instance" : kind == log_machine::crowd ? "a crowd" : "a manager";
    }

    void begin() {
        if (!is_positioned_) [[unlikely]]
            find_position();
    }
    /// Starts from the nearest keyframe: at the beginning, and after a call of this class has failed.
    void find_position() {
        require_all();
        const place wanted{call_, frame_};
        try {
            go_to(nearest_keyframe([&](const keyframe_head& k) { return k.call <= wanted.call; }));
            while (call_ < wanted.call && step()) {
            }
        } catch (...) {
            is_positioned_ = false;
            call_ = wanted.call;
            frame_ = wanted.frame;
            throw;
        }
    }
    void require_all() const {
        if (scope_.members().size() != log_.machines.size())
            throw replay_error({code::other_log, "",
                                fmt::format("{} of {} machines of the log are attached", scope_.members().size(), log_.machines.size()),
                                "attach all machines in the order of the log"});
    }
    void go_to(const log_view::keyframe& keyframe) {
        is_positioned_ = false;
        for (std::uint32_t i = 0; i < scope_.members().size(); ++i) go_to_chart(i, keyframe.head.call);
        scope_.restore(keyframe.state);
        reloaded_ = 0;
        is_positioned_ = true;
        parted_.reset();
        call_ = keyframe.head.call;
        frame_ = keyframe.head.frame;
        calls_ = call_reader(log_.calls, static_cast<std::size_t>(keyframe.head.offset), keyframe.head.elapsed, has_checks());
    }
    template <class IsBefore> const log_view::keyframe& nearest_keyframe(const IsBefore& is_before) const {
        const auto behind = std::ranges::partition_point(log_.keyframes, [&](const auto& k) { return is_before(k.head); });
        return behind == log_.keyframes.begin() ? log_.keyframes.front() : *(behind - 1);
    }
    /// Goes to the last keyframe that is not too late, or stays if the current call is nearer.
    template <class IsBefore> void go_near(const IsBefore& is_before, bool may_stay) {
        require_all();
        const auto& nearest = nearest_keyframe(is_before);
        if (!is_positioned_ || !may_stay || nearest.head.call > call_) go_to(nearest);
    }
    /// Replays the next call if `is_wanted` returns true for it. Otherwise, and at the end, returns false.
    template <class IsWanted> bool step_if(const IsWanted& is_wanted) {
        auto calls = calls_;
        log_call next;
        if (!calls.next(next) || !is_wanted(next)) return false;
        make(next, calls);
        return true;
    }
    /// If that fails, the next call of this class begins at a keyframe.
    void make(const log_call& next, const call_reader& behind) {
        is_positioned_ = false;
        try {
            play(next);
        } catch (const std::bad_alloc&) {
            if (!is_jump(behind)) throw; // otherwise it failed in the recorded run, too
        }
        is_positioned_ = true;
        calls_ = behind;
        ++call_;
        frame_ += next.is_frame();
    }
    static bool is_jump(call_reader at) {
        log_call next;
        return at.next(next) && next.code == log_jump;
    }
    void play(const log_call& next) {
        if (next.code == log_note) {
            if (notes_) notes_->read(next.bytes);
        } else if (next.code == log_jump) {
            jump(next.number);
        } else if (next.code == static_cast<int>(input_kind::reload)) {
            reload();
        } else {
            scope_.members()[next.machine].of->make(next, call_);
        }
    }
    void jump(std::uint64_t number) {
        for (const auto& keyframe : log_.keyframes)
            if (keyframe.head.is_jump && number-- == 0) return scope_.restore(keyframe.state);
    }
    const plan_player& plan_of(const log_view::reload& which) const {
        const auto found = std::ranges::find_if(plans_, [&](const auto& each) { return each->plan() == which.what.plan; });
        if (found != plans_.end()) return **found;
        const bool has_charts = std::ranges::any_of(
            plans_, [&](const auto& each) { return each->plan().from == which.what.plan.from && each->plan().to == which.what.plan.to; });
        throw replay_error({code::missing_plan, scope_.members()[which.machine].of->path(),
                            fmt::format("call {} is a reload {}", which.call,
                                        has_charts ? "by another plan between these charts" : "by a plan that is not attached"),
                            "attach a plan with the charts and edits of the recorded plan"});
    }
    /// Gives a machine the chart that it had before a call.
    void go_to_chart(std::uint32_t machine, std::uint64_t call) {
        const log_view::reload* first = nullptr;
        const log_view::reload* last = nullptr;
        for (const auto& each : log_.reloads) {
            if (each.machine != machine || each.what.failed) continue;
            if (!first) first = &each;
            if (each.call < call) last = &each;
        }
        charts_.resize(scope_.members().size());
        if (charts_[machine] == last) return;
        plan_of(last ? *last : *first).give_chart(scope_.members()[machine].of->reloaded(), last != nullptr);
        charts_[machine] = last;
    }
    /// Applies a plan to all machines of the same recorded `apply`.
    void reload() {
        if (call_ < reloaded_) return;
        const auto first = std::ranges::lower_bound(log_.reloads, call_, {}, &log_view::reload::call);
        std::vector<reloaded_object> all;
        auto end = first;
        do all.push_back(scope_.members()[(end++)->machine].of->reloaded());
        while (end != log_.reloads.end() && end->what.joins && end->call == call_ + all.size());
        plan_of(*first).apply(all, first->what.failed);
        charts_.resize(scope_.members().size());
        for (auto each = first; each != end; ++each)
            if (!each->what.failed) charts_[each->machine] = &*each;
        reloaded_ = call_ + all.size();
    }
    /// Compares the current state with the recorded checksum before the next call.
    bool differs_before_next() {
        if (!has_checks()) return false;
        auto calls = calls_;
        log_call next;
        if (!calls.next(next) || next.check == 0) return false;
        scope_.take_mail();
        return next.check != scope_.check(now_);
    }
    std::optional<log_difference> compare(const log_view::keyframe& keyframe) {
        scope_.take_mail();
        scope_.save(now_);
        if (std::ranges::equal(now_, keyframe.state)) return {};
        const auto noted = scope_.sections_of(keyframe.state), now = scope_.sections_of(now_);
        const auto call = call_ == 0 ? 0 : call_ - 1;
        for (std::size_t i = 0; i < noted.size(); ++i) {
            auto found = scope_.members()[i].of->object().difference(noted[i].image, now[i].image);
            if (!found.empty()) return log_difference{call, frame_, i, false, std::move(found), call_};
        }
        for (std::size_t i = 0; i < noted.size(); ++i)
            if (!scope_.has_equal_contexts(i, noted[i], now[i])) {
                auto found = scope_.context_difference(i, noted[i], now[i]);
                return log_difference{call, frame_, i, true, std::move(found), call_};
            }
        return {};
    }

    const std::vector<std::byte> bytes_;
    const log_view log_;
    saved_scope scope_;
    call_reader calls_;
    std::uint64_t call_ = 0, frame_ = 0;
    bool is_positioned_ = false; ///< the machines are in their state before call_
    struct place {
        std::uint64_t call, frame;
    };
    std::optional<place> parted_; ///< the call before which the first difference was found
    owned<note_reader> notes_;
    std::vector<owned<plan_player>> plans_;
    std::vector<const log_view::reload*> charts_; ///< of each machine: the reload that has given it its chart; null: the first chart
    std::uint64_t reloaded_ = 0;                  ///< the reloads before this call were made
    std::vector<std::byte> now_;
};

} // namespace detail

std::string log_difference::to_string() const {
    auto text = fmt::format("call {}, frame {}: {} {} differs from the log", call, frame, in_context ? "the context of machine" : "machine", machine);
    text +=
        differences.empty() ? "; its fields are unknown: the class has no serialize\n" : fmt::format("; at the keyframe before call {}:\n", keyframe);
    for (const auto& d : differences)
        text += fmt::format("  {}: recorded {}, now {}\n", d.path, d.first.empty() ? "nothing" : shown(d.first),
                            d.second.empty() ? "nothing" : shown(d.second));
    return text;
}

replay::replay(std::span<const std::byte> log) : player_(make_owned<log_player>(log)) {}
replay::~replay() = default;

void replay::attach(instance_base& agent) { player_->attach(logged_instance(agent), {}); }
void replay::attach(manager& machines, const machine_factory& kinds) { player_->attach(logged_manager(machines, kinds), {}); }
void replay::attach_machine(instance_base& agent, void* context, const saved_context& kind) {
    player_->attach(logged_instance(agent), {context, 1, kind});
}
void replay::attach_crowd(crowd_base& crowd, const saved_context& kind, void* contexts, std::size_t count) {
    player_->attach(logged_crowd(crowd, kind), contexts ? logged_contexts(contexts, count, kind) : logged_contexts());
}
void replay::reload_by(owned<plan_player> plan) { player_->reload_by(std::move(plan)); }
void replay::read_notes_by(owned<note_reader> reader) { player_->read_notes_by(std::move(reader)); }
void replay::refuse_note(std::size_t size, std::size_t expected) {
    throw replay_error({code::broken_log, "", fmt::format("a note of the log has {} bytes, but on_note expects {}", size, expected),
                        "pass the recorded type to on_note"});
}
std::uint64_t replay::calls() const { return player_->head().calls; }
std::uint64_t replay::frames() const { return player_->head().frames; }
std::uint64_t replay::call() const { return player_->call(); }
std::uint64_t replay::frame() const { return player_->frame(); }
void replay::seek(std::uint64_t call) { player_->seek(call); }
void replay::seek_frame(std::uint64_t frame) { player_->seek_frame(frame); }
bool replay::step() { return player_->step(); }
std::optional<log_difference> replay::check() { return player_->check(); }
std::optional<log_difference> replay::run() { return player_->run(); }

} // namespace hsm
