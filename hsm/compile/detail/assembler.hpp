/// Writes ops into a chart, one after the other, and fills in where jumps lead to once that is known.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/vm/detail/ops.hpp>

#include <map>
#include <tuple>
#include <utility>

namespace hsm::detail {

/// The next op in memory does not run after an op of this function.
bool ends_program(op_function function);

class assembler {
public:
    using jump_at = std::uint32_t; ///< the op whose target is open
    using jumps = std::vector<jump_at>;

    explicit assembler(chart_core& core);

    /// Where the next op comes; nothing is known there of what stands before.
    program begin();

    /// How far a chart has been written.
    struct extent {
        std::size_t ops = 0, targets = 0, entries = 0, row_users = 0, local_places = 0, region_programs = 0, pair_programs = 0;
    };
    extent written() const;
    /// What was written from there on is taken back.
    void go_back_to(const extent& before);
    /// There will be so many ops at most, or a few more.
    void expect(std::size_t ops) { expected_ = ops; }
    /// No list of entries is stored any more.
    void forget_shared();

    void emit(op_function function, std::uint64_t number, op_note note = {});
    void emit(op_function function, const void* self, op_note note = {});
    void emit_end(std::uintptr_t code);
    jump_at emit_jump(op_function function);
    /// An op that may go elsewhere.
    jump_at emit_if(op_function function, std::uint64_t number, op_note note = {});
    /// Goes on at a program of that state, one that need not be there yet.
    void emit_enter_by(program state_row::*which, index state, std::uint64_t unchanged);
    void emit_row(index leaf);

    /// A user's hook, with what it asks for set up: the context of one state, locals looked up from another.
    void hook(const hook_row& h, index context, index where, op_note note);
    /// Caught: what it throws is as if it refused, where the chart says so.
    jump_at guard(const guard_row& g, index context, index where, op_note note, bool caught);

    /// Something else happens before what comes next.
    void forget() { known_state_ = known_context_ = nothing_known; }

    /// Somebody else says which state it is whose hook comes next.
    void assume_state(index s) { known_state_ = s; }
    /// The locals that a hook takes are those from a level outwards that is not known before: one between `outermost` and what is further
    /// in on the way to `inside`. Then follows the hook.
    void locals_by_level(const hook_row& h, index outermost, index inside);

    /// They all lead here.
    void land(const jumps& open);

    void make_region_rows();
    /// What a region does, if that is its region leaf.
    void set_program(index region_leaf, std::uint32_t column, program at);
    void set_pair_program(std::size_t place, program at) { pair_programs_.push_back({place, at}); }
    /// The op there has that target.
    void lead_to(program from, program to);

    /// Equal lists are stored once.
    span_of share(std::vector<row_entry> entries);

    /// Turns numbers into addresses.
    void finish();

private:
    static constexpr index nothing_known = 0xfffe;

    /// Not every compiler makes jumps of the calls by which ops go on, and where it does not they need stack. So no way through a
    /// program has more ops than these before one of them returns to the loop in `run`.
    static constexpr std::uint8_t longest_way = 128;
    /// Entries that are chosen level by level are programs that lead into each other: at most so many.
    static constexpr index longest_chain = 16;

    program here() const { return static_cast<program>(core_.ops.size()); }
    program push(op o, op_note note = {});
    void pause();
    void make_room();
    jump_at caught_guard(const guard_row& g, op_note note);
    void prepare(const hook_row& h, index context, index where, op_note note);
    std::uint32_t add_places(const hook_row& h, index where);

    chart_core& core_;
    std::size_t expected_ = SIZE_MAX; ///< ops
    index known_state_ = nothing_known;
    index known_context_ = nothing_known;
    bool known_locals_ = false;                        ///< those of the hook that comes next
    std::uint8_t way_ = 0;                             ///< the most ops that may have run since one returned, before the next one
    std::vector<std::uint8_t> ways_;                   ///< the same, behind each op
    std::vector<std::pair<program, program>> targets_; ///< op, where it leads
    struct entry {
        program at;
        program state_row::*which;
        index state;
    };
    std::vector<entry> entries_;                       ///< ops that lead to programs of states
    std::vector<std::pair<program, index>> row_users_; ///< op, leaf
    void make_rows();
    void make_inherited_rows();

    std::map<std::tuple<const void*, std::uint32_t, index>, std::uint32_t> places_; ///< what is taken, from where; the first of its places
    std::map<std::vector<row_entry>, std::uint32_t> shared_;
    std::vector<std::pair<std::size_t, program>> region_programs_; ///< place in the rows
    std::vector<std::pair<std::size_t, program>> pair_programs_;   ///< place in the rows of pairs
};

} // namespace hsm::detail
