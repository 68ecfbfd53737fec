#include <hsm/replay/replay.hpp>

#include <hsm/replay/detail/kept_scope.hpp>
#include <hsm/run/detail/asking.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/mailbox_queue.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/check_image.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace hsm {

using namespace detail;

namespace {

[[noreturn]] void refuse_call(std::uint64_t call, const std::string& what) {
    throw replay_error({code::broken_log, "", fmt::format("call {} of the log {}", call, what), "replay what input_log has written"});
}

/// The payload of an event, as an object.
class event_payload {
public:
    /// Throws broken_bytes, and what constructors and serialize throw.
    event_payload(const value_shape& shape, std::span<const std::byte> bytes) {
        if (shape.form == value_shape::fields) {
            image_reader in(bytes);
            const auto value = in.take_value(shape);
            if (in.ends_early() || in.left() > 0) throw broken_bytes("its payload is cut off");
            built_ = std::make_unique<built_value>(shape, nullptr, value);
        } else if (shape.form == value_shape::bytes) {
            if (bytes.size() != shape.size) throw broken_bytes("its payload has another size");
            const auto alignment = std::align_val_t(shape.type->alignment);
            memory_ = {static_cast<std::byte*>(::operator new(shape.size, alignment)), free_aligned{alignment}};
            std::memcpy(memory_.get(), bytes.data(), bytes.size());
        } else if (!bytes.empty()) {
            throw broken_bytes("it has no payload");
        }
    }
    const void* object() const { return built_ ? built_->object() : memory_ ? static_cast<const void*>(memory_.get()) : &any_named_event; }

private:
    std::unique_ptr<built_value> built_;
    std::unique_ptr<std::byte, free_aligned> memory_{nullptr, free_aligned{std::align_val_t(1)}};
};

} // namespace

namespace detail {

class log_player {
public:
    explicit log_player(std::span<const std::byte> log)
        : bytes_(log.begin(), log.end()), log_(read_log(bytes_)), calls_(log_.calls, 0, 0, has_checks()) {}
    log_player(const log_player&) = delete;
    log_player& operator=(const log_player&) = delete;

    void attach(instance_base& agent, void* context, const saved_context* kind) {
        const auto number = scope_.members().size();
        const auto other = [&](std::string what, std::string hint) {
            throw replay_error({code::other_log, core_of(instance_access::engine_of(agent)).root->path(), std::move(what), std::move(hint)});
        };
        if (number == log_.machines.size()) other(fmt::format("the log has {} machines", number), "attach those of the log, in their order");
        auto with_it = scope_;
        with_it.add(agent, context, kind);
        const auto& made_as = with_it.members().back().made_as;
        const auto& noted = log_.machines[number];
        if (made_as.chart != noted.chart) other("the log is of another chart", "attach the machines of the log, in their order");
        if (made_as != noted) other("the log is of another build, or of another context", "play it by the program that has written it");
        scope_ = std::move(with_it);
    }
    void read_notes_by(owned<note_reader> reader) { notes_ = std::move(reader); }

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
        while (call_ < log_.head.calls && step_up_to(frame)) {
        }
    }

    bool step() {
        begin();
        auto calls = calls_;
        log_call next;
        if (!calls.next(next)) return false;
        make(next, calls);
        return true;
    }

    std::optional<log_difference> check() {
        begin();
        if (!parted_ && differs_before_next()) parted_ = place{call_, frame_};
        for (const auto& keyframe : log_.keyframes) {
            if (keyframe.head.call != call_ || keyframe.head.is_jump) continue;
            auto found = compare(keyframe);
            if (found && parted_) found->call = parted_->call - 1, found->frame = parted_->frame;
            if (found) return found;
        }
        if (parted_ && call_ == log_.head.calls) return log_difference{parted_->call - 1, parted_->frame, 0, false, {}};
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

    void begin() {
        if (scope_.members().size() != log_.machines.size())
            throw replay_error({code::other_log, "",
                                fmt::format("{} of {} machines of the log are attached", scope_.members().size(), log_.machines.size()),
                                "attach all of them, in their order"});
        if (!has_begun_) go_to(log_.keyframes.front());
    }
    void go_to(const log_view::keyframe& keyframe) {
        scope_.restore(keyframe.state);
        has_begun_ = true;
        parted_.reset();
        call_ = keyframe.head.call;
        frame_ = keyframe.head.frame;
        calls_ = call_reader(log_.calls, static_cast<std::size_t>(keyframe.head.offset), keyframe.head.elapsed, has_checks());
    }
    /// To the last keyframe that is not too far, unless it is nearer from here.
    template <class IsBefore> void go_near(const IsBefore& is_before, bool may_stay) {
        begin();
        const auto behind = std::ranges::find_if_not(log_.keyframes, [&](const auto& k) { return is_before(k.head); });
        const auto& nearest = behind == log_.keyframes.begin() ? log_.keyframes.front() : *(behind - 1);
        if (!may_stay || nearest.head.call > call_) go_to(nearest);
    }
    /// False: the next call is that tick.
    bool step_up_to(std::uint64_t frame) {
        auto calls = calls_;
        log_call next;
        if (!calls.next(next) || (frame_ == frame && next.is_tick() && next.machine == 0)) return false;
        make(next, calls);
        return true;
    }
    void make(const log_call& next, const call_reader& behind) {
        const auto number = call_;
        calls_ = behind;
        ++call_;
        frame_ += next.is_tick() && next.machine == 0;
        if (next.code == log_note) {
            if (notes_) notes_->read(next.bytes);
        } else if (next.code == log_jump) {
            jump(next.number);
        } else {
            call_machine(number, next);
        }
    }
    void jump(std::uint64_t number) {
        for (const auto& keyframe : log_.keyframes)
            if (keyframe.head.is_jump && number-- == 0) return scope_.restore(keyframe.state);
    }
    void call_machine(std::uint64_t number, const log_call& next) {
        auto& m = scope_.engine(next.machine);
        const auto& core = core_of(m);
        const bool is_start = next.code == static_cast<int>(input_kind::start);
        if (needs_state(next.code) && next.number >= core.states.size() && !(is_start && next.number == no_index))
            refuse_call(number, "names a state that there is not");
        if (needs_condition(next.code) && (next.number == 0 || next.number >= core.conditions.size()))
            refuse_call(number, "names a condition that there is not");
        if (next.has_event()) return give_event(number, m, core, next);
        try {
            make_call(m, core, next);
        } catch (const std::exception&) { // of a hook: as it was
        }
    }
    static bool needs_state(std::uint8_t code) {
        constexpr input_kind kinds[] = {input_kind::start,  input_kind::change_to, input_kind::force_to,
                                        input_kind::finish, input_kind::release,   input_kind::set_state};
        return std::ranges::find(kinds, static_cast<input_kind>(code)) != std::end(kinds);
    }
    static bool needs_condition(std::uint8_t code) {
        const auto kind = static_cast<input_kind>(code);
        return kind == input_kind::set || kind == input_kind::clear || kind == input_kind::pulse;
    }
    static void make_call(machine& m, const chart_core& core, const log_call& next) {
        const auto elapsed = static_cast<std::int64_t>(next.number);
        const auto state = [&] { return state_key(*core.states[static_cast<index>(next.number)].node); };
        const auto change = [&](condition_change to) { calls::set_condition(m, static_cast<int>(next.number), to); };
        switch (static_cast<input_kind>(next.code)) {
        case input_kind::start:
            if (next.number == no_index)
                calls::start(m);
            else
                calls::start(m, state());
            break;
        case input_kind::stop: calls::stop(m); break;
        case input_kind::restart: calls::restart(m); break;
        case input_kind::destroy: calls::destroy(m); break;
        case input_kind::tick: calls::tick(m, elapsed); break;
        case input_kind::decide: calls::decide(m); break;
        case input_kind::update: calls::update(m, elapsed); break;
        case input_kind::drain: calls::drain(m); break;
        case input_kind::change_to: calls::change_to(m, state(), false); break;
        case input_kind::force_to: calls::change_to(m, state(), true); break;
        case input_kind::finish: {
            const auto s = state();
            calls::finish(m, &s);
            break;
        }
        case input_kind::release: {
            const auto s = state();
            calls::release(m, &s);
            break;
        }
        case input_kind::set: change(condition_change::on); break;
        case input_kind::clear: change(condition_change::off); break;
        case input_kind::pulse: change(condition_change::pulse); break;
        case input_kind::clear_all: calls::clear_conditions(m); break;
        case input_kind::pause: calls::pause(m, true); break;
        case input_kind::resume: calls::pause(m, false); break;
        case input_kind::time_scale: calls::scale_time(m, next.factor); break;
        case input_kind::reset: calls::reset(m); break;
        case input_kind::set_state: calls::set_state(m, state()); break;
        case input_kind::process:
        case input_kind::post:
        case input_kind::mailed: break;
        }
    }
    void give_event(std::uint64_t number, machine& m, const chart_core& core, const log_call& next) {
        const bool is_known = next.number > 0 && next.number < core.column_events.size() && core.column_events[next.number] != no_index;
        if (next.number > 0 && !is_known) refuse_call(number, "has an event that nobody waits for");
        static constexpr std::string_view nobodys = "an event that nobody waits for"; // no transition can
        auto event = is_known ? core.event_refs[core.column_events[next.number]] : refer_name(nobodys);
        try {
            const value_shape none;
            const event_payload payload(is_known ? shape_of_column(core, shape_of(core), static_cast<std::uint32_t>(next.number)) : none, next.bytes);
            event.object = payload.object();
            if (is_known && event.type->value) event.value = event.type->value(event.object);
            if (is_known && !event.type->is_name)
                event.construct = [](void* slot, const event_ref& from) { from.type->move(slot, const_cast<void*>(from.object)); };
            hand_over(m, core, next, event);
        } catch (const broken_bytes& e) {
            refuse_call(number, std::string("is broken: ") + e.what());
        }
    }
    static void hand_over(machine& m, const chart_core& core, const log_call& next, const event_ref& event) {
        try {
            if (next.code == static_cast<int>(input_kind::process)) calls::process(m, event);
            if (next.code == static_cast<int>(input_kind::post)) calls::post(m, event);
            if (next.code != static_cast<int>(input_kind::mailed)) return;
            if (auto* const mailbox = mail_of(m, core)) mailbox->put(event);
        } catch (const broken_bytes&) {
            throw;
        } catch (const std::exception&) { // of a hook: as it was
        }
    }

    /// By what was noted of the state before the next call.
    bool differs_before_next() {
        if (!has_checks()) return false;
        auto calls = calls_;
        log_call next;
        return calls.next(next) && next.check != 0 && next.check != scope_.check(now_);
    }
    std::optional<log_difference> compare(const log_view::keyframe& keyframe) {
        scope_.save(now_);
        if (std::ranges::equal(now_, keyframe.state)) return {};
        const auto noted = scope_.parts_of(keyframe.state), now = scope_.parts_of(now_);
        const auto call = call_ == 0 ? 0 : call_ - 1;
        for (std::size_t i = 0; i < noted.size(); ++i) {
            const auto& images = scope_.members()[i].images;
            auto found = images.difference(images.self, noted[i].image, now[i].image);
            if (!found.empty()) return log_difference{call, frame_, i, false, std::move(found)};
        }
        for (std::size_t i = 0; i < noted.size(); ++i)
            if (!scope_.has_equal_contexts(i, noted[i].context, now[i].context)) {
                auto found = scope_.context_difference(i, noted[i].context, now[i].context);
                return log_difference{call, frame_, i, true, std::move(found)};
            }
        return {};
    }

    const std::vector<std::byte> bytes_;
    const log_view log_;
    kept_scope scope_;
    call_reader calls_;
    std::uint64_t call_ = 0, frame_ = 0;
    bool has_begun_ = false;
    struct place {
        std::uint64_t call, frame;
    };
    std::optional<place> parted_; ///< before that call something was different first
    owned<note_reader> notes_;
    std::vector<std::byte> now_;
};

} // namespace detail

std::string log_difference::to_string() const {
    auto text = fmt::format("call {}, frame {}: {} {} came out in another way\n", call, frame, in_context ? "context" : "machine", machine);
    for (const auto& each : differences) text += "  " + each.to_string() + '\n';
    return text;
}

replay::replay(std::span<const std::byte> log) : player_(make_owned<log_player>(log)) {}
replay::~replay() = default;

void replay::attach(instance_base& agent) { player_->attach(agent, nullptr, nullptr); }
void replay::attach_machine(instance_base& agent, void* context, const saved_context& kind) { player_->attach(agent, context, &kind); }
void replay::read_notes_by(owned<note_reader> reader) { player_->read_notes_by(std::move(reader)); }
void replay::refuse_note(std::size_t size, std::size_t expected) {
    throw replay_error({code::broken_log, "", fmt::format("a note of the log has {} bytes, and on_note expects {}", size, expected),
                        "give on_note the type that was noted"});
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
