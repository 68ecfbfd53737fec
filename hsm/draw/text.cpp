#include <hsm/draw/text.hpp>

#include <hsm/define/detail/choosing_names.hpp>
#include <hsm/define/detail/history_kinds.hpp>
#include <hsm/draw/detail/labels.hpp>
#include <hsm/draw/detail/lines.hpp>
#include <hsm/draw/detail/picture.hpp>
#include <hsm/op/detail/format.hpp>

#include <string>

namespace hsm::draw {

using namespace detail;

namespace {

constexpr std::string_view bold = "\x1b[1m", lit = "\x1b[1;33m", good = "\x1b[32m", bad = "\x1b[31m", faint = "\x1b[2m", plain = "\x1b[0m";

struct signs {
    std::string_view arrow, begin, choose, active, branch, last, past, none;
};
constexpr signs drawn{"→ ", "● → ", "◇ → ", "▶ ", "├─ ", "└─ ", "│  ", "   "};
constexpr signs typed{"-> ", "o-> ", "?-> ", "> ", "+- ", "`- ", "|  ", "   "};

class text_writer {
public:
    text_writer(const chart_view& chart, const options& how)
        : chart_(chart), how_(how), labels_(chart, how), light_(chart, how.highlight), signs_(how.ascii ? typed : drawn) {}

    std::string run(const state_view& top) {
        for (auto number = top.number(); number <= top.last(); ++number) {
            const auto s = chart_.state(number);
            const auto level = s.depth() - top.depth();
            if (level > how_.depth) continue;
            is_last_.resize(level);
            if (level > 0) is_last_.back() = s.superstate().last() == s.last();
            state(s, level == how_.depth && s.last() > s.number());
        }
        return std::move(out_);
    }

private:
    void line(std::string_view sign, std::string_view text, std::string_view color = {}) {
        for (std::size_t i = 0; i + 1 < is_last_.size(); ++i) out_ += is_last_[i] ? signs_.none : signs_.past;
        if (!is_last_.empty()) out_ += sign;
        if (how_.colors && !color.empty())
            out_ += fmt::format("{}{}{}\n", color, text, plain);
        else
            out_ += fmt::format("{}\n", text);
    }

    /// Writes a line below the name of a state. `opens`: substates follow.
    void detail(bool opens, std::string_view text, std::string_view color = {}) {
        const auto sign = is_last_.empty() ? "" : is_last_.back() ? signs_.none : signs_.past;
        line(sign, fmt::format("{}  {}", opens ? signs_.past.substr(0, signs_.past.size() - 2) : " ", text), color);
    }

    static std::string_view color(const looks& l) {
        return l.active ? lit : l.mark == mark::missing ? bad : l.mark == mark::seen ? good : std::string_view();
    }

    static std::string marks(const looks& l) {
        std::string text;
        if (l.mark != mark::none) text += l.mark == mark::seen ? "  (seen)" : "  (missing)";
        if (!l.note.empty()) text += fmt::format("  {}", legible_line(l.note));
        return text;
    }

    static bool by_score(const state_view& s) { return s.choosing() != choosing::first; }
    static std::string kind(const state_view& s) {
        switch (s.kind()) {
        case state_kind::parallel: return s.history() == history_depth::none ? "  (parallel)" : "  (parallel, remembers)";
        case state_kind::final: return "  (final)";
        case state_kind::choice: return by_score(s) ? fmt::format("  (choice, {})", name_of(s.choosing())) : "  (choice)";
        case state_kind::history: return fmt::format("  ({})", by_history_depth(s.history()).shown);
        case state_kind::leaf:
        case state_kind::machine: break;
        }
        const std::string memory = s.history() == history_depth::none   ? ""
                                   : s.history() == history_depth::deep ? "  (remembers deeply)"
                                                                        : "  (remembers)";
        return by_score(s) ? fmt::format("  ({}){}", name_of(s.choosing()), memory) : memory;
    }

    void state(const state_view& s, bool folded) {
        const auto looks = light_.of(s);
        line(!is_last_.empty() && is_last_.back() ? signs_.last : signs_.branch,
             fmt::format("{}{}{}{}{}", looks.active ? signs_.active : "", legible_line(s.name()), kind(s), s.is_region() ? "  (region)" : "",
                         marks(looks)),
             looks.active || looks.mark != mark::none ? color(looks) : bold);
        const bool opens = !s.substates().empty() && !folded;
        for (const auto& l : labels_.lines(s)) detail(opens, legible_line(l), faint);
        bool begins = s.kind() != state_kind::machine;
        for (const auto t : s.transitions()) begins |= t.role() != transition_role::ordinary;
        if (!begins) begin(s, opens);
        for (const auto t : s.transitions())
            if (t.same_as() == t && !t.is_internal()) transition(t, opens);
        if (folded) detail(opens, fmt::format("+ {} states inside", s.last() - s.number()), faint);
    }

    /// Writes the first substate as the begin, if the definition contains no initial state.
    void begin(const state_view& s, bool opens) {
        for (const auto sub : s.substates())
            if (sub.kind() != state_kind::history) return detail(opens, fmt::format("{}{}", signs_.begin, legible_line(sub.distinct_name())));
    }

    void transition(const transition_view& t, bool opens) {
        std::string targets;
        for (const auto s : t.targets()) targets += fmt::format("{}{}", targets.empty() ? "" : " + ", legible_line(s.distinct_name()));
        const auto sign = t.role() == transition_role::dispatch ? signs_.choose : t.role() == transition_role::initial ? signs_.begin : signs_.arrow;
        std::string text = fmt::format("{}{}", sign, targets);
        for (const auto s : t.joined()) text += fmt::format(" with {}", legible_line(s.distinct_name()));
        const auto l = labels_.of(t);
        const auto looks = light_.of(t);
        if (!l.empty()) text += fmt::format("  {}", legible_line(l.text()));
        detail(opens, text + marks(looks), color(looks));
    }

    const chart_view chart_;
    const options& how_;
    label_writer labels_;
    light_reader light_;
    const signs& signs_;
    std::vector<bool> is_last_; ///< by level: whether no other substate follows
    std::string out_;
};

} // namespace

drawing text(const chart_view& chart, const options& how) { return {text_writer(chart, how).run(drawn_part(chart, how)), {}}; }

} // namespace hsm::draw
