/// Writes an XML document with one element per line, indented by depth.
#pragma once

#include <hsm/load/detail/problem_list.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

class xml_output {
public:
    /// Characters that XML forbids are problems.
    explicit xml_output(problem_list& problems) : problems_(problems) {}

protected:
    void begin(std::string_view element, std::string_view further_attributes = {}); ///< they are written last, as they are
    void attribute(std::string_view name, std::string_view value);
    void opened();                      ///< ends the start tag: content follows
    void line(std::string_view markup); ///< on its own line
    void raw(std::string_view markup);  ///< up to the end of a line; not indented, because blanks are content
    void end();

    problem_list& problems_;
    std::string out_;
    struct open_element {
        std::string name;
        std::string_view further_attributes;
    };
    std::vector<open_element> open_;
    bool inside_ = true; ///< the start tag of the innermost element is complete

private:
    void check(std::string_view text, std::string_view what, std::string_view name);
};

} // namespace hsm::detail
