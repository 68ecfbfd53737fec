#include <tests/support/hostile_files.hpp>

#include <fmt/format.h>

namespace test {

namespace {

using fmt::format;

std::string project(std::string_view inside, std::string_view attributes = "") {
    return format("<Project name='P'{}>{}</Project>", attributes, inside);
}

std::string repeated(std::size_t count, std::string_view text) {
    std::string all;
    all.reserve(count * text.size());
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
}

/// Concatenates write(number) for all numbers.
template <class Write> std::string numbered(std::size_t count, Write write) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += write(i);
    return all;
}

/// Nests states, the innermost around `inside`. `write` returns what each contains besides the next one.
template <class Name, class Write> std::string nested(std::size_t depth, Name name, Write write, std::string_view inside) {
    std::string open, close;
    for (std::size_t i = 0; i < depth; ++i) {
        open += format("<state ID='{}' kind='machine'>", name(i)) + write(i);
        close += "</state>";
    }
    return open + std::string(inside) + close;
}

const std::string leaf = "<state ID='a' kind='leaf'/>";
std::string name_of(std::size_t length, std::size_t i) {
    const auto number = std::to_string(i);
    return std::string(length - number.size(), 'n') + number;
}

std::string wrong_targets_deep(std::size_t size) { // each has a long path
    return project(nested(
        240, [](auto i) { return name_of(100, i); }, [&](auto) { return repeated(size, "<to ID='nnnnn'/>"); }, leaf));
}
std::string wrong_targets_named_alike(std::size_t size) {
    return project(
        numbered(size, [](auto i) { return format("<state ID='{}' kind='leaf'><to ID='{}x'/></state>", name_of(150, i), name_of(150, i)); }));
}
std::string wrong_events(std::size_t size) {
    return project(numbered(size, [](auto i) { return format("<event ID='{}'/>", name_of(2000, i)); }) +
                   numbered(size, [](auto i) { return format("<state ID='s{}'><to ID='s0' event='{}x'/></state>", i, name_of(2000, i)); }));
}
std::string wrong_events_in_bounds(std::size_t size) {
    return project(numbered(size, [](auto i) { return format("<event ID='{}'/>", name_of(150, i)); }) +
                   numbered(size, [](auto i) { return format("<state ID='s{}'><to ID='s0' event='x{}'/></state>", i, name_of(150, i)); }));
}
std::string wrong_bits(std::size_t size) {
    return project(numbered(size, [](auto i) { return format("<bit ID='bit_{}'/>", i); }) + "<state ID='a'>" +
                   numbered(2 * size, [](auto i) { return format("<to ID='a'><bit ID='bet_{}'/></to>", i); }) + "</state>");
}
std::string bits(std::size_t size) {
    return project(numbered(size, [](auto i) { return format("<bit ID='b{}'/>", i); }) + "<state ID='a'>" +
                   numbered(size, [](auto i) { return format("<to ID='a' event='e'><bit ID='b{}'/></to>", i); }) + "</state><event ID='e'/>");
}
std::string bits_by_index(std::size_t size) {
    return project("<state ID='a'>" + numbered(size, [](auto i) { return format("<to ID='a'><bit index='{}'/></to>", i + 1); }) + "</state>");
}
std::string bits_with_many_indices(std::size_t size) {
    return project(numbered(size, [](auto i) { return format("<bit ID='b' index='{}'/>", i + 1); }) + leaf);
}
std::string bits_in_one(std::size_t size) {
    return project(numbered(size, [](auto i) { return format("<bit ID='b{}'/>", i); }) + "<state ID='a'><to ID='a'><all>" +
                   numbered(size, [](auto i) { return format("<bit ID='b{}'/>", i); }) + "</all></to></state>");
}
std::string any_of_bits(std::size_t size) {
    return project(numbered(size, [](auto i) { return format("<bit ID='b{}'/>", i); }) + "<state ID='a'><to ID='a'><all>" +
                   numbered(size, [](auto i) { return format("<any><bit ID='b{}'/><bit ID='b0'/></any><bit ID='b{}'/>", i, i); }) +
                   "</all></to></state>");
}
std::string paths_of_one_name(std::size_t size) {
    return project(nested(
        240, [](auto) { return 's'; }, [&](auto) { return repeated(size, "<to ID='" + repeated(200, "s/") + "zz'/>"); }, leaf));
}
std::string short_paths_of_one_name(std::size_t size) {
    return project("<state ID='r'>" + numbered(50, [](auto i) { return format("<state ID='s'/><state ID='x{}' kind='leaf'/>", i); }) + "</state>" +
                   nested(
                       240, [](auto) { return 's'; }, [](auto) { return ""; },
                       "<state ID='s'>" + numbered(size, [](auto i) { return format("<to ID='s/x{}'/>", i); }) + "</state>"));
}
std::string siblings(std::size_t size) {
    return project(numbered(size, [](auto i) { return format("<state ID='s{}'/>", i); }) + "<state ID='a'><to ID='nothing like it'/></state>");
}
std::string states_without_names(std::size_t size) { return project(repeated(size, "<state/>")); }
std::string states_in_states_without_names(std::size_t size) { return project(repeated(size, "<state><to/></state>")); }
std::string states(std::size_t size) {
    return project(numbered(size, [](auto i) { return format("<state ID='{}'/>", i); }));
}
std::string states_deep(std::size_t size) {
    return project(numbered(size, [](auto i) {
        return nested(
            200, [i](auto k) { return k == 0 ? format("s{}", i) : "s"; }, [](auto) { return ""; }, leaf);
    }));
}
std::string states_of_one_name(std::size_t size) { return project(repeated(size, "<state ID='a' kind='leaf'/>")); }
std::string states_of_two_names(std::size_t size) {
    return project(numbered(size, [](auto i) { return format("<state ID='{}' kind='leaf'/><state ID='{}' kind='leaf'/>", i, i); }));
}
std::string long_names(std::size_t size) { return project(format("<state ID='{}'/>", std::string(size, 'a'))); }
std::string long_targets(std::size_t size) { return project(format("<state ID='a'><to ID='{}'/></state>", repeated(size, "a/"))); }
std::string long_elements(std::size_t size) { return project(format("<{}/>", std::string(size, 'a'))); }
std::string long_attributes(std::size_t size) { return project(format("<state ID='a' {}=''/>", std::string(size, 'a'))); }
std::string long_kinds(std::size_t size) {
    return project(format("<state ID='a' kind='{}' transient='{}'/>", std::string(size, 'a'), std::string(size, 'a')));
}
std::string hooks_in_one(std::size_t size) {
    return project(format("<state ID='a' enter='{}' kind='leaf'><enter ID='f'/></state>", repeated(size, "f ")));
}
std::string unknown_hooks_in_one(std::size_t size) { return project(format("<state ID='a' enter='{}'/>", repeated(size, "x "))); }
std::string hooks(std::size_t size) { return project("<state ID='a' kind='leaf'>" + repeated(size, "<enter ID='f'/>") + "</state>"); }
std::string hooks_with_locals(std::size_t size) {
    return project(format("<state ID='a' update='{}' kind='leaf' hold_until='{}'><to ID='a' action='{}'/></state>", repeated(size, "needy "),
                          repeated(size, "g "), repeated(size, "needy ")));
}
std::string locals_in_one(std::size_t size) { return project(format("<state ID='a' local='{}' kind='leaf'/>", repeated(size, "l "))); }
std::string actions_in_one(std::size_t size) {
    return project(format("<event ID='e'/><state ID='a'><to ID='a' event='e' action='{}'><action ID='f'/></to></state>", repeated(size, "f ")));
}
std::string holds_in_one(std::size_t size) { return project(format("<state ID='a' hold_until='{}' kind='leaf'/>", repeated(size, "g "))); }
std::string guards(std::size_t size) { return project("<state ID='a'>" + repeated(size, "<to ID='a'><condition ID='g'/></to>") + "</state>"); }
std::string guards_in_one(std::size_t size) {
    return project("<state ID='a'><to ID='a'><any>" + repeated(size, "<condition ID='g'/>") + "</any></to></state>");
}
std::string groups(std::size_t size) {
    return project("<state ID='a'><to ID='a'>" + repeated(200, "<not>") + repeated(size, "<any/>") + repeated(200, "</not>") + "</to></state>");
}
std::string reactions(std::size_t size) { return project("<state ID='a' kind='leaf'>" + repeated(size, "<on/>") + "</state>"); }
std::string reactions_to_events(std::size_t size) {
    return project("<event ID='e'/><state ID='a' kind='leaf'>" + repeated(size, "<on event='e'/>") + "</state>");
}
std::string deferrals(std::size_t size) {
    return project("<event ID='e'/><state ID='a' kind='leaf'>" + repeated(size, "<defer event='e'/>") + "</state>");
}
std::string transitions_to_nowhere(std::size_t size) { return project("<state ID='a'>" + repeated(size, "<to/>") + "</state>"); }
std::string transitions(std::size_t size) { return project("<state ID='a'>" + repeated(size, "<to ID='a'/>") + "</state>"); }
std::string transitions_to_unknown(std::size_t size) {
    return project("<state ID='a'>" + numbered(size, [](auto i) { return format("<to ID='n{}'/>", i); }) + "</state>");
}
std::string events(std::size_t size) {
    return project(numbered(size, [](auto i) { return format("<event ID='e{}'/>", i); }) + "<state ID='a'>" +
                   numbered(size, [](auto i) { return format("<to ID='a' event='e{}'/>", i); }) + "</state>");
}
std::string events_of_both(std::size_t size) { // in a machine and in its substate
    const auto wait = numbered(size, [](auto i) { return format("<on event='e{}' action='f'/>", i); });
    return project(numbered(size, [](auto i) { return format("<event ID='e{}'/>", i); }) + wait + "<state ID='a' kind='leaf'>" + wait + "</state>");
}
std::string forks(std::size_t size) {
    return project("<state ID='a'><to ID='b/r0'>" + numbered(size, [](auto i) { return format("<and ID='b/r{}'/>", i + 1); }) +
                   "</to></state><state ID='b' kind='parallel'>" +
                   numbered(size + 1, [](auto i) { return format("<state ID='r{}' kind='leaf'/>", i); }) + "</state>");
}
std::string joins(std::size_t size) {
    return project("<state ID='a' kind='leaf'/><state ID='b' kind='parallel'>" +
                   numbered(size + 1, [](auto i) { return format("<state ID='r{}' kind='leaf'/>", i); }) + "</state><state ID='c'><to ID='a'>" +
                   numbered(size, [](auto i) { return format("<in ID='b/r{}'/>", i); }) + "</to></state>");
}
std::string attributes(std::size_t size) { return project(leaf, repeated(size, " a=''")); }
std::string attributes_of_all_names(std::size_t size) {
    return project(leaf, numbered(size, [](auto i) { return format(" a{}=''", i); }));
}
std::string unknown_elements(std::size_t size) { return project(leaf + repeated(size, "<b/>")); }
std::string text_between(std::size_t size) { return project(leaf + repeated(size, "<b/>x")); }
std::string nesting(std::size_t size) { return project(repeated(size, "<state ID='a'>") + repeated(size, "</state>")); }
std::string lines(std::size_t size) { return project(leaf + repeated(size, "\n")); }
std::string wide_characters(std::size_t size) { return project(leaf + "<!--" + repeated(size, "\xf0\x9f\x98\x80") + "-->"); }
std::string opened_only(std::size_t size) { return "<!--" + repeated(size, "<") + "-->" + project(leaf); }
std::string references(std::size_t size) { return project(format("<state ID='{}'/>", repeated(size, "&zz;"))); }
std::string ampersands(std::size_t size) { return project(format("<state ID='{}'/>", repeated(size, "&a"))); }
std::string unclosed(std::size_t size) { return repeated(size, "<a>"); }
std::string unknown_classes(std::size_t size) {
    return project(numbered(
        size, [](auto i) { return format("<state ID='s{}' class='x' kind='leaf'><to ID='q/r/s'/><state ID='a' context='y'/></state>", i); }));
}
std::string unknown_kinds(std::size_t size) { return project(repeated(size, "<state ID='a' kind='b'/>")); }
std::string numbers(std::size_t size) { return project("<state ID='a'>" + repeated(size, "<to ID='a' Priority='x'/>") + "</state>"); }
std::string cycles(std::size_t size) {
    return project(numbered(size, [=](auto i) { return format("<state ID='c{}' transient='true'><to ID='c{}'/></state>", i, (i + 1) % size); }));
}
std::string shadows(std::size_t size) {
    return project(numbered(size, [](auto i) { return format("<bit ID='b{}'/>", i); }) + "<state ID='a'>" +
                   numbered(size, [](auto i) { return format("<to ID='b'><bit ID='b{}'/></to>", i); }) + "</state><state ID='b'/>");
}
std::string warnings(std::size_t size) {
    return project("<state ID='a'>" + repeated(size, "<to ID='b' force='true' reenter='true' external='true'/>") + "</state><state ID='b'/>");
}
std::string choices(std::size_t size) {
    return project(numbered(size, [](auto i) { return format("<state ID='c{}' kind='choice'/>", i); }));
}

} // namespace

const std::vector<hostile_form>& hostile_forms() {
    static const std::vector<hostile_form> forms{
#define FORM(name, size) {#name, size, &name}
        FORM(wrong_targets_deep, 20),
        FORM(wrong_targets_named_alike, 2000),
        FORM(wrong_events, 200),
        FORM(wrong_events_in_bounds, 2000),
        FORM(wrong_bits, 10000),
        FORM(bits, 10000),
        FORM(bits_by_index, 10000),
        FORM(bits_with_many_indices, 10000),
        FORM(bits_in_one, 10000),
        FORM(any_of_bits, 8000),
        FORM(paths_of_one_name, 10),
        FORM(short_paths_of_one_name, 40000),
        FORM(siblings, 20000),
        FORM(states_without_names, 40000),
        FORM(states_in_states_without_names, 20000),
        FORM(states, 30000),
        FORM(states_deep, 100),
        FORM(states_of_one_name, 30000),
        FORM(states_of_two_names, 15000),
        FORM(long_names, 1000000),
        FORM(long_targets, 500000),
        FORM(long_elements, 1000000),
        FORM(long_attributes, 1000000),
        FORM(long_kinds, 1000000),
        FORM(hooks_in_one, 200000),
        FORM(unknown_hooks_in_one, 200000),
        FORM(hooks, 50000),
        FORM(hooks_with_locals, 20000),
        FORM(locals_in_one, 100000),
        FORM(actions_in_one, 200000),
        FORM(holds_in_one, 200000),
        FORM(guards, 20000),
        FORM(guards_in_one, 50000),
        FORM(groups, 50000),
        FORM(reactions, 100000),
        FORM(reactions_to_events, 50000),
        FORM(deferrals, 50000),
        FORM(transitions_to_nowhere, 100000),
        FORM(transitions, 50000),
        FORM(transitions_to_unknown, 50000),
        FORM(events, 20000),
        FORM(events_of_both, 20000),
        FORM(forks, 5000),
        FORM(joins, 5000),
        FORM(attributes, 100000),
        FORM(attributes_of_all_names, 50000),
        FORM(unknown_elements, 100000),
        FORM(text_between, 100000),
        FORM(nesting, 100000),
        FORM(lines, 1000000),
        FORM(wide_characters, 200000),
        FORM(opened_only, 500000),
        FORM(references, 200000),
        FORM(ampersands, 200000),
        FORM(unclosed, 100000),
        FORM(unknown_classes, 10000),
        FORM(unknown_kinds, 30000),
        FORM(numbers, 30000),
        FORM(cycles, 10000),
        FORM(shadows, 10000),
        FORM(warnings, 10000),
        FORM(choices, 20000),
#undef FORM
    };
    return forms;
}

} // namespace test
