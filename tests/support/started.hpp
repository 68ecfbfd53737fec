/// A compiled and started machine with an empty trace; the most frequent calls return the records that they cause. Not for as_instance.hpp, because
/// `instance` must mean here what it means in the test.
#pragma once

#include <tests/support/recorder.hpp>

#include <string>
#include <utility>

namespace test {

template <class Context> struct started_with {
    explicit started_with(hsm::owned<hsm::fsm<Context>> root, const hsm::compile_options& options = {}, Context with = {})
        : chart(hsm::compile(std::move(root), options)), r(std::move(with)), agent(chart, r) {
        agent.start();
        r.take();
    }

    std::string start() { return agent.start(), r.take(); }
    std::string tick(hsm::time_span elapsed = {}) { return agent.tick(elapsed), r.take(); }
    std::string update(hsm::time_span elapsed = {}) { return agent.update(elapsed), r.take(); }
    std::string decide() { return agent.decide(), r.take(); }
    template <class E> std::string process(E&& e) { return agent.process(std::forward<E>(e)), r.take(); }
    std::string change_to(const hsm::state_key& s) { return agent.change_to(s), r.take(); }
    std::string stop() { return agent.stop(), r.take(); }
    std::string path() { return agent.current().path(); }

    hsm::chart<Context> chart;
    Context r;
    hsm::instance<Context> agent;
};
using started = started_with<recorder>;

inline constexpr hsm::compile_options substates_first{.order = hsm::decision_order::substate_first};

} // namespace test
