#include <hsm/crowd/detail/page.hpp>

#include <hsm/run/detail/engine.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/vm/detail/condition_bits.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace hsm::detail {

namespace {

std::size_t bit_size_for(std::size_t conditions) {
    const auto wanted = conditions + 2;
    return wanted <= 8 ? 1 : wanted <= 32 ? 4 : 8;
}

/// Returns whether a machine of the chart stores anything besides its leaf and the conditions in the column.
bool needs_block(const chart_core& core, bool has_column, bool seldom_marked) {
    return (core.options.entry_times && core.time_slots > 0) || (core.has_marks && !seldom_marked) || core.has_holds || core.by_regions ||
           core.has_defers || core.has_over || core.has_chance || !core.cooldowns.empty() || !core.history_owners.empty() || core.block_size > 0 ||
           (!has_column && !core.conditions.empty());
}

bool is_seldom_marked(const chart_core& core) {
    const bool completes = std::ranges::any_of(core.transitions, &transition_row::on_finished);
    return core.has_marks && !completes && !core.has_over && !core.by_regions && core.states.size() <= 64;
}

/// Returns whether a leaf or a state around it has an update.
bool updates_at(const chart_core& core, const state_row& leaf) {
    for (auto s = static_cast<index>(&leaf - core.states.data()); s != no_index; s = core.states[s].superstate)
        if (core.states[s].updates || core.follows_each_update) return true;
    return false;
}

update_only update_only_of(const chart_core& core, const state_row& leaf) {
    if (core.by_regions || core.has_holds || core.has_projections || leaf.tick.count != 1 ||
        core.sections[leaf.tick.first].kind != tick_section::update)
        return {};
    auto s = static_cast<index>(&leaf - core.states.data());
    while (!core.states[s].updates) s = core.states[s].superstate;
    const auto& row = core.states[s];
    if (row.hooks.update.count != 1 || row.predicates.count + row.reactions.count > 0 || row.node->names_successor()) return {};
    const auto& h = core.hooks[row.hooks.update.first];
    const auto* const section = core.at(core.sections[leaf.tick.first].at);
    const auto* at = section;
    while (at->run != h.call) ++at;
    return h.many ? update_only{h.many, h.self, at, section, row.node} : update_only{};
}

/// Returns the states around the leaf that decide in its tick before anything changes the context.
std::vector<index> early_deciders(const crowd_layout& layout, index leaf) {
    const auto& core = layout.core;
    std::vector<index> found;
    if (core.by_regions || core.carries || core.has_projections || !core.leave_requests.empty() || !layout.has_column) return found;
    for (auto s = leaf; s != no_index; s = core.states[s].superstate) {
        const auto& ticks = core.states[leaf].tick;
        const auto decides = [&](const tick_section& section) {
            return section.kind == tick_section::decide &&
                   (section.depth == core.states[s].depth || core.options.order == decision_order::substate_first);
        };
        for (auto i = ticks.first; i < ticks.first + ticks.count; ++i) {
            if (core.sections[i].kind == tick_section::update && core.sections[i].at != 0) break;
            if (decides(core.sections[i])) found.insert(found.begin(), s);
        }
    }
    return found;
}

many_scores many_scores_of(const chart_core& core, index s) {
    const auto& row = core.states[s];
    const auto& chooses = row.node->chooses();
    many_scores all{s};
    all.stay_bonus = chooses.stay_bonus;
    all.picks = row.choose == choosing::best;
    for (auto n = row.candidates.first; n < row.candidates.first + row.candidates.count; ++n) {
        const auto& t = core.transitions[n];
        const bool many = t.score != no_score && core.hooks[t.score].many, fixed = t.score == no_score;
        all.candidates.push_back({many ? &core.hooks[t.score] : nullptr, fixed ? t.weight : 0, t.goal});
        const bool plain = t.guards.count + t.conditions.count + t.excluded.count + t.joined.count + t.more_targets.count == 0;
        const bool stays = t.target == t.goal && core.states[t.target].kind != state_kind::choice;
        all.picks &= (many || fixed) && plain && stays && t.cooldown == no_score && t.priority == core.transitions[row.candidates.first].priority;
    }
    const auto again = std::ranges::find_if(core.transitions, [&](const transition_row& t) { return t.rechoice && t.source == s; });
    if (again != core.transitions.end() && again->timer != no_timer) {
        all.due = core.layout.locals + core.timers[again->timer].offset;
        all.picks = false; // each choice starts the timer
    }
    return all;
}

/// Returns whether the chooser's decision is all that a tick in the leaf does.
bool only_chooses(const chart_core& core, index leaf, const many_scores& c) {
    const auto& ticks = core.states[leaf].tick;
    if (!c.picks || core.has_holds || ticks.count != 1) return false;
    for (auto s = leaf; s != no_index; s = core.states[s].superstate)
        for (auto t = core.states[s].polled.first; t < core.states[s].polled.first + core.states[s].polled.count; ++t)
            if (!core.transitions[t].rechoice || core.transitions[t].source != c.state) return false;
    return true;
}

/// The test watches leaves whose ticks consist of transitions with conditions. Other leaves that tick fail it always.
idle_tables tables_of(const crowd_layout& layout) {
    const auto& core = layout.core;
    idle_tables tables(core.states.size() + layout.other_rows, layout.row_size, layout.bit_size);
    const auto never_set = layout.never_set();
    for (std::size_t s = 0; s < core.states.size(); ++s) {
        const bool has_timers = !layout.timed.tests.empty();
        const auto test = has_timers                                      ? layout.timed.tests[s].before
                          : core.idle_tests.empty() || !layout.has_column ? idle_test()
                                                                          : core.idle_tests[s];
        if (test.known)
            tables.set(s, test.unwanted & ~layout.attention, test.watch | layout.attention);
        else if (core.ticks_at(static_cast<index>(s)))
            tables.set(s, never_set, never_set);
        else
            tables.set(s, 0, layout.attention);
    }
    for (auto row = layout.none(); row < layout.none() + layout.other_rows; ++row) tables.set(row, 0, 0);
    return tables;
}

/// A leaf that is due can still wait for conditions.
idle_tables due_tables_of(const crowd_layout& layout) {
    idle_tables tables(layout.has_dues ? layout.tables.rows() : 0, layout.row_size, layout.bit_size);
    for (std::size_t s = 0; layout.has_dues && s < layout.core.states.size(); ++s) {
        const auto& test = layout.timed.tests[s].due;
        if (layout.timed.of_leaf[s].count == 0)
            tables.set(s, 0, 0);
        else if (test.known)
            tables.set(s, test.unwanted, test.watch);
        else
            tables.set(s, layout.never_set(), layout.never_set());
    }
    return tables;
}

} // namespace

/// Stays empty if the chart has no timers or the conditions are not in a column.
timed_layout::timed_layout(const chart_core& core, bool has_column) : of_leaf(core.states.size()) {
    if (core.timers.empty() || !has_column) return;
    for (index leaf = 0; leaf < row_count(core.states); ++leaf) {
        const auto& test = tests.emplace_back(timed_idle_test_of(core, leaf));
        of_leaf[leaf] = {static_cast<std::uint32_t>(positions.size()), static_cast<std::uint32_t>(test.timers.size())};
        for (const auto timer : test.timers) positions.push_back(core.layout.locals + core.timers[timer].offset);
    }
}

crowd_layout::crowd_layout(const chart_core& c, const crowd_options& o, std::size_t size, std::size_t alignment, std::size_t stride)
    : core(c), options(o), states(static_cast<std::uint32_t>(core.states.size())), has_column(core.conditions.size() <= 62),
      row_size(core.states.size() + other_rows <= 256 ? 1 : 2), bit_size(bit_size_for(has_column ? core.conditions.size() : 0)),
      attention(std::uint64_t(1) << (8 * bit_size - 1)), timed(core, has_column), has_dues(!timed.positions.empty()), tables(tables_of(*this)),
      due_tables(due_tables_of(*this)), scan(find_idle_scan(tables, options.vector_code)), find_due(find_due_scan(options.vector_code)),
      find_rows(find_row_scan(row_size, options.vector_code)), block_front(core.layout.front), block_size(0), deferral(0), context_size(size),
      context_alignment(alignment), context_stride(stride), seldom_marked(is_seldom_marked(c)),
      events_by_row(!core.by_regions && !core.has_hooks.unhandled && !core.rows.empty()),
      plain_events(events_by_row && has_column && !core.has_over) {
    for (const auto& s : core.states) {
        programs.push_back(core.row_of(static_cast<index>(&s - core.states.data())));
        updates.push_back(core.by_regions || updates_at(core, s));
        updates_only.push_back(update_only_of(core, s));
        decisions_only.push_back(!updates.back() && s.tick.count > 0 && !core.has_over && !core.options.entry_times);
    }
    updates_only.resize(core.states.size() + other_rows);
    std::vector<std::uint8_t> numbers(core.states.size());
    for (index s = 0; s < row_count(core.states) && choosers.size() < 255; ++s) {
        if (!core.states[s].node->chooses().again || !core.scores_many(core.states[s].candidates)) continue;
        choosers.push_back(many_scores_of(core, s));
        most_candidates = std::max(most_candidates, choosers.back().candidates.size());
        numbers[s] = static_cast<std::uint8_t>(choosers.size());
    }
    if (!choosers.empty()) chooses.resize(core.states.size() + other_rows), only_picks.resize(core.states.size());
    for (index leaf = 0; !choosers.empty() && leaf < row_count(core.states); ++leaf) {
        const auto deciders = early_deciders(*this, leaf);
        const auto first = std::ranges::find_if(deciders, [&](index s) { return numbers[s] != 0; });
        if (first == deciders.end()) continue;
        chooses[leaf] = numbers[*first];
        only_picks[leaf] = only_chooses(core, leaf, choosers[numbers[*first] - 1u]);
    }
    if (!needs_block(core, has_column, seldom_marked)) return;
    const auto need = agent_block(core, options.agent);
    deferral = need.deferral;
    block_size = aligned(block_front + need.size, core.layout.alignment);
}

overflow_state::overflow_state(const crowd_layout& s) : queues(make_queues(s.core, s.options.agent, &s.lost)), layout(s) {}

overflow_state::~overflow_state() {
    delete observed;
    delete_queues(layout.core, queues);
}

bool overflow_state::is_plain() const {
    return work == 0 && (state & (state_posted | state_paused | state_scaled)) == 0 && !own_clock && pulses == 0 && marks == 0;
}

page::page(const crowd_layout& layout, std::uint32_t number, const page* like)
    : first(number * page_agents), layout_(layout), lists_(layout.options.lists ? layout.core.states.size() : 0) {
    if (!like) {
        make_columns(nullptr);
        return;
    }
    contexts_ = like->contexts_;
    used = like->used;
    alive = like->alive;
    rates_ = like->rates_;
}

void page::make_columns(const page* like) {
    const auto& layout = layout_;
    std::size_t end = 0;
    const auto column = [&](std::size_t size, std::size_t alignment) {
        const auto begin = aligned(end, alignment);
        end = begin + size * page_agents;
        return begin;
    };
    const auto rows = column(layout.row_size, 64);
    const auto bits = column(layout.bit_size, 64);
    const auto generations = column(sizeof(std::uint32_t), 64);
    const auto dues = column(layout.has_dues ? sizeof(std::int64_t) : 0, 64);
    if (layout.has_dues) end += page_words * sizeof(std::int64_t); // the earliest of each 64
    const auto blocks = column(layout.block_size, std::max<std::size_t>(layout.core.layout.alignment, 64));
    const auto allocate = [](std::size_t size, std::size_t alignment) {
        const auto wanted = std::align_val_t(std::max<std::size_t>(alignment, 64));
        return std::unique_ptr<std::byte, free_memory>(static_cast<std::byte*>(::operator new(size, wanted)), free_memory{wanted});
    };
    memory_ = allocate(end, layout.core.layout.alignment);
    if (!like && layout.context_size > 0) context_memory_ = allocate(layout.context_size * page_agents, layout.context_alignment);
    rows_ = memory_.get() + rows;
    bits_ = memory_.get() + bits;
    generations_ = reinterpret_cast<std::uint32_t*>(memory_.get() + generations);
    dues_ = layout.has_dues ? reinterpret_cast<std::int64_t*>(memory_.get() + dues) : nullptr;
    if (!like) contexts_ = context_memory_.get();
    blocks_ = memory_.get() + blocks + layout.block_front;
    std::fill_n(bits_, layout.bit_size * page_agents, std::byte(0));
    if (like)
        std::copy_n(like->generations_, page_agents, generations_);
    else
        std::fill_n(generations_, page_agents, 0u);
    clear_blocks(like ? used : 0, page_agents);
    if (dues_) std::fill_n(dues_, page_agents + page_words, never);
    if (layout.row_size == 1)
        std::fill_n(rows_, page_agents, static_cast<std::byte>(layout.none()));
    else
        for (std::uint32_t slot = 0; slot < page_agents; ++slot) set_row(slot, layout.none());
    if (like) reserve_for_image(0);
}

page::~page() {
    if (overflow_)
        for (auto* l : *overflow_) delete l;
    while (spare_) delete std::exchange(spare_, spare_->next);
}

agent_bits page::agents_in_rows(std::uint32_t row, std::uint32_t more) const {
    agent_bits found{};
    layout_.find_rows(rows_, row, more, (used + 63) / 64, found.data());
    return found;
}

agent_bits page::agents_by(const idle_tables& tables, idle_scan scan) const {
    agent_bits found{};
    scan(tables, rows_, bits_, (used + 63) / 64, found.data());
    return found;
}

void page::find_must_tick(agent_bits& found, std::int64_t now) {
    layout_.scan(layout_.tables, rows_, bits_, (used + 63) / 64, found.data());
    if (dues_) find_due(found, now);
}

bool page::is_idle(std::uint32_t slot, std::int64_t now) const {
    const bool is_due = layout_.has_dues && layout_.timed.next_due(block(slot), static_cast<index>(row(slot))) <= now;
    return !is_due && !layout_.tables.fails(row(slot), bits(slot) & ~layout_.attention);
}

/// For 64 agents of which none is due, this reads only one number.
void page::find_due(agent_bits& found, std::int64_t now) {
    for (std::uint32_t w = 0; w * 64 < used; ++w) {
        if (earliest()[w] > now) continue;
        const auto due = layout_.find_due(dues_ + w * 64, now, earliest()[w]);
        if (due == 0) continue;
        std::uint64_t may_act;
        layout_.scan(layout_.due_tables, rows_ + w * 64 * layout_.row_size, bits_ + w * 64 * layout_.bit_size, 1, &may_act);
        found[w] |= due & may_act;
    }
}

namespace {
template <class T> bool are_all(const T* column, std::uint32_t count, T value) {
    T differs = 0;
    for (std::uint32_t i = 0; i < count; ++i) differs = static_cast<T>(differs | (column[i] ^ value));
    return differs == 0;
}
template <class T> bool has_none(const T* column, std::uint32_t count, T mask) {
    T all = 0;
    for (std::uint32_t i = 0; i < count; ++i) all = static_cast<T>(all | column[i]);
    return (all & mask) == 0;
}
} // namespace

std::uint32_t page::end_of_run(std::uint32_t slot) const {
    const auto same = row(slot);
    const auto rows_are = [&](std::uint32_t from, std::uint32_t count) {
        if (layout_.row_size == 1) return are_all(reinterpret_cast<const std::uint8_t*>(rows_) + from, count, static_cast<std::uint8_t>(same));
        return are_all(reinterpret_cast<const std::uint16_t*>(rows_) + from, count, static_cast<std::uint16_t>(same));
    };
    const auto nobody_wants = [&](std::uint32_t from, std::uint32_t count) {
        if (layout_.bit_size == 1)
            return has_none(reinterpret_cast<const std::uint8_t*>(bits_) + from, count, static_cast<std::uint8_t>(layout_.attention));
        if (layout_.bit_size == 4)
            return has_none(reinterpret_cast<const std::uint32_t*>(bits_) + from, count, static_cast<std::uint32_t>(layout_.attention));
        return has_none(reinterpret_cast<const std::uint64_t*>(bits_) + from, count, layout_.attention);
    };
    auto end = slot + 1;
    while (end < used) {
        const auto left = (*must_tick)[end / 64] >> end % 64;
        if (end % 64 == 0 && left == ~std::uint64_t(0) && rows_are(end, 64) && nobody_wants(end, 64)) {
            end += 64;
        } else {
            if (!(left & 1) || row(end) != same || (bits(end) & layout_.attention)) break;
            ++end;
        }
    }
    return end;
}

/// If this throws, the reserve keeps what it has, so that a later call continues.
void page::fill(page_reserve& r, const crowd_layout& layout) {
    if (!r.one) r.one = std::make_unique<overflow_state>(layout);
    if (!r.table) r.table = std::make_unique<overflow_table>();
    if (!layout.options.lists) return;
    r.lists.reserve(layout.core.regions.size());
    while (r.lists.size() < layout.core.regions.size()) r.lists.push_back(std::make_unique<state_list>());
}

std::size_t page::bytes(const page_reserve& r) {
    const auto of_overflow = r.one ? sizeof(overflow_state) + queues_size(r.one->layout.core, r.one->layout.options.agent) : 0;
    return of_overflow + (r.table ? sizeof(overflow_table) : 0) + r.lists.size() * sizeof(state_list);
}

overflow_state& page::overflow(std::uint32_t slot, page_reserve& r) noexcept {
    if (!overflow_) overflow_ = std::move(r.table);
    auto*& position = (*overflow_)[slot];
    if (!position) position = spare_ ? std::exchange(spare_, spare_->next) : r.one.release();
    return *position;
}

void page::drop_overflow(std::uint32_t slot) noexcept {
    if (!overflow_of(slot)) return;
    auto*& position = (*overflow_)[slot];
    delete std::exchange(position->observed, nullptr);
    position->next = spare_;
    spare_ = std::exchange(position, nullptr);
}

void page::reserve_for_image(std::uint32_t overflows) {
    if (overflows > 0 && !overflow_) overflow_ = std::make_unique<overflow_table>();
    for (const auto* l = spare_; l && overflows > 0; l = l->next) --overflows;
    for (; overflows > 0; --overflows) {
        auto one = std::make_unique<overflow_state>(layout_);
        one->next = spare_;
        spare_ = one.release();
    }
    for (auto& each : lists_)
        if (!each) each = std::make_unique<state_list>();
}

void page::clear_blocks(std::uint32_t slot, std::uint32_t end) noexcept {
    std::fill(block(slot) - layout_.block_front, block(end) - layout_.block_front, std::byte(0));
}

void page::copy_columns(const page& from) noexcept {
    std::ranges::copy(from.row_bytes(used), rows_);
    std::ranges::copy(from.bit_bytes(used), bits_);
    if (layout_.block_size > 0) std::ranges::copy(from.block_bytes(used), blocks_ - layout_.block_front);
    if (dues_) std::copy_n(from.dues_, page_agents + page_words, dues_);
    for (std::uint32_t slot = 0; layout_.options.lists && slot < used; ++slot)
        if (row(slot) < layout_.none() && !from.overflow_of(slot)) put_into_list(static_cast<index>(row(slot)), slot);
}

namespace {
/// Visits the rows of a page, several in each step: loops over crowds need few instructions for each agent.
template <class Row, class Visit> void each_row(const page& p, const Visit& visit) {
    auto* at = p.rows_as<Row>();
    auto* const end = at + p.used;
    for (; end - at >= 8; at += 8) {
        visit(at[0]), visit(at[1]), visit(at[2]), visit(at[3]);
        visit(at[4]), visit(at[5]), visit(at[6]), visit(at[7]);
    }
    for (; at != end; ++at) visit(*at);
}
template <class Visit> void each_row(const page& p, std::size_t row_size, const Visit& visit) {
    if (row_size == 1)
        each_row<std::uint8_t>(p, visit);
    else
        each_row<std::uint16_t>(p, visit);
}
} // namespace

void page::count_rows(std::span<std::uint32_t> counts) const noexcept {
    each_row(*this, layout_.row_size, [counts](auto row) { ++counts[row]; });
}

bool page::is_in_columns() const noexcept {
    return !overflow_ || std::ranges::all_of(*overflow_, [](const overflow_state* each) { return !each; });
}

void page::take_columns(page& from, std::span<const std::uint16_t> rows) noexcept {
    memory_ = std::move(from.memory_);
    rows_ = from.rows_;
    bits_ = from.bits_;
    generations_ = from.generations_;
    dues_ = from.dues_;
    blocks_ = from.blocks_;
    lists_.swap(from.lists_);
    if (rows.empty()) return;
    each_row(*this, layout_.row_size, [rows](auto& row) { row = static_cast<std::remove_reference_t<decltype(row)>>(rows[row]); });
    for (auto slot = used; slot < page_agents; ++slot) set_row(slot, layout_.none());
}

void page::clear_lists() noexcept {
    for (auto& each : lists_)
        if (each) *each = state_list();
}

void page::put_into_list(index s, std::uint32_t slot) noexcept {
    lists_[s]->agents[slot / 64] |= bit_of(slot);
    ++lists_[s]->count;
}

void page::clear_dues() noexcept {
    if (dues_) std::fill_n(dues_, page_agents + page_words, never);
}

state_list& page::list(index s, page_reserve& r) noexcept {
    if (!lists_[s]) {
        lists_[s] = std::move(r.lists.back());
        r.lists.pop_back();
    }
    return *lists_[s];
}

std::size_t page::bytes() const {
    const auto columns = layout_.row_size + layout_.bit_size + sizeof(std::uint32_t) + layout_.block_size + layout_.context_size;
    const auto dues = dues_ ? (page_agents + page_words) * sizeof(std::int64_t) : 0;
    std::size_t all = page_agents * columns + dues + (overflow_ ? sizeof(overflow_table) : 0) + rates_.capacity() * sizeof(std::uint16_t);
    const auto each = sizeof(overflow_state) + queues_size(layout_.core, layout_.options.agent);
    if (overflow_)
        for (const auto* l : *overflow_) all += l ? each : 0;
    for (const auto* l = spare_; l; l = l->next) all += each;
    for (const auto& list : lists_) all += sizeof list + (list ? sizeof *list : 0);
    return all + (issued_ ? sizeof *issued_ : 0);
}

void page::set_rate(std::uint32_t slot, std::uint16_t rate) {
    if (rates_.empty()) rates_.assign(page_agents, layout_.options.decide_every);
    rates_[slot] = rate;
}

} // namespace hsm::detail
