/// Writes ops into a chart, one after the other, and sets the targets of jumps when they are known.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/vm/detail/ops.hpp>

#include <map>
#include <tuple>
#include <utility>

namespace hsm::detail {

/// Returns whether the next op in memory does not run after an op of this function.
bool ends_program(op_function function);

class assembler {
public:
    using jump_at = std::uint32_t; ///< the op whose target is not yet known
    using jumps = std::vector<jump_at>;

    explicit assembler(chart_core& core);

    /// Returns the place of the next op. State set up by earlier ops is not assumed there.
    program begin();

    /// How much of a chart has been written.
    struct extent {
        std::size_t ops = 0, targets = 0, entries = 0, row_users = 0, local_slots = 0, region_programs = 0, group_programs = 0;
    };
    extent written() const;
    /// Removes everything written after `before`.
    void go_back_to(const extent& before);
    /// Sets the approximate maximum number of ops.
    void expect(std::size_t ops) { expected_ = ops; }
    /// Removes all stored lists of entries.
    void forget_shared();

    void emit(op_function function, std::uint64_t number, hook_site site = {});
    void emit(op_function function, const void* self, hook_site site = {});
    void emit_end(std::uintptr_t code);
    jump_at emit_jump(op_function function, hook_site site = {});
    /// Emits an op that can continue elsewhere.
    jump_at emit_if(op_function function, std::uint64_t number, hook_site site = {});
    /// Emits an op that continues at one of `count` targets. `first` is the lower half of its number.
    jumps emit_table(op_function function, std::uint32_t first, std::size_t count);
    /// Continues at a program of that state, which may be written later.
    void emit_enter_by(program state_row::*which, index state, std::uint64_t unchanged);
    void emit_row(index leaf);

    /// Emits a user's hook, after ops that set the data it needs: the context of state `context`, locals looked up from `where`.
    void hook(const hook_row& h, index context, index where, hook_site site);
    /// Emits a guard. `caught`: if the guard throws and the chart has the option guard_error, the guard counts as false.
    jump_at guard(const guard_row& g, index context, index where, hook_site site, bool caught);

    /// Other code runs before the next op, so no set-up state is known.
    void forget() { known_state_ = known_context_ = nothing_known; }

    /// Assumes that other code sets the state whose hook comes next.
    void assume_state(index s) { known_state_ = s; }
    /// Sets the locals for the next hook, from a level that is known only at run time. The level is `outermost`, or a state inside it on the way to
    /// `inside`.
    void locals_by_level(const hook_row& h, index outermost, index inside);

    /// Makes all these jumps lead to the next op.
    void land(const jumps& open);

    void make_region_rows();
    /// Sets the program of a region whose region leaf this is.
    void set_program(index region_leaf, std::uint32_t column, program at);
    void set_group_program(std::size_t place, program at) { group_programs_.push_back({place, at}); }
    /// Sets the target of the op at `from`.
    void lead_to(program from, program to);

    /// Stores a list, or returns an equal stored one.
    span_of share(std::vector<row_entry> entries);

    /// Converts numbers to addresses.
    void finish();

private:
    static constexpr index nothing_known = 0xfffe;

    /// Without tail calls, ops call each other and need stack. So no way through a program runs more ops than this before one returns to the loop in
    /// `run`.
    static constexpr std::uint8_t max_path_ops = 128;
    /// The most levels whose entry programs lead into each other without a pause.
    static constexpr index longest_chain = 16;

    program here() const { return static_cast<program>(core_.ops.size()); }
    program push(op o, hook_site site = {});
    void pause();
    void make_room();
    jump_at caught_guard(const guard_row& g, hook_site site);
    void prepare(const hook_row& h, index context, index where, hook_site site);
    std::uint32_t add_local_slots(const hook_row& h, index where);

    chart_core& core_;
    std::size_t expected_ = SIZE_MAX; ///< ops
    index known_state_ = nothing_known;
    index known_context_ = nothing_known;
    bool known_locals_ = false;                        ///< the locals of the next hook are set
    std::uint8_t path_ops_ = 0;                        ///< the most ops that can have run since one returned, before the next op
    std::vector<std::uint8_t> path_ops_after_;         ///< the same after each op
    std::vector<std::pair<program, program>> targets_; ///< an op, and its target
    struct entry {
        program at;
        program state_row::*which;
        index state;
    };
    std::vector<entry> entries_;                       ///< ops that lead to programs of states
    std::vector<std::pair<program, index>> row_users_; ///< an op, and a leaf
    void make_rows();
    void make_inherited_rows();

    std::map<std::tuple<const void*, std::uint32_t, index>, std::uint32_t> local_slots_; ///< by locals and state: the first of the places
    std::map<std::vector<row_entry>, std::uint32_t> shared_;
    std::vector<std::pair<std::size_t, program>> region_programs_; ///< index in the rows
    std::vector<std::pair<std::size_t, program>> group_programs_;  ///< index in chart_core::group_cells
};

} // namespace hsm::detail
