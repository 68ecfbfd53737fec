// Pictures of charts. A program in a folder of the test replaces Graphviz.

#include <hsm/hsm.hpp>
#include <hsm/inspect/detail/pictures.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

using namespace std::chrono_literals;

namespace {

struct nothing {};

/// A folder that replaces PATH.
class programs {
public:
    programs() : folder_(std::filesystem::temp_directory_path() / ("hsm_pictures_" + std::to_string(getpid()))), path_(std::getenv("PATH")) {
        std::filesystem::create_directories(folder_);
        setenv("PATH", folder_.c_str(), 1);
    }
    programs(const programs&) = delete;
    ~programs() {
        setenv("PATH", path_.c_str(), 1);
        std::filesystem::remove_all(folder_);
    }
    void write(const std::string& name, const std::string& commands) const {
        const auto file = folder_ / name;
        std::ofstream(file) << "#!/bin/sh\n" << commands << "\n";
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }

private:
    std::filesystem::path folder_;
    std::string path_;
};

} // namespace

TEST_CASE("a picture that could not be drawn is drawn later") {
    auto root = hsm::make_fsm<nothing>("lamp");
    root->add("off");
    const auto chart = hsm::compile(std::move(root));
    const programs path;
    hsm::inspect::detail::pictures soon{0ns}, late{1h};
    CHECK(soon.of(chart.view()).why == "Graphviz is not installed (Debian: graphviz)");
    path.write("dot", "exit 1");
    CHECK(soon.of(chart.view()).why == "Graphviz failed");
    CHECK(late.of(chart.view()).why == "Graphviz failed");
    path.write("dot", "echo picture");
    CHECK(late.of(chart.view()).svg.empty());
    CHECK(soon.of(chart.view()).svg == "picture\n");
    path.write("dot", "exit 1");
    CHECK(soon.of(chart.view()).svg == "picture\n");
}
