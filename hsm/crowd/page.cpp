#include <hsm/crowd/detail/page.hpp>

#include <hsm/run/detail/engine.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/vm/detail/condition_bits.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace hsm::detail {

namespace {

std::size_t bit_size_for(std::size_t conditions) {
    const auto wanted = conditions + 2;
    return wanted <= 8 ? 1 : wanted <= 32 ? 4 : 8;
}

/// Returns whether a machine of the chart stores anything besides its leaf and the conditions in the column.
bool needs_block(const chart_core& core, bool has_column, bool seldom_marked) {
    return (core.options.entry_times && core.time_slots > 0) || (core.has_marks && !seldom_marked) || core.has_holds || core.driven ||
           core.has_defers || core.has_over || !core.history_owners.empty() || core.block_size > 0 || (!has_column && !core.conditions.empty());
}

bool is_seldom_marked(const chart_core& core) {
    const bool completes = std::ranges::any_of(core.transitions, &transition_row::on_finished);
    return core.has_marks && !completes && !core.has_over && !core.driven && core.states.size() <= 64;
}

/// Returns whether a leaf or a state around it has an update.
bool updates_at(const chart_core& core, const state_row& leaf) {
    for (auto s = static_cast<index>(&leaf - core.states.data()); s != no_index; s = core.states[s].superstate)
        if (core.states[s].updates || core.has_holds) return true;
    return false;
}

update_only update_only_of(const chart_core& core, const state_row& leaf) {
    if (core.driven || core.has_holds || core.has_projections || leaf.tick.count != 1 || core.sections[leaf.tick.first].kind != tick_section::update)
        return {};
    auto s = static_cast<index>(&leaf - core.states.data());
    while (!core.states[s].updates) s = core.states[s].superstate;
    const auto& row = core.states[s];
    if (row.update.count != 1 || row.predicates.count + row.reactions.count > 0 || row.node->names_successor()) return {};
    const auto& h = core.hooks[row.update.first];
    const auto* const section = core.at(core.sections[leaf.tick.first].at);
    const auto* at = section;
    while (at->run != h.call) ++at;
    return h.many ? update_only{&h, at, section, row.node} : update_only{};
}

/// The test watches leaves whose ticks consist of transitions with conditions. Other leaves that tick fail it always.
idle_tables tables_of(const crowd_shape& shape) {
    const auto& core = shape.core;
    idle_tables tables(core.states.size() + shape.other_rows, shape.row_size, shape.bit_size);
    const auto never_set = shape.never_set();
    for (std::size_t s = 0; s < core.states.size(); ++s) {
        const bool has_timers = !shape.timed.tests.empty();
        const auto test = has_timers ? shape.timed.tests[s].before : core.idle_tests.empty() || !shape.has_column ? idle_test() : core.idle_tests[s];
        if (test.known)
            tables.set(s, test.unwanted & ~shape.attention, test.watch | shape.attention);
        else if (core.ticks_at(static_cast<index>(s)))
            tables.set(s, never_set, never_set);
        else
            tables.set(s, 0, shape.attention);
    }
    for (auto row = shape.none(); row < shape.none() + shape.other_rows; ++row) tables.set(row, 0, 0);
    return tables;
}

/// A leaf that is due can still wait for conditions.
idle_tables due_tables_of(const crowd_shape& shape) {
    idle_tables tables(shape.has_dues ? shape.tables.rows() : 0, shape.row_size, shape.bit_size);
    for (std::size_t s = 0; shape.has_dues && s < shape.core.states.size(); ++s) {
        const auto& test = shape.timed.tests[s].due;
        if (shape.timed.of_leaf[s].count == 0)
            tables.set(s, 0, 0);
        else if (test.known)
            tables.set(s, test.unwanted, test.watch);
        else
            tables.set(s, shape.never_set(), shape.never_set());
    }
    return tables;
}

} // namespace

/// Stays empty if the chart has no timers or the conditions are not in a column.
timed_shape::timed_shape(const chart_core& core, bool has_column) : of_leaf(core.states.size()) {
    if (core.timers.empty() || !has_column) return;
    for (index leaf = 0; leaf < row_count(core.states); ++leaf) {
        const auto& test = tests.emplace_back(timed_idle_test_of(core, leaf));
        of_leaf[leaf] = {static_cast<std::uint32_t>(positions.size()), static_cast<std::uint32_t>(test.timers.size())};
        for (const auto timer : test.timers) positions.push_back(core.layout.locals + core.timers[timer].offset);
    }
}

crowd_shape::crowd_shape(const chart_core& c, const crowd_options& o, std::size_t size, std::size_t alignment, std::size_t stride)
    : core(c), options(o), states(static_cast<std::uint32_t>(core.states.size())), has_column(core.conditions.size() <= 62),
      row_size(core.states.size() + other_rows <= 256 ? 1 : 2), bit_size(bit_size_for(has_column ? core.conditions.size() : 0)),
      attention(std::uint64_t(1) << (8 * bit_size - 1)), timed(core, has_column), has_dues(!timed.positions.empty()), tables(tables_of(*this)),
      due_tables(due_tables_of(*this)), scan(find_idle_scan(tables, options.vector_code)), find_due(find_due_scan(options.vector_code)),
      find_rows(find_row_scan(row_size, options.vector_code)), block_front(core.layout.front), block_size(0), deferral(0), context_size(size),
      context_alignment(alignment), context_stride(stride), seldom_marked(is_seldom_marked(c)),
      events_by_row(!core.driven && !core.has_unhandled && !core.rows.empty()), plain_events(events_by_row && has_column && !core.has_over) {
    for (const auto& s : core.states) {
        programs.push_back(core.row_of(static_cast<index>(&s - core.states.data())));
        updates.push_back(core.driven || updates_at(core, s));
        updates_only.push_back(update_only_of(core, s));
        decisions_only.push_back(!updates.back() && s.tick.count > 0 && !core.has_over && !core.options.entry_times);
    }
    if (!needs_block(core, has_column, seldom_marked)) return;
    const auto need = agent_block(core, options.agent);
    deferral = need.deferral;
    block_size = aligned(block_front + need.size, core.layout.alignment);
}

spilled_state::spilled_state(const crowd_shape& s) : queues(make_queues(s.core, s.options.agent, &s.lost)), shape(s) {}

spilled_state::~spilled_state() {
    delete observed;
    delete_queues(shape.core, queues);
}

bool spilled_state::is_plain() const {
    return work == 0 && (state & (state_posted | state_paused | state_scaled)) == 0 && !own_clock && pulses == 0 && marks == 0;
}

page::page(const crowd_shape& shape, std::uint32_t number)
    : first(number * page_agents), shape_(shape), lists_(shape.options.lists ? shape.core.states.size() : 0) {
    std::size_t end = 0;
    const auto column = [&](std::size_t size, std::size_t alignment) {
        const auto begin = aligned(end, alignment);
        end = begin + size * page_agents;
        return begin;
    };
    const auto rows = column(shape.row_size, 64);
    const auto bits = column(shape.bit_size, 64);
    const auto generations = column(sizeof(std::uint32_t), 64);
    const auto dues = column(shape.has_dues ? sizeof(std::int64_t) : 0, 64);
    if (shape.has_dues) end += page_words * sizeof(std::int64_t); // the earliest of each 64
    const auto contexts = column(shape.context_size, std::max<std::size_t>(shape.context_alignment, 64));
    const auto blocks = column(shape.block_size, std::max<std::size_t>(shape.core.layout.alignment, 64));
    const auto alignment = std::align_val_t(std::max({shape.context_alignment, std::size_t(shape.core.layout.alignment), std::size_t(64)}));
    memory_ = {static_cast<std::byte*>(::operator new(end, alignment)), free_memory{alignment}};
    rows_ = memory_.get() + rows;
    bits_ = memory_.get() + bits;
    generations_ = reinterpret_cast<std::uint32_t*>(memory_.get() + generations);
    dues_ = shape.has_dues ? reinterpret_cast<std::int64_t*>(memory_.get() + dues) : nullptr;
    contexts_ = memory_.get() + contexts;
    blocks_ = memory_.get() + blocks + shape.block_front;
    std::fill_n(bits_, shape.bit_size * page_agents, std::byte(0));
    std::fill_n(generations_, page_agents, 0u);
    std::fill_n(memory_.get() + blocks, shape.block_size * page_agents, std::byte(0)); // images also contain parts that no agent has used
    if (dues_) std::fill_n(dues_, page_agents + page_words, never);
    for (std::uint32_t slot = 0; slot < page_agents; ++slot) set_row(slot, shape.none());
}

page::~page() {
    if (spilled_)
        for (auto* l : *spilled_) delete l;
    while (spare_) delete std::exchange(spare_, spare_->next);
}

agent_bits page::agents_in_rows(std::uint32_t row, std::uint32_t more) const {
    agent_bits found{};
    shape_.find_rows(rows_, row, more, (used + 63) / 64, found.data());
    return found;
}

agent_bits page::agents_by(const idle_tables& tables, idle_scan scan) const {
    agent_bits found{};
    scan(tables, rows_, bits_, (used + 63) / 64, found.data());
    return found;
}

void page::find_must_tick(agent_bits& found, std::int64_t now) {
    shape_.scan(shape_.tables, rows_, bits_, (used + 63) / 64, found.data());
    if (dues_) find_due(found, now);
}

bool page::is_idle(std::uint32_t slot, std::int64_t now) const {
    const bool is_due = shape_.has_dues && shape_.timed.next_due(block(slot), static_cast<index>(row(slot))) <= now;
    return !is_due && !shape_.tables.fails(row(slot), bits(slot) & ~shape_.attention);
}

/// For 64 agents of which none is due, this reads only one number.
void page::find_due(agent_bits& found, std::int64_t now) {
    for (std::uint32_t w = 0; w * 64 < used; ++w) {
        if (earliest()[w] > now) continue;
        const auto due = shape_.find_due(dues_ + w * 64, now, earliest()[w]);
        if (due == 0) continue;
        std::uint64_t may_act;
        shape_.scan(shape_.due_tables, rows_ + w * 64 * shape_.row_size, bits_ + w * 64 * shape_.bit_size, 1, &may_act);
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
        if (shape_.row_size == 1) return are_all(reinterpret_cast<const std::uint8_t*>(rows_) + from, count, static_cast<std::uint8_t>(same));
        return are_all(reinterpret_cast<const std::uint16_t*>(rows_) + from, count, static_cast<std::uint16_t>(same));
    };
    const auto nobody_wants = [&](std::uint32_t from, std::uint32_t count) {
        if (shape_.bit_size == 1)
            return has_none(reinterpret_cast<const std::uint8_t*>(bits_) + from, count, static_cast<std::uint8_t>(shape_.attention));
        if (shape_.bit_size == 4)
            return has_none(reinterpret_cast<const std::uint32_t*>(bits_) + from, count, static_cast<std::uint32_t>(shape_.attention));
        return has_none(reinterpret_cast<const std::uint64_t*>(bits_) + from, count, shape_.attention);
    };
    auto end = slot + 1;
    while (end < used) {
        const auto left = (*must_tick)[end / 64] >> end % 64;
        if (end % 64 == 0 && left == ~std::uint64_t(0) && rows_are(end, 64) && nobody_wants(end, 64)) {
            end += 64;
        } else {
            if (!(left & 1) || row(end) != same || (bits(end) & shape_.attention)) break;
            ++end;
        }
    }
    return end;
}

/// If this throws, the reserve keeps what it has, so that a later call continues.
void page::fill(page_reserve& r, const crowd_shape& shape) {
    if (!r.one) r.one = std::make_unique<spilled_state>(shape);
    if (!r.table) r.table = std::make_unique<spilled_table>();
    if (!shape.options.lists) return;
    r.lists.reserve(shape.core.regions.size());
    while (r.lists.size() < shape.core.regions.size()) r.lists.push_back(std::make_unique<state_list>());
}

std::size_t page::bytes(const page_reserve& r) {
    const auto of_spilled = r.one ? sizeof(spilled_state) + queues_size(r.one->shape.core, r.one->shape.options.agent) : 0;
    return of_spilled + (r.table ? sizeof(spilled_table) : 0) + r.lists.size() * sizeof(state_list);
}

spilled_state& page::spill(std::uint32_t slot, page_reserve& r) noexcept {
    if (!spilled_) spilled_ = std::move(r.table);
    auto*& position = (*spilled_)[slot];
    if (!position) position = spare_ ? std::exchange(spare_, spare_->next) : r.one.release();
    return *position;
}

void page::drop_spilled(std::uint32_t slot) noexcept {
    if (!spilled_of(slot)) return;
    auto*& position = (*spilled_)[slot];
    delete std::exchange(position->observed, nullptr);
    position->next = spare_;
    spare_ = std::exchange(position, nullptr);
}

void page::reserve_for_image(std::uint32_t spilled) {
    if (spilled > 0 && !spilled_) spilled_ = std::make_unique<spilled_table>();
    for (const auto* l = spare_; l && spilled > 0; l = l->next) --spilled;
    for (; spilled > 0; --spilled) {
        auto one = std::make_unique<spilled_state>(shape_);
        one->next = spare_;
        spare_ = one.release();
    }
    for (auto& each : lists_)
        if (!each) each = std::make_unique<state_list>();
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
    const auto columns = shape_.row_size + shape_.bit_size + sizeof(std::uint32_t) + shape_.block_size + shape_.context_size;
    const auto dues = dues_ ? (page_agents + page_words) * sizeof(std::int64_t) : 0;
    std::size_t all = page_agents * columns + dues + (spilled_ ? sizeof(spilled_table) : 0) + rates_.capacity() * sizeof(std::uint16_t);
    const auto each = sizeof(spilled_state) + queues_size(shape_.core, shape_.options.agent);
    if (spilled_)
        for (const auto* l : *spilled_) all += l ? each : 0;
    for (const auto* l = spare_; l; l = l->next) all += each;
    for (const auto& list : lists_) all += sizeof list + (list ? sizeof *list : 0);
    return all + (issued_ ? sizeof *issued_ : 0);
}

void page::set_rate(std::uint32_t slot, std::uint16_t rate) {
    if (rates_.empty()) rates_.assign(page_agents, shape_.options.decide_every);
    rates_[slot] = rate;
}

} // namespace hsm::detail
