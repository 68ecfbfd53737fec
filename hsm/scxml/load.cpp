#include <hsm/scxml/scxml.hpp>

#include <hsm/scxml/detail/reader.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace hsm::detail::scxml {

namespace {

/// Positions are 32-bit numbers.
std::size_t most_bytes(const load_options& options) { return std::min<std::size_t>(options.max_bytes, UINT32_MAX - 1); }

/// Returns the folder of the document if it is inside the include folder, otherwise an empty text.
std::string folder_of(const std::string& path, const std::string& include_folder) {
    namespace fs = std::filesystem;
    if (include_folder.empty()) return {};
    std::error_code problem, another;
    const auto top = fs::weakly_canonical(include_folder, problem);
    const auto folder = fs::weakly_canonical(path, another).parent_path();
    const auto [end, other] = std::mismatch(top.begin(), top.end(), folder.begin(), folder.end());
    return problem || another || (end != top.end() && !end->empty()) ? std::string() : folder.string();
}

} // namespace

std::vector<load_problem> read_file(const std::string& path, const scxml_options& options, const node_factory& nodes, find_context find,
                                    const registry_base* names, state_base& root) {
    problem_list problems(path, options);
    auto bytes = hsm::detail::read_file(path, most_bytes(options), problems);
    const target_of_load to{nodes, find, names};
    if (problems.empty()) reader(options, to, problems, nullptr, folder_of(path, options.include_folder)).read(std::move(bytes), root);
    return problems.take();
}

std::vector<load_problem> read_text(std::string text, std::string name, const scxml_options& options, const node_factory& nodes, find_context find,
                                    const registry_base* names, state_base& root) {
    problem_list problems(std::move(name), options);
    if (text.size() > most_bytes(options))
        problems.add(code::large_file, {}, "the text is larger than " + std::to_string(most_bytes(options)) + " bytes",
                     "split the machine, or raise load_options::max_bytes");
    else
        reader(options, {nodes, find, names}, problems).read(std::move(text), root);
    return problems.take();
}

void throw_problems(std::vector<load_problem> problems) { throw load_error(std::move(problems)); }

} // namespace hsm::detail::scxml
