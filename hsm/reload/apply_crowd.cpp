// Gives all agents of a crowd another chart. Agents with equal data in columns are mapped once.

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/reload/detail/mapped_machine.hpp>
#include <hsm/reload/detail/replacement.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace hsm {

using namespace detail;

namespace {

constexpr std::size_t word_size = sizeof(std::uint64_t);
std::uint64_t word_in(const std::byte* block, std::size_t offset) {
    std::uint64_t word;
    std::memcpy(&word, block + offset, word_size);
    return word;
}

/// Returns whether the data of a machine that fits into the columns can be copied to another agent.
bool may_be_copied(const crowd_layout& layout) {
    const auto& core = layout.core;
    return layout.block_size % word_size == 0 && core.locals.empty() && !core.by_regions && !core.has_holds && !core.has_defers && !core.has_chance;
}

/// An agent that was mapped. Agents whose old data differs only in their times become copies of it.
struct known_agent {
    std::uint64_t bits = 0;
    std::uint64_t missing = 0;      ///< a bit for each active time that is `never`
    std::vector<std::uint64_t> key; ///< the compared words of its block
    bool is_mapped = false;
    // Of the new agent:
    std::uint32_t new_row = 0;
    std::uint64_t new_bits = 0;
    std::vector<block_word> words; ///< of its block, except copied times
    std::vector<copied_time> times;
    reload_report counts{}; ///< without changes
    std::size_t copies = 0;
    std::size_t passed = 0; ///< a number of passed_by_agents
};

/// The states that vanish or appear in agents.
struct passed_by_agents {
    /// Returns the number of an equal list.
    std::size_t number_of(const passed_states& states) {
        const auto number = static_cast<std::size_t>(std::ranges::find(lists, states) - lists.begin());
        if (number == lists.size()) lists.push_back(states);
        return number;
    }
    void add(agent_id id, std::size_t number) {
        if (number > 0) agents.emplace_back(id, number);
    }
    void run(crowd_core& core, hook_kind kind, first_exception& first) const {
        for (const auto& [id, number] : agents) {
            if (!core.has(id)) continue;
            auto& slot = core.load(id);
            const auto& states = kind == hook_kind::exit ? lists[number].exited : lists[number].entered;
            first.of([&] { run_passing_hooks(instance_access::engine_of(slot.machine()), kind, states); });
            first.of([&] { core.store(slot); });
            if (kind == hook_kind::exit) first.rethrow();
        }
    }

    std::vector<passed_states> lists{1}; ///< the first one is empty
    std::vector<std::pair<agent_id, std::size_t>> agents;
};

/// The first agents with different data. Unused parts of blocks are not compared; times are only `never` or not.
class known_agents {
public:
    known_agents(const crowd_layout& layout, const crowd_layout& made, bool has_queues)
        : layout_(layout), is_used_(may_be_copied(layout) && may_be_copied(made)), rows_(layout.none() + layout.other_rows) {
        if (layout.block_size == 0) return;
        const auto& core = layout.core;
        const auto front = layout.block_front;
        for (auto at = layout.has_column ? front : 0; at < layout.block_size; at += word_size)
            compared_.push_back(at); // the front has the conditions
        if (core.has_hook_context) std::erase(compared_, front);
        if (has_queues) std::erase(compared_, front + core.layout.queues);
        for (index s = 0; s < row_count(core.states); ++s)
            for (const auto time : times_of(core, s)) {
                std::erase(compared_, front + time);
                rows_[s].times.push_back(front + time);
            }
        for (index s = 0; s < row_count(core.states); ++s) { // superstates have lower numbers
            auto& times = rows_[s].times;
            if (const auto outer = core.states[s].superstate; outer != no_index)
                times.insert(times.end(), rows_[outer].times.begin(), rows_[outer].times.end());
            is_used_ &= times.size() <= 64; // bits of `missing`
        }
    }

    /// Returns null if the agent must be mapped on its own.
    known_agent* find(const page& p, std::uint32_t slot, std::uint32_t row) {
        if (!is_used_ || p.overflow_of(slot)) return nullptr;
        auto& here = rows_[row];
        const auto bits = p.bits(slot);
        const auto* const block = p.block(slot) - layout_.block_front;
        const auto missing = missing_times(block, here.times);
        for (auto* each = here.all.data() + here.all.size(); each != here.all.data();)
            if (auto& known = **--each; known.bits == bits && known.missing == missing && has_key(block, known.key)) return &known;
        return add(here, bits, missing, block);
    }
    bool is_used() const { return is_used_; }
    void add_copies(reload_report& to) const {
        for (const auto& row : rows_)
            for (const auto& each : row.all) {
                to.machines += each->copies * each->counts.machines;
                to.same += each->copies * each->counts.same;
                to.moved += each->copies * each->counts.moved;
                to.replaced += each->copies * each->counts.replaced;
            }
    }

private:
    struct of_row {
        std::vector<std::unique_ptr<known_agent>> all;
        std::vector<std::size_t> times; ///< of active states: offsets in the block with its front
    };
    known_agent* add(of_row& to, std::uint64_t bits, std::uint64_t missing, const std::byte* block) {
        constexpr std::size_t most = 256; // more would cost more than mapping each agent
        if (to.all.size() == most) return nullptr;
        auto& made = *to.all.emplace_back(std::make_unique<known_agent>());
        made.bits = bits;
        made.missing = missing;
        for (const auto at : compared_) made.key.push_back(word_in(block, at));
        return &made;
    }
    static std::uint64_t missing_times(const std::byte* block, const std::vector<std::size_t>& times) {
        std::uint64_t missing = 0;
        for (const auto time : times) missing = missing << 1 | (word_in(block, time) == static_cast<std::uint64_t>(never));
        return missing;
    }
    bool has_key(const std::byte* block, const std::vector<std::uint64_t>& key) const {
        const auto* wanted = key.data();
        for (const auto at : compared_)
            if (word_in(block, at) != *wanted++) return false;
        return true;
    }

    const crowd_layout& layout_;
    bool is_used_;
    std::vector<of_row> rows_;
    std::vector<std::size_t> compared_; ///< the offsets of words, in blocks with their fronts
};

class crowd_replacement final : public replacement {
public:
    crowd_replacement(crowd_core& crowd, const chart_map& map)
        : map_(map), old_(crowd), made_core_(map.to, old_.kind(), old_.options(), old_.contexts(), old_.capacity()), made_(made_core_),
          converted_(map) {
        for (const auto& each : map.states) states_.push_back(each.is_exact() ? static_cast<index>(each.to) : no_index);
        made_core_.make_pages_like(crowd);
        try {
            map_all();
        } catch (...) {
            undo();
            throw;
        }
    }
    crowd_replacement(const crowd_replacement&) = delete;
    ~crowd_replacement() override {
        if (!is_done_) undo();
    }

    void exchange(first_exception& first) override {
        is_done_ = true;
        carried_.finish();
        bool are_equal = true;
        for (std::size_t row = 0; row < rows_.size(); ++row) are_equal &= rows_[row] == row;
        old_.core.exchange(made_core_, states_, are_equal ? std::span<const std::uint16_t>() : rows_);
        const crowd_access::borrowed_slot slot(old_.core);
        for (const auto& p : old_.pages())
            for (std::uint32_t number = 0; p->has_overflow() && number < p->used; ++number) {
                const auto* const stored = p->overflow_of(number);
                if (!stored || !stored->observed) continue;
                slot->load(*p, number, old_.now());
                first.of([&] { attach_again(instance_access::engine_of(slot->machine())); });
                slot->store(old_.now());
            }
    }
    reload_report report() override { return std::move(report_); }
    std::function<void()> exit_hooks() const override {
        if (passed_.agents.empty()) return {};
        return [&core = old_.core, passed = passed_] {
            first_exception first;
            passed.run(core, hook_kind::exit, first);
        };
    }
    void run_enter_hooks(first_exception& first) override { passed_.run(old_.core, hook_kind::enter, first); }

private:
    void map_all() {
        const auto& layout = old_.core.layout();
        const crowd_access::borrowed_slot from(old_.core), to(made_core_);
        known_agents known(layout, made_core_.layout(), instance_access::engine_of(from->machine()).state & state_queues);
        map_mail(*from);
        const bool is_same = stays_in_columns(), is_renumbered = !is_same && known.is_used() && may_be_renumbered();
        row_counts counts(layout.none() + layout.other_rows);
        std::vector<known_agent*> like_in(is_renumbered ? counts.size() : 0); // by row; null: not known yet
        for (std::uint32_t row = 0; row < like_in.size(); ++row) rows_.push_back(static_cast<std::uint16_t>(row));
        if (is_renumbered) rows_[layout.none()] = static_cast<std::uint16_t>(made_core_.layout().none());
        for (std::size_t n = 0; n < old_.pages().size(); ++n) {
            auto& p = *old_.pages()[n];
            auto& made = made_.pages()[n];
            agent_bits mapped{};
            const auto map_in_columns = [&](std::uint32_t slot, known_agent* like) {
                if (!made->has_columns()) made->make_columns(&p);
                map_agent(*from, p, slot, *to, *made, like);
            };
            if ((is_same || is_renumbered) && p.is_in_columns()) {
                std::ranges::fill(counts, 0u);
                p.count_rows(counts);
                if (is_same) {
                    add_same(counts);
                    continue;
                }
                const auto map_first = [&](std::uint32_t row, std::uint32_t slot) {
                    auto* const like = known.find(p, slot, row);
                    if (!like || like->is_mapped) return like;
                    map_in_columns(slot, like);
                    mapped[slot / 64] |= std::uint64_t(1) << slot % 64;
                    --counts[row];
                    return like;
                };
                if (renumber(p, counts, like_in, map_first)) {
                    if (made->has_columns()) made = std::make_unique<page>(made_core_.layout(), static_cast<std::uint32_t>(n), &p);
                    continue;
                }
            }
            if (!made->has_columns()) made->make_columns(&p);
            if (is_same) made->copy_columns(p);
            for (std::uint32_t slot = 0; slot < p.used; ++slot) {
                if ((mapped[slot / 64] >> slot % 64 & 1) != 0) continue;
                const auto row = p.row(slot);
                if (row == layout.none()) {
                    if (!is_same) made->clear_blocks(slot, slot + 1);
                } else if (is_same && !p.overflow_of(slot)) {
                    add_same(row, 1);
                } else if (auto* const like = known.find(p, slot, row); like && like->is_mapped) {
                    made->set_agent(slot, like->new_row, like->new_bits, like->words, p.block(slot), like->times);
                    ++like->copies;
                    if (like->passed > 0) passed_.add(p.id(slot), like->passed);
                } else {
                    if (!is_same) made->clear_blocks(slot, slot + 1);
                    map_in_columns(slot, like);
                }
            }
        }
        known.add_copies(report_);
    }
    using row_counts = std::vector<std::uint32_t>; ///< of agents
    void add_same(const row_counts& counts) {
        for (std::uint32_t row = 0; row < counts.size(); ++row)
            if (row != old_.core.layout().none()) add_same(row, counts[row]);
    }
    void add_same(std::uint32_t row, std::size_t agents) {
        const auto& layout = old_.core.layout();
        report_.machines += agents;
        report_.same += agents * (row < layout.none() ? layout.core.states[row].depth + 1u : 0u);
    }
    /// Returns whether agents without other data keep their columns as they are.
    bool stays_in_columns() const {
        const auto is_bytes = [](const value_layout& each) { return each.form == value_layout::bytes; };
        const auto& core = map_.before();
        return map_.is_identity() && !core.by_regions && !core.has_holds && !core.has_defers &&
               std::ranges::all_of(image_layout_of(core).locals, is_bytes);
    }

    /// Returns whether agents without other data differ from mapped ones only in their rows, if their states are found.
    bool may_be_renumbered() const {
        const auto &a = old_.core.layout(), &b = made_core_.layout();
        for (std::size_t i = 0; i < map_.conditions.size(); ++i)
            if (map_.conditions[i].to != i) return false;
        const bool has_equal_columns = a.block_size == 0 && b.block_size == 0 && a.row_size == b.row_size && a.bit_size == b.bit_size;
        const auto &before = map_.before(), &after = map_.after();
        return has_equal_columns && !map_.runs_hooks && before.conditions.size() == after.conditions.size() && !before.has_over && !after.has_over &&
               !a.has_dues && !b.has_dues && !a.options.lists;
    }
    /// Returns whether the agents of a page only need new rows. Maps the first agent in each row that is not known.
    template <class Map> bool renumber(const page& p, const row_counts& counts, std::vector<known_agent*>& like_in, const Map& map_first) {
        const auto none = old_.core.layout().none();
        for (std::uint32_t row = 0; row < counts.size(); ++row) {
            if (row == none || counts[row] == 0 || like_in[row]) continue;
            if (row < none && !map_.states[row].is_exact()) return false;
            const auto agents = p.agents_in_rows(row, 0);
            const auto word = static_cast<std::size_t>(std::ranges::find_if(agents, [](std::uint64_t w) { return w != 0; }) - agents.begin());
            const auto first = static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(agents[word])));
            auto* const like = map_first(row, first);
            if (!like || !like->is_mapped || like->new_bits != p.bits(first)) return false;
            rows_[row] = static_cast<std::uint16_t>(like->new_row);
            like_in[row] = like;
        }
        for (std::size_t row = 0; row < counts.size(); ++row)
            if (row != none && counts[row] > 0) like_in[row]->copies += counts[row];
        return true;
    }

    void map_agent(agent_slot& from, page& p, std::uint32_t slot, agent_slot& to, page& made, known_agent* like) {
        from.make_ready(p);
        to.make_ready(made);
        const unchanged_block block(old_.core.layout(), p, slot);
        const in_slot old_agent(from, p, slot, old_.now());
        mapped_machine mapped(map_, old_agent.machine(), converted_);
        add_agent(report_, mapped.report);
        auto observed = observed_like(old_agent.machine(), map_.after());
        const auto passed = passed_.number_of(mapped.passed);
        passed_.add(p.id(slot), passed);
        to.load_new(made, slot, old_.now());
        {
            const in_slot new_agent(to, old_.now());
            auto& work = new_agent.machine().work;
            work = static_cast<std::uint8_t>(work | (old_agent.machine().work & work_stop)); // requested by an exit hook
            fill_mapped(new_agent.machine(), map_, mapped.image, nullptr, carried_);
            to.take_observers(observed.release());
        }
        if (!like || made.overflow_of(slot)) return;
        like->is_mapped = true;
        like->new_row = made.row(slot);
        like->new_bits = made.bits(slot);
        like->times = copied_times(map_, old_agent.machine());
        const auto& layout = made_core_.layout();
        for (std::size_t at = 0; at < layout.block_size; at += word_size) {
            const auto is_copied = [&](const copied_time& each) { return each.to + layout.block_front == at; };
            if (std::ranges::none_of(like->times, is_copied)) like->words.push_back({at, word_in(made.block(slot) - layout.block_front, at)});
        }
        like->counts = std::move(mapped.report); // changes are reported once
        like->passed = passed;
    }
    /// Maps the events in the mailbox one by one, as those of a machine that is not active.
    void map_mail(agent_slot& idle) {
        auto* const mail = old_.mail();
        if (!mail) return;
        mailbox_queue::refill to(*made_.mail(), mail->gather());
        mail->each_with_tag([&](const queued_entry& e, const void* payload, std::uint64_t tag) {
            map_event(map_, instance_access::engine_of(idle.machine()), e, payload, converted_, report_,
                      [&](const queue_entry& q, const value_bytes& value) {
                          auto* const place = to.next_payload();
                          const auto& layout = layout_of_column(map_.after(), map_.new_layout, q.column);
                          if (q.has_payload) carried_.add_event(place, object_in(value), static_cast<const event_type&>(*layout.type));
                          to.push({q.column, no_index, q.has_payload != 0, false}, tag);
                      });
        });
    }

    void undo() noexcept {
        carried_.undo();
        const crowd_access::borrowed_slot slot(made_core_);
        for (const auto& p : made_.pages())
            for (std::uint32_t number = 0; p->has_columns() && number < p->used; ++number) {
                if (!p->has_agent(number)) continue;
                slot->load(*p, number, old_.now());
                auto& m = instance_access::engine_of(slot->machine());
                delete slot->release_observers(); // they must not be notified
                forget_pending(m, map_.after());
                clear_block(m, map_.after());
                slot->machine().reset();
                slot->discard();
                p->drop_overflow(number);
                p->set_row(number, made_core_.layout().none());
            }
    }

    /// Undoes the changes that loading an agent makes in unused parts of its block: images contain them.
    class unchanged_block {
    public:
        unchanged_block(const crowd_layout& layout, const page& p, std::uint32_t slot)
            : to_(p.block(slot) - layout.block_front), bytes_(to_, to_ + (p.overflow_of(slot) ? 0 : layout.block_size)) {}
        unchanged_block(const unchanged_block&) = delete;
        ~unchanged_block() { std::ranges::copy(bytes_, to_); }

    private:
        std::byte* const to_;
        const std::vector<std::byte> bytes_; ///< empty if the image contains the agent's parts instead
    };

    /// Stores an agent at the end of the scope.
    class in_slot {
    public:
        in_slot(agent_slot& slot, page& p, std::uint32_t number, std::int64_t now) : in_slot(slot, now) { slot.load(p, number, now); }
        in_slot(agent_slot& slot, std::int64_t now) : slot_(slot), now_(now) {} ///< the agent is loaded
        in_slot(const in_slot&) = delete;
        ~in_slot() { slot_.store(now_); }
        engine& machine() const { return instance_access::engine_of(slot_.machine()); }

    private:
        agent_slot& slot_;
        const std::int64_t now_;
    };

    const chart_map& map_;
    const crowd_access old_;
    crowd_core made_core_;
    const crowd_access made_;
    converted_objects converted_;
    carried_objects carried_;
    std::vector<index> states_;       ///< of the old chart, in the new one
    std::vector<std::uint16_t> rows_; ///< of pages whose agents only get another row, in the new crowd
    reload_report report_;
    passed_by_agents passed_;
    bool is_done_ = false;
};

} // namespace

std::unique_ptr<replacement> detail::make_replacement(crowd_core& crowd, const chart_map& map) {
    return std::make_unique<crowd_replacement>(crowd, map);
}

reload_report reload_plan::report(const crowd_base& crowd) const {
    auto& core = crowd_access::core_of(crowd);
    require_old_chart(charts().before(), &core.layout().core);
    if (crowd_access(core).is_busy()) return {.outcome = result::busy};
    return crowd_replacement(core, charts()).report();
}

} // namespace hsm
