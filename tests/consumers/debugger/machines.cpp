#include <hsm/hsm.hpp>

// What a debugger is to show: at `stop_here` there are machines in every state of their lives.

namespace {

struct lamp {
    int brightness = 3;
};
struct press {};
struct hit {
    int damage;
};

bool stop_here(const hsm::instance<lamp>& agent) { return agent.is_in("lamp"); }

} // namespace

int main() {
    auto root = hsm::make_fsm<lamp>("lamp");
    auto& off = root->add("off");
    auto& on = root->add_parallel("on");
    on.add_fsm("light").add("dim");
    on.add_fsm("sound").add("hum");
    off.to(on).on<press>();
    on.to(off).on<hit>().when("IsHot");
    on.to(off).when("IsBroken");
    const auto chart = hsm::compile(std::move(root));

    lamp l;
    hsm::instance fresh{chart, l};
    hsm::instance agent{chart, l};
    agent.start();
    agent.process(press{});
    agent.tick(1.25);
    agent.set("IsHot");
    agent.post(hit{3});
    agent.post(press{});
    const auto state = agent.current();
    const auto time = hsm::time_span::from_seconds(0.5);
    if (!stop_here(agent)) return 1;
    return state && time > hsm::time_span() && !fresh.active() ? 0 : 1;
}
