/// Names all parts of a definition in code and registers them by these names, as if it had been loaded from a file. The originals are registered, not
/// copies: the definition, or its chart, must outlive everything that is loaded.
#pragma once

#include <hsm/define/detail/definition_editor.hpp>
#include <hsm/load/detail/registry_base.hpp>

#include <string>

namespace test {

class naming {
public:
    explicit naming(hsm::detail::registry_base& to) : to_(to) {}

    void name(hsm::state_base& s) {
        if (s.id()) name_id(s);
        if (s.projection()) name_way(s);
        const hsm::detail::definition_editor edit(s);
        for (std::size_t k = 0; k < hsm::hook_kinds; ++k)
            for (auto& h : edit.hooks(static_cast<hsm::hook_kind>(k))) name_hook(h, kind_of(static_cast<hsm::hook_kind>(k)), s.names_successor());
        for (auto& p : edit.predicates()) name_hook(p, hsm::detail::behavior_kind::guard);
        for (auto& p : edit.hold().predicates) name_hook(p, hsm::detail::behavior_kind::guard);
        name_delay(edit.hold().least);
        name_delay(s.choosing().every);
        for (auto& l : edit.locals()) name_local(l);
        for (const auto* list : {&s.transitions(), &s.choices(), &s.initials()})
            for (const auto& t : *list) name_transition(*t);
        for (const auto& sub : s.substates()) name(*sub);
    }

private:
    static hsm::detail::behavior_kind kind_of(hsm::hook_kind k) {
        return k == hsm::hook_kind::update      ? hsm::detail::behavior_kind::update
               : k == hsm::hook_kind::change    ? hsm::detail::behavior_kind::change
               : k == hsm::hook_kind::done_data ? hsm::detail::behavior_kind::done_data
                                                : hsm::detail::behavior_kind::callback;
    }

    /// Some names can be used only in elements, and must be escaped.
    std::string next_name() { return ++count_ % 7 == 0 ? "no <" + std::to_string(count_) + "> & \"quoted\"" : "n" + std::to_string(count_); }

    hsm::detail::behavior entry(hsm::detail::behavior_kind kind) {
        hsm::detail::behavior b;
        b.kind = kind;
        b.name = next_name();
        return b;
    }

    /// `Op` is a hook or a guard.
    template <class Op> void name_hook(Op& op, hsm::detail::behavior_kind kind, bool names_successor = false) {
        auto b = entry(kind);
        constexpr auto again = [](const void* self) -> hsm::detail::bound_op {
            const auto& original = *static_cast<const Op*>(self);
            return {original.call(), original.self(), nullptr, original.needs()};
        };
        b.op = hsm::detail::erased<hsm::detail::bound_op (*)(const void*)>({again, &op, nullptr, {}});
        b.names_successor = names_successor;
        op.set_name(b.name);
        to_.add(std::move(b));
    }

    void name_delay(hsm::detail::delay& d) {
        if (auto* const find = d.finder()) name_hook(*find, hsm::detail::behavior_kind::delay);
    }

    void name_transition(hsm::transition_spec& t) {
        for (auto& g : t.guards) name_hook(g, hsm::detail::behavior_kind::guard);
        for (auto& a : t.actions) name_hook(a, hsm::detail::behavior_kind::action);
        name_delay(t.after);
        name_delay(t.every);
        if (t.score) name_hook(*t.score, hsm::detail::behavior_kind::score);
        if (!t.event || t.event.type == &hsm::event_type_of<hsm::named_event>) return;
        while (const auto* const other = to_.find(hsm::detail::behavior_kind::event, t.event.name, nullptr)) {
            if (other->key == t.event) return;
            t.event.name += '\''; // an event of another type
        }
        hsm::detail::behavior b;
        b.kind = hsm::detail::behavior_kind::event;
        b.name = t.event.name;
        b.key = t.event;
        to_.add(std::move(b));
    }

    void name_local(hsm::detail::local_prototype& l) {
        auto b = entry(hsm::detail::behavior_kind::local);
        constexpr auto again = [](const void* self, hsm::state_base& s) {
            s.add_local(static_cast<const hsm::detail::local_prototype*>(self)->duplicate());
            return &s;
        };
        b.make = hsm::detail::erased<hsm::state_base* (*)(const void*, hsm::state_base&)>({again, &l, nullptr, {}});
        l.set_name(b.name);
        to_.add(std::move(b));
    }

    void name_id(hsm::state_base& s) {
        auto b = entry(hsm::detail::behavior_kind::identifier);
        b.id = s.id();
        s.note().identifier = b.name;
        to_.add(std::move(b));
    }

    /// The context of a node matters only in code: all can have the outermost one.
    void name_way(hsm::state_base& s) {
        auto b = entry(hsm::detail::behavior_kind::part);
        b.inner = &to_.context();
        constexpr auto again = [](const void* self, hsm::state_base& at) {
            const auto& original = *static_cast<const hsm::detail::projection*>(self);
            at.set_projection(hsm::detail::projection({original.call(), original.self(), nullptr, {}}));
        };
        auto& way = hsm::detail::definition_editor(s).projection();
        b.project = hsm::detail::erased<void (*)(const void*, hsm::state_base&)>({again, &way, nullptr, {}});
        way.set_name(b.name);
        to_.add(std::move(b));
    }

    hsm::detail::registry_base& to_;
    int count_ = 0;
};

} // namespace test
