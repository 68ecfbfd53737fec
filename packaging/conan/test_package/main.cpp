#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>

struct lamp {};
struct press {};

int main() {
    auto root = hsm::make_fsm<lamp>("lamp");
    root->add("off").to("on").on<press>();
    root->add("on").to("off").on<press>();
    const auto chart = hsm::compile(std::move(root));
    lamp l;
    hsm::instance agent{chart, l};
    agent.start();
    agent.process(press{});
    hsm::crowd lamps{chart};
    lamps.add();
    lamps.process_all(press{});
    return agent.is_in("on") && lamps.count("on") == 1 ? 0 : 1;
}
