// Coverage by file and line in the format of lcov: geninfo(1), "FILES".

#include <hsm/observe/coverage_report.hpp>

#include <hsm/observe/detail/coverage_model.hpp>
#include <hsm/observe/detail/output.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/utf8.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace hsm {

using namespace detail;

namespace {

struct function_line {
    std::uint32_t line;
    std::string name;
    std::uint64_t count;
};
struct branches {
    std::uint64_t no, yes;
};

/// The items of a source file.
struct source {
    std::vector<function_line> functions;
    std::map<std::uint32_t, std::uint64_t> lines;          ///< of functions: the lowest count of the line
    std::map<std::uint32_t, std::vector<branches>> guards; ///< by line
    std::set<std::string> names;
};

/// Replaces control characters and field separators.
std::string field(std::string text) {
    for (auto& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == ',') c = ' ';
    return valid_utf8(text);
}

class lcov_writer {
public:
    lcov_writer(const coverage& seen, std::string_view root) : seen_(seen), root_(root) {}

    void collect() {
        for (const auto& item : seen_.items(coverage_kind::states)) add_function("state ", item);
        for (const auto& item : seen_.items(coverage_kind::transitions)) add_function("transition ", item);
        const auto results = seen_.items(coverage_kind::guards); // alternates between no and yes
        for (std::size_t i = 0; i + 1 < results.size(); i += 2)
            if (auto* const file = file_of(results[i])) file->guards[results[i].where.line].push_back({results[i].count, results[i + 1].count});
    }

    void write(output& out) const {
        for (const auto& [path, file] : files_) {
            out.put(fmt::format("TN:{}\nSF:{}\n", test_name(), path));
            put_functions(out, file);
            put_branches(out, file);
            put_lines(out, file);
            out.put("end_of_record\n");
        }
    }

private:
    source* file_of(const coverage_item& item) {
        if (item.where.file.empty() || item.where.line == 0) return nullptr;
        const bool relative = !item.where.file.starts_with('/');
        return &files_[field(relative ? root_ + item.where.file : item.where.file)];
    }

    /// Makes names unique within a file, because lcov adds the counts of equal names.
    void add_function(std::string_view what, const coverage_item& item) {
        auto* const file = file_of(item);
        if (!file) return;
        const auto name = field(std::string(what) + item.text);
        auto distinct = name;
        for (int n = 2; !file->names.insert(distinct).second; ++n) distinct = fmt::format("{} ({})", name, n);
        file->functions.push_back({item.where.line, distinct, item.count});
        const auto [at, is_new] = file->lines.try_emplace(item.where.line, item.count);
        if (!is_new) at->second = std::min(at->second, item.count);
    }

    /// Returns the chart's name with letters, digits and underscores only.
    std::string test_name() const {
        std::string name(seen_.chart().root().name());
        for (auto& c : name)
            if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) c = '_';
        return name;
    }

    static void put_functions(output& out, const source& file) {
        for (const auto& f : file.functions) out.put(fmt::format("FN:{},{}\n", f.line, f.name));
        for (const auto& f : file.functions) out.put(fmt::format("FNDA:{},{}\n", f.count, f.name));
        const auto hit = std::ranges::count_if(file.functions, [](const auto& f) { return f.count > 0; });
        out.put(fmt::format("FNF:{}\nFNH:{}\n", file.functions.size(), hit));
    }

    static void put_branches(output& out, const source& file) {
        std::size_t found = 0, hit = 0;
        for (const auto& [line, guards] : file.guards)
            for (std::size_t block = 0; block < guards.size(); ++block) {
                put_branch(out, line, block, 0, guards[block].yes, guards[block]);
                put_branch(out, line, block, 1, guards[block].no, guards[block]);
                found += 2;
                hit += std::size_t(guards[block].yes > 0) + std::size_t(guards[block].no > 0);
            }
        out.put(fmt::format("BRF:{}\nBRH:{}\n", found, hit));
    }

    static void put_branch(output& out, std::uint32_t line, std::size_t block, int branch, std::uint64_t count, const branches& both) {
        const auto taken = both.no == 0 && both.yes == 0 ? std::string("-") : fmt::format("{}", count);
        out.put(fmt::format("BRDA:{},{},{},{}\n", line, block, branch, taken));
    }

    /// A line that has only guards gets the lowest number of their evaluations.
    static void put_lines(output& out, const source& file) {
        auto lines = file.lines;
        for (const auto& [line, guards] : file.guards) {
            if (file.lines.contains(line)) continue;
            auto least = guards[0].no + guards[0].yes;
            for (const auto& g : guards) least = std::min(least, g.no + g.yes);
            lines.emplace(line, least);
        }
        for (const auto& [line, count] : lines) out.put(fmt::format("DA:{},{}\n", line, count));
        const auto hit = std::ranges::count_if(lines, [](const auto& each) { return each.second > 0; });
        out.put(fmt::format("LF:{}\nLH:{}\n", lines.size(), hit));
    }

    const coverage& seen_;
    const std::string root_;
    std::map<std::string, source> files_;
};

} // namespace

void write_coverage_lcov(const coverage& seen, byte_sink& to, std::string_view root) {
    output out(to);
    lcov_writer writer(seen, root);
    writer.collect();
    writer.write(out);
    finish_report(out);
}

} // namespace hsm
