// Restores a crowd from an image. Everything is checked and created first; then the exchange cannot fail.

#include <hsm/save/crowd_image.hpp>

#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/save/detail/crowd_format.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/observed.hpp>

#include <algorithm>
#include <exception>
#include <optional>
#include <vector>

namespace hsm::detail {

namespace {

/// The observers of an agent that exists before and after.
struct saved_observers {
    std::uint32_t place;
    observed_core* observed; ///< null: they are attached again
};

class crowd_exchange {
public:
    crowd_exchange(const crowd_access& crowd, const crowd_image_layout& layout, checked_crowd& image, agent_slot& slot)
        : access_(crowd), crowd_(crowd.core.layout()), core_(crowd_.core), layout_(layout), image_(image), slot_(slot) {}

    /// Allocates all memory that is needed.
    void prepare() {
        while (access_.pages().size() < image_.head.pages) access_.make_page(access_.pages().size());
        std::size_t observed = 0;
        each_page([&](page& p, const crowd_page_view& view) {
            std::uint32_t wanted = view.head.alone, there = 0;
            for (std::uint32_t slot = 0; slot < p.used && p.has_overflow(); ++slot)
                if (const auto* const l = p.overflow_of(slot)) {
                    ++there;
                    if (l->observed) ++wanted, ++observed;
                }
            if (has_observers()) wanted = view.head.alive;
            p.reserve_for_image(wanted > there ? wanted - there : 0);
            if (view.head.has_rates) p.rates().reserve(page_agents);
            if (goes_back(p, view) && !p.issued()) p.issued() = std::make_unique<page::issued_generations>();
            slot_.make_ready(p);
        });
        slot_.make_ready();
        saved_observers_.reserve(observed);
    }

    void run() {
        empty();
        access_.now() = image_.head.now;
        access_.ticks() = image_.head.ticks;
        if (access_.owns_contexts()) access_.untouched() = image_.head.untouched;
        each_page([&](page& p, const crowd_page_view& view) { put_columns(p, view); });
        put_contexts();
        put_free();
        each_page([&](page& p, const crowd_page_view& view) { put_agents(p, view); });
    }
    void put_mail(mailbox_queue::refill& mail) {
        mail.clear();
        image_reader in(image_.mail);
        auto built = image_.mailed.begin();
        for (std::uint32_t i = 0; i < image_.head.mailed; ++i) {
            const auto part = in.take<crowd_mail_entry>();
            auto* const place = mail.next_payload();
            mail.push({part.what.column, no_index, part.what.has_payload != 0, false}, part.to);
            if (!part.what.has_payload) continue;
            const auto& event = layout_of_column(core_, layout_.machine, part.what.column);
            const auto value = in.take_value(event);
            if (event.form == value_layout::bytes) std::memcpy(place, value.data(), value.size());
            if (event.form == value_layout::fields) (built++)->move_to(place);
        }
    }
    /// Returns the first exception of an observer.
    std::exception_ptr thrown() const { return thrown_; }

private:
    bool has_observers() const {
        return std::ranges::any_of(access_.observers(), [](const observer_link* each) { return each->to != nullptr; });
    }
    template <class Visit> void each_page(const Visit& visit) {
        image_reader in(image_.pages);
        crowd_page_reader pages(crowd_, layout_, in);
        for (std::uint32_t i = 0; i < image_.head.pages; ++i) {
            crowd_page_view view;
            pages.next(view);
            visit(*access_.pages()[i], view);
        }
    }
    /// Returns whether a slot in the image had later handles than the image contains.
    static bool goes_back(const page& p, const crowd_page_view& view) {
        if (p.preserves_handles) return false;
        bool back = false;
        for (std::uint32_t slot = 0; slot < view.head.used; ++slot) back |= p.generation(slot) > view.generation(slot);
        return back;
    }

    /// Removes all agents that have data outside the columns.
    void empty() noexcept {
        image_reader in(image_.pages);
        crowd_page_reader pages(crowd_, layout_, in);
        for (std::size_t n = 0; n < access_.pages().size(); ++n) {
            crowd_page_view view{};
            if (n < image_.head.pages) pages.next(view);
            auto& p = *access_.pages()[n];
            const bool may_skip =
                layout_.has_columns && !p.has_overflow() && (!layout_.owns_contexts || layout_.context.form != value_layout::fields);
            for (std::uint32_t slot = 0; slot < p.used && !may_skip; ++slot)
                if (p.has_agent(slot)) forget(p, slot, slot < view.head.used && view.generation(slot) == p.generation(slot));
            clear_rest(p, view.head.used);
            p.clear_lists();
            p.clear_dues();
        }
    }
    void forget(page& p, std::uint32_t slot, bool comes_back) noexcept {
        if (!layout_.has_columns || p.overflow_of(slot)) {
            slot_.load(p, slot, access_.now());
            auto* const observed = slot_.release_observers();
            slot_.machine().reset();
            slot_.discard();
            if (observed && comes_back)
                saved_observers_.push_back({p.first + slot, observed});
            else
                delete observed;
            p.drop_overflow(slot);
        }
        if (layout_.owns_contexts && layout_.context.form == value_layout::fields) access_.kind().destroy(p.context(slot));
    }
    /// Empties the slots after those of the image, except for their handles.
    void clear_rest(page& p, std::uint32_t used) noexcept {
        for (std::uint32_t slot = used; slot < p.used; ++slot) {
            p.generation(slot) += p.generation(slot) & 1;
            p.set_row(slot, crowd_.none());
            p.set_bits(slot, 0);
        }
        if (used == 0) p.used = p.alive = 0;
        if (used == 0) p.rates().clear();
    }

    static void copy(std::span<std::byte> to, const std::byte* from) {
        if (!to.empty()) std::memcpy(to.data(), from, to.size());
    }
    void put_columns(page& p, const crowd_page_view& view) noexcept {
        const auto used = view.head.used;
        if (p.issued() && !p.preserves_handles) {
            auto& issued = *p.issued();
            for (std::uint32_t slot = 0; slot < used; ++slot) {
                const auto last = p.generation(slot) + (p.generation(slot) & 1);
                issued[slot] = std::max(issued[slot], last);
            }
        }
        p.used = used;
        p.alive = view.head.alive;
        copy(p.row_bytes(used), view.rows);
        if (!p.preserves_handles) copy(std::as_writable_bytes(p.generations(used)), view.generations);
        p.preserves_handles = false;
        if (layout_.has_columns)
            copy(p.bit_bytes(used), view.bits);
        else
            std::ranges::fill(p.bit_bytes(used), std::byte(0));
        if (layout_.block_size > 0) copy(p.block_bytes(used), view.blocks);
        if (layout_.context.form == value_layout::bytes) copy(p.context_bytes(used), view.contexts);
        p.rates().clear();
        if (view.head.has_rates) {
            p.rates().assign(page_agents, crowd_.options.decide_every);
            std::memcpy(p.rates().data(), view.rates, used * sizeof(std::uint16_t));
        }
        if (crowd_.has_dues || crowd_.options.lists || (core_.has_over && layout_.has_columns)) rebuild_derived(p);
    }
    /// Updates the data that is derived from the columns.
    void rebuild_derived(page& p) noexcept {
        for (std::uint32_t slot = 0; slot < p.used; ++slot) {
            const auto row = p.row(slot);
            if (row >= crowd_.none()) continue;
            const auto leaf = static_cast<index>(row);
            if (crowd_.has_dues) p.set_due(slot, crowd_.timed.next_due(p.block(slot), leaf));
            if (crowd_.options.lists) p.put_into_list(leaf, slot);
            if (!core_.has_over) continue;
            machine m;
            m.block = p.block(slot);
            m.leaf = leaf;
            m.work = 0;
            p.set_bits(slot, (p.bits(slot) & ~std::uint64_t(1)) | leaf_is_over(m, core_, leaf));
        }
    }
    void put_contexts() noexcept {
        if (layout_.context.form != value_layout::fields) return;
        auto next = image_.contexts.begin();
        for (std::size_t n = 0; n < image_.head.pages; ++n) {
            auto& p = *access_.pages()[n];
            for (std::uint32_t slot = 0; slot < p.used; ++slot)
                if (p.has_agent(slot)) (next++)->move_to(p.context(slot));
        }
    }
    /// A place whose handles are used up stays empty.
    void put_free() noexcept {
        auto& free = access_.free_positions();
        free.clear();
        for (std::size_t i = 0; i < image_.free.size(); i += sizeof(std::uint32_t)) {
            std::uint32_t place;
            std::memcpy(&place, image_.free.data() + i, sizeof place);
            if (!access_.pages()[place / page_agents]->is_used_up(place % page_agents)) free.push_back(place); // room was reserved: see page_for
        }
    }

    /// Restores agents with images of their own, and observed agents.
    void put_agents(page& p, const crowd_page_view& view) noexcept {
        each_alone(view, [&](std::uint32_t slot, std::span<const std::byte> bytes) {
            slot_.load_new(p, slot, access_.now());
            watch(p, slot);
            if (layout_.machine.is_bytes) {
                auto image = check_image(core_, layout_.machine, bytes); // was checked before, so it cannot fail
                put_machine(image);
            } else {
                put_machine(image_.alone[next_alone_++]);
            }
            slot_.store(access_.now());
            return true;
        });
        if (saved_observers_.empty() && !has_observers()) return;
        for (std::uint32_t slot = 0; slot < p.used; ++slot) {
            if (!p.has_agent(slot) || p.overflow_of(slot)) continue;
            if (!has_observers() && !has_saved_observers(p.first + slot)) continue;
            slot_.load(p, slot, access_.now());
            watch(p, slot);
            trace_restored();
            slot_.store(access_.now());
        }
    }
    bool has_saved_observers(std::uint32_t place) const {
        const auto found = std::ranges::find(saved_observers_, place, &saved_observers::place);
        return found != saved_observers_.end() && found->observed;
    }
    /// Attaches the loaded agent's previous observers, or the crowd's observers if the agent is new.
    void watch(const page& p, std::uint32_t slot) noexcept {
        if (const auto found = std::ranges::find(saved_observers_, p.first + slot, &saved_observers::place); found != saved_observers_.end())
            return slot_.take_observers(std::exchange(found->observed, nullptr));
        try {
            for (auto* const link : access_.observers())
                if (link->to) slot_.observe(link);
        } catch (...) {
            store_exception();
        }
    }
    void put_machine(checked_image& image) noexcept {
        try {
            exchange(instance_access::engine_of(slot_.machine()), image, nullptr);
        } catch (...) {
            store_exception();
        }
    }
    void trace_restored() noexcept {
        auto& m = instance_access::engine_of(slot_.machine());
        const auto& core = core_of(m);
        if (!core.observed) return;
        try {
            exclusively(m, core, call_kind::restore, [&] {
                trace_configuration(m, core, configuration_reason::restored);
                return result::taken;
            });
        } catch (...) {
            store_exception();
        }
    }
    void store_exception() noexcept {
        if (!thrown_) thrown_ = std::current_exception();
    }

    const crowd_access& access_;
    const crowd_layout& crowd_;
    const chart_core& core_;
    const crowd_image_layout& layout_;
    checked_crowd& image_;
    agent_slot& slot_;
    std::vector<saved_observers> saved_observers_;
    std::size_t next_alone_ = 0;
    std::exception_ptr thrown_;
};

} // namespace

namespace {
/// Forgets handles of places that the image does not contain.
void forget_handles(const crowd_access& crowd) noexcept {
    for (const auto& p : crowd.pages()) {
        p->issued() = nullptr;
        for (auto slot = p->used; slot < page_agents; ++slot) p->generation(slot) = 0;
    }
}
} // namespace

void savable_crowd::restore(std::span<const std::byte> from) const { restore_core(crowd_, kind_, from); }

result restore_crowd(crowd_base& crowd, const saved_context& kind, std::span<const std::byte> from) {
    return restore_core(crowd_access::core_of(crowd), kind, from);
}

result restore_core(crowd_core& crowd, const saved_context& kind, std::span<const std::byte> from, later_handles later) {
    const crowd_access all(crowd);
    if (all.is_busy()) return result::busy;
    const crowd_image_layout layout(all, kind);
    layout.require_saveable(all);
    const crowd_access::borrowed_slot slot(all.core);
    auto image = check_crowd(all, layout, from, instance_access::engine_of(slot->machine()));
    std::optional<mailbox_queue::refill> mail;
    if (all.mail()) {
        mail.emplace(*all.mail(), image.head.mailed);
        if (!mail->has_room())
            refuse_image(all.core.layout().core, code::no_room_for_image, "the mailbox of the crowd has no room for the saved events",
                         "raise crowd_options::agent.mailbox");
    }
    crowd_exchange exchange(all, layout, image, *slot);
    exchange.prepare();
    if (crowd.inputs && crowd.inputs->begins()) {
        crowd.inputs->jump();
        crowd.inputs->ends();
    }
    exchange.run();
    if (later == later_handles::are_forgotten) forget_handles(all);
    if (mail) exchange.put_mail(*mail);
    if (const auto thrown = exchange.thrown()) std::rethrow_exception(thrown);
    return result::taken;
}

} // namespace hsm::detail
