#include <hsm/tool/detail/script.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/detail/shown.hpp>
#include <hsm/observe/explain.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/name_finder.hpp>
#include <hsm/tool/detail/play_session.hpp>

#include <algorithm>

namespace hsm::detail::tool {

namespace {

constexpr expect_word expectation_table[] = {
    {"in", expectation::in, "STATE...", "all these states are active"},
    {"entered", expectation::entered, "STATE...", "these states were entered in the last step"},
    {"exited", expectation::exited, "STATE...", "these states were exited in the last step"},
    {"transition", expectation::transition, "STATE [-> STATE] [on EVENT]",
     "this transition fired in the last step; without a target: this reaction fired"},
    {"hook", expectation::ran, "NAME", "this hook or action ran in the last step"},
    {"logged", expectation::logged, "TEXT", "an SCXML document logged this in the last step: the label, the text, or \"label: text\""},
    {"sent", expectation::sent, "EVENT [to TARGET]", "an SCXML document sent this event to another receiver in the last step"},
    {"error", expectation::error, "[EVENT]", "an SCXML document received an error in the last step: error.execution, error.communication"},
    {"data", expectation::data, "NAME [VALUE]",
     "a datum of an SCXML document has this value (JSON, or a text); without VALUE: the datum has any value"},
    {"asked", expectation::asked, "GUARD [true|false]", "this guard was evaluated in the last step, with this result"},
    {"bit", expectation::bit, "NAME [true|false]", "this bit is set, or not set"},
    {"possible", expectation::possible, "EVENT", "this event would have an effect now"},
    {"nothing", expectation::nothing, "", "no state was exited or entered in the last step, and no reaction ran"},
    {"finished", expectation::finished, "", "the machine is finished"},
    {"held", expectation::held, "", "in the last step, a transition began to wait for a state that holds"},
    {"deferred", expectation::deferred, "EVENT", "this event was deferred in the last step"},
    {"dropped", expectation::dropped, "EVENT", "this event was lost in the last step"},
    {"thrown", expectation::thrown, "", "a hook threw an exception in the last step"},
    {"result", expectation::outcome, "RESULT", "the result of the last step: taken, internal, guarded, unhandled, ..."},
};

class expectation_reader : word_reader {
public:
    expectation_reader(const script_line& line, const player& names) : word_reader(line, names) {
        usage_ = "write: expect [not] WORD ...; `help expect` lists the words";
    }

    expectation run() {
        if (more() && here().text == "not") {
            made_.wanted = false;
            ++at_;
        }
        const auto& w = next("the expectation");
        const auto* const known = std::ranges::find(expectation_table, w.text, &expect_word::word);
        if (known == std::end(expectation_table)) {
            std::vector<std::string_view> all;
            for (const auto& e : expectation_table) all.push_back(e.word);
            find_.fail(w, fmt::format("unknown expectation \"{}\"", shown(w.text)), w.text.size() > longest_guessed ? "" : suggestion(w.text, all));
        }
        usage_ = fmt::format("write: expect {}{}{}", known->word, known->takes.empty() ? "" : " ", known->takes);
        made_.kind = known->what;
        read();
        require_end();
        return std::move(made_);
    }

private:
    /// Commas between the states are allowed.
    void read_states() {
        do {
            auto w = next("the name of a state");
            if (!w.is_quoted && w.text.size() > 1 && w.text.ends_with(',')) w.text.pop_back();
            made_.states.push_back(find_.state(w));
        } while (more());
    }

    void read_transition() {
        made_.states.push_back(find_.state(next("the name of a state")));
        if (more() && here().text == "->") {
            ++at_;
            made_.states.push_back(find_.state(next("the target")));
        }
        if (!more()) return;
        if (here().text != "on") find_.fail(here(), "unexpected text", usage_);
        ++at_;
        read_event(made_.name, made_.event);
    }

    void read_flag() {
        if (!more()) return;
        const auto& w = here();
        if (w.text != "true" && w.text != "false") find_.fail(w, fmt::format("\"{}\" is neither true nor false", shown(w.text)), usage_);
        made_.on = w.text == "true";
        ++at_;
    }

    void read_sent() {
        made_.name = next("the name of an event").text;
        if (!more()) return;
        if (here().text != "to") find_.fail(here(), "unexpected text", usage_);
        ++at_;
        made_.target = next("the receiver").text;
    }

    void read_data() {
        made_.name = find_.data(next("the name of a datum"));
        if (!more()) return;
        const auto& w = line_.words[at_++];
        if (w.is_quoted || !read_json(w.text, made_.value)) made_.value = event_data(w.text);
    }

    void read_outcome() {
        const auto& w = next("the result");
        std::vector<std::string_view> all;
        for (int r = 0; r <= static_cast<int>(result::inactive); ++r) all.push_back(to_string(static_cast<result>(r)));
        const auto known = std::ranges::find(all, w.text);
        if (known == all.end())
            find_.fail(w, fmt::format("unknown result \"{}\"", shown(w.text)), w.text.size() > longest_guessed ? "" : suggestion(w.text, all));
        made_.outcome_wanted = static_cast<result>(known - all.begin());
    }

    void read() {
        switch (made_.kind) {
        case expectation::in:
        case expectation::entered:
        case expectation::exited: return read_states();
        case expectation::transition: return read_transition();
        case expectation::ran: made_.name = find_.hook(next("the name of a hook or an action")); return;
        case expectation::asked: made_.name = find_.asked_guard(next("the name of a guard")); return read_flag();
        case expectation::bit: made_.name = find_.condition(next("the name of a bit")); return read_flag();
        case expectation::possible:
        case expectation::deferred:
        case expectation::dropped: return read_event(made_.name, made_.event);
        case expectation::logged: made_.name = next("the logged text").text; return;
        case expectation::sent: return read_sent();
        case expectation::data: return read_data();
        case expectation::error:
            if (more()) made_.name = next("").text;
            return;
        case expectation::outcome: return read_outcome();
        default: return;
        }
    }

    expectation made_;
};

class expectation_check {
public:
    expectation_check(const expectation& e, const player& p) : e_(e), p_(p) {}

    bool is_met() const {
        switch (e_.kind) {
        case expectation::in:
        case expectation::entered:
        case expectation::exited: return states_are_met();
        case expectation::bit: return p_.machine().get(e_.name) == e_.on.value_or(true);
        case expectation::outcome: return p_.outcome() == e_.outcome_wanted;
        case expectation::possible: return is_possible();
        case expectation::finished: return p_.is_over();
        case expectation::nothing: return !p_.has_changed();
        case expectation::data: return data_is_met();
        default: return std::ranges::any_of(p_.happened(), [&](const happening& h) { return fits(h); });
        }
    }

private:
    /// For "not", no state may match.
    bool states_are_met() const {
        const auto holds = [&](std::uint32_t s) {
            if (e_.kind == expectation::in) return p_.is_in(p_.chart().state(s));
            const auto kind = e_.kind == expectation::entered ? happening::entered : happening::exited;
            return std::ranges::any_of(p_.happened(), [&](const happening& h) { return h.kind == kind && h.from == s; });
        };
        return e_.wanted ? std::ranges::all_of(e_.states, holds) : std::ranges::any_of(e_.states, holds);
    }

    bool is_possible() const {
        const simulation::assumption answers(p_.sim(), false);
        if (!e_.name.empty()) return would_take(e_.name);
        return std::ranges::any_of(possible(p_.machine()).all, [&](const auto& one) { return one.event == e_.event; });
    }

    bool data_is_met() const {
        for (const auto& [name, json] : p_.session().data()) {
            event_data found;
            if (name == e_.name && !json.empty() && read_json(json, found)) return !e_.value || found == e_.value;
        }
        return false;
    }

    bool would_take(const std::string& name) const try {
        return static_cast<bool>(p_.machine().can(name));
    } catch (const std::exception&) { // a script condition that uses missing data
        return false;
    }

    std::string event_name() const { return e_.name.empty() ? std::string(p_.chart().event(e_.event).text()) : e_.name; }

    bool fits(const happening& h) const {
        switch (e_.kind) {
        case expectation::transition: return h.kind == happening::transition && fits_transition(h);
        case expectation::ran: return h.kind == happening::ran && h.name == e_.name;
        case expectation::asked: return h.kind == happening::asked && h.name == e_.name && e_.on.value_or(h.yes) == h.yes;
        case expectation::held: return h.kind == happening::held;
        case expectation::deferred: return h.kind == happening::deferred && h.name == event_name();
        case expectation::dropped: return h.kind == happening::dropped && h.name == event_name();
        case expectation::thrown: return h.kind == happening::thrown;
        case expectation::logged: return h.kind == happening::logged && (h.name == e_.name || h.text == e_.name || text_of_log(h) == e_.name);
        case expectation::sent:
            return h.kind == happening::sent && h.name == e_.name && (e_.target.empty() || h.text.substr(0, h.text.find(' ')) == e_.target);
        case expectation::error: return h.kind == happening::failed && (e_.name.empty() || h.name == e_.name);
        default: return false;
        }
    }

    /// Compares the exact source and target; states around or inside them do not match.
    bool fits_transition(const happening& h) const {
        const auto fired = p_.chart().transition(h.number);
        if (e_.event != record::no_number && (!fired || fired.event().number() != e_.event)) return false;
        if (!e_.name.empty() && (!fired || !event_takes(fired.event(), e_.name))) return false;
        if (h.from != e_.states[0]) return false;
        if (e_.states.size() == 1) return h.to >= record::no_state;
        return h.to == e_.states[1];
    }

    const expectation& e_;
    const player& p_;
};

} // namespace

std::span<const expect_word> expect_words() { return expectation_table; }

expectation parse_expectation(const script_line& line, const player& names) { return expectation_reader(line, names).run(); }

std::string what_is_unmet(const expectation& e, const player& p) {
    if (expectation_check(e, p).is_met() == e.wanted) return {};
    if (e.kind == expectation::data) return text_of_data(p, e.name);
    std::string text = "active: " + text_of_active(p) + '\n';
    const auto happened = text_of_step(p);
    const bool of_step =
        e.kind != expectation::in && e.kind != expectation::bit && e.kind != expectation::possible && e.kind != expectation::finished;
    if (of_step) text += happened.empty() ? "nothing happened in the last step\n" : "in the last step:\n" + indented(happened, 2);
    if (of_step && p.outcome()) text += fmt::format("result: {}\n", to_string(*p.outcome()));
    const simulation::assumption answers(p.sim(), false);
    if (e.kind == expectation::possible) text += explained(p, e.event, e.name);
    if (!e.wanted || (e.kind != expectation::in && e.kind != expectation::entered)) return text;
    for (const auto s : e.states) {
        const auto state = p.chart().state(s);
        if (p.is_in(state)) continue;
        const bool pseudo = state.kind() == state_kind::history || state.kind() == state_kind::choice;
        if (!pseudo) text += "why it is not active:\n" + indented(why_not_there(p, state), 2);
    }
    return text;
}

} // namespace hsm::detail::tool
