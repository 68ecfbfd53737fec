// Saves and loads counts as text: docs/reference/coverage_format.md. Files are untrusted.

#include <hsm/observe/coverage.hpp>
#include <hsm/observe/coverage_error.hpp>
#include <hsm/observe/detail/coverage_model.hpp>
#include <hsm/observe/detail/output.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace hsm {

using namespace detail;

namespace {

constexpr std::string_view first_line = "hsm coverage 1";
constexpr std::size_t longest_line = 128;
constexpr std::array<char, coverage_kind_count> kind_letters = {'s', 't', 'g', 'p', 'e'};

using entry = std::pair<std::uint64_t, std::uint64_t>; // key, count

std::vector<entry> sorted(const coverage_counts& counts, coverage_kind kind) {
    std::vector<entry> all(counts.at(kind).begin(), counts.at(kind).end());
    std::ranges::sort(all);
    return all;
}

void put_entry(output& out, char letter, const entry& e) {
    out.put(letter);
    for (const auto n : {std::uint64_t(first_of(e.first)), std::uint64_t(second_of(e.first)), e.second}) {
        out.put(' ');
        out.put_number(n);
    }
    out.put('\n');
}

[[noreturn]] void refuse_line(std::size_t line, std::string problem) {
    throw coverage_error(code::broken_coverage, line, std::move(problem), "save it again with coverage::save");
}

/// Reads the lines of a source, without their ends.
class line_reader {
public:
    explicit line_reader(byte_source& from) : from_(from) {}

    /// Returns the next line. Throws if there is none.
    std::string_view next() {
        line_.clear();
        ++number_;
        for (char c = get(); c != '\n'; c = get()) {
            if (line_.size() == longest_line) refuse_line(number_, "the line is too long");
            line_ += c;
        }
        return line_;
    }
    bool at_end() { return at_ == end_ && !fill(); }
    std::size_t number() const { return number_; }

private:
    char get() {
        if (at_end()) refuse_line(number_, "the file is cut off");
        return buffer_[at_++];
    }
    bool fill() {
        at_ = 0;
        end_ = std::min(from_.read(buffer_.data(), buffer_.size()), buffer_.size());
        return end_ > 0;
    }

    byte_source& from_;
    std::array<char, 4096> buffer_;
    std::size_t at_ = 0, end_ = 0;
    std::string line_;
    std::size_t number_ = 0;
};

/// Takes a space and a number from the beginning of the line.
template <class Number> Number take_number(std::string_view& line, std::size_t where) {
    Number n = 0;
    if (!line.starts_with(' ')) refuse_line(where, "a number is missing");
    const auto [end, error] = std::from_chars(line.data() + 1, line.data() + line.size(), n);
    if (error != std::errc()) refuse_line(where, "this is not a number, or it is too large");
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    return n;
}

} // namespace

/// Reads a file and checks it against the chart.
class coverage_reader {
public:
    coverage_reader(byte_source& from, const coverage& to) : lines_(from), to_(to) {}

    coverage_counts read() {
        if (lines_.next() != first_line) refuse_line(1, "a coverage file must begin with \"" + std::string(first_line) + "\"");
        check_chart();
        for (auto line = lines_.next(); line != "end"; line = lines_.next()) add(line);
        if (!lines_.at_end()) refuse_line(lines_.number(), "the file has data after the line \"end\"");
        return std::move(counts_);
    }

private:
    void check_chart() {
        auto line = lines_.next();
        constexpr std::string_view word = "chart ";
        fingerprint print;
        if (!line.starts_with(word) || line.size() != word.size() + 32) refuse_line(2, "the fingerprint of a chart is missing");
        line.remove_prefix(word.size());
        if (!read_hexadecimal(line.substr(0, 16), print.high) || !read_hexadecimal(line.substr(16), print.low))
            refuse_line(2, "the fingerprint of a chart is missing");
        if (print != to_.chart().fingerprint()) throw other_chart(to_.chart(), print, {}, 2);
    }

    static bool read_hexadecimal(std::string_view digits, std::uint64_t& to) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), to, 16);
        return error == std::errc() && end == digits.data() + digits.size();
    }

    void add(std::string_view line) {
        const auto where = lines_.number();
        const auto letter = line.empty() ? kind_letters.end() : std::ranges::find(kind_letters, line[0]);
        if (letter == kind_letters.end()) refuse_line(where, "the line begins with an unknown letter");
        const auto kind = static_cast<coverage_kind>(letter - kind_letters.begin());
        line.remove_prefix(1);
        const auto first = take_number<std::uint32_t>(line, where), second = take_number<std::uint32_t>(line, where);
        const auto count = take_number<std::uint64_t>(line, where);
        if (!line.empty()) refuse_line(where, "the line has more text after the numbers");
        const auto key = coverage_key(first, second);
        if (!to_.model_->is_known(kind, key)) refuse_line(where, "the chart has no part with this number");
        if (counts_.count(kind, key) != 0 || count == 0) refuse_line(where, "a part appears twice, or its count is 0");
        counts_.add(kind, key, count);
    }

    line_reader lines_;
    const coverage& to_;
    coverage_counts counts_;
};

void coverage::save(byte_sink& to) const {
    output out(to);
    out.put(first_line);
    out.put("\nchart ");
    out.put(chart_.fingerprint().to_string());
    out.put('\n');
    for (std::size_t k = 0; k < coverage_kind_count; ++k)
        for (const auto& e : sorted(*counts_, static_cast<coverage_kind>(k)))
            if (model_->is_known(static_cast<coverage_kind>(k), e.first)) put_entry(out, kind_letters[k], e);
    out.put("end\n");
    if (!out.flush())
        throw coverage_error(code::broken_coverage, 0, "the coverage file cannot be written", "check the free disk space and the permissions");
}

void coverage::load(byte_source& from) { add(coverage_reader(from, *this).read()); }

} // namespace hsm
