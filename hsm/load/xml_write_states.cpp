// Writes states.

#include <hsm/define/detail/choosing_names.hpp>
#include <hsm/define/detail/history_kinds.hpp>
#include <hsm/define/detail/hook_kinds.hpp>
#include <hsm/load/detail/marks.hpp>
#include <hsm/load/detail/xml_writer.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

/// Returns whether the name can be in a list in an attribute.
bool is_word(std::string_view name) { return name.find_first_of(" \t\r\n") == name.npos; }

/// A hook, or a predicate for a finished state, that a local can have added.
struct operation {
    std::string_view word;
    std::string_view name;
    const guard* predicate; ///< null: a hook
};

std::vector<std::vector<operation>> operations_of(const state_base& s) {
    std::vector<std::vector<operation>> lists;
    for (const auto& row : hook_kind_table) {
        auto& list = lists.emplace_back();
        for (const auto& h : s.hooks(row.kind)) list.push_back({row.name, h.name(), nullptr});
    }
    auto& predicates = lists.emplace_back();
    for (const auto& p : s.predicates()) predicates.push_back({"finished", p.name(), &p});
    for (auto& list : lists) std::erase_if(list, [](const operation& o) { return o.name == mark_of_class; });
    return lists;
}

bool has_exits_of_its_own(const state_base& s) {
    return std::ranges::any_of(s.transitions(), [](const auto& t) { return t->has_target; });
}

} // namespace

void xml_writer::write_kind(const state_base& s) {
    const auto kind = s.kind();
    const bool in_parallel = s.superstate()->kind() == state_kind::parallel;
    const bool has_states = std::ranges::any_of(s.substates(), [](const auto& sub) { return !sub->of_class(); });
    if (kind == state_kind::leaf && !has_exits_of_its_own(s) && !in_parallel) attribute("kind", "leaf");
    if (kind == state_kind::machine && !has_states) attribute("kind", "machine");
    if (kind == state_kind::parallel) attribute("kind", "parallel");
    if (kind == state_kind::final) attribute("kind", "final");
    if (kind == state_kind::choice) attribute("kind", "choice");
    if (kind == state_kind::history) attribute("kind", by_history_depth(s.history_kind()).xml);
}

void xml_writer::write_state(const state_base& s) {
    begin("state");
    attribute("ID", s.name());
    const bool of_class = s.notes() && !s.notes()->class_name.empty();
    if (of_class)
        attribute("class", s.notes()->class_name);
    else
        write_kind(s);
    if (s.projection() && !of_class) attribute("context", name_of(s.projection().name(), s, "the context part"));
    write_attributes(s);
    write_details(s);
    end();
}

void xml_writer::write_attributes(const state_base& s) {
    const bool of_class = s.notes() && !s.notes()->class_name.empty();
    const auto kind = s.kind();
    if (s.id() && !(of_class && s.notes()->identifier.empty()))
        attribute("identifier", name_of(s.notes() ? s.notes()->identifier : "", s, "the enumerator"));
    if (s.chooses().how != choosing::first) attribute("choose", detail::name_of(s.chooses().how));
    flag("rechoose", s.chooses().again && !s.chooses().every);
    if (const auto& every = s.chooses().every) attribute("rechoose_every", text_of(every, s, "rechoose_every"));
    if (s.chooses().stay_bonus > 0) attribute("stay_bonus", fmt::format("{}", s.chooses().stay_bonus));
    if (kind == state_kind::choice || kind == state_kind::history) return;
    if (!s.former_names().empty()) attribute("was", s.former_names().front());
    flag("transient", s.is_transient());
    if (s.done_id() != s.name()) attribute("done_id", s.done_id());
    if (!s.tags().empty()) attribute("tags", joined(s.tags(), " "));
    if (s.history_kind() != history_depth::none) attribute("remembers", s.history_kind() == history_depth::deep ? "deep" : "shallow");
    flag("hold", s.holds().until_released);
    if (const auto& least = s.holds().least; least && !is_mark(least.find().name())) attribute("min_duration", text_of(least, s, "the min_duration"));
    write_initial(s);
}

/// Writes the initial state as an attribute if an attribute can express it.
void xml_writer::write_initial(const state_base& s) {
    if (s.initials().size() != 1 || s.kind() != state_kind::machine) return;
    const auto& i = *s.initials().front();
    if (!i.of_class && i.actions.empty() && i.more_targets.empty()) attribute("initial", path_to(i.target, s));
}

void xml_writer::write_details(const state_base& s) {
    write_hooks_and_locals(s);
    write_further_names(s.former_names());
    write_predicates(s.holds().predicates, "hold_until", s);
    for (const auto& i : s.initials()) {
        if (i->of_class) continue;
        const bool in_attribute = s.initials().size() == 1 && s.kind() == state_kind::machine && i->actions.empty() && i->more_targets.empty();
        if (!in_attribute) write_choice(*i, s.kind() == state_kind::history ? "otherwise" : "initial");
    }
    for (const auto& c : s.choices())
        if (!c->of_class) write_choice(*c, "dispatch");
    for (const auto& t : s.transitions())
        if (!t->of_class) write_transition(*t, s);
    for (const auto& sub : s.substates())
        if (!sub->of_class()) write_state(*sub);
}

namespace {
std::string joined_names(const std::vector<operation>& list) {
    std::string names;
    for (const auto& o : list) {
        if (!names.empty()) names += ' ';
        names += o.name;
    }
    return names;
}
} // namespace

/// A local adds hooks of its own among those of the state. So in each kind, the hooks before them are written before the local.
void xml_writer::write_hooks_and_locals(const state_base& s) {
    auto lists = operations_of(s);
    std::vector<std::size_t> next(lists.size());
    const auto write_until = [&](std::size_t list, std::string_view mark) {
        for (auto& i = next[list]; i < lists[list].size(); ++i) {
            const auto& o = lists[list][i];
            if (is_mark(o.name)) {
                if (o.name == mark) ++i;
                return;
            }
            if (!o.predicate) {
                element(o.word, name_of(o.name, s, fmt::format("a hook ({})", o.word)));
            } else {
                begin(o.word);
                write_guard(*o.predicate, s, "a predicate (finished)", nullptr);
                end();
            }
        }
    };
    const bool plain =
        std::ranges::all_of(lists, [](const auto& list) { return std::ranges::none_of(list, [](const auto& o) { return is_mark(o.name); }); });
    if (plain && !inside_)
        for (const auto& row : hook_kind_table) {
            auto& list = lists[static_cast<std::size_t>(row.kind)];
            if (!row.in_attribute || list.empty() || !std::ranges::all_of(list, [](const auto& o) { return !o.name.empty() && is_word(o.name); }))
                continue;
            attribute(list.front().word, joined_names(list));
            list.clear();
        }
    for (std::size_t l = 0; l < s.locals().size(); ++l) {
        if (s.locals()[l].name() == mark_of_class) continue;
        const auto mark = mark_of_local(l);
        for (std::size_t list = 0; list < lists.size(); ++list)
            if (std::ranges::find(lists[list], mark, &operation::name) != lists[list].end()) write_until(list, mark);
        declare("local", name_of(s.locals()[l].name(), s, "a local"), former_names_of(s.locals()[l].type()));
    }
    for (std::size_t list = 0; list < lists.size(); ++list) write_until(list, "");
}

void xml_writer::write_predicates(const std::vector<guard>& list, std::string_view name, const state_base& s) {
    const auto is_written = [](const guard& g) { return !is_mark(g.name()); };
    if (std::ranges::none_of(list, is_written)) return;
    begin(name);
    for (const auto& g : list)
        if (is_written(g)) write_guard(g, s, "a predicate (hold_until)", nullptr);
    end();
}

} // namespace hsm::detail
