// Saves a crowd as an image.

#include <hsm/save/crowd_image.hpp>

#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/crowd_format.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/hash.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

/// Returns whether a machine's memory consists of plain bytes with the same meaning in every place.
bool is_all_bytes(const chart_core& core, const image_layout& layout) {
    const bool is_plain = !core.by_regions && !core.has_holds && !core.has_defers;
    return is_plain && std::ranges::none_of(layout.locals, [](const value_layout& l) { return l.form == value_layout::fields; });
}

} // namespace

crowd_image_layout::crowd_image_layout(const crowd_access& crowd, const saved_context& kind)
    : machine(image_layout_of(crowd.core.layout().core)), context(layout_of_context(kind)), owns_contexts(crowd.owns_contexts()),
      has_columns(is_all_bytes(crowd.core.layout().core, machine)), block_size(has_columns ? crowd.core.layout().block_size : 0),
      context_size(owns_contexts ? crowd.core.layout().context_stride : 0) {
    if (!owns_contexts) context.form = value_layout::nothing;
}

void crowd_image_layout::require_saveable(const crowd_access& crowd) const {
    const auto& core = crowd.core.layout().core;
    detail::require_saveable(core, saving::image);
    require_saveable_context(core, context, or_own_contexts);
}

namespace {

class crowd_writer {
public:
    crowd_writer(const crowd_access& crowd, const crowd_image_layout& layout, image_writer& out)
        : access_(crowd), layout_(layout), out_(out), slot_(crowd.core) {}

    void run(std::size_t pages) {
        for (std::size_t n = 0; n < pages; ++n) put_page(*access_.pages()[n]);
        if (layout_.context.form == value_layout::fields)
            for (const auto& p : access_.pages())
                for (std::uint32_t slot = 0; slot < p->used; ++slot)
                    if (p->has_agent(slot)) out_.put_value(layout_.context, p->context(slot));
        const auto& free = access_.free_positions();
        out_.put_bytes(free.data(), free.size() * sizeof free[0]);
        if (auto* const mail = access_.mail()) put_mail(*mail);
    }

private:
    bool stands_alone(const page& p, std::uint32_t slot) const { return layout_.has_columns ? p.overflow_of(slot) != nullptr : p.has_agent(slot); }
    template <class Visit> void each_alone(const page& p, const Visit& visit) const {
        if (layout_.has_columns && !p.has_overflow()) return;
        for (std::uint32_t slot = 0; slot < p.used; ++slot)
            if (stands_alone(p, slot)) visit(slot);
    }
    /// Slots without an agent contain arbitrary memory.
    template <class Visit> void each_vacant(const page& p, const Visit& visit) const {
        for (std::uint32_t slot = 0; p.alive < p.used && slot < p.used; ++slot)
            if (!p.has_agent(slot)) visit(slot);
    }
    void put(std::span<const std::byte> bytes) { out_.put_bytes(bytes.data(), bytes.size()); }
    /// Returns the address, or null if there is no room.
    std::byte* put_column(std::span<const std::byte> bytes) {
        auto* const to = out_.skip(bytes.size());
        if (to && !bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
        return to;
    }

    void put_page(page& p) {
        crowd_page_head head{p.used, p.alive, 0, !p.rates().empty()};
        each_alone(p, [&](std::uint32_t) { ++head.alone; });
        out_.put(head);
        put_rows(p);
        put(std::as_bytes(p.generations(p.used)));
        if (layout_.has_columns) put_bits(p);
        if (layout_.block_size > 0) put_blocks(p);
        if (layout_.context.form == value_layout::bytes) {
            auto* const to = put_column(p.context_bytes(p.used));
            if (to) each_vacant(p, [&](std::uint32_t slot) { std::memset(to + slot * layout_.context_size, 0, layout_.context_size); });
        }
        if (head.has_rates) put(std::as_bytes(std::span(p.rates()).first(p.used)));
        each_alone(p, [&](std::uint32_t slot) { put_agent(p, slot); });
    }
    /// Separate agents are only marked as existing.
    void put_rows(const page& p) {
        auto* const to = put_column(p.row_bytes(p.used));
        if (!to) return;
        const auto parked = access_.core.layout().parked();
        const auto size = access_.core.layout().row_size;
        each_alone(p, [&](std::uint32_t slot) { std::memcpy(to + slot * size, &parked, size); });
    }
    void put_bits(const page& p) {
        auto* const to = put_column(p.bit_bytes(p.used));
        if (!to) return;
        const auto size = access_.core.layout().bit_size;
        each_alone(p, [&](std::uint32_t slot) { std::memset(to + slot * size, 0, size); });
    }
    /// Clears addresses; an agent gets its own when it is loaded.
    void put_blocks(const page& p) {
        auto* const to = put_column(p.block_bytes(p.used));
        if (!to) return;
        const auto size = layout_.block_size;
        const auto clear = [&](std::uint32_t slot) { std::memset(to + slot * size, 0, size); };
        each_alone(p, clear);
        each_vacant(p, clear);
        const auto& crowd = access_.core.layout();
        const auto without = [&](std::size_t offset) {
            auto* at = to + crowd.block_front + offset;
            for (std::uint32_t slot = 0; slot < p.used; ++slot, at += size) std::memset(at, 0, sizeof(void*));
        };
        if (crowd.core.has_hook_context) without(0);
        if (instance_access::engine_of(slot_->machine()).state & state_queues) without(crowd.core.layout.queues);
    }
    void put_agent(page& p, std::uint32_t slot) {
        auto* const to = out_.skip(sizeof(crowd_agent_head));
        const auto size = agent_in_slot(*slot_, p, slot, access_.now()).save(out_.rest());
        out_.skip(size);
        const crowd_agent_head head{slot, static_cast<std::uint32_t>(size)};
        if (to) std::memcpy(to, &head, sizeof head);
    }
    void put_mail(const mailbox_queue& mail) {
        mail.each_with_tag([&](const queued_entry& e, const void* payload, std::uint64_t tag) {
            out_.put(crowd_mail_entry{{e.column, no_index, e.has_payload, 0}, 0, 0, tag});
            if (e.has_payload) out_.put_value(layout_of_column(access_.core.layout().core, layout_.machine, e.column), payload);
        });
    }

    const crowd_access& access_;
    const crowd_image_layout& layout_;
    image_writer& out_;
    crowd_access::borrowed_slot slot_;
};

/// Later pages never had an agent.
std::size_t used_pages(const crowd_access& crowd) {
    auto count = crowd.pages().size();
    while (count > 0 && crowd.pages()[count - 1]->used == 0 && crowd.untouched() <= (count - 1) * page_agents) --count;
    return count;
}

std::size_t write_crowd(const crowd_access& crowd, const crowd_image_layout& layout, std::span<std::byte> to, bool checksum) {
    layout.require_saveable(crowd);
    crowd_image_head head;
    static_cast<image_prefix&>(head) = layout.prefix();
    head.now = crowd.now();
    head.ticks = crowd.ticks();
    head.untouched = crowd.untouched();
    head.block_size = layout.block_size;
    head.context_size = layout.context_size;
    head.context_form = layout.context.form;
    head.pages = static_cast<std::uint32_t>(used_pages(crowd));
    head.free = static_cast<std::uint32_t>(crowd.free_positions().size());
    if (const auto* const mail = crowd.mail()) mail->each_with_payload([&](const queued_entry&, const void*) { ++head.mailed; });
    image_writer out(to);
    out.skip(sizeof head);
    crowd_writer(crowd, layout, out).run(head.pages);
    return finish_image(out, to, head, checksum);
}

} // namespace

std::size_t savable_crowd::save(std::span<std::byte> to, bool checksum) const {
    const crowd_access all(crowd_);
    return write_crowd(all, {all, kind_}, to, checksum);
}

void savable_crowd::gather_mail() const {
    if (auto* const mail = crowd_access(crowd_).mail()) mail->gather();
}

owned<savable> make_savable(crowd_base& crowd, const saved_context& kind) { return make_owned<savable_crowd>(crowd, kind); }

std::size_t crowd_image_size(const crowd_base& crowd, const saved_context& kind) { return image_size_of(savable_crowd(crowd, kind)); }
saved save_crowd(const crowd_base& crowd, const saved_context& kind, std::span<std::byte> to, image_options how) {
    return save_into(savable_crowd(crowd, kind), to, how);
}
std::vector<std::byte> save_crowd(const crowd_base& crowd, const saved_context& kind, image_options how) {
    return image_of(savable_crowd(crowd, kind), how);
}

} // namespace hsm::detail
