/// What is wrong in a file: everything at once, each with its place.
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
    std::string problem; ///< what is wrong, a sentence
    std::string hint;    ///< what to do; may be empty

    /// It is listed with the errors of its file, and alone would not keep the file from being loaded.
    bool is_warning() const;
    std::string to_string() const; ///< "monster.xml:12:5: HSM-313 error: ...; hint: ..."
};

std::string describe(const std::vector<load_problem>& problems); ///< a line each

/// Thrown by load_xml and its like. Nothing has been made then.
class load_error : public std::runtime_error {
public:
    explicit load_error(std::vector<load_problem> problems);
    const std::vector<load_problem>& problems() const { return problems_; }

private:
    std::vector<load_problem> problems_;
};

} // namespace hsm
