/// The parts of an SCXML document other than its states. Stored at the root of the definition, for sessions and for save_scxml.
#pragma once

#include <hsm/define/origin.hpp>
#include <hsm/load/detail/xml_document.hpp>
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

inline constexpr std::string_view scxml_uri = "http://www.w3.org/2005/07/scxml";
/// The namespace of elements for registered behavior, as save_scxml writes them.
inline constexpr std::string_view behavior_uri = "urn:hsm:behaviour";
inline constexpr std::string_view xinclude_uri = "http://www.w3.org/2001/XInclude";

inline constexpr xml_format scxml_format = {
    .has_text = true,
    .beginning = "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\">",
    .one_root = "write one <scxml> in a document",
    .no_type = "remove it; hsm does not expand entities",
};

class document_store;

class document final : public loaded_document {
public:
    bool keeps_data() const override { return model != nullptr; }

    ~document() override; // document_store.cpp

    std::string name;      ///< empty if it has none
    std::string datamodel; ///< as written; empty if missing
    bool late_binding = false;
    const data_model_kind* model = nullptr; ///< null for the null model
    /// The language of a document whose data model is not available. Its expressions are opaque text, and it cannot run. Empty if it can run.
    std::string opaque;
    std::string why_not_run() const;
    void require_runnable() const; ///< throws usage_error
    std::uint32_t expressions = 0;
    std::unordered_map<std::string_view, const state_base*> states; ///< by id, for In() in the data model; the keys refer to the states' names
    std::vector<expression> scripts;                                ///< of the document itself
    std::vector<extra_markup> script_markup;                        ///< one for each script

    /// A <datamodel> element.
    struct data_of_state {
        const state_base* state;
        std::vector<data_element> data = {};
        extra_markup extra = {};
        std::vector<extra_markup> data_markup = {}; ///< one for each <data>
    };
    std::vector<data_of_state> data; ///< in document order; those of the document itself come first
    /// Calls visit(state, element) for each <data>.
    template <class F> void each_data(F visit) const {
        for (const auto& of_state : data)
            for (const auto& element : of_state.data) visit(*of_state.state, element);
    }
    std::map<const state_base*, payload> done_data;
    std::deque<invoke_spec> invocations;       ///< in document order
    document_store* store = nullptr;           ///< loads invoked documents; null if there are none
    std::unique_ptr<document_store> own_store; ///< for a document that is not itself invoked

    std::string folder;            ///< where relative file names start; empty: in the include folder
    std::deque<std::string> files; ///< names of included files, referred to by positions

    /// A registered element that is alone in its block becomes an ordinary hook. This is the position of the hook: a state and the index of its hook,
    /// or a transition and the index of its action. It is mapped to the original block.
    struct hook_key {
        const void* of;
        hook_kind kind; ///< for a state; constant for a transition
        std::size_t number;

        friend auto operator<=>(const hook_key&, const hook_key&) = default;
    };
    std::map<hook_key, std::shared_ptr<const block>> direct;
    const block* direct_block(const void* of, hook_kind kind, std::size_t number) const {
        const auto found = direct.find({of, kind, number});
        return found == direct.end() ? nullptr : found->second.get();
    }

    /// Markup of a state, a transition, or the block of an <onentry> or <onexit>. With a name: of the element "initial" or "donedata" in a state.
    std::map<std::pair<const void*, std::string_view>, extra_markup> markup;
    bool has_unknown = false;                                    ///< unknown attributes, or elements of other namespaces without behavior
    std::vector<std::pair<std::string, std::string>> namespaces; ///< prefix and URI, as needed by the stored markup
    std::string in_front;                                        ///< comments before the root element, one per line
    std::string behind;                                          ///< comments after it
};

/// Returns null if the definition does not come from an SCXML document.
inline const document* document_of(const state_base& root) {
    return root.notes() && root.notes()->scxml_rules ? static_cast<const document*>(root.notes()->document.get()) : nullptr;
}

} // namespace hsm::detail::scxml
