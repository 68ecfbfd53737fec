/// Machines with conditions, and the animation for which they were designed.
#pragma once

#include <hsm/hsm.hpp>

#include <tests/support/recorder.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace test {

using root_t = hsm::owned<hsm::fsm<recorder>>;

/// A started machine with conditions, with an empty trace.
struct machine {
    explicit machine(root_t root, const hsm::compile_options& options = {}) : chart(hsm::compile(std::move(root), options)), agent(chart, r) {
        agent.start();
        r.take();
    }

    std::string tick(hsm::time_span elapsed = {}) { return agent.tick(elapsed), r.take(); }
    std::string decide() { return agent.decide(), r.take(); }
    std::string leaf() { return std::string(agent.current().name()); }
    /// Returns the names of the conditions that are set.
    std::string bits() {
        std::string text;
        for (std::size_t i = 0; i < chart.condition_count(); ++i)
            if (agent.get(static_cast<int>(i))) text += (text.empty() ? "" : " ") + (i == 0 ? "over" : std::string(chart.condition_name(i)));
        return text;
    }

    hsm::chart<recorder> chart;
    recorder r;
    hsm::instance<recorder> agent;
};

inline root_t animation() {
    auto root = root_of();
    auto& idle = traced_hooks(root->add("Idle"));
    auto& run = traced_hooks(root->add("Run"));
    auto& attack = traced_hooks(root->add("Attack"));
    auto& jump = traced_hooks(root->add("Jump"));
    idle.to(run).when("IsRun");
    idle.to(attack).when("IsAttack");
    idle.to(jump).when("IsJump");
    attack.to(idle).when("!IsAttack");
    attack.to(jump).when("IsJump");
    run.to(idle).when("!IsRun");
    run.to(attack).when("IsAttack");
    run.to(jump).when("IsJump");
    jump.to(idle).when(hsm::is_over).then(tracing("landed"));
    return root;
}

} // namespace test
