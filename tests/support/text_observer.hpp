/// An observer that writes records as text: "call process, event 0, guard 1: yes, begins 1 (event), X 1, A 1, E 2, at 2, -> taken".
#pragma once

#include <hsm/hsm.hpp>
#include <hsm/run/attachment.hpp>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace test {

class text_observer : public hsm::observer {
public:
    void on_record(const hsm::record& r, const hsm::moment& when) override {
        note(text_of(r));
        if (describes) note(when.describe_event());
        if (throws_at == r.kind) throw std::runtime_error("enough records");
        if (act) act();
    }
    std::string take() { return std::exchange(text_, ""); }

    bool describes = false;
    hsm::record_kind throws_at = hsm::record_kind::lost;
    std::function<void()> act;

private:
    void note(const std::string& what) {
        if (what.empty()) return;
        if (!text_.empty()) text_ += ", ";
        text_ += what;
    }
    static std::string number(std::uint32_t n) { return n == hsm::record::no_number ? "-" : std::to_string(n); }
    static std::string state(std::uint16_t s) { return s == hsm::record::no_state ? "-" : std::to_string(s); }
    static std::string text_of(const hsm::record& r) {
        using kind = hsm::record_kind;
        const std::string what = std::to_string(r.what);
        switch (r.kind) {
        case kind::more: return "more " + what;
        case kind::call: return "call " + std::string(to_string(static_cast<hsm::call_kind>(r.what)));
        case kind::call_end: return "-> " + (r.what == hsm::record::thrown ? "thrown" : std::string(to_string(static_cast<hsm::result>(r.what))));
        case kind::event: return "event " + number(r.number) + " " + std::string(to_string(static_cast<hsm::event_origin>(r.what)));
        case kind::guard: return (r.what < 2 ? "guard " : "conditions ") + number(r.number) + (r.what % 2 ? " yes" : " no");
        case kind::transition: return "begins " + number(r.number) + " (" + std::string(to_string(static_cast<hsm::reason>(r.what))) + ")";
        case kind::exited: return "X " + state(r.state);
        case kind::action: return "A " + number(r.number);
        case kind::entered: return "E " + state(r.state);
        case kind::arrived: return "at " + state(r.state);
        case kind::updated: return "U " + state(r.state);
        case kind::held: return "held " + number(r.number) + " by " + state(r.state);
        case kind::leave_requested: return "requests " + number(r.number) + " to leave " + state(r.state);
        case kind::released: return "released " + state(r.state);
        case kind::deferred: return "deferred " + number(r.number);
        case kind::recalled: return "recalled " + number(r.number);
        case kind::refused: return "refused " + number(r.number);
        case kind::dropped: return "dropped " + number(r.number) + " " + std::string(to_string(static_cast<hsm::drop_reason>(r.what)));
        case kind::finished: return "finished " + state(r.state);
        case kind::armed: return "armed " + number(r.number) + " " + std::to_string(r.value / 1'000'000) + "ms";
        case kind::due: return "due " + number(r.number);
        case kind::condition: return "condition " + number(r.number) + " " + what;
        case kind::error: return "error in " + state(r.state) + " " + std::string(to_string(static_cast<hsm::hook_place>(r.what)));
        case kind::configuration:
            return "is " + state(r.state) + " of " + number(r.number) + " (" +
                   std::string(to_string(static_cast<hsm::configuration_reason>(r.what))) + ")";
        case kind::lost: return "lost";
        case kind::scored: return "score of " + number(r.number) + (r.what ? "" : " invalid");
        }
        return "?";
    }

    std::string text_;
};

} // namespace test
