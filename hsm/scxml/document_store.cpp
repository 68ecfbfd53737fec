#include <hsm/scxml/detail/document_store.hpp>

#include <hsm/compile/compile.hpp>
#include <hsm/load/detail/problem_list.hpp>
#include <hsm/load/detail/source_text.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/error.hpp>
#include <hsm/scxml/detail/document.hpp>
#include <hsm/scxml/detail/reader.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace hsm::detail::scxml {

namespace {

/// If it throws, the tree is unchanged.
std::shared_ptr<invoked_document> compiled(owned<state_base>& root) {
    auto made = std::make_shared<invoked_document>();
    if (const auto* const document = document_of(*root); !document->opaque.empty()) {
        made->problem = document->why_not_run();
        return made;
    }
    std::vector<finding> findings;
    if (const auto* const core = compile_tree(root, {}, findings))
        made->machine.emplace(core);
    else
        made->problem = describe(findings);
    return made;
}

} // namespace

document::~document() = default;

std::string document::why_not_run() const { return fmt::format("the document cannot run: no data model is registered for {}", in_quotes(opaque)); }

void document::require_runnable() const {
    if (!opaque.empty())
        throw usage_error({code::unknown_data_model, {}, why_not_run(), "pass a data model of that name in scxml_options::data_models"});
}

std::shared_ptr<const invoked_document> document_of_invoke::get() {
    const std::lock_guard<std::mutex> alone(guard_);
    if (made_) return made_;
    made_ = compiled(root_);
    root_ = {};
    return made_;
}

std::shared_ptr<const invoked_document> document_store::of_text(std::string text, std::string_view name, std::string folder) {
    const std::lock_guard<std::mutex> alone(guard_);
    const auto known = std::ranges::find_if(cached_, [&](const auto& d) { return d->text == text && d->folder == folder; });
    if (known != cached_.end()) {
        cached_.splice(cached_.begin(), cached_, known);
        return cached_.front();
    }
    owned<state_base> root = make_fsm<hsm::scxml::context>("");
    problem_list problems(std::string(name), options_);
    const auto target = target_for<hsm::scxml::context>();
    reader(options_, target, problems, this, folder).read(text, *root);
    auto made = problems.empty() ? compiled(root) : std::make_shared<invoked_document>();
    if (!problems.empty()) made->problem = describe(problems.take());
    made->text = std::move(text);
    made->folder = std::move(folder);
    if (options_.max_kept == 0) return made;
    if (cached_.size() >= options_.max_kept) cached_.pop_back();
    cached_.push_front(made);
    return made;
}

std::shared_ptr<const invoked_document> document_store::of_file(std::string_view src, const std::string& folder, std::string& problem) {
    std::string path;
    auto text = read_below({options_.include_folder, folder}, src, options_.max_bytes, path, problem);
    if (!text) return {};
    auto lies_in = std::filesystem::path(path).parent_path().string();
    return of_text(std::move(*text), path, std::move(lies_in));
}

bool is_below(const std::filesystem::path& folder, const std::filesystem::path& path) {
    const auto [end, other] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end == folder.end() || end->empty();
}

std::optional<std::string> read_below(const readable& where, std::string_view src, std::size_t most_bytes, std::string& path, std::string& problem) {
    namespace fs = std::filesystem;
    const auto refuse = [&](std::string why) {
        problem = std::move(why);
        return std::nullopt;
    };
    if (where.folder.empty()) return refuse("hsm reads only the document itself");
    auto name = std::string(without_blanks(src));
    if (name.starts_with("file:")) name.erase(0, 5);
    if (name.find("://") != name.npos) return refuse("it is not a file, and hsm downloads nothing");
    if (const auto hash = name.find('#'); hash != name.npos) name.resize(hash);
    std::error_code status;
    const auto top = fs::weakly_canonical(where.folder, status);
    if (status) return refuse("the folder does not exist: " + where.folder);
    const auto found = fs::weakly_canonical((where.from.empty() ? top : fs::path(where.from)) / fs::path(name), status);
    if (status || fs::path(name).is_absolute() || !is_below(top, found)) return refuse("it is outside the folder that hsm can read");
    load_options bounds;
    problem_list wrong(found.string(), bounds);
    auto bytes = read_file(found.string(), most_bytes, wrong);
    if (!wrong.empty()) return refuse(wrong.take().front().problem);
    path = found.string();
    return bytes;
}

} // namespace hsm::detail::scxml
