#include <hsm/load/xml.hpp>

#include <hsm/load/detail/xml_reader.hpp>

#include <algorithm>
#include <cstdint>

namespace hsm::detail {

namespace {

/// Positions have 32 bits.
std::size_t most_bytes(const load_options& options) { return std::min<std::size_t>(options.max_bytes, UINT32_MAX - 1); }

void read(std::string bytes, const registry_base& names, const load_options& options, state_base& root, problem_list& problems) {
    const xml_document document(std::move(bytes), options, problems);
    if (!document.empty()) xml_reader(document, names, problems).read(root);
}

} // namespace

std::vector<load_problem> read_xml_file(const std::string& path, const registry_base& names, const load_options& options, state_base& root) {
    problem_list problems(path, options);
    auto bytes = read_file(path, most_bytes(options), problems);
    if (problems.empty()) read(std::move(bytes), names, options, root, problems);
    return problems.take();
}

std::vector<load_problem> read_xml_text(std::string text, std::string name, const registry_base& names, const load_options& options,
                                        state_base& root) {
    problem_list problems(std::move(name), options);
    if (text.size() > most_bytes(options))
        problems.add(code::large_file, {}, "the text is larger than " + std::to_string(most_bytes(options)) + " bytes",
                     "split the machine, or raise load_options::max_bytes");
    else
        read(std::move(text), names, options, root, problems);
    return problems.take();
}

void throw_problems(std::vector<load_problem> problems) { throw load_error(std::move(problems)); }

std::vector<load_problem> nothing_to_save() {
    return {{code::no_root, {}, "the definition is empty", "save the definition before you move it into compile"}};
}

} // namespace hsm::detail
