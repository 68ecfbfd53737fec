// Checks a file for everything that a constant chart does not support. Reports each case with its position.

#include <hsm/define/detail/hook_kinds.hpp>
#include <hsm/tool/detail/machine_writer.hpp>

#include <hsm/op/detail/format.hpp>

namespace hsm::detail::tool {

namespace {

class constant_limits {
public:
    explicit constant_limits(problem_list& problems) : problems_(problems) {}

    void check(const state_base& s) {
        check_kind(s);
        check_state(s);
        for (const auto* list : {&s.transitions(), &s.choices(), &s.initials()})
            for (const auto& t : *list)
                if (!t->of_class) check(*t);
        for (const auto& sub : s.substates())
            if (!sub->of_class()) check(*sub);
    }

private:
    void refuse(const origin& where, std::string what, std::string hint) {
        problems_.add(code::not_constant, where, fmt::format("a constant chart has {}", what), std::move(hint));
    }

    void check_kind(const state_base& s) {
        const auto at = s.origin();
        if (s.kind() == state_kind::parallel) refuse(at, "one region, and no parallel states", instead);
        if (s.kind() == state_kind::history) refuse(at, "no history states", instead);
        if (s.kind() == state_kind::choice) refuse(at, "no choice states", "use a transient state: transient=\"true\"");
        if (s.notes() && !s.notes()->class_name.empty()) refuse(at, "no classes of states", "write the states of the class into the file");
        if (s.projection()) refuse(at, "one context, and no states over a part of it", "let the functions access the part");
    }

    void check_state(const state_base& s) {
        const auto at = s.origin();
        if (s.history_kind() != history_depth::none && s.kind() != state_kind::history)
            refuse(at, "no machines that remember their last state", instead);
        if (s.holds()) refuse(at, "no states that hold", "use a guard");
        for (const auto& l : s.locals()) refuse(at, fmt::format("no locals, such as {}", in_quotes(l.name())), "store the data in the context");
        for (const auto& row : hook_kind_table) {
            if (row.instead.empty()) continue;
            for (const auto& h : s.hooks(row.kind)) refuse(h.where() ? h.where() : at, fmt::format("no <{}>", row.name), std::string(row.instead));
        }
        for (const auto& g : s.predicates()) refuse(g.where() ? g.where() : at, "no <finished>", "enter a final state");
    }

    void check(const transition_spec& t) {
        const auto at = t.origin ? t.origin : t.source->origin();
        if (!t.event.names.empty()) refuse(at, "no lists or prefixes of events", "write one transition for each event");
        if (t.event.name.starts_with("done.") || t.event.name.starts_with("error.")) refuse(at, "no events that it raises", instead);
        if (t.after)
            refuse(t.after.where() ? t.after.where() : at, "no time, and no \"after\"", "count the time in the context, and test it in a guard");
        if (t.every) refuse(t.every.where() ? t.every.where() : at, "no time, and no \"every\"", "count the time in the context, in an update hook");
        if (t.carry_over) refuse(at, "no time, and no \"carry_over\"", "count the time in the context, and test it in a guard");
        if (t.always) refuse(at, "no \"always\"", "make the state transient: transient=\"true\"");
        if (t.defers) refuse(at, "no <defer>", instead);
        if (!t.more_targets.empty()) refuse(at, "transitions with one target, and no <and>", instead);
        if (!t.joined.empty()) refuse(at, "one region, and no <in>", instead);
        if (!t.conditions.empty() || !t.asked.empty()) refuse(at, "no bits", "use a <condition>, a function that reads the context");
    }

    static constexpr const char* instead = "generate a definition from the file: hsm generate definition";

    problem_list& problems_;
};

} // namespace

void check_constant(const program_source& source, problem_list& problems) {
    constant_limits(problems).check(source.root);
    for (const auto& c : source.root.conditions())
        if (c->declared && c->origin && !c->name.empty())
            problems.add(code::not_constant, c->origin, "a constant chart has no bits", "use a <condition>, a function that reads the context");
}

} // namespace hsm::detail::tool
