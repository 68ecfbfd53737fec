// An observer that prints each transition, with its cause.

#include <hsm/hsm.hpp>
#include <hsm/observe/record_text.hpp>
#include <hsm/run/attachment.hpp>

#include <chrono>
#include <cstdio>
#include <string>

using namespace std::chrono_literals;

struct turret {
    int shells = 2;
};

// [watch]
struct printer : hsm::observer {
    void on_record(const hsm::record& r, const hsm::moment& when) override {
        std::printf("%6.2f s  %s\n", when.now().seconds(), to_string(r, when.chart()).c_str());
    }
};
// [/watch]

int main() {
    auto root = hsm::make_fsm<turret>("turret");
    auto& asleep = root->add("asleep");
    auto& aims = root->add("aims");
    auto& fires = root->add("fires").on_enter([](turret& t) { --t.shells; });
    asleep.to(aims).on("intruder");
    aims.to(fires).after(500ms);
    fires.to(aims).when([](const turret& t) { return t.shells > 0; });
    root->to(asleep).on("all clear").unless_in(asleep);
    const auto chart = hsm::compile(std::move(root));
    turret t;
    hsm::instance agent{chart, t};

    printer output;
    const auto attached = agent.attach(output, hsm::record_kind::transition);
    agent.start();
    agent.process("intruder");
    for (int i = 0; i < 12; ++i) agent.tick(100ms);
    agent.process("all clear");
}
