/// An SCXML document as plain data: what of it the tests need, which is everything but data, send, invoke and scripts.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace scxml {

/// The file, and what is wrong with it, or not understood here.
struct document_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

enum class predicate { yes, no, in, not_in };

struct condition {
    predicate asks = predicate::yes;
    std::string state; ///< of In('...')
};

struct transition {
    std::vector<std::string> events; ///< descriptors, as written; none: eventless
    std::vector<std::string> targets;
    bool internal = false;
    condition cond;
    std::vector<std::string> raised; ///< its content
};

enum class kind { state, parallel, final, history, deep_history };

struct node {
    scxml::kind kind = scxml::kind::state;
    std::string id;                       ///< made up where there is none
    std::optional<transition> initial;    ///< of the attribute or the element
    std::vector<std::string> entry, exit; ///< what is raised there
    std::vector<transition> transitions;  ///< of a history state: its default
    std::vector<node> children;           ///< in document order
};

/// The scxml element itself is a state. Throws document_error.
node read(const std::filesystem::path& file);
node parse(const std::string& text);

inline bool is_history(kind k) { return k >= kind::history; }

/// Has it child states?
bool is_compound(const node& n);

} // namespace scxml
