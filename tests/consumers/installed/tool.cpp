// A program with the commands of hsm.

#include <hsm/hsm.hpp>
#include <hsm/tool/main.hpp>

struct house {};

int main(int argc, char** argv) {
    auto root = hsm::make_fsm<house>("door");
    auto& closed = root->add("closed");
    auto& open = root->add("open");
    closed.to(open).on("push");
    open.to(closed).on("push");
    return hsm::tool::main(argc, argv, hsm::compile(std::move(root)));
}
