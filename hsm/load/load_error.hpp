/// The errors of a file. Loading reports all errors, each with its position.
#pragma once

#include <hsm/define/code.hpp>
#include <hsm/define/origin.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace hsm {

struct load_problem {
    hsm::code code;
    file_position where;
    std::string problem; ///< one sentence
    std::string hint;    ///< advice; can be empty

    /// Returns whether this is a warning: it is reported with the errors of a file, but does not prevent loading.
    bool is_warning() const;
    std::string to_string() const; ///< "monster.xml:12:5: HSM-313 error: ...; hint: ..."
};

std::string describe(const std::vector<load_problem>& problems); ///< one line for each

/// Thrown by load_xml and similar functions. If it is thrown, nothing was created.
class load_error : public std::runtime_error {
public:
    explicit load_error(std::vector<load_problem> problems);
    const std::vector<load_problem>& problems() const { return problems_; }

private:
    std::vector<load_problem> problems_;
};

} // namespace hsm
