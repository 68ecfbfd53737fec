/// Collects the errors of a file while it is read. A file of another kind can have millions: the first of them are kept, the others are
/// counted.
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
    bool full() const { return problems_.size() >= most_; } ///< from here on texts are not read any more
    /// `where` is in the file, unless it is in code.
    void add(hsm::code code, origin where, std::string problem, std::string hint = {});
    /// Problems that another list has only counted.
    void add_further(std::size_t count) { further_ += count; }
    std::size_t further() const { return further_; } ///< that are only counted
    /// By line and column. If there are further ones, the last one is their number.
    std::vector<load_problem> take();

private:
    std::string file_;
    std::size_t most_;
    std::size_t longest_;
    std::vector<load_problem> problems_;
    std::size_t further_ = 0;
};

/// In quotes, and not longer than a message should be.
std::string in_quotes(std::string_view text);

} // namespace hsm::detail
