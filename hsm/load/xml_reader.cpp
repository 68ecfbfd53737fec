#include <hsm/load/xml_reader.hpp>

#include <hsm/load/time_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hsm {

namespace {

/// Longer ones are no names that somebody mistyped.
constexpr std::size_t longest_name = 200;
constexpr std::size_t longest_list = 12;

bool is_of_xml(std::string_view name) { return name.starts_with("xmlns") || name.starts_with("xsi:") || name.starts_with("xml:"); }

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool is_same_but_for_case(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view method_of(behaviour_kind kind) {
    constexpr std::string_view names[] = {"hook", "update", "action", "guard", "change", "delay", "local", "state", "part", "identifier", "event", "bit"};
    return names[static_cast<std::size_t>(kind)];
}

/// Those that take their type in angle brackets.
std::string_view argument_of(behaviour_kind kind) {
    return kind == behaviour_kind::local || kind == behaviour_kind::state || kind == behaviour_kind::part ? "<...>" : "";
}

} // namespace

void xml_reader::check_attributes(const xml_element& e, std::initializer_list<std::string_view> known) {
    std::vector<std::string_view> before;
    for (const auto* a = document_.begin(e); a != document_.end(e); ++a) {
        if (std::ranges::find(before, a->name) != before.end())
            problems_.add(code::repeated_attribute, a->at, fmt::format("{} is given twice", in_quotes(a->name)), "keep one of them");
        else if (!is_of_xml(a->name) && std::ranges::find(known, a->name) == known.end())
            problems_.add(code::unknown_attribute, a->at, fmt::format("<{}> has no attribute {}", e.name, in_quotes(a->name)),
                          hint_among(a->name, std::vector(known), "see docs/xml_format.md"));
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
        problems_.add(code::bad_value, a->value_at, fmt::format("{} is {}", name, in_quotes(a->value)), "it is \"true\" or \"false\"");
    return true;
}

std::optional<int> xml_reader::integer(const xml_attribute& a) {
    int number = 0;
    const auto* const end = a.value.data() + a.value.size();
    const bool plus = a.value.size() > 1 && a.value[0] == '+' && a.value[1] != '-'; // as XML schemas have it
    const auto parsed = std::from_chars(a.value.data() + plus, end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end) return number;
    problems_.add(code::bad_value, a.value_at, fmt::format("{} is {}", a.name, in_quotes(a.value)), "it is a whole number, like \"3\" or \"-1\"");
    return {};
}

bool xml_reader::is_index(const xml_attribute& a, int number, int least) {
    if (number >= least && number <= most_index) return true;
    problems_.add(code::bad_value, a.value_at, fmt::format("{} is {}", a.name, in_quotes(a.value)), fmt::format("indices go from 1 to {}", most_index));
    return false;
}

xml_reader::words xml_reader::words_of(const xml_attribute& a) {
    words found;
    auto at = a.value_at;
    std::size_t counted = 0; // in `at`
    for (std::size_t i = a.value.find_first_not_of(" \t\r\n"); i != a.value.npos;) {
        const auto end = std::min(a.value.find_first_of(" \t\r\n", i), a.value.size());
        at.column += static_cast<std::uint32_t>(characters(a.value.substr(counted, i - counted)));
        counted = i;
        found.emplace_back(a.value.substr(i, end - i), at);
        i = a.value.find_first_not_of(" \t\r\n", end);
    }
    return found;
}

const behaviour* xml_reader::find(std::initializer_list<behaviour_kind> kinds, std::string_view name, const node_factory& context, origin at) {
    for (const auto kind : kinds)
        if (const auto* const b = names_.find(kind, name, context.context)) {
            used(*b);
            return b;
        }
    if (problems_.full()) return problems_.add(code::unknown_behaviour, at, {}), nullptr; // only counted
    problems_.add(code::unknown_behaviour, at, fmt::format("no {} is registered as {}", to_string(*kinds.begin()), in_quotes(name)),
                  hint_for(kinds, name, context));
    return nullptr;
}

std::string xml_reader::hint_for(std::initializer_list<behaviour_kind> kinds, std::string_view name, const node_factory& context) {
    const auto kind = *kinds.begin();
    for (const auto* b : names_.named(name)) {
        const bool vowel = std::string_view("aeiou").find(to_string(b->kind).front()) != std::string_view::npos;
        if (std::ranges::find(kinds, b->kind) == kinds.end()) return fmt::format("\"{}\" is registered as {} {}", name, vowel ? "an" : "a", to_string(b->kind));
        return fmt::format("it is registered for the context {}, and this state works on {}", b->over->name, context.name);
    }
    std::vector<std::string_view> known;
    for (const auto k : kinds) {
        const auto more = names_.names(k, context.context);
        known.insert(known.end(), more.begin(), more.end());
    }
    return hint_among(name, known, fmt::format("register it: names.{}{}({}, ...)", method_of(kind), argument_of(kind), in_quotes(name)));
}

std::string xml_reader::hint_among(std::string_view name, const std::vector<std::string_view>& names, std::string otherwise) {
    if (name.size() > longest_name || names.empty()) return otherwise;
    for (const auto known : names)
        if (is_same_but_for_case(known, name)) return fmt::format("did you mean \"{}\"?", known);
    if (const auto closest = closest_name(name, names); !closest.empty()) return fmt::format("did you mean \"{}\"?", closest);
    return names.size() <= longest_list ? suggestion(name, names) : otherwise;
}

event_key xml_reader::find_event(const xml_attribute& a) {
    if (const auto* const b = names_.find(behaviour_kind::event, a.value, nullptr)) {
        used(*b);
        return b->key;
    }
    if (events_.contains(a.value) || problems_.full()) return detail::key_of_name(a.value);
    auto known = names_.names(behaviour_kind::event, nullptr);
    known.insert(known.end(), events_.begin(), events_.end());
    problems_.add(code::unknown_event, a.value_at, fmt::format("there is no event {}", in_quotes(a.value)),
                  hint_among(a.value, known, fmt::format("register it, or declare it in the file: <event ID={}/>", in_quotes(a.value))));
    return detail::key_of_name(a.value);
}

const condition_spec* xml_reader::find_bit(std::string_view name, origin at, state_base& where) {
    if (const auto* const b = names_.find(behaviour_kind::bit, name, nullptr)) {
        used(*b);
        if (b->index != condition_spec::any_index) root_->condition(name, static_cast<int>(b->index));
    } else if (!bits_.contains(name)) {
        if (problems_.full()) return nullptr;
        auto known = names_.names(behaviour_kind::bit, nullptr);
        known.insert(known.end(), bits_.begin(), bits_.end());
        problems_.add(code::unknown_bit, at, fmt::format("there is no bit {}", in_quotes(name)),
                      hint_among(name, known, fmt::format("register it, or declare it in the file: <bit ID={}/>", in_quotes(name))));
        return nullptr;
    }
    return where.condition(name).spec();
}

std::optional<delay> xml_reader::read_delay(const xml_attribute& a, const place& in) {
    if (looks_like_time(a.value)) {
        if (const auto time = time_from_text(a.value)) return delay(*time);
        problems_.add(code::bad_value, a.value_at, fmt::format("{} is {}", a.name, in_quotes(a.value)),
                      "it is a length of time, like \"500ms\", \"1.5s\" or \"2min\", or a registered delay");
        return {};
    }
    const auto* const b = find({behaviour_kind::delay}, a.value, in.context, a.value_at);
    if (!b) return {};
    if (b->fixed) return delay(time_span::from_nanoseconds(b->fixed.nanoseconds()));
    hook h(b->op.call()(b->op.self()));
    h.set_name(b->name);
    return delay(std::move(h));
}

void xml_reader::resolve(const state_base& source, target_spec& target, std::string_view word, origin at, const state_index& index) {
    target.node = index.find(source, target.path);
    if (target.node) return;
    const bool suggests = target.path.size() <= longest_name && suggestions_left_-- > 0;
    problems_.add(code::unknown_state, at, fmt::format("{} names {}, and there is no such state", word, in_quotes(target.path)),
                  suggests ? suggestion(source, target) : std::string());
}

void xml_reader::resolve_targets(state_base& s, const state_index& index) {
    const auto each = [&](const std::vector<owned<transition_spec>>& list, std::string_view word) {
        for (const auto& t : list) {
            if (t->of_class) continue;
            if (t->has_target && !t->target.path.empty()) resolve(s, t->target, word, t->origin, index);
            for (auto& target : t->more_targets) resolve(s, target, word, t->origin, index);
            for (auto& state : t->joined) resolve(s, state, "<in>", t->origin, index);
        }
    };
    each(s.transitions(), "<to>");
    each(s.choices(), "<dispatch>");
    each(s.initials(), s.kind() == state_kind::history ? "<otherwise>" : "initial");
    for (const auto& sub : s.substates()) resolve_targets(*sub, index);
}

} // namespace hsm
