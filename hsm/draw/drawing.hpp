/// What comes of drawing a chart: a text in some language, and what that language could not say.
///
/// The same chart, with the same options, is always the same text. Each function that makes one throws draw_error (HSM-381) if the chart is
/// empty or has no such part. Not part of <hsm/hsm.hpp>.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::draw {

/// What a language cannot say, and what stands for it. Graphviz and plain text say everything; docs/guide/pictures.md, "Losses", has the table.
enum class loss_kind : std::uint8_t {
    region,           ///< a region stands in its parallel like a substate, without the line that divides it from the others
    dashed_line,      ///< a choice on entry is a line like those of transitions
    history,          ///< a circle with H is a box with that name
    final_state,      ///< a final state is a box, with an arrow to an anonymous end
    choice_name,      ///< the name of a choice is not told
    lit_superstate,   ///< a superstate that is active, hot or missing has a word in its title instead of a colour
    lit_transition,   ///< a transition that was taken, is hot or missing has a word in its label instead of a colour
    superstate_lines, ///< what a superstate does itself stands in a box inside it
    loop,             ///< of several transitions from a state to itself, all but the first are told at the arrow of that one
};

struct loss {
    loss_kind kind;
    std::string text; ///< "history: attack/back is a box with the name H"

    friend bool operator==(const loss&, const loss&) = default;
};

struct drawing {
    std::string text;
    std::vector<loss> losses; ///< in the order of the states, then of the transitions
};

std::string_view to_string(loss_kind kind);

} // namespace hsm::draw
