#include <hsm/draw/svg.hpp>

#include <hsm/draw/detail/run_program.hpp>
#include <hsm/draw/dot.hpp>
#include <hsm/draw/draw_error.hpp>
#include <hsm/op/detail/format.hpp>

namespace hsm::draw {

using namespace detail;

namespace {

/// Returns the error output, shortened for a message.
std::string complaint(const program_end& end) {
    auto text = end.errors.substr(0, 2000);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text.empty() ? "it reports nothing" : text;
}

} // namespace

std::string rendered(std::string_view dot_text, std::string_view format) {
    auto end = run_program({"dot", fmt::format("-T{}", format)}, dot_text);
    if (end.error != 0)
        throw draw_error(code::no_graphviz, fmt::format("the program dot cannot be started: {}", system_text(end.error)),
                         "install Graphviz (Debian: graphviz), or write the text of hsm::draw::dot and render it elsewhere");
    if (end.status != 0)
        throw draw_error(code::failed_graphviz,
                         fmt::format("the program dot {} {}: {}", end.status < 0 ? "was ended by signal" : "ended with exit code",
                                     end.status < 0 ? -end.status : end.status, complaint(end)),
                         "if hsm::draw::dot wrote the text, report a bug with this text");
    return std::move(end.output);
}

std::string svg(const chart_view& chart, const options& how) { return rendered(dot(chart, how).text); }

bool can_render() {
    const auto end = run_program({"dot", "-V"}, {});
    return end.error == 0 && end.status == 0;
}

} // namespace hsm::draw
