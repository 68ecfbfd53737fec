#include <hsm/replay/input_log.hpp>

#include <hsm/replay/detail/kept_scope.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/telling.hpp>
#include <hsm/run/error.hpp>
#include <hsm/save/detail/image_machine.hpp>

#include <algorithm>
#include <list>
#include <utility>

namespace hsm {

using namespace detail;

namespace detail {

class log_writer {
public:
    explicit log_writer(const input_log_options& how) : how_(how), spacing_(std::max(how.calls_between, 1u)) {}
    log_writer(const log_writer&) = delete;
    log_writer& operator=(const log_writer&) = delete;

    void attach(instance_base& agent, void* context, const saved_context* kind) {
        if (calls_ > 0)
            throw usage_error({code::bad_option, "", "a machine is to be added to a log that has noted calls without it", "add all of them first"});
        if (how_.check_calls) require_saveable(core_of(instance_access::engine_of(agent)), saving::document);
        scope_.add(agent, context, kind);
        auto& told = listeners_.emplace_back(*this, static_cast<std::uint32_t>(scope_.members().size() - 1));
        try {
            told.handle = agent.attach(told, record_kind::call | record_kind::call_end | record_kind::configuration);
        } catch (...) {
            listeners_.pop_back();
            throw;
        }
    }

    void note(std::span<const std::byte> value) {
        begin_call();
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
        if (depth_ == 0) note_mail();
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
    /// Is told what comes into one of the machines.
    class listener final : public observer {
    public:
        listener(log_writer& log, std::uint32_t machine) : log_(log), machine_(machine) {}
        bool wants_inputs() const override { return true; }
        void on_input(const input& what, const moment&) override { log_.take(machine_, what); }
        void on_record(const record& r, const moment&) override {
            if (r.kind == record_kind::call) ++log_.depth_;
            if (r.kind == record_kind::call_end) --log_.depth_;
            if (r.kind == record_kind::configuration) log_.note_configuration(static_cast<configuration_reason>(r.what));
        }
        attachment handle;

    private:
        log_writer& log_;
        const std::uint32_t machine_;
    };
    struct kept_frame {
        keyframe_head head;
        std::vector<std::byte> state;
    };

    /// No call leads there: what has become of the machine is kept.
    void note_configuration(configuration_reason why) {
        jumps_next_ |= why == configuration_reason::restored || why == configuration_reason::take_over;
    }
    void take(std::uint32_t machine, const input& what) {
        if (depth_ > 0) return;
        const bool is_mail = what.kind == input_kind::mailed;
        if (is_mail && keyframes_.empty()) return; // it will be there from the beginning
        if (!is_mail) begin_call();
        const auto& core = core_of(scope_.engine(machine));
        log_call call{.code = static_cast<std::uint8_t>(what.kind), .machine = machine, .factor = what.factor};
        switch (what.kind) {
        case input_kind::tick:
        case input_kind::update: call.number = static_cast<std::uint64_t>(what.elapsed); break;
        case input_kind::set:
        case input_kind::clear:
        case input_kind::pulse: call.number = what.condition; break;
        case input_kind::process:
        case input_kind::post:
        case input_kind::mailed: note_event(core, call, *what.event); break;
        default: call.number = what.state;
        }
        frames_ += machine == 0 && call.is_tick();
        put(call);
    }
    void note_event(const chart_core& core, log_call& call, const event_ref& event) {
        const auto column = core.find_column(event);
        if (column >= core.column_events.size() || core.column_events[column] == no_index) return; // nobody waits for it
        call.number = column;
        const auto& shape = shape_of_column(core, shape_of(core), column);
        payload_.clear();
        image_writer counting({});
        counting.put_value(shape, event.object);
        payload_.resize(counting.size());
        image_writer(payload_).put_value(shape, event.object);
        call.bytes = payload_;
    }
    /// What has arrived in mailboxes is in the state that is kept and checked.
    void note_mail() {
        for (std::size_t i = 0; i < scope_.members().size(); ++i) tell_mail(scope_.engine(i), core_of(scope_.engine(i)));
    }
    /// What was before it may have to be kept.
    void begin_call() {
        note_mail();
        if (std::exchange(jumps_next_, false) && !keyframes_.empty()) {
            keep(true);
            put({.code = log_jump, .number = jumps_++});
        } else if (keyframes_.empty() || calls_ - keyframes_.back().head.call >= spacing_) {
            keep(false);
        }
    }
    void keep(bool is_jump) {
        auto& frame = keyframes_.emplace_back();
        scope_.save(frame.state);
        frame.head = {calls_, frames_, written_.size(), elapsed_, 0, is_jump};
        while (keyframe_bytes() > how_.keyframe_bytes && thin_out()) {
        }
    }
    /// Every other one goes; those to which a replay has to jump stay. False: none can go.
    bool thin_out() {
        spacing_ = spacing_ > 0x7fff'ffff ? spacing_ : spacing_ * 2;
        const auto before = keyframes_.size();
        bool stays = true;
        std::erase_if(keyframes_, [&](const kept_frame& each) {
            if (each.head.is_jump) return false;
            return !std::exchange(stays, !stays);
        });
        return keyframes_.size() < before;
    }
    void put(log_call call) {
        if (how_.check_calls && call.code != static_cast<int>(input_kind::mailed)) call.check = scope_.check(scratch_);
        put_call(written_, call, elapsed_, how_.check_calls);
        ++calls_;
    }

    const input_log_options how_;
    kept_scope scope_;
    std::list<listener> listeners_;
    std::vector<std::byte> written_;
    std::vector<kept_frame> keyframes_;
    std::vector<std::byte> payload_, scratch_;
    std::uint32_t spacing_;
    std::uint64_t calls_ = 0, frames_ = 0, elapsed_ = 0, jumps_ = 0;
    int depth_ = 0; ///< calls in progress: what machines of this log ask of each other in one is no input
    bool jumps_next_ = false;
};

} // namespace detail

input_log::input_log(const input_log_options& how) : writer_(make_owned<log_writer>(how)) {}
input_log::~input_log() = default;

void input_log::attach(instance_base& agent) { writer_->attach(agent, nullptr, nullptr); }
void input_log::attach_machine(instance_base& agent, void* context, const saved_context& kind) { writer_->attach(agent, context, &kind); }
void input_log::note_bytes(std::span<const std::byte> value) { writer_->note(value); }
std::uint64_t input_log::calls() const { return writer_->calls(); }
std::uint64_t input_log::frames() const { return writer_->frames(); }
std::size_t input_log::call_bytes() const { return writer_->call_bytes(); }
std::size_t input_log::keyframe_bytes() const { return writer_->keyframe_bytes(); }
std::size_t input_log::keyframes() const { return writer_->keyframes(); }
std::vector<std::byte> input_log::bytes() const { return writer_->bytes(); }

} // namespace hsm
