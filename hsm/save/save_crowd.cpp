// Saves a crowd as an image.

#include <hsm/save/crowd_image.hpp>

#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/crowd_format.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/image_shape.hpp>
#include <hsm/save/hash.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

/// Returns whether a machine's memory consists of plain bytes with the same meaning in every place.
bool is_all_bytes(const chart_core& core, const image_shape& shape) {
    const bool is_plain = !core.driven && !core.has_holds && !core.has_defers;
    return is_plain && std::ranges::none_of(shape.locals, [](const value_shape& l) { return l.form == value_shape::fields; });
}

} // namespace

crowd_image_shape::crowd_image_shape(const crowd_access& herd, const saved_context& kind)
    : machine(shape_of(herd.core.shape().core)), context(shape_of_context(kind)), keeps_contexts(herd.keeps_contexts()),
      has_columns(is_all_bytes(herd.core.shape().core, machine)), block_size(has_columns ? herd.core.shape().block_size : 0),
      context_size(keeps_contexts ? herd.core.shape().context_stride : 0) {
    if (!keeps_contexts) context.form = value_shape::nothing;
}

void crowd_image_shape::require_saveable(const crowd_access& herd) const {
    const auto& core = herd.core.shape().core;
    detail::require_saveable(core, saving::image);
    require_saveable_context(core, context, or_own_contexts);
}

namespace {

class crowd_writer {
public:
    crowd_writer(const crowd_access& herd, const crowd_image_shape& shape, image_writer& out)
        : herd_(herd), shape_(shape), out_(out), slot_(herd.core) {}

    void run(std::size_t pages) {
        for (std::size_t n = 0; n < pages; ++n) put_page(*herd_.pages()[n]);
        if (shape_.context.form == value_shape::fields)
            for (const auto& p : herd_.pages())
                for (std::uint32_t slot = 0; slot < p->used; ++slot)
                    if (p->has_agent(slot)) out_.put_value(shape_.context, p->context(slot));
        const auto& free = herd_.free_places();
        out_.put_bytes(free.data(), free.size() * sizeof free[0]);
        if (auto* const mail = herd_.mail()) put_mail(*mail);
    }

private:
    bool stands_alone(const page& p, std::uint32_t slot) const { return shape_.has_columns ? p.spilled_of(slot) != nullptr : p.has_agent(slot); }
    template <class Visit> void each_alone(const page& p, const Visit& visit) const {
        if (shape_.has_columns && !p.may_spill()) return;
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
        if (shape_.has_columns) put_bits(p);
        if (shape_.block_size > 0) put_blocks(p);
        if (shape_.context.form == value_shape::bytes) {
            auto* const to = put_column(p.context_bytes(p.used));
            if (to) each_vacant(p, [&](std::uint32_t slot) { std::memset(to + slot * shape_.context_size, 0, shape_.context_size); });
        }
        if (head.has_rates) put(std::as_bytes(std::span(p.rates()).first(p.used)));
        each_alone(p, [&](std::uint32_t slot) { put_agent(p, slot); });
    }
    /// Separate agents are only marked as existing.
    void put_rows(const page& p) {
        auto* const to = put_column(p.row_bytes(p.used));
        if (!to) return;
        const auto parked = herd_.core.shape().parked();
        const auto size = herd_.core.shape().row_size;
        each_alone(p, [&](std::uint32_t slot) { std::memcpy(to + slot * size, &parked, size); });
    }
    void put_bits(const page& p) {
        auto* const to = put_column(p.bit_bytes(p.used));
        if (!to) return;
        const auto size = herd_.core.shape().bit_size;
        each_alone(p, [&](std::uint32_t slot) { std::memset(to + slot * size, 0, size); });
    }
    /// Clears addresses; an agent gets its own when it is loaded.
    void put_blocks(const page& p) {
        auto* const to = put_column(p.block_bytes(p.used));
        if (!to) return;
        const auto size = shape_.block_size;
        const auto clear = [&](std::uint32_t slot) { std::memset(to + slot * size, 0, size); };
        each_alone(p, clear);
        each_vacant(p, clear);
        const auto& crowd = herd_.core.shape();
        const auto without = [&](std::size_t offset) {
            auto* at = to + crowd.block_front + offset;
            for (std::uint32_t slot = 0; slot < p.used; ++slot, at += size) std::memset(at, 0, sizeof(void*));
        };
        if (crowd.core.has_hook_context) without(0);
        if (instance_access::engine_of(slot_->machine()).state & state_queues) without(crowd.core.layout.queues);
    }
    void put_agent(page& p, std::uint32_t slot) {
        auto* const to = out_.skip(sizeof(crowd_agent_head));
        slot_->load(p, slot, herd_.now());
        std::size_t size = 0;
        try {
            size = save_machine(instance_access::engine_of(slot_->machine()), out_.rest(), false);
        } catch (...) { // thrown by a serialize
            slot_->store(herd_.now());
            throw;
        }
        slot_->store(herd_.now());
        out_.skip(size);
        const crowd_agent_head head{slot, static_cast<std::uint32_t>(size)};
        if (to) std::memcpy(to, &head, sizeof head);
    }
    void put_mail(const mailbox_queue& mail) {
        mail.each_with_tag([&](const queued_entry& e, const void* payload, std::uint64_t tag) {
            out_.put(crowd_mail_part{{e.column, no_index, e.has_payload, 0}, 0, 0, tag});
            if (e.has_payload) out_.put_value(shape_of_column(herd_.core.shape().core, shape_.machine, e.column), payload);
        });
    }

    const crowd_access& herd_;
    const crowd_image_shape& shape_;
    image_writer& out_;
    crowd_access::slot_in_use slot_;
};

/// Later pages never had an agent.
std::size_t used_pages(const crowd_access& herd) {
    auto count = herd.pages().size();
    while (count > 0 && herd.pages()[count - 1]->used == 0 && herd.untouched() <= (count - 1) * page_agents) --count;
    return count;
}

std::size_t write_crowd(const crowd_access& herd, const crowd_image_shape& shape, std::span<std::byte> to, bool checksum) {
    shape.require_saveable(herd);
    crowd_image_head head;
    static_cast<image_prefix&>(head) = shape.prefix();
    head.now = herd.now();
    head.ticks = herd.ticks();
    head.untouched = herd.untouched();
    head.block_size = shape.block_size;
    head.context_size = shape.context_size;
    head.context_form = shape.context.form;
    head.pages = static_cast<std::uint32_t>(used_pages(herd));
    head.free = static_cast<std::uint32_t>(herd.free_places().size());
    if (const auto* const mail = herd.mail()) mail->each_with_payload([&](const queued_entry&, const void*) { ++head.mailed; });
    image_writer out(to);
    out.skip(sizeof head);
    crowd_writer(herd, shape, out).run(head.pages);
    if (out.size() > to.size()) return out.size();
    head.size = out.size();
    if (checksum) {
        head.flags = image_has_checksum;
        head.checksum = checksum_of(head, to.subspan(sizeof head, out.size() - sizeof head));
    }
    std::memcpy(to.data(), &head, sizeof head);
    return out.size();
}

} // namespace

std::size_t save_core(crowd_core& herd, const saved_context& kind, std::span<std::byte> to, bool checksum) {
    const crowd_access all(herd);
    return write_crowd(all, {all, kind}, to, checksum);
}

void gather_mail(crowd_core& herd) {
    if (auto* const mail = crowd_access(herd).mail()) mail->gather();
}

std::size_t crowd_image_size(const crowd_base& herd, const saved_context& kind) {
    auto& core = crowd_access::core_of(herd);
    if (crowd_access(core).is_busy()) return 0;
    gather_mail(core);
    return save_core(core, kind, {}, false);
}

saved save_crowd(const crowd_base& herd, const saved_context& kind, std::span<std::byte> to, image_options how) {
    auto& core = crowd_access::core_of(herd);
    if (crowd_access(core).is_busy()) return {result::busy, 0};
    gather_mail(core);
    const auto size = save_core(core, kind, to, how.checksum);
    if (size > to.size())
        refuse_image(core.shape().core, code::small_image,
                     "the image takes " + std::to_string(size) + " bytes, but the buffer has " + std::to_string(to.size()),
                     "call image_size() for the size");
    return {result::taken, size};
}

std::vector<std::byte> save_crowd(const crowd_base& herd, const saved_context& kind, image_options how) {
    std::vector<std::byte> image(crowd_image_size(herd, kind));
    if (!image.empty()) save_core(crowd_access::core_of(herd), kind, image, how.checksum);
    return image;
}

} // namespace hsm::detail
