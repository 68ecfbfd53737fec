#include <hsm/tool/detail/play_session.hpp>

#include <hsm/draw/detail/lines.hpp>
#include <hsm/draw/text.hpp>
#include <hsm/observe/explain.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/name_finder.hpp>

#include <algorithm>

namespace hsm::detail::tool {

namespace {

std::string_view without_root(const chart_view& chart, std::string_view path) {
    const auto root = chart.root().name();
    if (path.size() > root.size() && path.starts_with(root) && path[root.size()] == '/') return path.substr(root.size() + 1);
    return path;
}

std::string_view text_of(reason why) {
    switch (why) {
    case reason::start: return "start";
    case reason::event: return "event";
    case reason::poll: return "tick";
    case reason::completion: return "completion";
    case reason::entry: return "entry choice";
    case reason::request: return "request";
    case reason::time: return "time";
    case reason::history: return "history";
    default: return to_string(why);
    }
}

/// Returns "search -> hunt on hit [hasTarget]", or "-> idle" without a defined transition.
std::string text_of_transition(const player& p, const happening& h) {
    if (const auto t = p.chart().transition(h.number)) return legible_line(t.text());
    const auto from = h.from >= record::no_state ? std::string() : text_of_state(p, h.from) + ' ';
    return from + (h.to >= record::no_state ? "" : "-> " + text_of_state(p, h.to));
}

class step_text {
public:
    step_text(const player& p, const painter& paint) : p_(p), paint_(paint) {}

    std::string run() {
        for (const auto& h : p_.happened()) add(h);
        close();
        if (p_.further() > 0) text_ += fmt::format("  … and {} more\n", p_.further());
        return std::move(text_);
    }

private:
    /// Consecutive exited states are listed in one line; so are entered states and hooks.
    void add(const happening& h) {
        switch (h.kind) {
        case happening::exited: return list("left", style::faint, text_of_state(p_, h.from));
        case happening::entered: return list("entered", style::green, text_of_state(p_, h.from));
        case happening::ran: return list("runs", style::cyan, h.name);
        case happening::asked: return list("asked", style::faint, fmt::format("{} = {}", h.name, h.yes));
        case happening::shown: return line("", paint_(style::faint, h.text));
        case happening::event: return;
        case happening::transition: {
            const auto shown = text_of_transition(p_, h);
            if (shown.empty()) return;
            close();
            text_ += fmt::format("{}  ({})\n", paint_(style::bold, shown), text_of(h.why));
            return;
        }
        case happening::timed: return list("delay", style::cyan, fmt::format("{} = {}", h.name, h.text));
        case happening::held:
            return line("waits", fmt::format("{} holds{}", text_of_state(p_, h.from),
                                             p_.chart().transition(h.number) ? ": " + text_of_transition(p_, h) : ""));
        case happening::deferred: return line("deferred", h.name);
        case happening::recalled: return line("recalled", h.name);
        case happening::dropped: return line("lost", fmt::format("{} ({})", h.name, h.text));
        case happening::refused: return line("refused", fmt::format("a transition of higher priority waits in {}", text_of_state(p_, h.from)));
        case happening::finished: return line("finished", text_of_state(p_, h.from));
        case happening::condition: return line("bit", fmt::format("{} = {}{}", h.name, h.yes, h.text.empty() ? "" : ' ' + h.text));
        case happening::thrown: return line(paint_(style::red, "thrown"), h.text);
        case happening::logged: return line("logs", text_of_log(h));
        case happening::sent: return line("sends", fmt::format("{} to {}", h.name, h.text));
        case happening::failed: return line(paint_(style::red, h.name), h.text);
        }
    }

    void line(std::string_view word, std::string_view rest) {
        close();
        text_ += fmt::format("  {}{}{}\n", word, word.empty() ? "" : " ", rest);
    }

    /// Adds an item to the line. An item that is already in the line is skipped, because many ticks evaluate the same guard.
    void list(std::string_view word, style how, std::string_view item) {
        if (open_ != word) {
            close();
            open_ = word;
            text_ += fmt::format("  {} ", word);
        } else if (std::ranges::find(listed_, item) != listed_.end()) {
            return;
        } else {
            text_ += ", ";
        }
        listed_.emplace_back(item);
        text_ += paint_(how, item);
    }

    void close() {
        if (!open_.empty()) text_ += '\n';
        open_ = {};
        listed_.clear();
    }

    const player& p_;
    const painter& paint_;
    std::string text_;
    std::string_view open_;           ///< the kind of the current line
    std::vector<std::string> listed_; ///< items in the current line
};

void add_states(const player& p, state_view s, const painter& paint, std::string_view before, std::string& out) {
    const bool pseudo = s.kind() == state_kind::history || s.kind() == state_kind::choice;
    const bool active = !pseudo && p.is_in(s);
    const bool leaf = active && std::ranges::none_of(s.substates(), [&](state_view sub) { return p.is_in(sub); });
    const auto name = legible_line(s.name());
    std::string note;
    if (s.kind() == state_kind::parallel || pseudo || s.kind() == state_kind::final) note = fmt::format(" ({})", to_string(s.kind()));
    if (active && s.depth() > 0) {
        const auto time = p.machine().time_in_state(*s.ref().get());
        if (time > time_span()) note += "  " + to_string(time);
    }
    out += fmt::format("{}{} {}{}\n", before, active ? paint(style::green, leaf ? "●" : "○") : " ",
                       active ? paint(leaf ? style::green : style::bold, name) : name, paint(style::faint, note));
    for (const auto sub : s.substates()) add_states(p, sub, paint, std::string(before) + "  ", out);
}

/// A possible transition, as it is listed.
struct choice {
    std::string trigger, transition, missing;
    friend bool operator==(const choice&, const choice&) = default;
};

bool is_of_time(const obstacle& o) { return o.kind == obstacle_kind::not_due || o.kind == obstacle_kind::cools_down; }

bool is_of_guards(const obstacle& o) {
    return o.kind == obstacle_kind::guard || o.kind == obstacle_kind::guard_error || o.kind == obstacle_kind::condition ||
           o.kind == obstacle_kind::any_condition || is_of_time(o) || o.kind == obstacle_kind::asks_event;
}

std::string text_of_missing(const explanation& e, const obstacle& o) {
    switch (o.kind) {
    case obstacle_kind::guard:
    case obstacle_kind::asks_event: return std::string(e.chart.guard(o.guard).text());
    case obstacle_kind::guard_error: return fmt::format("{} (fails: {})", e.chart.guard(o.guard).text(), o.error);
    case obstacle_kind::condition:
    case obstacle_kind::any_condition: return (o.wanted ? "" : "not ") + e.chart.condition(o.condition).text();
    default: return {};
    }
}

/// Collects the candidates of one question, with their missing guards. Candidates with other obstacles are left out.
void collect_choices(const explanation& e, std::string_view trigger, std::vector<choice>& out) {
    for (const auto& c : e.candidates) {
        if (e.chart.transition(c.transition).is_hidden() || !std::ranges::all_of(c.obstacles, is_of_guards)) continue;
        choice made{std::string(trigger), e.chart.transition(c.transition).text(), {}};
        for (const auto& o : c.obstacles) {
            if (is_of_time(o))
                made.trigger = fmt::format("{} {}", trigger, to_string(o.left));
            else
                made.missing += fmt::format("{}{}",
                                            made.missing.empty()                     ? "if "
                                            : o.kind == obstacle_kind::any_condition ? " or "
                                                                                     : " and ",
                                            text_of_missing(e, o));
        }
        out.push_back(std::move(made));
    }
}

/// Evaluating a condition here can throw, because scripts may use an event that does not exist now.
template <class Explain> void collect_explained(const Explain& explained, std::string_view trigger, std::vector<choice>& out) try {
    collect_choices(explained(), trigger, out);
} catch (const std::exception& e) {
    out.push_back({std::string(trigger), {}, fmt::format("(a condition fails: {})", e.what())});
}

std::vector<choice> choices_of(const player& p, bool assumed) {
    const simulation::assumption answers(p.sim(), assumed);
    std::vector<choice> all;
    for (const auto e : p.chart().events()) {
        const auto trigger = fmt::format("event {}", quoted_if_needed(e.name()));
        if (e.is_name()) {
            collect_explained([&] { return explain(p.machine(), e.name()); }, trigger, all);
            continue;
        }
        for (const auto& one : possible(p.machine()).all)
            if (one.event == e.number())
                all.push_back({trigger, p.chart().transition(one.transition).text(), one.perhaps ? "if its guard returns true" : ""});
    }
    collect_explained([&] { return explain(p.machine()); }, "tick", all);
    return all;
}

} // namespace

std::string text_of_state(const player& p, std::uint32_t state) {
    const auto s = p.chart().state(state);
    return s ? legible_line(without_root(p.chart(), s.path())) : std::string();
}

std::string text_of_active(const player& p) {
    std::string text;
    for (const auto leaf : p.machine().leaves()) {
        const auto path = leaf.path();
        text += fmt::format("{}{}", text.empty() ? "" : ", ", legible_line(without_root(p.chart(), path)));
    }
    if (text.empty()) text = p.session().end();
    if (text.empty()) return "nothing: the machine is not started";
    if (p.is_over()) text += " (the machine is finished)";
    return text;
}

std::string text_of_step(const player& p, const painter& paint) { return step_text(p, paint).run(); }

std::string text_of_tree(const player& p, const painter& paint) {
    std::string text;
    add_states(p, p.chart().root(), paint, "", text);
    return text;
}

std::string text_of_whole_tree(const player& p, const console& to) {
    draw::options how;
    how.highlight = draw::active(p.chart(), p.machine().leaves());
    how.colors = to.out_in_color();
    return draw::text(p.chart(), how).text;
}

std::string text_of_possible(const player& p, const painter& paint) {
    if (p.is_over()) return "nothing: the machine is finished\n";
    if (!p.machine().active()) return "nothing: the machine is not started\n";
    const auto no = choices_of(p, false), yes = choices_of(p, true);
    std::vector<choice> all;
    const auto keep = [&](const choice& c, bool sure) {
        const auto same = [&](const choice& other) { return other.trigger == c.trigger && other.transition == c.transition; };
        if (std::ranges::any_of(all, same)) return;
        all.push_back(c);
        if (!sure && c.missing.empty()) all.back().missing = "if its guards return true";
    };
    for (const auto& c : no) keep(c, std::ranges::find(yes, c) != yes.end());
    for (const auto& c : yes) keep(c, std::ranges::find(no, c) != no.end());
    std::ranges::stable_sort(all, {}, [](const choice& c) { return c.trigger.starts_with("tick"); });
    if (all.empty()) return "nothing; only time passes\n";
    std::size_t width = 0;
    for (const auto& c : all) width = std::max(width, c.trigger.size());
    std::string text;
    for (const auto& c : all)
        text += fmt::format("{}{:{}}  {}{}\n", paint(c.missing.empty() ? style::bold : style::plain, c.trigger), "", width - c.trigger.size(),
                            legible_line(c.transition), paint(style::yellow, c.missing.empty() ? "" : "   " + c.missing));
    return text;
}

namespace {

/// Evaluating a condition can throw if a script uses data that does not exist yet.
template <class Explain> std::string text_unless_thrown(const Explain& explain) try { return to_string(explain()); } catch (const std::exception& e) {
    return fmt::format("a condition fails: {}\n", e.what());
}

} // namespace

std::string explained(const player& p) {
    return text_unless_thrown([&] { return explain(p.machine()); });
}

std::string delays_not_due(const player& p) try {
    auto why = explain(p.machine());
    std::erase_if(why.candidates, [](const candidate& c) { return std::ranges::none_of(c.obstacles, is_of_time); });
    why.waiting.clear();
    const auto text = to_string(why);
    return text.substr(text.find('\n') + 1);
} catch (const std::exception&) { // thrown by a script's condition
    return {};
}

std::string explained(const player& p, std::uint32_t event, const std::string& name) {
    if (name.empty() && !p.chart().event(event).is_name()) return {};
    return text_unless_thrown([&] { return explain(p.machine(), name.empty() ? p.chart().event(event).name() : std::string_view(name)); });
}

std::string why_not_there(const player& p, state_view s) {
    return text_unless_thrown([&] { return why_not(p.machine(), *s.ref().get()); });
}

std::string text_of_log(const happening& h) { return fmt::format("{}{}{}", h.name, h.name.empty() || h.text.empty() ? "" : ": ", h.text); }

std::string text_of_data(const player& p, std::string_view name) {
    std::string text;
    for (const auto& [known, json] : p.session().data())
        if (name.empty() || known == name) text += json.empty() ? fmt::format("{} has no value\n", known) : fmt::format("{} = {}\n", known, json);
    return text.empty() ? "this machine has no data\n" : text;
}

std::string text_of_names(const player& p, const painter& paint) {
    std::string text;
    const auto add = [&](std::string_view kind, std::string_view name, std::string_view value) {
        text += fmt::format("{:6} {}{}\n", kind, paint(style::bold, legible_line(name)), value.empty() ? "" : fmt::format(" = {}", value));
    };
    for (const auto& name : simulated_names(p, behavior_kind::guard))
        add("guard", name, to_string(p.sim().find(behavior_kind::guard, name)->setting));
    for (const auto& name : simulated_names(p, behavior_kind::delay)) add("delay", name, to_string(p.sim().find(behavior_kind::delay, name)->length));
    for (const auto& name : condition_names(p)) add("bit", name, p.machine().get(name) ? "true" : "false");
    for (const auto& name : event_names(p)) add("event", name, "");
    for (const auto& name : hook_names(p)) add("hook", name, "");
    return text.empty() ? "this machine uses no names\n" : text;
}

std::string text_of_reload(const reload_report& report, const std::string& file) {
    auto text = fmt::format("{} was reloaded; active states: {} with the same path, {} with another path, {} replaced\n", file, report.same,
                            report.moved, report.replaced);
    for (const auto& each : report.changes) text += fmt::format("  {}\n", legible_line(each.problem));
    return text;
}

std::string indented(std::string_view lines, std::size_t by) {
    std::string text;
    while (!lines.empty()) {
        const auto end = lines.find('\n');
        text += fmt::format("{:{}}{}\n", "", by, lines.substr(0, end));
        lines.remove_prefix(end == lines.npos ? lines.size() : end + 1);
    }
    return text;
}

} // namespace hsm::detail::tool
