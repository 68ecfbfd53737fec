#include <hsm/load/xml.hpp>

#include <hsm/load/detail/xml_reader.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

constexpr xml_format machine_format = {
    .has_text = false,
    .beginning = "<Project name=\"...\">",
    .one_root = "write one machine in each file, in one <Project>",
    .no_type = "remove it: hsm does not expand entities; to validate the file, use docs/hsm.xsd",
};

/// Returns whether the attribute contains a list of names.
bool is_list(std::string_view attribute) {
    for (const std::string_view word : {"enter", "update", "exit", "local", "hold_until", "action"})
        if (attribute == word) return true;
    return false;
}

/// Returns the length of the longest name in a list or in a path.
std::size_t longest_name(const xml_attribute& a) {
    const auto between = is_list(a.name) ? " \t\r\n" : "/";
    std::size_t longest = 0;
    for (std::size_t begin = 0; begin <= a.value.size();) {
        const auto end = std::min(a.value.find_first_of(between, begin), a.value.size());
        longest = std::max(longest, end - begin);
        begin = end + 1;
    }
    return longest;
}

/// Returns false if there are too many states. Other exceeded limits leave the rest readable.
bool fits(const xml_document& document, const load_options& options, problem_list& problems) {
    for (const auto& a : document.attributes())
        if (a.value.size() > options.max_name && !is_of_xml(a.name) && longest_name(a) > options.max_name)
            problems.add(code::long_name, a.value_at, fmt::format("a name in {} has more than {} bytes", in_quotes(a.name), options.max_name),
                         "choose a shorter name, or raise load_options::max_name");
    std::size_t states = 1; // the root
    for (const auto& e : document.elements()) {
        if (e.name != "state" || ++states <= options.max_states) continue;
        problems.add(code::too_many_states, e.at, fmt::format("the file has more than {} states", options.max_states),
                     "split the machine, or raise load_options::max_states; the maximum for a chart is 65534");
        return false;
    }
    return true;
}

void read(std::string bytes, const registry_base& names, const load_options& options, state_base& root, problem_list& problems) {
    const xml_document document(std::move(bytes), machine_format, options, problems);
    if (!document.empty() && fits(document, options, problems)) xml_reader(document, names, problems).read(root);
}

} // namespace

std::vector<load_problem> read_xml_file(const std::string& path, const registry_base& names, const load_options& options, state_base& root) {
    return load_file(path, options, [&](std::string bytes, problem_list& problems) { read(std::move(bytes), names, options, root, problems); });
}

std::vector<load_problem> read_xml_text(std::string text, std::string name, const registry_base& names, const load_options& options,
                                        state_base& root) {
    return load_text(std::move(text), std::move(name), options,
                     [&](std::string bytes, problem_list& problems) { read(std::move(bytes), names, options, root, problems); });
}

void throw_problems(std::vector<load_problem> problems) { throw load_error(std::move(problems)); }

std::vector<load_problem> nothing_to_save() {
    return {{code::no_root, {}, "the definition is empty", "save the definition before you move it into compile"}};
}

} // namespace hsm::detail
