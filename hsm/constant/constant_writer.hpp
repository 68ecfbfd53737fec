/// Writes what a transition of a constant chart does: what program_maker does when a program runs, by the same functions of flatten.hpp.
#pragma once

#include <hsm/constant/constant_list.hpp>
#include <hsm/constant/constant_rows.hpp>

namespace hsm::detail {

/// Size: of the tables of what was defined.
template <class Context, constant_model_sizes Size> class constant_writer {
public:
    using model = constant_model_tables<Context, Size>;

    constexpr constant_writer(const model& m, decision_order order) : m_(m), order_(order) {
        ops.reserve(8 * m.states.size());
        leaves.reserve(m.states.size());
        number_leaves();
    }

    constant_list<constant_op> ops;
    constant_list<constant_leaf_row> leaves;

protected:
    using list = constant_list<std::uint32_t>;
    /// What is known of a transition while it is written.
    struct progress {
        std::uint32_t kept = 0;
        bool transient = false;
        constexpr std::uint32_t code() const { return constant_taken(kept, transient); }
    };
    using kind = constant_op::kind_of;

    constexpr std::uint32_t begin() const { return static_cast<std::uint32_t>(ops.size()); }
    constexpr std::uint32_t emit(kind k, std::uint32_t operand = 0) {
        ops.push_back({k, operand, 0});
        return begin() - 1;
    }
    constexpr std::uint32_t end(constant_code code) { return emit(kind::end, code); }
    constexpr void land(const list& jumps) {
        for (const auto at : jumps) ops[at].otherwise = begin();
    }
    constexpr bool is_machine(index s) const { return m_.states[s].kind == state_kind::machine; }
    constexpr bool is_guarded(std::uint32_t t) const { return m_.transitions[t].guard >= 0; }
    constexpr const constant_transition_row& row(std::uint32_t t) const { return m_.transitions[t]; }

    /// Besides the states without substates, machines can be leaves that may refuse all of their choices.
    constexpr void number_leaves() {
        ranks_.append(m_.states.size(), no_index);
        for (index s = 0; s < m_.states.size(); ++s) {
            bool rests = false;
            if (is_machine(s)) {
                const auto nothing = [](auto) {};
                flatten::entry_choice(m_.states[s].choices, m_.states[s].initial, [&](auto t) { return is_guarded(t); }, nothing, nothing,
                                      [&] { rests = true; }, [] {});
                if (!rests) continue;
            }
            ranks_[s] = static_cast<index>(leaves.size());
            constant_leaf_row leaf;
            leaf.state = s;
            leaf.over = m_.states[s].kind == state_kind::final && m_.states[s].superstate == 0;
            leaves.push_back(leaf);
        }
    }

    // One state, one transition.
    constexpr void call(const constant_span& hooks) {
        for (auto h = hooks.first; h < hooks.first + hooks.count; ++h) emit(kind::hook, h);
    }
    constexpr void enter(index s, progress& p) {
        const auto& state = m_.states[s];
        call(state.enter);
        if (state.kind == state_kind::final && m_.states[state.superstate].mark >= 0)
            emit(kind::mark, static_cast<std::uint32_t>(m_.states[state.superstate].mark));
        p.transient |= state.transient;
    }
    constexpr void exit(index s) {
        call(m_.states[s].exit);
        if (m_.states[s].mark >= 0) emit(kind::unmark, static_cast<std::uint32_t>(m_.states[s].mark));
    }
    constexpr progress enter_below(index level, index target, progress p) {
        flatten::entries(m_.states, level, target, [&](index s) { enter(s, p); });
        return p;
    }
    constexpr void guards(std::int32_t first, list& refused) {
        for (auto g = first; g >= 0; g = m_.guards[static_cast<std::size_t>(g)].next)
            refused.push_back(emit(kind::ask, static_cast<std::uint32_t>(g)));
    }

    /// From a leaf, to the transition's end.
    constexpr void body(index leaf, std::uint32_t number) {
        const auto& t = row(number);
        if (t.target == no_index) {
            call(t.actions);
            end(static_cast<constant_code>(result::internal));
            return;
        }
        from_ = leaf;
        if (links_) emit(kind::link, leaf);
        flatten::exits(m_.states, leaf, t.level, [&](index s) { exit(s); });
        call(t.actions);
        announce(static_leaf(t.target));
        const auto kept = t.level == no_index ? 0 : m_.states[t.level].depth + 1u;
        arrive(t.target, enter_below(t.level, t.target, {kept, false}));
    }

    // Where an entered machine goes.
    constexpr void arrive(index target, progress p) {
        if (!is_machine(target))
            done(target, p);
        else if (is_static(target))
            entry(target, p);
        else
            emit(kind::jump, entry_program(target, p));
    }
    constexpr bool is_static(index machine) const {
        const auto& choices = m_.states[machine].choices;
        return choices.count == 0 || !is_guarded(choices.first);
    }
    /// Where it leads, if no guard has a say in it.
    constexpr index static_leaf(index target) const {
        while (is_machine(target)) {
            if (!is_static(target)) return no_index;
            const auto& state = m_.states[target];
            const auto leads = [&](std::uint32_t t) { target = row(t).target; };
            flatten::entry_choice(state.choices, state.initial, [&](auto t) { return is_guarded(t); }, leads, leads, [] {}, [&] { target = state.first; });
        }
        return target;
    }
    /// Between the exits and the entries, if it is known: then the compiler does not put the memory of both together, which is
    /// slower where they touch the same cache lines.
    constexpr void announce(index leaf) {
        if (leaf == no_index || leaf == from_) return;
        emit(kind::leaf, ranks_[leaf]);
        from_ = leaf;
    }
    constexpr void done(index leaf, progress p) {
        announce(leaf);
        end(p.code());
    }
    constexpr void entry(index machine, progress p) {
        const auto& state = m_.states[machine];
        const auto take = [&](std::uint32_t number) {
            const auto from = from_; // the alternatives share nothing
            call(row(number).actions);
            arrive(row(number).target, enter_below(machine, row(number).target, p));
            from_ = from;
        };
        flatten::entry_choice(
            state.choices, state.initial, [&](auto t) { return is_guarded(t); },
            [&](std::uint32_t t) {
                list refused;
                guards(row(t).guard, refused);
                take(t);
                land(refused);
            },
            take, [&] { machine == retried_ ? void(end(constant_next)) : done(machine, p); }, [&] { arrive(state.first, enter_below(machine, state.first, p)); });
    }

    /// An entry that is decided by guards is made once for all transitions that stay as far out; written behind all else.
    struct shared_entry {
        index machine = 0;
        progress p;
        std::uint32_t at = 0;
    };
    constexpr std::uint32_t entry_program(index machine, progress p) {
        for (const auto& e : entries_)
            if (e.machine == machine && e.p.kept == p.kept && e.p.transient == p.transient) return e.at;
        const auto around = emit(kind::go);
        const auto at = begin();
        entries_.push_back({machine, p, at});
        const auto from = from_;
        from_ = no_index;
        entry(machine, p);
        from_ = from;
        ops[around].otherwise = begin();
        return at;
    }

    const model& m_;
    decision_order order_;
    index from_ = no_index;    ///< the leaf before the transition that is being written
    index retried_ = no_index; ///< the machine at rest that makes its choice anew
    bool links_ = false;       ///< what is being written follows from another transition

private:
    constant_list<index> ranks_;
    constant_list<shared_entry> entries_;
};

} // namespace hsm::detail
