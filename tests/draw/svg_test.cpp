// Graphviz runs without a shell. Its failures are reported.

#include <hsm/draw/detail/run_program.hpp>
#include <hsm/draw/draw_error.hpp>
#include <hsm/draw/svg.hpp>
#include <tests/draw/constructs.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using hsm::detail::run_program;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// For the time of a test, PATH is a folder with a program `dot` that does this.
class other_dot {
public:
    explicit other_dot(const std::string& script) : folder_(std::filesystem::temp_directory_path() / "hsm_draw_svg_test") {
        std::filesystem::create_directories(folder_);
        if (!script.empty()) {
            std::ofstream(folder_ / "dot") << "#!/bin/sh\n" << script << "\n";
            std::filesystem::permissions(folder_ / "dot", std::filesystem::perms::owner_all);
        }
        setenv("PATH", folder_.c_str(), 1);
    }
    other_dot(const other_dot&) = delete;
    other_dot& operator=(const other_dot&) = delete;
    ~other_dot() {
        setenv("PATH", before_.c_str(), 1);
        std::filesystem::remove_all(folder_);
    }

private:
    std::filesystem::path folder_;
    std::string before_ = std::getenv("PATH");
};

std::string refusal(const std::string& script) {
    const other_dot path(script);
    try {
        hsm::draw::svg(drawn::nested());
    } catch (const hsm::draw_error& e) {
        return e.what();
    }
    return "none";
}

} // namespace

TEST_CASE("run_program passes input and returns output of any size") {
    const std::string large(5'000'000, 'x');
    const auto end = run_program({"cat"}, large);
    CHECK(end.error == 0);
    CHECK(end.status == 0);
    CHECK(end.output == large);
    CHECK(run_program({"cat"}, "").output == "");
    CHECK(run_program({"true"}, large).status == 0); // it reads nothing
    CHECK(run_program({"sh", "-c", "echo no >&2; exit 3"}, "").errors == "no\n");
    CHECK(run_program({"sh", "-c", "exit 3"}, "").status == 3);
    CHECK(run_program({"sh", "-c", "kill -9 $$"}, "").status == -9);
    if (!std::getenv("HSM_EMULATED")) CHECK(run_program({"hsm_no_such_program"}, "").error == ENOENT); // an emulator only ends the new process
    CHECK(run_program({"echo", "$(id); `id`"}, "").output == "$(id); `id`\n");                         // no shell
}

TEST_CASE("svg throws an error if Graphviz is missing or fails" * doctest::skip(std::getenv("HSM_EMULATED") != nullptr)) {
    CHECK(refusal("") ==
          "HSM-382 error: the program dot cannot be started: No such file or directory; hint: install Graphviz (Debian: graphviz), or write "
          "the text of hsm::draw::dot and render it elsewhere");
    CHECK(refusal("echo 'Error: syntax error' >&2; exit 1") == "HSM-383 error: the program dot ended with exit code 1: Error: syntax error; hint: if "
                                                               "hsm::draw::dot wrote the text, report a bug with this text");
    CHECK(has(refusal("kill -11 $$"), "the program dot was ended by signal 11: it reports nothing"));
    const other_dot none("");
    CHECK(!hsm::draw::can_render());
}

TEST_CASE("an SVG contains the states and transitions") {
    if (!hsm::draw::can_render()) {
        MESSAGE("skipped: there is no Graphviz");
        return;
    }
    const auto svg = hsm::draw::svg(drawn::nested());
    CHECK(has(svg, "<svg"));
    for (const auto id : {"id=\"r\"", "id=\"r_a\"", "id=\"r_m\"", "id=\"r_m_x\"", "id=\"r_m_y\""}) CHECK(has(svg, id));
    for (const auto transition : {"class=\"edge t0\"", "class=\"edge t1\"", "class=\"edge t2\"", "class=\"edge t3\""}) CHECK(has(svg, transition));
    CHECK(hsm::draw::rendered("digraph { a -> b }", "plain").starts_with("graph "));
    CHECK_THROWS_AS(hsm::draw::rendered("digraf"), hsm::draw_error);
}
