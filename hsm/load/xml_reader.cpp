#include <hsm/load/detail/xml_reader.hpp>

#include <hsm/define/detail/shown.hpp>
#include <hsm/define/event_names.hpp>
#include <hsm/load/detail/time_text.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/ascii.hpp>

#include <algorithm>
#include <charconv>

namespace hsm::detail {

namespace {

class problems_of_mistakes final : public mistake_listener {
public:
    explicit problems_of_mistakes(problem_list& problems, origin at) : problems_(problems), at_(at) {}
    bool full() const override { return problems_.full(); }
    void report(found_mistake m) override {
        problems_.add(m.code,
                      m.where ? m.where
                      : m.at  ? m.at->origin()
                              : at_,
                      in_terms_of(*m.about, std::move(m.problem)), in_terms_of(*m.about, std::move(m.hint)));
    }

private:
    problem_list& problems_;
    origin at_;
};

bool is_same_but_for_case(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, ascii_lower, ascii_lower); }

std::string_view method_of(behavior_kind kind) {
    constexpr std::string_view names[] = {"hook",      "update", "action", "guard", "change",     "delay", "score",
                                          "done_data", "local",  "state",  "part",  "identifier", "event", "bit"};
    return names[static_cast<std::size_t>(kind)];
}

/// Returns "<...>" for kinds whose type is a template argument.
std::string_view argument_of(behavior_kind kind) {
    return kind == behavior_kind::local || kind == behavior_kind::state || kind == behavior_kind::part ? "<...>" : "";
}

} // namespace

void xml_reader::check_attributes(const xml_element& e, const std::vector<std::string_view>& known) {
    std::vector<std::string_view> before;
    for (const auto* a = document_.begin(e); a != document_.end(e); ++a) {
        if (std::ranges::find(before, a->name) != before.end())
            problems_.add(code::repeated_attribute, a->at, fmt::format("{} appears twice", in_quotes(a->name)), "keep one of them");
        else if (!is_of_xml(a->name) && std::ranges::find(known, a->name) == known.end())
            problems_.add(code::unknown_attribute, a->at, fmt::format("<{}> cannot have the attribute {}", e.name, in_quotes(a->name)),
                          hint_among(a->name, known, "see docs/reference/xml_format.md"));
        if (before.size() < 100) before.push_back(a->name);
    }
}

const xml_attribute* xml_reader::required(const xml_element& e, std::string_view name) {
    const auto* const a = document_.attribute(e, name);
    if (a && !a->value.empty()) return a;
    problems_.add(code::missing_attribute, a ? a->at : e.at, fmt::format("<{}> {} \"{}\"", e.name, a ? "has an empty" : "has no", name),
                  fmt::format("write {}=\"...\"", name));
    return nullptr;
}

bool xml_reader::flag(const xml_element& e, std::string_view name) {
    const auto* const a = document_.attribute(e, name);
    if (!a || a->value == "false" || a->value == "0") return false;
    if (a->value != "true" && a->value != "1")
        problems_.add(code::bad_value, a->value_at, fmt::format("{} is {}", name, in_quotes(a->value)), "write \"true\" or \"false\"");
    return true;
}

std::optional<int> xml_reader::integer(const xml_attribute& a) {
    int number = 0;
    const auto* const end = a.value.data() + a.value.size();
    const bool plus = a.value.size() > 1 && a.value[0] == '+' && a.value[1] != '-'; // allowed by XML schemas
    const auto parsed = std::from_chars(a.value.data() + plus, end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end) return number;
    problems_.add(code::bad_value, a.value_at, fmt::format("{} is {}", a.name, in_quotes(a.value)), "write a whole number, like \"3\" or \"-1\"");
    return {};
}

bool xml_reader::is_index(const xml_attribute& a, int number, int least) {
    if (number >= least && number <= most_index) return true;
    problems_.add(code::bad_value, a.value_at, fmt::format("{} is {}", a.name, in_quotes(a.value)),
                  fmt::format("use an index from 1 to {}", most_index));
    return false;
}

const behavior* xml_reader::find(name_use wanted, std::initializer_list<behavior_kind> also) {
    const auto* b = names_.find(wanted.kind, wanted.name, wanted.over->context);
    for (const auto kind : also)
        if (!b) b = names_.find(kind, wanted.name, wanted.over->context);
    if (b) return used(*b), notify_found(wanted, b), b;
    if (const auto* const made = supplied(wanted)) return made;
    if (unknown_contexts_ > 0) return nullptr;                                                   // it can exist for that context
    if (problems_.full()) return problems_.add(code::unknown_behaviour, wanted.at, {}), nullptr; // only counted
    problems_.add(code::unknown_behaviour, wanted.at, fmt::format("no {} is registered as {}", to_string(wanted.kind), in_quotes(wanted.name)),
                  hint_for(wanted, also));
    return nullptr;
}

const behavior* xml_reader::supplied(name_use wanted) {
    wanted.file = problems_.file();
    return names_.source() ? names_.source()->supply(wanted) : nullptr;
}

void xml_reader::notify_found(name_use use, const behavior* b) {
    use.file = problems_.file();
    if (names_.source()) names_.source()->found(use, b);
}

std::string xml_reader::hint_for(const name_use& wanted, std::initializer_list<behavior_kind> also) {
    const auto kind = wanted.kind;
    const auto name = wanted.name;
    std::vector<behavior_kind> kinds{kind};
    kinds.insert(kinds.end(), also);
    for (const auto* b : names_.named(name)) {
        if (std::ranges::find(kinds, b->kind) == kinds.end())
            return fmt::format("\"{}\" is registered as {}", name, with_article(to_string(b->kind)));
        return fmt::format("it is registered for the context {}, but this state uses {}", b->over->name, wanted.over->name);
    }
    std::vector<std::string_view> known;
    for (const auto k : kinds) {
        const auto more = names_.names(k, wanted.over->context);
        known.insert(known.end(), more.begin(), more.end());
    }
    return hint_among(name, known, fmt::format("register it: names.{}{}({}, ...)", method_of(kind), argument_of(kind), in_quotes(name)));
}

std::string xml_reader::hint_among(std::string_view name, const std::vector<std::string_view>& names, std::string otherwise) {
    if (problems_.full()) return {};
    if (name.size() > longest_guessed || names.empty() || guesses_.left < names.size()) return otherwise;
    guesses_.left -= names.size();
    for (const auto known : names)
        if (is_same_but_for_case(known, name)) return fmt::format("did you mean \"{}\"?", shown(known));
    if (const auto closest = closest_name(name, names, guesses_); !closest.empty()) return fmt::format("did you mean \"{}\"?", shown(closest));
    return names.size() <= most_listed ? suggestion(name, names) : otherwise;
}

/// Returns the key for "error.*", "*", and several names separated by spaces. Empty for a single name.
std::optional<event_key> xml_reader::find_several(const xml_attribute& a, const scope& in) {
    if (a.value.find(' ') == a.value.npos && a.value != "*" && !a.value.ends_with(".*")) return {};
    std::vector<name_pattern> names;
    each_word(a, [&](std::string_view word, origin at) {
        if (word == "*" || word.ends_with(".*")) {
            names.push_back({std::string(std::string_view(event_prefix(word).text)), true});
            return;
        }
        auto single = a;
        single.value = word;
        single.value_at = at;
        names.push_back({find_event(single, in, true).name, false});
    });
    if (names.empty() || (names.size() == 1 && !names[0].prefix)) return {};
    return key_of_names(std::move(names));
}

event_key xml_reader::find_event(const xml_attribute& a, const scope& in, bool is_word) {
    const auto use = use_of(behavior_kind::event, a.value, a.value_at, in);
    if (const auto* const b = names_.find(behavior_kind::event, a.value, nullptr)) {
        used(*b);
        notify_found(use, b);
        return b->key;
    }
    if (events_.declared.contains(a.value)) return notify_found(use, nullptr), detail::key_of_name(a.value);
    if (auto several = is_word ? std::nullopt : find_several(a, in)) return std::move(*several);
    if (const auto* const b = supplied(use)) return b->key;
    report_unknown(events_, a.value, a.value_at);
    return detail::key_of_name(a.value);
}

const condition_spec* xml_reader::find_bit(std::string_view name, origin at, state_base& where) {
    const name_use use{.kind = behavior_kind::bit, .name = name, .at = at, .state = &where};
    if (const auto* const b = names_.find(behavior_kind::bit, name, nullptr)) {
        used(*b);
        notify_found(use, b);
        if (b->index != condition_spec::any_index) root_->condition(name, static_cast<int>(b->index));
    } else if (bits_.declared.contains(name)) {
        notify_found(use, nullptr);
    } else if (!supplied(use)) {
        return report_unknown(bits_, name, at), nullptr;
    }
    return where.condition(name, nowhere).spec();
}

void xml_reader::report_unknown(declared_names& among, std::string_view name, origin at) {
    if (problems_.full()) return problems_.add(among.unknown, at, {}); // only counted
    if (among.known.empty()) {
        among.known = names_.names(among.kind, nullptr);
        among.known.insert(among.known.end(), among.declared.begin(), among.declared.end());
    }
    const auto kind = to_string(among.kind);
    problems_.add(among.unknown, at, fmt::format("there is no {} {}", kind, in_quotes(name)),
                  hint_among(name, among.known, fmt::format("register it, or declare it in the file: <{} ID={}/>", kind, in_quotes(name))));
}

/// Returns a valid delay even after an error, so that no other errors follow from it.
delay xml_reader::read_delay(const xml_attribute& a, const scope& in) {
    auto read = find_delay(a, in);
    read.set_where(a.value_at);
    return read;
}

delay xml_reader::find_delay(const xml_attribute& a, const scope& in) {
    const auto unknown_time = time_span::from_nanoseconds(1);
    if (looks_like_time(a.value)) {
        if (const auto time = time_from_text(a.value)) return delay(*time);
        problems_.add(code::bad_value, a.value_at, fmt::format("{} is {}", a.name, in_quotes(a.value)),
                      "write a time like \"500ms\", \"1.5s\" or \"2min\", or the name of a registered delay");
        return delay(unknown_time);
    }
    const auto* const b = find(use_of(behavior_kind::delay, a.value, a.value_at, in));
    if (!b) return delay(unknown_time);
    if (b->fixed) return delay(time_span::from_nanoseconds(b->fixed.nanoseconds()));
    return delay(named_copy_of(*b, {}));
}

/// Returns whether the path can lead into an unknown part of a state, for instance into a class that is not registered.
bool xml_reader::may_lead(const state_base& from, std::string_view path) {
    if (doubtful_.empty()) return false;
    for (const auto* base = &from; base; base = base->superstate()) {
        const auto* at = base;
        for (auto rest = path; at;) {
            const auto work = at->substates().size() + 1;
            if (doubtful_.contains(at) || path.size() > longest_guessed || guesses_.left < work) return true; // too long to search: assume so
            guesses_.left -= work;
            const auto slash = rest.find('/');
            const auto found = std::ranges::find(at->substates(), rest.substr(0, slash), [](const auto& sub) { return sub->name(); });
            at = found == at->substates().end() || slash == rest.npos ? nullptr : found->get();
            rest.remove_prefix(slash == rest.npos ? rest.size() : slash + 1);
        }
    }
    return false;
}

void xml_reader::resolve(const state_base& source, target_spec& target, std::string_view word, origin at, const state_index& index) {
    target.node = index.find(source, target.path);
    if (target.node) return;
    if (problems_.full()) return problems_.add(code::unknown_state, at, {});
    if (may_lead(source, target.path)) return;
    problems_.add(code::unknown_state, at, fmt::format("{} names {}, but this state does not exist", word, in_quotes(target.path)),
                  target.path.size() <= longest_guessed ? suggestion(source, target, guesses_) : std::string());
}

void xml_reader::resolve_targets(state_base& s, const state_index& index) {
    const auto each = [&](const std::vector<owned<transition_spec>>& list, std::string_view word) {
        for (const auto& t : list) {
            if (t->of_class) continue;
            if (t->has_target && !t->target.path.empty()) resolve(s, t->target, word, t->origin, index);
            for (auto& target : t->more_targets) resolve(s, target, word, t->origin, index);
            for (auto& state : t->joined) resolve(s, state, "<in>", t->origin, index);
            for (auto& state : t->excluded) resolve(s, state, "<unless_in>", t->origin, index);
        }
    };
    each(s.transitions(), "<to>");
    each(s.choices(), "<dispatch>");
    each(s.initials(), s.kind() == state_kind::history ? "<otherwise>" : "initial");
    for (const auto& sub : s.substates()) resolve_targets(*sub, index);
}

namespace {
bool is_below(const state_base& machine, const state_base* s) {
    while (s && s->superstate() != &machine) s = s->superstate();
    return s != nullptr;
}
} // namespace

/// Reports the errors that hsm::check would find if the file could be loaded.
void xml_reader::find_all_mistakes(const state_base& s, given_indices& indices) {
    problems_of_mistakes of_state(problems_, s.origin());
    if (!doubtful_.contains(&s) && !incomplete_.contains(&s)) find_mistakes(s, of_state);
    for (const auto& c : s.conditions())
        if (c->index != condition_spec::any_index) indices.add(*c, of_state);
    const auto& machine = s.kind() == state_kind::history && s.superstate() ? *s.superstate() : s;
    for (const auto* list : {&s.transitions(), &s.choices(), &s.initials()})
        for (const auto& t : *list) {
            problems_of_mistakes of_transition(problems_, t->origin ? t->origin : s.origin());
            find_mistakes(*t, of_transition);
            if (list != &s.transitions() && t->target.node && !is_below(machine, t->target.node))
                find_outside(*t, list == &s.choices(), *t->target.node, of_transition);
        }
    for (const auto& sub : s.substates()) find_all_mistakes(*sub, indices);
}

} // namespace hsm::detail
