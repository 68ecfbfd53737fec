#include <hsm/hsm.hpp>
#include <hsm/save/document.hpp>

struct lamp {};

int main() {
    auto root = hsm::make_fsm<lamp>("lamp");
    root->add("off").to("on").on("press");
    root->add("on");
    const auto chart = hsm::compile(std::move(root));
    lamp l;
    hsm::instance agent{chart, l};
    agent.start();
    agent.process("press");
    hsm::instance again{chart, l};
    if (hsm::restore_document(again, hsm::save_document(agent)).outcome != hsm::result::taken) return 1;
    return again.is_in("on") ? 0 : 1;
}
