/// What an SCXML document has beside its states: kept at the root of the definition, for the session and for whoever writes it again.
#pragma once

#include <hsm/define/origin.hpp>
#include <hsm/scxml/detail/content.hpp>

#include <compare>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hsm::detail::scxml {

class document_store;

class document final : public loaded_document {
public:
    ~document() override; // document_store.cpp

    std::string name;      ///< empty: it has none
    std::string datamodel; ///< as written; empty: it says nothing
    bool late_binding = false;
    const data_model_kind* model = nullptr; ///< null: the null model
    /// The language of a document for which no data model is given: its expressions are opaque text, and it cannot run. Empty: it can run.
    std::string opaque;
    std::string why_not_run() const;
    void require_runnable() const; ///< throws usage_error
    std::uint32_t expressions = 0;
    std::unordered_map<std::string_view, const state_base*> states; ///< by id, for In() of the data model; their names are the states' own
    std::vector<expression> scripts;                                ///< of the document itself
    std::vector<kept_markup> kept_scripts;                          ///< of each

    /// A <datamodel>.
    struct data_of_state {
        const state_base* state;
        std::vector<datum> data = {};
        kept_markup kept = {};
        std::vector<kept_markup> kept_data = {}; ///< of each <data>
    };
    std::vector<data_of_state> data; ///< in document order, those of the document itself first
    std::map<const state_base*, payload> done_data;
    std::deque<invoke_spec> invocations;       ///< in document order
    document_store* store = nullptr;           ///< where documents that are invoked come from; only if some are
    std::unique_ptr<document_store> own_store; ///< of one that is not invoked itself

    std::string folder;            ///< from which names of files go on; empty: from the one that may be read
    std::deque<std::string> files; ///< names of files that are included, as places say them

    /// A registered element that stands alone in its block is a hook like one of code. What it was, by where it has become one: a state and
    /// which of its hooks, or a transition and which of its actions.
    struct place_of_hook {
        const void* of;
        hook_kind kind; ///< of a state; of a transition always the same
        std::size_t number;

        friend auto operator<=>(const place_of_hook&, const place_of_hook&) = default;
    };
    std::map<place_of_hook, std::shared_ptr<const block>> direct;
    const block* direct_block(const void* of, hook_kind kind, std::size_t number) const {
        const auto found = direct.find({of, kind, number});
        return found == direct.end() ? nullptr : found->second.get();
    }

    /// Of a state, a transition, or the block of an <onentry> or <onexit>; and by its name, of an element of a state: "initial", "donedata".
    std::map<std::pair<const void*, std::string_view>, kept_markup> markup;
    bool has_unknown = false;                                    ///< attributes, elements of other namespaces that do nothing
    std::vector<std::pair<std::string, std::string>> namespaces; ///< prefix and URI, that the kept markup needs
    std::string in_front;                                        ///< comments in front of the root element, a line each
    std::string behind;                                          ///< comments behind it
};

/// Null if it was not made from an SCXML document.
inline const document* document_of(const state_base& root) {
    return root.notes() && root.notes()->scxml_rules ? static_cast<const document*>(root.notes()->document.get()) : nullptr;
}

} // namespace hsm::detail::scxml
