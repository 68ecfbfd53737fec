#include <hsm/compile/detail/assembler.hpp>

#include <algorithm>
#include <iterator>

namespace hsm::detail {

bool ends_program(op_function function) {
    constexpr op_function all[] = {&ops::end,
                                   &ops::jump,
                                   &ops::done,
                                   &ops::done_changed,
                                   &ops::rest_changed,
                                   &ops::enter_by,
                                   &ops::arrived,
                                   &ops::arrived_outermost,
                                   &ops::arrived_in_tick,
                                   &ops::next_region,
                                   &ops::end_regions,
                                   &ops::regions,
                                   &ops::targets,
                                   &ops::defer,
                                   &ops::general,
                                   &ops::entered,
                                   &ops::to_region_engine};
    return std::ranges::find(all, function) != std::end(all);
}

namespace {
/// Small excesses are not released, because the list exists twice while it is reallocated.
template <class List> void give_back_room(List& list) {
    if (list.capacity() > list.size() + list.size() / 8) list.shrink_to_fit();
}
} // namespace

assembler::assembler(chart_core& core) : core_(core) { emit_end(code_next); }

program assembler::push(op o, hook_site site) {
    const bool is_data = o.run == nullptr;
    if (!is_data && path_ops_ == max_path_ops) pause();
    if (core_.ops.size() == core_.ops.capacity()) make_room();
    core_.ops.push_back(o);
    core_.hook_sites.push_back(site);
    path_ops_after_.push_back(is_data ? path_ops_after_.back() : ++path_ops_);
    if (!is_data && ends_program(o.run)) path_ops_ = 0;
    return here() - 1;
}

void assembler::pause() {
    path_ops_ = 0;
    push({&ops::pause, {.number = 0}});
    path_ops_ = 0;
}

program assembler::begin() {
    if (path_ops_ == max_path_ops) pause(); // this place can also be reached from earlier code
    known_state_ = known_context_ = nothing_known;
    return here();
}

assembler::extent assembler::written() const {
    return {core_.ops.size(),         targets_.size(),         entries_.size(),       row_users_.size(),
            core_.local_slots.size(), region_programs_.size(), group_programs_.size()};
}

void assembler::go_back_to(const extent& before) {
    const auto cut = [](auto& list, std::size_t size) { list.resize(size); };
    cut(core_.ops, before.ops);
    cut(core_.hook_sites, before.ops);
    cut(path_ops_after_, before.ops);
    cut(targets_, before.targets);
    cut(entries_, before.entries);
    cut(row_users_, before.row_users);
    cut(core_.local_slots, before.local_slots);
    std::erase_if(local_slots_, [&](const auto& p) { return p.second >= before.local_slots; });
    cut(region_programs_, before.region_programs);
    cut(group_programs_, before.group_programs);
    known_state_ = known_context_ = nothing_known;
    path_ops_ = max_path_ops; // so that the next program begins with a pause
}

/// Doubles the room. If that approaches the expected number, reserves all of it, because the ops exist twice during a reallocation.
void assembler::make_room() {
    const auto size = core_.ops.size();
    const auto least = size + size / 8 + 64;
    const auto room = std::max(least, size >= expected_ / 4 ? expected_ : 2 * size);
    core_.ops.reserve(room);
    core_.hook_sites.reserve(room);
    path_ops_after_.reserve(room);
}

void assembler::forget_shared() {
    core_.entries = {};
    shared_.clear();
}

void assembler::emit(op_function function, std::uint64_t number, hook_site site) {
    push({function, {.number = number}}, site);
    // the next hook cannot rely on what this op sets
    if (function == &ops::updating) known_state_ = nothing_known;
    if (function == &ops::or_pend) known_state_ = known_context_ = nothing_known; // it called guards
}

void assembler::emit(op_function function, const void* self, hook_site site) { push({function, {.self = self}}, site); }

void assembler::emit_end(std::uintptr_t code) { push({&ops::end, {.target = end_with(code)}}); }

assembler::jump_at assembler::emit_jump(op_function function, hook_site site) { return push({function, {.target = nullptr}}, site); }

assembler::jump_at assembler::emit_if(op_function function, std::uint64_t number, hook_site site) {
    push({function, {.number = number}}, site);
    if (function == &ops::or_wait || function == &ops::if_satisfied) known_state_ = known_context_ = nothing_known; // it may have called guards
    return push({nullptr, {.target = nullptr}});
}

assembler::jumps assembler::emit_table(op_function function, std::uint32_t first, std::size_t count) {
    push({function, {.number = first | std::uint64_t(count) << 32}});
    jumps targets;
    for (std::size_t i = 0; i < count; ++i) targets.push_back(push({nullptr, {.target = nullptr}}));
    forget();
    return targets;
}

void assembler::emit_enter_by(program state_row::*which, index state, std::uint64_t unchanged) {
    if (core_.states[state].depth % longest_chain == longest_chain - 1) pause();
    entries_.push_back({push({&ops::enter_by, {.target = nullptr}}), which, state});
    push({nullptr, {.number = unchanged}});
}

void assembler::emit_row(index leaf) { row_users_.emplace_back(push({nullptr, {.self = nullptr}}), leaf); }

void assembler::prepare(const hook_row& h, index context, index where, hook_site site) {
    if (core_.has_projections && known_context_ != context) {
        push({&ops::in_context, {.number = context}}, site);
        known_context_ = context;
    }
    if (h.step && known_state_ != where) {
        push({&ops::at_state, {.self = where == no_index ? nullptr : core_.states[where].node}});
        known_state_ = where;
    }
    if (h.local_count > 0 && !known_locals_) push({&ops::locals, {.number = add_local_slots(h, where)}});
    known_locals_ = false;
}

/// Adds the places of the hook's locals, which the check has verified to exist.
std::uint32_t assembler::add_local_slots(const hook_row& h, index where) {
    const auto first = static_cast<std::uint32_t>(core_.local_slots.size());
    const auto [known, is_new] = local_slots_.try_emplace({h.locals, h.local_count, where}, first);
    for (std::uint32_t i = 0; is_new && i < h.local_count; ++i) {
        const auto* const local = core_.find_local(where, *h.locals[i]);
        const auto offset = local ? static_cast<std::ptrdiff_t>(core_.layout.locals + local->offset) : 0;
        core_.local_slots.push_back({h.locals[i], offset});
    }
    return known->second;
}

/// Adds one list for each level, outermost first.
void assembler::locals_by_level(const hook_row& h, index outermost, index inside) {
    if (h.local_count == 0) return;
    std::vector<index> levels;
    for (auto s = inside; s != outermost; s = core_.states[s].superstate) levels.push_back(s);
    const auto first = core_.local_slots.size();
    local_slots_.clear(); // the lists must be consecutive
    add_local_slots(h, outermost);
    for (auto s = levels.rbegin(); s != levels.rend(); ++s) add_local_slots(h, *s);
    push({&ops::locals_by_level, {.number = first | std::uint64_t(h.local_count) << 32}});
    push({nullptr, {.number = outermost == no_index ? 0 : core_.states[outermost].depth + 1u}});
    known_locals_ = true;
}

void assembler::hook(const hook_row& h, index context, index where, hook_site site) {
    prepare(h, context, where, site);
    push({h.call, {.self = h.self}}, site);
}

assembler::jump_at assembler::guard(const guard_row& g, index context, index where, hook_site site, bool caught) {
    prepare(g, context, where, site);
    if (caught && core_.catches_guards) return caught_guard(g, site);
    push({g.call, {.self = g.self}}, site);
    return push({nullptr, {.target = nullptr}});
}

/// Emits the guard as a program inside this one: see ops::try_guard.
assembler::jump_at assembler::caught_guard(const guard_row& g, hook_site site) {
    if (path_ops_ + 2 >= max_path_ops) pause();
    push({&ops::try_guard, {.number = 0}}, site);
    const auto refused = push({nullptr, {.target = nullptr}});
    const auto path_ops = path_ops_;
    push({g.call, {.self = g.self}}, site);
    const auto says_no = push({nullptr, {.target = nullptr}});
    emit_end(static_cast<std::uintptr_t>(result::taken));
    targets_.emplace_back(says_no, here());
    emit_end(static_cast<std::uintptr_t>(result::guarded));
    path_ops_ = path_ops;
    return refused;
}

void assembler::land(const jumps& open) {
    for (const auto jump : open) {
        targets_.emplace_back(jump, here());
        path_ops_ = std::max(path_ops_, path_ops_after_[jump]);
    }
    known_state_ = known_context_ = nothing_known;
}

span_of assembler::share(std::vector<row_entry> entries) {
    const auto count = static_cast<std::uint32_t>(entries.size());
    const auto [found, is_new] = shared_.try_emplace(std::move(entries), static_cast<std::uint32_t>(core_.entries.size()));
    if (is_new) core_.entries.insert(core_.entries.end(), found->first.begin(), found->first.end());
    return {found->second, count};
}

/// Makes a row for each list of entries, unless the rows would exceed row_memory. Events are then looked up in the lists.
void assembler::make_rows() {
    if (core_.by_parts) return make_inherited_rows();
    const auto size = shared_.size() * core_.row_width;
    if (size * sizeof(const op*) > core_.options.row_memory) return;
    if (core_.by_regions)
        core_.list_rows.resize(size);
    else
        core_.rows.resize(size);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> rows_of; // by the beginning and length of a list
    std::uint32_t next = 0;
    for (const auto& [entries, first] : shared_) {
        for (const auto& e : entries)
            if (core_.by_regions)
                core_.list_rows[next + e.column] = e.at;
            else
                core_.rows[next + e.column] = core_.at(e.at);
        rows_of[{first, static_cast<std::uint32_t>(entries.size())}] = next;
        next += core_.row_width;
    }
    for (auto& s : core_.states) s.row = rows_of[{s.programs.first, s.programs.count}];
}

/// By parts: each state has its own lists. Its row is that of its superstate plus these.
void assembler::make_inherited_rows() {
    const auto has_own = [](const state_row& s) { return s.programs.count > 0; };
    const auto count = 1 + static_cast<std::size_t>(std::ranges::count_if(core_.states, has_own));
    if (core_.by_regions || count * core_.row_width * sizeof(const op*) > core_.options.row_memory) return;
    core_.rows.reserve(count * core_.row_width);
    core_.rows.resize(core_.row_width);
    for (auto& s : core_.states) {
        s.row = s.superstate == no_index ? 0 : core_.states[s.superstate].row;
        if (!has_own(s)) continue;
        const auto row = core_.rows.size();
        core_.rows.resize(row + core_.row_width);
        std::copy_n(core_.rows.begin() + s.row, core_.row_width, core_.rows.begin() + static_cast<std::ptrdiff_t>(row));
        for (auto i = s.programs.first; i < s.programs.first + s.programs.count; ++i) {
            const auto column = core_.entries[i].column;
            core_.rows[row + column] = core_.shared_programs[i] ? core_.at(core_.shared_programs[i]) : &core_.dispatch_ops[column];
        }
        s.row = static_cast<std::uint32_t>(row);
    }
}

/// If regions are driven: makes one row for each state, with the programs of its region.
void assembler::make_region_rows() { core_.rows.resize((core_.states.size() + 1) * core_.row_width); }

void assembler::set_program(index region_leaf, std::uint32_t column, program at) {
    region_programs_.push_back({std::size_t(region_leaf) * core_.row_width + column, at});
}

void assembler::lead_to(program from, program to) { targets_.emplace_back(from, to); }

void assembler::finish() {
    give_back_room(core_.ops); // from here on their addresses are fixed
    give_back_room(core_.hook_sites);
    for (const auto& [place, at] : region_programs_) core_.rows[place] = core_.at(at);
    for (const auto& [place, at] : group_programs_) core_.group_cells[place] = core_.at(at);
    for (const auto& [at, target] : targets_) core_.ops[at].target = core_.at(target);
    for (const auto& e : entries_) core_.ops[e.at].target = core_.at(core_.states[e.state].*e.which);
    make_rows();
    core_.tick_table.reserve(core_.states.size());
    for (const auto& s : core_.states) core_.tick_table.push_back(core_.at(s.tick_program) + 1); // a tick begins after its first section op
    core_.ticks = core_.tick_table.data();
    for (const auto& [at, leaf] : row_users_) core_.ops[at].self = core_.row_of(leaf);
}

} // namespace hsm::detail
