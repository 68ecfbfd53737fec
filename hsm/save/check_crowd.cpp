#include <hsm/save/detail/crowd_format.hpp>

#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/history.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <algorithm>
#include <memory>
#include <vector>

namespace hsm::detail {

bool crowd_page_reader::next(crowd_page_view& page) {
    page.head = in_.take<crowd_page_head>();
    const auto used = page.head.used;
    if (in_.ends_early() || used > page_agents || page.head.has_rates > 1) return false;
    const auto column = [&](std::size_t size) { return in_.take_bytes(used * size); };
    page.rows = column(crowd_.row_size);
    page.generations = column(sizeof(std::uint32_t));
    page.bits = column(layout_.has_columns ? crowd_.bit_size : 0);
    page.blocks = column(layout_.block_size);
    page.contexts = column(layout_.context.form == value_layout::bytes ? layout_.context_size : 0);
    page.rates = column(page.head.has_rates ? sizeof(std::uint16_t) : 0);
    if (in_.ends_early()) return false;
    const auto* const begin = in_.here();
    for (std::uint32_t i = 0; i < page.head.alone; ++i) {
        const auto agent = in_.take<crowd_agent_head>();
        if (in_.ends_early() || !in_.take_bytes(agent.size)) return false;
    }
    page.alone = {begin, in_.here()};
    return true;
}

namespace {

/// Checks the parts of an agent's block that contain states, transitions and conditions.
class block_checker {
public:
    explicit block_checker(const crowd_layout& layout)
        : layout_(layout), core_(layout.core), large_(nullptr, free_aligned{std::align_val_t(core_.layout.alignment)}) {
        if (layout.block_size > sizeof small_ || core_.layout.alignment > 64)
            large_.reset(static_cast<std::byte*>(::operator new(layout.block_size, std::align_val_t(core_.layout.alignment))));
        for (const auto& t : core_.timers) has_periods_ |= t.periodic;
    }
    bool is_needed() const {
        return layout_.block_size > 0 && (!core_.history_owners.empty() || has_periods_ || core_.has_over || !layout_.has_column);
    }
    bool can_be(const std::byte* block, std::uint32_t row) {
        auto* const memory = large_ ? large_.get() : small_;
        std::memcpy(memory, block, layout_.block_size);
        machine m;
        m.block = memory + layout_.block_front;
        for (std::size_t i = 0; i < core_.history_owners.size(); ++i) {
            const auto recorded = record_of(m, core_, i);
            if (recorded != 0 && !may_be_recorded(core_, core_.history_owners[i], recorded)) return false;
        }
        for (std::size_t w = 0; !layout_.has_column && w < condition_words(core_); ++w) {
            const condition_bits bits(m, core_);
            const auto count = core_.conditions.size();
            const auto unknown = (w + 1) * 64 <= count ? std::uint64_t(0) : ~std::uint64_t(0) << count % 64;
            if ((bits.word(w) & unknown) || bits.pulsed(w) || bits.ending(w)) return false;
        }
        for (auto s = row < layout_.states ? static_cast<index>(row) : no_index; s != no_index; s = core_.states[s].superstate)
            if (!is_active_as(m, s)) return false;
        return true;
    }

private:
    bool is_active_as(const machine& m, index s) const {
        const auto& span = core_.states[s].timers;
        for (auto t = span.first; t < span.first + span.count; ++t)
            if (core_.timers[t].periodic && period_of(m, core_, t) <= 0) return false;
        return !core_.has_over || entered_by_of(m, core_).slots()[core_.states[s].time_slot] <= core_.transitions.size();
    }

    const crowd_layout& layout_;
    const chart_core& core_;
    std::unique_ptr<std::byte, free_aligned> large_; ///< null: small_ is used
    alignas(64) std::byte small_[1024];
    bool has_periods_ = false;
};

class crowd_checker {
public:
    crowd_checker(const crowd_access& crowd, const crowd_image_layout& layout, machine& idle)
        : access_(crowd), crowd_(crowd.core.layout()), core_(crowd_.core), layout_(layout), idle_(idle), blocks_(crowd_) {
        for (const auto& s : core_.states) has_history_states_ |= s.kind == state_kind::history;
    }

    checked_crowd run(std::span<const std::byte> from) {
        check_head(from);
        made_.pages = from.subspan(sizeof made_.head, made_.head.size - sizeof made_.head);
        image_reader in(made_.pages);
        crowd_page_reader pages(crowd_, layout_, in);
        std::uint64_t alive = 0;
        for (std::uint32_t i = 0; i < made_.head.pages; ++i) {
            crowd_page_view page;
            if (!pages.next(page)) broken("it ends too early");
            check_page(page, std::uint64_t(i) * page_agents);
            alive += page.head.alive;
        }
        if (layout_.context.form == value_layout::fields) build_contexts(in, alive);
        check_free(in);
        check_mail(in);
        if (in.left() > 0) broken("it has data after its end");
        return std::move(made_);
    }

private:
    [[noreturn]] void broken(const std::string& what) const {
        refuse_image(core_, code::broken_image, "the image of the crowd is broken: " + what, "restore an image that save wrote");
    }
    [[noreturn]] void other(const char* what, const char* hint) const { refuse_image(core_, code::other_image, what, hint); }
    [[noreturn]] void no_room(const char* what) const {
        refuse_image(core_, code::no_room_for_image, what, "create the crowd with the queue sizes of the saved one, or larger ones");
    }

    void check_head(std::span<const std::byte> from) {
        made_.head = head_of_image<crowd_image_head>(from);
        const auto& head = made_.head;
        if (head.magic != crowd_image_magic || head.version != image_version)
            refuse_image(core_, code::not_an_image, "this is not an image of a crowd from this version of the library",
                         "restore an image that save wrote");
        if (head.chart != layout_.machine.chart) other("the image belongs to a crowd of another chart", "restore it into a crowd of the same chart");
        const bool is_alike = head.layout == layout_.machine.layout && head.block_size == layout_.block_size &&
                              head.context_form == layout_.context.form && head.context_size == layout_.context_size;
        if (!is_alike)
            other("the image belongs to another build, or to a crowd with other options", "create the crowd with the same options as the saved one");
        if (const auto* const damage = text_of(damage_of(head, from))) broken(damage);
        if (head.now < 0 || head.untouched > std::uint64_t(head.pages) * page_agents) broken("its header is invalid");
        if (!layout_.owns_contexts && (head.untouched > 0 || head.free > 0)) broken("its header is invalid");
    }

    void check_page(const crowd_page_view& page, std::uint64_t first) {
        if (layout_.owns_contexts ? page.head.used > 0 && first + page.head.used > made_.head.untouched : first + page.head.used > access_.capacity())
            broken("it has too many places");
        check_columns(page, first / page_agents);
        check_alone(page);
        for (std::uint32_t slot = 0; page.head.has_rates && slot < page.head.used; ++slot)
            if (at<std::uint16_t>(page.rates, slot) == 0) broken("an agent has the decision rate 0");
    }
    void check_columns(const crowd_page_view& page, std::size_t number) {
        check_rows(page, number);
        if (!layout_.has_columns) return;
        if (has_unknown(page)) broken("a condition that is set is not in the chart");
        if (!blocks_.is_needed()) return;
        for (std::uint32_t slot = 0; slot < page.head.used; ++slot)
            if (const auto row = page.row(slot, crowd_.row_size);
                row != crowd_.none() && !blocks_.can_be(page.blocks + slot * layout_.block_size, row))
                broken("the data of an agent does not fit its state");
    }
    template <class T> static T at(const std::byte* column, std::size_t slot) {
        T value;
        std::memcpy(&value, column + slot * sizeof value, sizeof value);
        return value;
    }
    /// Checks all rows of a page together, for speed.
    void check_rows(const crowd_page_view& page, std::size_t number) {
        take_rows(page);
        const std::uint32_t last = crowd_.row_size == 1 ? 0xff : 0xffff;
        const auto there = agents_in(crowd_.none() + 1, last - 1);
        bool strange = crowd_.stopped() < last && is_any(agents_in(crowd_.stopped() + 1, last - crowd_.stopped() - 1));
        if (!layout_.has_columns) strange |= is_any(agents_in(0, crowd_.none() - 1));
        for (index s = 0; has_history_states_ && s < core_.states.size(); ++s)
            if (core_.states[s].kind == state_kind::history) strange |= is_any(agents_in(s, 0));
        if (strange) broken("an agent is in a state that the chart does not have");
        if (count_of(there) != page.head.alive) broken("its number of agents is wrong");
        if (agents_by_generations(page, number) != there) broken("a handle has no agent, or an agent has no handle");
    }
    void take_rows(const crowd_page_view& page) {
        const auto size = page.head.used * crowd_.row_size;
        if (size > 0) std::memcpy(rows_, page.rows, size);
        const auto none = crowd_.none();
        for (auto at = size; at < page_agents * crowd_.row_size; at += crowd_.row_size) std::memcpy(rows_ + at, &none, crowd_.row_size);
    }
    agent_bits agents_in(std::uint32_t first, std::uint32_t more) const {
        agent_bits found;
        crowd_.find_rows(rows_, first, more, page_words, found.data());
        return found;
    }
    static bool is_any(const agent_bits& agents) {
        return std::ranges::any_of(agents, [](std::uint64_t word) { return word != 0; });
    }
    /// Returns the slots with an odd generation, which have agents. If the generations equal those of the crowd's page, its agents are returned
    /// directly.
    agent_bits agents_by_generations(const crowd_page_view& page, std::size_t number) const {
        auto* const there = number < access_.pages().size() ? access_.pages()[number].get() : nullptr;
        if (there) there->preserves_handles = page.has_generations_of(*there);
        if (there && there->preserves_handles) {
            auto agents = there->agents();
            for (auto slot = page.head.used; slot < there->used; ++slot) agents[slot / 64] &= ~bit_of(slot);
            return agents;
        }
        agent_bits odd{};
        for (std::uint32_t slot = 0; slot < page.head.used; ++slot) odd[slot / 64] |= std::uint64_t(page.generation(slot) & 1) << slot % 64;
        return odd;
    }
    /// Includes slots without an agent.
    bool has_unknown(const crowd_page_view& page) const {
        const auto size = crowd_.bit_size;
        std::uint64_t unknown = 0, found = 0;
        for (std::size_t i = 0; i < sizeof unknown; i += size) unknown |= (~known_bits() & (~std::uint64_t(0) >> (64 - 8 * size))) << 8 * i;
        const auto words = page.head.used * size / sizeof found;
        for (std::size_t w = 0; w < words; ++w) found |= at<std::uint64_t>(page.bits, w);
        for (auto slot = static_cast<std::uint32_t>(words * sizeof found / size); slot < page.head.used; ++slot) found |= bits(page, slot);
        return (found & unknown) != 0;
    }
    std::uint64_t bits(const crowd_page_view& page, std::uint32_t slot) const {
        std::uint64_t value = 0;
        std::memcpy(&value, page.bits + slot * crowd_.bit_size, crowd_.bit_size);
        return value;
    }
    std::uint64_t known_bits() const {
        const auto all = crowd_.has_column ? (std::uint64_t(1) << core_.conditions.size()) - 1 : 0;
        return core_.has_over ? all : all & ~std::uint64_t(1);
    }

    void check_alone(const crowd_page_view& page) {
        if (page.head.alone > page.head.alive || (!layout_.has_columns && page.head.alone != page.head.alive))
            broken("its number of agents is wrong");
        std::int64_t last = -1;
        const bool fits = detail::each_alone(page, [&](std::uint32_t slot, std::span<const std::byte> image) {
            if (slot >= page.head.used || slot <= last) return false;
            if (page.row(slot, crowd_.row_size) != crowd_.parked() || (layout_.has_columns && bits(page, slot) != 0)) return false;
            last = slot;
            auto checked = check_image(core_, layout_.machine, image);
            if (checked.head.size != image.size() || checked.head.mailed > 0) return false;
            check_room(idle_, core_, checked.head);
            if (!layout_.machine.is_bytes) made_.alone.push_back(std::move(checked));
            return true;
        });
        if (!fits) broken("the image of an agent is misplaced");
    }

    void build_contexts(image_reader& in, std::uint64_t count) {
        for (; count > 0; --count) {
            const auto value = in.take_value(layout_.context);
            if (in.ends_early()) broken("it ends too early");
            made_.contexts.push_back(build(layout_.context, value));
        }
    }
    built_value build(const value_layout& layout, std::span<const std::byte> value) const {
        try {
            return built_value(layout, nullptr, value);
        } catch (const broken_bytes& e) {
            broken("the fields of a class do not match: " + std::string(e.what()));
        }
    }

    /// Checks that each free place is listed once and has no agent.
    void check_free(image_reader& in) {
        const auto* const bytes = in.take_bytes(std::size_t(made_.head.free) * sizeof(std::uint32_t));
        if (in.ends_early()) broken("it ends too early");
        made_.free = {bytes, std::size_t(made_.head.free) * sizeof(std::uint32_t)};
        if (made_.head.free == 0) return;
        while (access_.pages().size() < made_.head.pages) access_.make_page(access_.pages().size());
        const bool is_sound = mark_free() && free_are_empty();
        for (const auto& p : access_.pages()) p->freed.fill(0);
        if (!is_sound) broken("a place of an agent is listed as free, or a free place is listed twice");
    }
    /// Uses bits that are unused between ticks.
    bool mark_free() const {
        for (std::uint32_t i = 0; i < made_.head.free; ++i) {
            const auto place = at<std::uint32_t>(made_.free.data(), i);
            if (place >= made_.head.untouched) return false;
            auto& word = access_.pages()[place / page_agents]->freed[place % page_agents / 64];
            if (word & bit_of(place)) return false;
            word |= bit_of(place);
        }
        return true;
    }
    bool free_are_empty() const {
        image_reader in(made_.pages);
        crowd_page_reader pages(crowd_, layout_, in);
        crowd_page_view page;
        bool is_occupied = false;
        for (std::uint32_t n = 0; n < made_.head.pages && pages.next(page); ++n)
            each_agent(access_.pages()[n]->freed,
                       [&](std::uint32_t slot) { is_occupied |= slot < page.head.used && page.row(slot, crowd_.row_size) != crowd_.none(); });
        return !is_occupied;
    }

    void check_mail(image_reader& in) {
        const auto* const begin = in.here();
        if (made_.head.mailed > 0 && (!access_.mail() || made_.head.mailed > access_.mail()->capacity()))
            no_room("the mailbox of the crowd has no room for the saved events");
        image_checker checker(core_, no_machine_);
        for (std::uint32_t i = 0; i < made_.head.mailed; ++i) {
            const auto part = in.take<crowd_mail_entry>();
            if (in.ends_early() || part.reserved != 0 || part.what.column == 0 || !checker.queued(i, part.what))
                broken("an invalid event is waiting in the mailbox");
            if (!part.what.has_payload) continue;
            const auto& event = layout_of_column(core_, layout_.machine, part.what.column);
            const auto value = in.take_value(event);
            if (in.ends_early()) broken("it ends too early");
            if (event.form == value_layout::fields) made_.mailed.push_back(build(event, value));
        }
        made_.mail = {begin, in.here()};
    }

    const crowd_access& access_;
    const crowd_layout& crowd_;
    const chart_core& core_;
    const crowd_image_layout& layout_;
    machine& idle_;
    block_checker blocks_;
    const image_head no_machine_;
    bool has_history_states_ = false;
    alignas(64) std::byte rows_[page_agents * sizeof(std::uint16_t)]; ///< of a page
    checked_crowd made_;
};

} // namespace

checked_crowd check_crowd(const crowd_access& crowd, const crowd_image_layout& layout, std::span<const std::byte> from, machine& idle) {
    return crowd_checker(crowd, layout, idle).run(from);
}

} // namespace hsm::detail
