#include <hsm/save/crowd_document.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/save/detail/crowd_format.hpp>
#include <hsm/save/detail/document_parts.hpp>
#include <hsm/save/detail/json_archive.hpp>
#include <hsm/save/detail/json_value.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

json_value describe_position(std::uint64_t place, std::uint32_t generation) {
    auto d = json_value::empty_object();
    d.add("place", json_value::of(place));
    d.add("generation", json_value::of(std::uint64_t(generation)));
    return d;
}

json_value describe_agents(const crowd_access& all, const crowd_image_layout& layout) {
    auto list = json_value::empty_list();
    crowd_reader agents(all, layout);
    agents.each([&](std::uint64_t place, page& p, std::uint32_t slot) {
        auto d = describe_position(place, p.generation(slot));
        if (!p.rates().empty()) d.add("decide_every", json_value::of(std::uint64_t(p.rates()[slot])));
        auto parts = agents.describe(p, slot);
        for (auto& [name, value] : parts.fields) d.add(name, std::move(value));
        list.add(std::move(d));
    });
    return list;
}

/// Lists the places that agents have left. If the crowd keeps contexts, they are in the order of their next use.
json_value describe_free(const crowd_access& all) {
    auto list = json_value::empty_list();
    const auto add = [&](std::uint64_t place) {
        const auto generation = all.pages()[place / page_agents]->generation(static_cast<std::uint32_t>(place % page_agents));
        if (all.owns_contexts() || generation > 0) list.add(describe_position(place, generation));
    };
    if (all.owns_contexts()) {
        for (const auto place : all.free_positions()) add(place);
        return list;
    }
    for (std::uint64_t n = 0; n < all.pages().size(); ++n)
        for (std::uint32_t slot = 0; slot < all.pages()[n]->used; ++slot)
            if (!all.pages()[n]->has_agent(slot)) add(n * page_agents + slot);
    return list;
}

json_value describe_mail(const crowd_access& all, const crowd_image_layout& layout) {
    auto list = json_value::empty_list();
    if (!all.mail()) return list;
    const auto& core = all.core.layout().core;
    all.mail()->gather();
    all.mail()->each_with_tag([&](const queued_entry& e, const void* payload, std::uint64_t to) {
        auto d = describe_position(to & 0xffff'ffff, static_cast<std::uint32_t>(to >> 32));
        const auto& event = layout_of_column(core, layout.machine, e.column);
        std::vector<std::byte> bytes;
        append_value(bytes, event, e.object(payload));
        image_reader value(bytes);
        auto what = describe_event(core, core.column_events[e.column], value.take_value(event));
        for (auto& [name, part] : what.fields) d.add(name, std::move(part));
        list.add(std::move(d));
    });
    return list;
}

/// Creates an image in which each agent is separate.
class crowd_document_reader {
public:
    crowd_document_reader(const crowd_access& crowd, const crowd_image_layout& layout, const document_node& all, changes& changed)
        : access_(crowd), crowd_(crowd.core.layout()), core_(crowd_.core), layout_(layout), all_(all), changed_(changed) {}

    std::vector<std::byte> run() {
        check_chart(all_);
        static_cast<image_prefix&>(head_) = layout_.prefix();
        head_.now = all_["clock"].integer(0);
        head_.ticks = static_cast<std::uint64_t>(all_["ticks"].integer(0));
        head_.block_size = layout_.block_size;
        head_.context_size = layout_.context_size;
        head_.context_form = layout_.context.form;
        make_positions();
        all_.each_item("agents", [&](const document_node& each) { read_agent(each); });
        read_free();
        read_mail();
        return write();
    }

private:
    struct place {
        bool is_named = false;
        std::uint32_t generation = 0;
        std::uint16_t rate = 0;       ///< 0: not in the document
        std::vector<std::byte> image; ///< empty: no agent
        value_bytes context;
    };

    /// Creates all places that ever had an agent. If the crowd keeps contexts, each of these has an agent or is listed as free.
    void make_positions() {
        std::size_t count = access_.capacity();
        if (layout_.owns_contexts) {
            count = all_["agents"].items() + (all_.has("free") ? all_["free"].items() : 0);
            head_.untouched = count;
        }
        places_.resize(count);
    }
    place& place_of(const document_node& from, std::int64_t parity) {
        const auto number = static_cast<std::uint64_t>(from["place"].integer(0));
        if (number >= places_.size()) from["place"].refuse(fmt::format("this place does not exist: the crowd has {} places", places_.size()));
        auto& found = places_[number];
        const auto generation = from["generation"].integer(0);
        if (generation > 0xffff'ffff || generation % 2 != parity) from["generation"].refuse("a handle of this place cannot have this generation");
        if (std::exchange(found.is_named, true)) from["place"].refuse("this place appears twice");
        found.generation = static_cast<std::uint32_t>(generation);
        return found;
    }
    void read_agent(const document_node& from) {
        from.only({"place", "generation", "decide_every", "machine", "context"});
        auto& p = place_of(from, 1);
        if (from.has("decide_every")) {
            const auto rate = from["decide_every"].integer(1);
            if (rate > 0xffff) from["decide_every"].refuse("it must be at most 65535");
            p.rate = static_cast<std::uint16_t>(rate);
        }
        p.image = compose(core_, decode_snapshot(core_, from["machine"].value(), head_.now, changed_));
        check_image(core_, layout_.machine, p.image);
        if (layout_.context.form != value_layout::nothing) p.context = context_of(from);
    }
    value_bytes context_of(const document_node& from) {
        if (from.has("context")) return decode_value(from["context"], layout_.context, nullptr, changed_);
        changed_.add({"the document contains no context: the context is default-constructed", "", from.value().place}, from.path() + "/context");
        return default_context();
    }
    value_bytes default_context() const {
        if (!layout_.context.codec) return value_bytes(layout_.context.size);
        std::vector<mismatch> all_of_it;
        return json_to_value(layout_.context, nullptr, json_value::empty_object(), all_of_it);
    }
    void read_free() {
        all_.each_item("free", [&](const document_node& each) {
            each.only({"place", "generation"});
            place_of(each, 0);
            if (layout_.owns_contexts) free_.push_back(static_cast<std::uint32_t>(each["place"].integer()));
        });
    }
    void read_mail() {
        all_.each_item("mailbox", [&](const document_node& each) {
            each.only({"place", "generation", "event", "value"});
            const auto number = each["place"].integer(0), generation = each["generation"].integer(0);
            if (number > 0xffff'ffff || generation > 0xffff'ffff) each.refuse("this handle does not exist");
            if (auto found = decode_event(core_, each, changed_))
                mail_.push_back({std::move(*found), static_cast<std::uint64_t>(number) | static_cast<std::uint64_t>(generation) << 32});
        });
    }

    std::vector<std::byte> write() {
        head_.pages = static_cast<std::uint32_t>((places_.size() + page_agents - 1) / page_agents);
        head_.free = static_cast<std::uint32_t>(free_.size());
        head_.mailed = static_cast<std::uint32_t>(mail_.size());
        return composed_image(head_, [&](image_writer& out) {
            for (std::size_t first = 0; first < places_.size(); first += page_agents)
                write_page(out, std::span(places_).subspan(first, std::min<std::size_t>(page_agents, places_.size() - first)));
            if (layout_.context.form == value_layout::fields)
                for (const auto& p : places_)
                    if (!p.image.empty()) out.put_stored(layout_.context, p.context);
            out.put_bytes(free_.data(), free_.size() * sizeof(std::uint32_t));
            for (const auto& m : mail_) {
                out.put(crowd_mail_entry{m.what.what, 0, 0, m.to});
                if (m.what.what.has_payload) out.put_stored(layout_of_column(core_, layout_.machine, m.what.what.column), m.what.payload);
            }
        });
    }
    void write_page(image_writer& out, std::span<const place> page) const {
        const auto used = static_cast<std::uint32_t>(page.size());
        const auto alive = static_cast<std::uint32_t>(std::ranges::count_if(page, [](const place& p) { return !p.image.empty(); }));
        const bool has_rates = std::ranges::any_of(page, [](const place& p) { return p.rate > 0; });
        out.put(crowd_page_head{used, alive, alive, has_rates});
        for (const auto& p : page) {
            const auto row = static_cast<std::uint16_t>(p.image.empty() ? crowd_.none() : crowd_.parked());
            out.put_bytes(&row, crowd_.row_size); // the low byte comes first
        }
        for (const auto& p : page) out.put(p.generation);
        if (layout_.has_columns) out.skip(used * (crowd_.bit_size + layout_.block_size));
        if (layout_.context.form == value_layout::bytes)
            for (const auto& p : page) {
                out.put_bytes(p.context.data(), p.context.size());
                out.skip(layout_.context_size - p.context.size());
            }
        for (const auto& p : page)
            if (has_rates) out.put(p.rate > 0 ? p.rate : crowd_.options.decide_every);
        for (std::uint32_t slot = 0; slot < used; ++slot) {
            if (page[slot].image.empty()) continue;
            out.put(crowd_agent_head{slot, static_cast<std::uint32_t>(page[slot].image.size())});
            out.put_bytes(page[slot].image.data(), page[slot].image.size());
        }
    }

    const crowd_access& access_;
    const crowd_layout& crowd_;
    const chart_core& core_;
    const crowd_image_layout& layout_;
    const document_node& all_;
    changes& changed_;
    crowd_image_head head_;
    std::vector<place> places_;
    std::vector<std::uint32_t> free_;
    struct letter {
        snapshot::queued_event what;
        std::uint64_t to;
    };
    std::vector<letter> mail_;
};

} // namespace

std::string save_crowd_document(const crowd_base& crowd, const saved_context& kind) {
    const crowd_access all(crowd_access::core_of(crowd));
    if (all.is_busy()) return {};
    const crowd_image_layout layout(all, kind);
    const auto& core = all.core.layout().core;
    require_known_crowd(core, layout, saving::document);
    require_saveable_context(core, layout.context, or_own_contexts);
    auto d = begin_document("crowd");
    add_chart(d, core);
    d.add("clock", json_value::of(all.now()));
    d.add("ticks", json_value::of(all.ticks()));
    d.add("agents", describe_agents(all, layout));
    if (auto free = describe_free(all); !free.items.empty()) d.add("free", std::move(free));
    if (auto mail = describe_mail(all, layout); !mail.items.empty()) d.add("mailbox", std::move(mail));
    return write_json(d);
}

restored restore_crowd_document(crowd_base& crowd, const saved_context& kind, std::string_view text, const document_options& how) {
    auto& core = crowd_access::core_of(crowd);
    const crowd_access all(core);
    if (all.is_busy()) return {result::busy, {}};
    const crowd_image_layout layout(all, kind);
    require_known_crowd(core.layout().core, layout, saving::document);
    require_saveable_context(core.layout().core, layout.context, or_own_contexts);
    const auto d = read_json(text, how.most_bytes, how.most_depth);
    const document_node from(d, "");
    check_envelope(from, "crowd", {"chart", "fingerprint", "clock", "ticks", "agents", "free", "mailbox"});
    changes changed;
    const auto image = crowd_document_reader(all, layout, from, changed).run();
    changed.refuse_if(how.strict);
    const auto outcome = restore_core(core, kind, image);
    return {outcome, std::move(changed.notes)};
}

} // namespace hsm::detail
