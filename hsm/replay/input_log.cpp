#include <hsm/replay/input_log.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/replay/detail/saved_scope.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace hsm {

using namespace detail;

namespace detail {

class log_writer final : private call_sink {
public:
    explicit log_writer(const input_log_options& how) : how_(how), spacing_(std::max(how.calls_between, 1u)) {}
    log_writer(const log_writer&) = delete;
    log_writer& operator=(const log_writer&) = delete;

    void attach(std::unique_ptr<logged> of, const logged_contexts& contexts) {
        if (calls_ > 0)
            throw usage_error(
                {code::bad_option, "", "the log has already recorded calls without this machine", "attach all machines before the first call"});
        if (how_.check_calls) of->require_hash();
        auto& added = *of;
        scope_.add(saved_scope::make(std::move(of), contexts));
        has_several_ = scope_.members().size() > 1;
        usual_until_ = 0;
        try {
            added.listen(*this, static_cast<std::uint32_t>(scope_.members().size() - 1));
        } catch (...) {
            scope_.remove_last();
            throw;
        }
    }

    void note(std::span<const std::byte> value) {
        prepare();
        put({.code = log_note, .bytes = value});
    }

    std::uint64_t calls() const { return calls_; }
    std::uint64_t frames() const { return frames_; }
    std::size_t call_bytes() const { return written_.size(); }
    std::size_t keyframes() const { return keyframes_.size(); }
    std::size_t keyframe_bytes() const {
        std::size_t all = 0;
        for (const auto& each : keyframes_) all += sizeof each.head + each.state.size();
        return all;
    }

    std::vector<std::byte> bytes() {
        if (depth_ == 0 && !an_instance_is_in_call()) {
            scope_.take_mail();
            if (jumps_next_ && !keyframes_.empty()) put_jump();
        }
        log_view log;
        log.head.flags = static_cast<std::uint16_t>(how_.check_calls ? log_has_checks : 0);
        log.head.calls = calls_;
        log.head.frames = frames_;
        for (const auto& m : scope_.members()) log.machines.push_back(m.made_as);
        for (const auto& each : keyframes_) log.keyframes.push_back({each.head, each.state});
        std::vector<std::byte> last;
        if (keyframes_.empty() || keyframes_.back().head.call != calls_) {
            scope_.save(last);
            log.keyframes.push_back({{calls_, frames_, written_.size(), elapsed_, 0, 0}, last});
        }
        log.calls = written_;
        return write_log(log);
    }

private:
    static constexpr auto no_machine = ~std::uint32_t(0);

    struct encoded_keyframe {
        keyframe_head head;
        std::vector<std::byte> state;
    };

    /// An instance does not call this during its own calls.
    bool is_in_call() const override { return depth_ > 0 || (has_several_ && an_instance_is_in_call()); }
    bool an_instance_is_in_call() const {
        return std::ranges::any_of(scope_.members(), [](const auto& each) { return each.of->is_in_call(); });
    }
    void begin_call() noexcept override { ++depth_; }
    void end_call() noexcept override { --depth_; }
    void note(std::uint32_t machine, log_call call) override {
        call.machine = machine;
        put(call);
    }
    void note_tick(std::uint32_t machine, std::uint64_t elapsed) override {
        const bool is_usual = depth_ == 0 && calls_ < usual_until_ && elapsed == elapsed_;
        if (!is_usual || written_.size() == written_.capacity()) return note_unusual_tick(machine, elapsed);
        written_.push_back(std::byte(log_tick_again)); // the only machine has the number 0
        ++calls_;
        ++frames_;
    }
    HSM_NOINLINE void note_unusual_tick(std::uint32_t machine, std::uint64_t elapsed) {
        if (is_in_call()) return;
        prepare(machine);
        note(machine, {.code = static_cast<std::uint8_t>(input_kind::tick), .number = elapsed});
    }
    void log_arrival(std::uint32_t machine, log_call call) override {
        if (keyframes_.empty()) return; // it is part of the first keyframe
        call.machine = machine;
        put_unchecked(call);
    }
    void store_state() noexcept override { jumps_next_ = true, usual_until_ = 0; }
    void reload(std::uint32_t machine, std::string_view plan, bool failed) override {
        if (plan.empty()) {
            joins_ = false;
            is_announced_ = !is_in_call(); // otherwise a recorded call applies the plan
            if (is_announced_) prepare();
            return;
        }
        if (!is_announced_) return;
        log_reload what{{}, std::exchange(joins_, true), failed};
        std::memcpy(&what.plan, plan.data(), sizeof what.plan);
        note(machine, {.code = static_cast<std::uint8_t>(input_kind::reload), .bytes = std::as_bytes(std::span(&what, 1))});
    }

    void prepare() override { prepare(no_machine); }
    /// `asked`: a machine that is not busy and whose mail is taken.
    void prepare(std::uint32_t asked) {
        check_ = 0;
        if (asked == no_machine || has_several_) {
            for (std::uint32_t i = 0; i < scope_.members().size(); ++i)
                if (i != asked && scope_.members()[i].of->is_busy()) return;
            scope_.take_mail();
        }
        if (jumps_next_ && !keyframes_.empty()) {
            put_jump();
        } else if (calls_ >= next_keyframe_) {
            put_keyframe(false);
            jumps_next_ = false;
        }
        usual_until_ = has_several_ || how_.check_calls ? 0 : next_keyframe_;
        if (how_.check_calls) check_ = scope_.check(scratch_);
    }
    /// Stores a state that the logged calls do not reach: the machines were restored, or there was no memory to log a call. Without this keyframe a
    /// replay could not pass the jump, and its states after it would be wrong. So thin_out never removes it, and a log grows by one keyframe for each
    /// jump.
    void put_jump() {
        put_keyframe(true);
        try {
            put_unchecked({.code = log_jump, .number = jumps_});
        } catch (...) {
            keyframes_.pop_back();
            throw;
        }
        ++jumps_;
        jumps_next_ = false;
    }
    void put_keyframe(bool is_jump) {
        encoded_keyframe frame;
        scope_.save(frame.state);
        frame.head = {calls_, frames_, written_.size(), elapsed_, 0, is_jump};
        keyframes_.push_back(std::move(frame));
        while (keyframe_bytes() > how_.keyframe_bytes && thin_out()) {
        }
        next_keyframe_ = keyframes_.back().head.call + spacing_;
    }
    /// Removes every second keyframe, except targets of jumps. Returns false if none can be removed.
    bool thin_out() {
        spacing_ = spacing_ > 0x7fff'ffff ? spacing_ : spacing_ * 2;
        const auto before = keyframes_.size();
        bool stays = true;
        std::erase_if(keyframes_, [&](const encoded_keyframe& each) {
            if (each.head.is_jump) return false;
            return !std::exchange(stays, !stays);
        });
        return keyframes_.size() < before;
    }
    void put(log_call call) {
        call.check = std::exchange(check_, 0);
        put_unchecked(call);
    }
    void put_unchecked(const log_call& call) {
        put_call(written_, call, elapsed_, how_.check_calls);
        ++calls_;
        frames_ += call.is_frame();
    }

    const input_log_options how_;
    saved_scope scope_;
    std::vector<std::byte> written_;
    std::vector<encoded_keyframe> keyframes_;
    std::vector<std::byte> scratch_;
    std::uint32_t spacing_;
    std::uint64_t next_keyframe_ = 0; ///< the number of the call before which it is made
    std::uint32_t check_ = 0;         ///< of the state before the next call; 0: not checked
    std::uint64_t calls_ = 0, frames_ = 0, elapsed_ = 0, jumps_ = 0;
    std::uint64_t usual_until_ = 0; ///< before the call with this number, ticks of the only machine need no preparation
    int depth_ = 0;                 ///< calls of crowds and managers in progress; calls between the log's machines are not inputs
    bool has_several_ = false;      ///< machines
    bool jumps_next_ = false;
    bool is_announced_ = false; ///< the reload in progress is an input
    bool joins_ = false;        ///< a part of it has been recorded
};

} // namespace detail

input_log::input_log(const input_log_options& how) : writer_(make_owned<log_writer>(how)) {}
input_log::~input_log() = default;

void input_log::attach(instance_base& agent) { writer_->attach(logged_instance(agent), {}); }
void input_log::attach(manager& machines, const machine_factory& kinds) { writer_->attach(logged_manager(machines, kinds), {}); }
void input_log::attach_machine(instance_base& agent, void* context, const saved_context& kind) {
    writer_->attach(logged_instance(agent), {context, 1, kind});
}
void input_log::attach_crowd(crowd_base& crowd, const saved_context& kind, void* contexts, std::size_t count) {
    writer_->attach(logged_crowd(crowd, kind), contexts ? logged_contexts(contexts, count, kind) : logged_contexts());
}
void input_log::note_bytes(std::span<const std::byte> value) { writer_->note(value); }
std::uint64_t input_log::calls() const { return writer_->calls(); }
std::uint64_t input_log::frames() const { return writer_->frames(); }
std::size_t input_log::call_bytes() const { return writer_->call_bytes(); }
std::size_t input_log::keyframe_bytes() const { return writer_->keyframe_bytes(); }
std::size_t input_log::keyframes() const { return writer_->keyframes(); }
std::vector<std::byte> input_log::bytes() const { return writer_->bytes(); }

} // namespace hsm
