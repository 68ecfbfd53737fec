/// Writes what a transition of a constant chart does: what the planner does when a program runs, told by the same
/// functions: flatten.hpp, write_transition.hpp.
#pragma once

#include <hsm/chart/detail/write_transition.hpp>
#include <hsm/constant/detail/list.hpp>
#include <hsm/constant/detail/rows.hpp>

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
        std::uint32_t unchanged = 0; ///< how many of the outermost states stay as they are
        bool transient = false;
        constexpr std::uint32_t code() const { return constant_taken(unchanged, transient); }
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
    constexpr bool is_machine(index s) const { return m_.is_machine(s); }
    constexpr const constant_transition_row& row(std::uint32_t t) const { return m_.transitions[t]; }

    /// Besides the states without substates, machines can be leaves that may refuse all of their choices.
    constexpr void number_leaves() {
        ranks_.append(m_.states.size(), no_index);
        for (index s = 0; s < m_.states.size(); ++s) {
            bool rests = false;
            if (is_machine(s)) {
                const auto nothing = [](auto) {};
                flatten::entry_choice(
                    m_.states[s].choices, m_.states[s].initial, [&](auto t) { return m_.is_guarded(t); }, nothing, nothing, [&] { rests = true; },
                    [] {});
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
    constexpr void guards(std::int32_t first, list& refused) {
        for (auto g = first; g >= 0; g = m_.guards[static_cast<std::size_t>(g)].next)
            refused.push_back(emit(kind::ask, static_cast<std::uint32_t>(g)));
    }

    /// What writes down a transition, or where an entered machine goes: see write_transition.hpp.
    struct transition_sink {
        constant_writer& w;
        index leaf;
        progress p;

        constexpr void begin(const constant_transition_row& t) {
            if (t.target == no_index) return;
            w.from_ = leaf;
            if (w.links_) w.emit(kind::link, leaf);
        }
        constexpr void exit(index s) { w.exit(s); }
        constexpr void action(const constant_transition_row& t) {
            w.call(t.actions);
            if (t.target != no_index) w.announce(flatten::static_leaf(w.m_, t.target));
        }
        constexpr void enter(index s) { w.enter(s, p); }
        constexpr void choose(index machine, bool) {
            if (w.m_.is_static(machine))
                w.entry(machine, p);
            else
                w.emit(kind::jump, w.entry_program(machine, p));
        }
        constexpr void arrive(index s) { w.done(s, p); }
        constexpr void stay(const constant_transition_row&) { w.end(static_cast<constant_code>(result::internal)); }

        template <class Take> constexpr void try_choice(index, std::uint32_t number, const Take& take) {
            list refused;
            w.guards(w.row(number).guard, refused);
            const auto before = p; // the alternatives share nothing
            const auto from = w.from_;
            take();
            p = before;
            w.from_ = from;
            w.land(refused);
        }
        constexpr void choice_action(index, const constant_transition_row& t) { w.call(t.actions); }
        constexpr bool leads_elsewhere(index, const constant_transition_row&) const { return false; }
        constexpr void rest(index machine) {
            if (machine == w.retried_)
                w.end(constant_next);
            else
                w.done(machine, p);
        }
    };

    /// From a leaf, to the transition's end.
    constexpr void body(index leaf, std::uint32_t number) {
        const auto& t = row(number);
        transition_sink sink{*this, leaf, {t.level == no_index ? 0 : m_.states[t.level].depth + 1u, false}};
        flatten::write_transition(m_, leaf, t, sink);
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
        transition_sink sink{*this, machine, p};
        flatten::write_entry(m_, machine, sink);
    }

    /// An entry that is decided by guards is made once for all transitions that stay as far out; written behind all else.
    struct shared_entry {
        index machine = 0;
        progress p;
        std::uint32_t at = 0;
    };
    constexpr std::uint32_t entry_program(index machine, progress p) {
        for (const auto& e : entries_)
            if (e.machine == machine && e.p.unchanged == p.unchanged && e.p.transient == p.transient) return e.at;
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
