/// Loads the machines of enemies again when their files change, while the game runs.
#pragma once

#include "world.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace arena {

class reloader {
public:
    explicit reloader(const std::string& folder);

    /// Loads each file that has changed since the last call. If a file is broken, its enemies keep their machine.
    /// Returns the errors, and the parts of machines that a new file does not have; nothing if no file has changed.
    std::optional<std::vector<std::string>> poll(world& game);

private:
    struct watched {
        std::string file;
        std::filesystem::file_time_type changed;
    };
    std::array<watched, enemy_kinds> files_;
};

} // namespace arena
