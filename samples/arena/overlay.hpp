/// What the machine of a hero does, as text over the picture: the key F1.
#pragma once

#include "canvas.hpp"
#include "world.hpp"

#include <hsm/observe/recorder.hpp>
#include <hsm/run/attachment.hpp>

#include <string>
#include <vector>

namespace arena {

class overlay {
public:
    explicit overlay(world& game);

    void draw(const world& game, canvas& to) const;
    /// Shows lines at the lower edge until others replace them, even while the overlay is hidden.
    void report(std::vector<std::string> lines) { report_ = std::move(lines); }

    bool visible = false;

private:
    void draw_machine(const world& game, canvas& to) const;

    hsm::recorder seen_{256};
    hsm::attachment attached_;
    std::vector<std::string> report_;
};

} // namespace arena
