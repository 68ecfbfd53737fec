#include <hsm/crowd/crowd.hpp>
#include <hsm/crowd/workers.hpp>
#include <hsm/hsm.hpp>

struct lamp {};

int main() {
    auto root = hsm::make_fsm<lamp>("lamp");
    root->add("off").to("on").when([](const lamp&) { return true; });
    root->add("on");
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd lamps{chart};
    lamps.add();
    hsm::workers threads{2};
    lamps.tick(0.1, threads);
    return lamps.count("on") == 1 ? 0 : 1;
}
