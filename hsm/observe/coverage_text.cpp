// The text report, and the choice of a report by the file's extension.

#include <hsm/observe/coverage_report.hpp>

#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/coverage_error.hpp>
#include <hsm/observe/detail/coverage_model.hpp>
#include <hsm/observe/detail/output.hpp>
#include <hsm/observe/trace_error.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/utf8.hpp>

#include <algorithm>

namespace hsm {

using namespace detail;

namespace {

constexpr std::size_t most_of_many = 20;

std::string table_row(std::string_view what, const coverage_share& share) {
    return fmt::format("{:<13}{:>8}{:>8}  {:>8}\n", what, share.seen, share.all, percent(share.ratio()));
}

void put_table(output& out, const coverage& seen) {
    out.put(fmt::format("{:<13}{:>8}{:>8}\n", "", "seen", "of"));
    for (const auto kind : {coverage_kind::states, coverage_kind::transitions, coverage_kind::guards})
        out.put(table_row(to_string(kind), seen.share(kind)));
    out.put(table_row("together", seen.share()));
    for (const auto kind : {coverage_kind::pairs, coverage_kind::events}) out.put(table_row(to_string(kind), seen.share(kind)));
    if (const auto n = seen.unexpected())
        out.put(fmt::format("{} event{} arrived in states without a transition for {}\n", n, n == 1 ? "" : "s", n == 1 ? "it" : "them"));
}

void put_missing(output& out, const coverage& seen, coverage_kind kind, std::size_t most) {
    const auto missing = seen.missing(kind);
    const auto shown = std::min(most, missing.size());
    if (shown > 0) out.put('\n');
    for (std::size_t i = 0; i < shown; ++i) {
        out.put(valid_utf8(line_of_missing(missing[i])));
        out.put('\n');
    }
    if (shown < missing.size()) out.put(fmt::format("and {} more {}\n", missing.size() - shown, to_string(kind)));
}

} // namespace

void detail::finish_report(output& out) {
    if (!out.flush())
        throw coverage_error(code::broken_coverage, 0, "the coverage report cannot be written", "check the free disk space and the permissions");
}

void write_coverage_text(const coverage& seen, byte_sink& to) {
    output out(to);
    out.put(fmt::format("coverage of {}\n\n", seen.chart().root().path()));
    put_table(out, seen);
    for (const auto kind : {coverage_kind::states, coverage_kind::transitions, coverage_kind::guards}) put_missing(out, seen, kind, std::size_t(-1));
    for (const auto kind : {coverage_kind::pairs, coverage_kind::events}) put_missing(out, seen, kind, most_of_many);
    finish_report(out);
}

std::string coverage_text(const coverage& seen) {
    std::string text;
    string_sink to(text);
    write_coverage_text(seen, to);
    return text;
}

namespace {
void write_by_name(const coverage& seen, const std::string& path, file_sink& to) {
    if (path.ends_with(".html"))
        write_coverage_html(seen, to);
    else if (path.ends_with(".info"))
        write_coverage_lcov(seen, to);
    else
        write_coverage_text(seen, to);
}
} // namespace

void write_coverage(const coverage& seen, const std::string& path) try {
    file_sink to(path);
    write_by_name(seen, path, to);
    if (!to.close()) throw coverage_error(code::broken_coverage, 0, "\"" + path + "\" cannot be written", "check the free disk space");
} catch (const trace_error& e) { // of file_sink
    throw coverage_error(code::broken_coverage, 0, e.problem(), e.hint());
}

} // namespace hsm
