/// Documents that are invoked: each is read and compiled once, for all sessions that want it.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/define/fsm.hpp>
#include <hsm/scxml/context.hpp>
#include <hsm/scxml/detail/content.hpp>
#include <hsm/scxml/options.hpp>

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace hsm::detail::scxml {

/// Made of text; or nothing, and why.
struct invoked_document {
    std::string text;   ///< as XML; empty: the content of an <invoke>
    std::string folder; ///< of a file: where it lies
    std::string problem;
    std::optional<chart<hsm::scxml::context>> machine = {}; ///< only if there is no problem
};

/// The document in an <invoke>. It has been read with what is around it, and is compiled when it is first wanted. For all threads.
class document_of_invoke {
public:
    explicit document_of_invoke(owned<fsm<hsm::scxml::context>> root) : root_(std::move(root)) {}
    std::shared_ptr<const invoked_document> get();

private:
    std::mutex guard_;
    owned<fsm<hsm::scxml::context>> root_;
    std::shared_ptr<const invoked_document> made_;
};

/// What else sessions of a document, and those that they have invoked, ask for. For all threads.
class document_store {
public:
    explicit document_store(const scxml_options& options) : options_(options) { options_.check_scripts = false; } // nobody would hear of it

    /// What could not be made of the text is told by the document.
    std::shared_ptr<const invoked_document> of_text(std::string text, std::string_view name, std::string folder);
    /// As seen from that folder. None: the file is not there, or must not be read; why is in `problem`.
    std::shared_ptr<const invoked_document> of_file(std::string_view src, const std::string& folder, std::string& problem);
    const scxml_options& options() const { return options_; }
    std::size_t kept() const;

private:
    scxml_options options_;
    mutable std::mutex guard_;
    std::list<std::shared_ptr<const invoked_document>> kept_; ///< the last that was wanted first
};

/// What may be read.
struct readable {
    const std::string& folder; ///< with all in it
    const std::string& from;   ///< where names go on from; empty: from there
};
/// A file's text; else none, and why. A name may begin with "file:".
std::optional<std::string> read_below(const readable& where, std::string_view name, std::size_t most_bytes, std::string& path, std::string& problem);

} // namespace hsm::detail::scxml
