/// Plays one definition as a constant chart and as a chart that is compiled at run time, with the same calls. Results and traces must be
/// equal; the trace is returned once.
#pragma once

#include <hsm/constant/constant_instance.hpp>
#include <hsm/constant/constant_view.hpp>
#include <hsm/hsm.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <string_view>

namespace test {

/// The machine, as hooks call it through the context.
struct player {
    virtual ~player() = default;
    virtual hsm::result process(int event) = 0;
    virtual hsm::result stop() = 0;
};

struct trace_context {
    std::string trace;
    bool go = false;
    bool ready = false;
    int count = 0;
    player* self = nullptr;

    constexpr void note(std::string_view token) {
        if (!trace.empty()) trace += ", ";
        trace += token;
    }
    std::string take() { return std::exchange(trace, ""); }
};

/// Hooks that add "E name", "U name" or "X name" to the trace. The name is a template argument, because a hook has no data.
template <std::size_t Size> struct token {
    char text[Size]{};
    constexpr token(const char (&from)[Size]) {
        for (std::size_t i = 0; i < Size; ++i) text[i] = from[i];
    }
};
template <token Text> constexpr auto notes = [](trace_context& w) { w.note(Text.text); };
template <token Name> constexpr auto traces_enter = [](trace_context& w) { w.note(std::string("E ") + Name.text); };
template <token Name> constexpr auto traces_update = [](trace_context& w) { w.note(std::string("U ") + Name.text); };
template <token Name> constexpr auto traces_exit = [](trace_context& w) { w.note(std::string("X ") + Name.text); };

template <token Name, class State> constexpr State& traced(State& state) {
    state.on_enter(traces_enter<Name>).on_update(traces_update<Name>).on_exit(traces_exit<Name>);
    return state;
}
template <token Name, class Machine> constexpr auto& add(Machine& root) { return traced<Name>(root.add(Name.text)); }
template <token Name, class Machine> constexpr auto& add_machine(Machine& root) { return traced<Name>(root.add_fsm(Name.text)); }

enum class key { A, B, C, D, E, F, G, H, I };

template <auto Chart, class Queue = hsm::queue<0>> class same_text {
    using chart_type = std::remove_const_t<decltype(Chart)>;

public:
    /// `options`: of the ordinary instance.
    explicit same_text(const hsm::instance_options& options = {})
        : chart_(hsm::compile(make_root(), {.order = Chart.order, .remember_finals = Chart.remember_finals})), agent_(chart_, ordinary.w, options),
          constant_(constant.w) {
        ordinary.self = [this](int e) { return agent_.process(static_cast<key>(e)); };
        constant.self = [this](int e) { return constant_.process(static_cast<key>(e)); };
        ordinary.stop_self = [this] { return agent_.stop(); };
        constant.stop_self = [this] { return constant_.stop(); };
        CHECK(hsm::chart_of(Chart).dump() == chart_.dump());
    }

    std::string start() {
        return both([](auto& agent) { return agent.start(); });
    }
    std::string stop() {
        return both([](auto& agent) { return agent.stop(); });
    }
    std::string tick() {
        return both([](auto& agent) { return agent.tick(hsm::time_span::from_nanoseconds(16'000'000)); });
    }
    template <class E> std::string process(const E& event) {
        return both([&](auto& agent) { return agent.process(event); });
    }
    template <class F> std::string both(F does) {
        const auto expected = outcome([&] { return does(agent_); }, ordinary.w);
        CHECK(outcome([&] { return does(constant_); }, constant.w) == expected);
        CHECK(std::string(constant_.current().path()) == path());
        CHECK(constant_.finished() == agent_.finished());
        return expected.first;
    }

    void set(bool trace_context::*flag, bool value = true) { ordinary.w.*flag = constant.w.*flag = value; }
    void set_count(int value) { ordinary.w.count = constant.w.count = value; }
    std::string path() const { return agent_.current() ? agent_.current().path() : std::string(); }
    hsm::result last() const { return last_; }
    auto& constant_agent() { return constant_; }

private:
    struct side final : player {
        trace_context w;
        std::function<hsm::result(int)> self;
        std::function<hsm::result()> stop_self;
        side() { w.self = this; }
        hsm::result process(int event) override { return self(event); }
        hsm::result stop() override { return stop_self(); }
    };

    static auto make_root() {
        auto root = hsm::make_fsm<trace_context>("root");
        typename chart_type::definition{}(*root);
        return root;
    }

    /// Returns the trace, and the result or the message of the exception.
    template <class F> std::pair<std::string, std::string> outcome(F does, trace_context& w) {
        std::string text;
        try {
            last_ = does();
            text = to_string(last_);
        } catch (const hsm::run_error& e) {
            text = e.report().problem; // without the hint, which can name an option that a constant chart does not have
        }
        return {w.take(), text};
    }

    side ordinary, constant;
    hsm::chart<trace_context> chart_;
    hsm::instance<trace_context> agent_;
    hsm::constant_instance<Chart, Queue> constant_;
    hsm::result last_{};
};

} // namespace test
