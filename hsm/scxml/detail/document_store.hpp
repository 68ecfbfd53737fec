/// Invoked documents. Each is read and compiled once, for all sessions that invoke it.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/define/fsm.hpp>
#include <hsm/scxml/context.hpp>
#include <hsm/scxml/detail/content.hpp>
#include <hsm/scxml/options.hpp>

#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace hsm::detail::scxml {

/// A document compiled from text, or the reason why it could not be.
struct invoked_document {
    std::string text;   ///< as XML; empty for the content of an <invoke>
    std::string folder; ///< for a file: its folder
    std::string problem;
    std::optional<chart<hsm::scxml::context>> machine = {}; ///< empty if there is a problem
};

/// The document in an <invoke>. It was read with its outer document, and is compiled on first use. Thread-safe.
class document_of_invoke {
public:
    explicit document_of_invoke(owned<fsm<hsm::scxml::context>> root) : root_(std::move(root)) {}
    std::shared_ptr<const invoked_document> get();

private:
    std::mutex guard_;
    owned<state_base> root_; ///< null: compiled
    std::shared_ptr<const invoked_document> made_;
};

/// Loads documents for a document's sessions and those that they invoke. Thread-safe.
class document_store {
public:
    explicit document_store(const scxml_options& options) : options_(options) { options_.check_scripts = false; } // its warnings would be lost

    /// Problems in the text are stored in the result.
    std::shared_ptr<const invoked_document> of_text(std::string text, std::string_view name, std::string folder);
    /// Loads a file relative to `folder`. If it does not exist or may not be read, returns null and sets `problem`.
    std::shared_ptr<const invoked_document> of_file(std::string_view src, const std::string& folder, std::string& problem);
    const scxml_options& options() const { return options_; }

private:
    scxml_options options_;
    std::mutex guard_;
    std::list<std::shared_ptr<const invoked_document>> cached_; ///< the most recently used first
};

/// Returns whether a canonical path is a folder, or is below it.
bool is_below(const std::filesystem::path& folder, const std::filesystem::path& path);

/// The files that may be read.
struct readable {
    const std::string& folder; ///< including its subfolders
    const std::string& from;   ///< where relative names start; empty: at `folder`
};
/// Returns a file's text, or nothing and the problem. The name can begin with "file:".
std::optional<std::string> read_below(const readable& where, std::string_view name, std::size_t most_bytes, std::string& path, std::string& problem);

} // namespace hsm::detail::scxml
