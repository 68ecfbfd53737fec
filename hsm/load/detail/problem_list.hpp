/// Collects the errors of a file. A file can have millions: the first ones are stored, the others only counted.
#pragma once

#include <hsm/load/load_error.hpp>
#include <hsm/load/load_options.hpp>

#include <string_view>

namespace hsm::detail {

class problem_list {
public:
    explicit problem_list(std::string file, const load_options& options = {})
        : file_(std::move(file)), most_(options.max_problems > 0 ? options.max_problems : 1), longest_(options.max_message) {}

    const std::string& file() const { return file_; }
    bool empty() const { return problems_.empty(); }
    bool full() const { return problems_.size() >= most_; } ///< then callers do not create further texts
    /// The position is in this file, unless it names another one.
    void add(hsm::code code, origin where, std::string problem, std::string hint = {});
    /// Counts errors that another list has only counted.
    void add_further(std::size_t count) { further_ += count; }
    std::size_t further() const { return further_; } ///< the number of errors that were only counted
    /// Returns the errors by line and column. If some were only counted, the last entry reports their number.
    std::vector<load_problem> take();

private:
    std::string file_;
    std::size_t most_;
    std::size_t longest_;
    std::vector<load_problem> problems_;
    std::size_t further_ = 0;
};

/// Returns the text in quotes, shortened for messages.
std::string in_quotes(std::string_view text);

} // namespace hsm::detail
