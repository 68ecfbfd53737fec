/// The common part of crowds and managers in logs: they report their inputs, and their calls are bytes of log_other.
#pragma once

#include <hsm/replay/detail/logged.hpp>
#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/run/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hsm::detail {

/// `Core` has a pointer to `Inputs`, whose calls this class records.
template <class Core, class Inputs> class logged_container : public logged, protected Inputs {
protected:
    explicit logged_container(Core& core) : core_(&core) {}
    /// Every destructor of a derived class calls this.
    void stop_listening() noexcept {
        if (core_ && sink_) core_->inputs = nullptr;
    }
    void listen_to(const char* kind, call_sink& to, std::uint32_t number) {
        if (core_->inputs) throw usage_error({code::bad_option, path(), std::string("another log records this ") + kind, "use one log at a time"});
        core_->inputs = this;
        sink_ = &to;
        number_ = number;
    }

    void object_gone() noexcept final { core_ = nullptr; }
    bool begins() final {
        if (sink_->is_in_call()) return false;
        sink_->prepare();
        sink_->begin_call();
        records_ = true;
        return true;
    }
    void ends() noexcept final {
        records_ = false;
        sink_->end_call();
    }
    void call_failed() noexcept final { sink_->call_failed(); }
    void jump() noexcept final { sink_->store_state(); }
    void reload(std::string_view plan, bool failed) final { sink_->reload(number_, plan, failed); }
    void begins_reload() noexcept final { sink_->begin_call(); }

    // Writing a call: its number, its operands, note or log_arrival.
    template <class Call> void begin(Call what) {
        operands_.clear();
        put(static_cast<std::uint64_t>(what));
    }
    void put(std::uint64_t number) { put_number(operands_, number); }
    void put_event(const chart_core& chart, const event_ref& event) {
        put(encode_event(chart, event, payload_));
        put_bytes(operands_, payload_.data(), payload_.size());
    }
    void put_machine_call(const chart_core& chart, const input& what) {
        auto elapsed = no_elapsed;
        put_call(operands_, call_of(chart, what, payload_), elapsed, false);
    }
    void note(std::uint8_t code = log_other) { sink_->note(number_, {.code = code, .bytes = operands_}); }
    void note_frame(input_kind what, std::int64_t elapsed) {
        sink_->note(number_, {.code = static_cast<std::uint8_t>(what), .number = static_cast<std::uint64_t>(elapsed)});
    }
    [[noreturn]] static void broken(std::uint64_t call) { refuse_call(call, "is broken"); }
    void log_arrival() { sink_->log_arrival(number_, {.code = log_other, .bytes = operands_}); }

    Core* core_; ///< null: the object was destroyed
    call_sink* sink_ = nullptr;
    std::uint32_t number_ = 0;
    std::vector<std::byte> operands_, payload_;
    bool records_ = false; ///< the call in progress is recorded
};

} // namespace hsm::detail
