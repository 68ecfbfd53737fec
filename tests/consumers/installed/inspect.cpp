#include <hsm/hsm.hpp>
#include <hsm/inspect.hpp>

struct lamp {};

int main() {
    auto root = hsm::make_fsm<lamp>("lamp");
    root->add("off").to("on").on("press");
    root->add("on");
    const auto chart = hsm::compile(std::move(root));
    lamp l;
    hsm::instance agent{chart, l};
    hsm::inspect::page page({.print = false});
    page.add("lamp", agent);
    agent.start();
    if (page.runs(agent)) agent.process("press");
    page.poll();
    return agent.is_in("on") && page.url().find("127.0.0.1") != std::string::npos ? 0 : 1;
}
