/// A door, as the machine of a program.
#pragma once

#include <hsm/hsm.hpp>

namespace test {

struct house {};

inline hsm::chart<house> make_door() {
    auto root = hsm::make_fsm<house>("door");
    auto& closed = root->add("closed");
    auto& open = root->add("open");
    closed.to(open).on("push");
    open.to(closed).on("pull");
    return hsm::compile(std::move(root));
}

} // namespace test
