/// Collects what is wrong while a file is read. A file that is not meant to be one can be wrong in millions of places: after
/// the first thousand they are only counted.
#pragma once

#include <hsm/load/load_error.hpp>

#include <string_view>

namespace hsm {

class problem_list {
public:
    static constexpr std::size_t most = 1000;

    explicit problem_list(std::string file) : file_(std::move(file)) {}

    const std::string& file() const { return file_; }
    bool empty() const { return problems_.empty(); }
    bool full() const { return problems_.size() >= most; }
    void add(hsm::code code, origin where, std::string problem, std::string hint = {});
    /// By line and column. The last one tells of those that were not kept.
    std::vector<load_problem> take();

private:
    std::string file_;
    std::vector<load_problem> problems_;
    std::size_t further_ = 0;
};

/// In quotes, and not longer than a message should be.
std::string in_quotes(std::string_view text);

} // namespace hsm
