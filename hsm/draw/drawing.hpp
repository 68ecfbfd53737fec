/// The result of drawing a chart: a text in some language, and the losses. Losses are the parts that this language cannot express.
///
/// The same chart with the same options always results in the same text. Each drawing function throws draw_error (HSM-381) if the chart is empty or
/// has no part with the requested path. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::draw {

/// The parts of a chart that a language cannot express, and their replacements. Graphviz and plain text have no losses.
enum class loss_kind : std::uint8_t {
    region,           ///< a region is drawn inside its parallel like a substate, without a dividing line
    dashed_line,      ///< an entry choice is drawn with a line like that of a transition
    history,          ///< a history state is a box named H, H* or P instead of a circle
    final_state,      ///< a final state is a box with an arrow to an end symbol
    choice_name,      ///< the name of a choice is left out
    lit_superstate,   ///< an active, hot or missing superstate has a word in its title instead of a color
    lit_transition,   ///< a taken, hot or missing transition has a word in its label instead of a color
    superstate_lines, ///< the lines of a superstate are in a box inside it
    loop,             ///< several transitions from a state to itself have one arrow, with all their labels
};

struct loss {
    loss_kind kind;
    std::string text; ///< "history: hero/attack/back is drawn as a box with the name H, H* or P"

    friend bool operator==(const loss&, const loss&) = default;
};

struct drawing {
    std::string text;
    std::vector<loss> losses; ///< first the losses of states, in the order of the states, then those of transitions
};

std::string_view to_string(loss_kind kind);

} // namespace hsm::draw
