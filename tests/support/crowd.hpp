/// Animals: agents of a crowd with a common trace, whose hooks run functions of a test.
#pragma once

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <tests/support/recorder.hpp>

#include <array>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace test {

struct push {};
struct pull {};
struct call {
    int number = 0;
};

struct animal {
    recorder* all = nullptr;
    int number = 0;
    std::function<void(animal&)> does = {}; ///< called in its update, after the record
    hsm::agent_id self = {};
    bool go = false;

    void act() {
        if (const auto what = does) what(*this); // `does` can be replaced during the call
    }
    void note(std::string_view what) { all->note(std::string(what) + ' ' + std::to_string(number)); }
};

/// A value for `does` that throws.
[[noreturn]] inline void throw_at(animal& a) { throw std::runtime_error(std::to_string(a.number)); }

/// Makes a state record "E name 3", "U name 3", "X name 3", and call the animal's `does`.
template <class State> State& with_trace(State& state) {
    const std::string name(state.name());
    state.on_enter([name](animal& a) { a.note("E " + name); }).on_exit([name](animal& a) { a.note("X " + name); });
    state.on_update([name](animal& a) {
        a.note("U " + name);
        a.act();
    });
    return state;
}

/// R{ A, B }: push and "Go" lead from A to B, pull and "Back" from B to A.
inline hsm::chart<animal> animal_chart(const hsm::compile_options& options = {}) {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = with_trace(root->add("A"));
    auto& b = with_trace(root->add("B"));
    a.to(b).on<push>();
    a.to(b).when("Go");
    b.to(a).on<pull>();
    b.to(a).when("Back");
    return hsm::compile(std::move(root), options);
}

/// R{ a, b } with update hooks only; push leads from a to b, pull back.
inline hsm::chart<animal> updating_chart() {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = root->add("a");
    auto& b = root->add("b");
    for (auto* s : {&a, &b}) {
        const std::string name(s->name());
        s->on_enter([name](animal& x) { x.note("E " + name); }).on_exit([name](animal& x) { x.note("X " + name); });
        s->on_update([name](animal& x) {
            x.note(name);
            x.act();
        });
    }
    a.to(b).on<push>();
    b.to(a).on<pull>();
    return hsm::compile(std::move(root), {.entry_times = false});
}

/// Animals of one chart, numbered from 0 to n - 1, started, with an empty trace.
struct animals {
    explicit animals(int n, hsm::chart<animal> of = animal_chart(), const hsm::crowd_options& options = {})
        : chart(std::move(of)), herd(chart, options) {
        for (int i = 0; i < n; ++i) add();
        r.take();
    }

    hsm::agent_id add() {
        const auto id = herd.add(&r, static_cast<int>(ids.size()));
        ids.push_back(id);
        herd.context(id).self = id;
        return id;
    }
    animal& of(std::size_t i) { return herd.context(ids[i]); }
    std::string tick(hsm::time_span elapsed = {}) { return herd.tick(elapsed), r.take(); }
    std::string update(hsm::time_span elapsed = {}) { return herd.update(elapsed), r.take(); }
    std::string decide() { return herd.decide(), r.take(); }

    recorder r;
    hsm::chart<animal> chart;
    hsm::crowd<animal> herd;
    std::vector<hsm::agent_id> ids;
};

/// Returns the text of the exception; empty if there is none.
template <class Call> std::string error_text(Call call) {
    try {
        call();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

/// Returns the code of the error; 0 if there is none.
template <class Error = hsm::crowd_error, class Call> int code_of(Call call) {
    try {
        call();
    } catch (const Error& e) {
        return static_cast<int>(e.number());
    }
    return 0;
}

/// Starts threads in each call, which share the work.
struct own_threads {
    unsigned count;
    template <class F> void operator()(std::size_t n, const F& f) const {
        std::atomic<std::size_t> next = 0;
        std::vector<std::thread> threads;
        for (unsigned t = 0; t < count; ++t)
            threads.emplace_back([&] {
                for (auto i = next++; i < n; i = next++) f(i);
            });
        for (auto& t : threads) t.join();
    }
};

} // namespace test
