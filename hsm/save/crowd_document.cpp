#include <hsm/save/crowd_document.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/save/detail/crowd_reader.hpp>
#include <hsm/save/detail/datum.hpp>
#include <hsm/save/detail/document_parts.hpp>
#include <hsm/save/detail/tree_archive.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

datum describe_place(std::uint64_t place, std::uint32_t generation) {
    auto d = datum::empty_object();
    d.add("place", datum::of(place));
    d.add("generation", datum::of(std::uint64_t(generation)));
    return d;
}

datum describe_agents(const crowd_access& all, const crowd_image_shape& shape) {
    auto list = datum::empty_list();
    crowd_reader agents(all, shape);
    for (std::uint64_t place = 0; place < all.pages().size() * page_agents; ++place) {
        auto* const p = agents.page_of(place);
        if (!p) continue;
        const auto slot = static_cast<std::uint32_t>(place % page_agents);
        auto d = describe_place(place, p->generation(slot));
        if (!p->rates().empty()) d.add("decide_every", datum::of(std::uint64_t(p->rates()[slot])));
        auto parts = agents.describe(*p, slot);
        for (auto& [name, value] : parts.fields) d.add(name, std::move(value));
        list.add(std::move(d));
    }
    return list;
}

/// Lists the places that agents have left. If the crowd keeps contexts, they are in the order of their next use.
datum describe_free(const crowd_access& all) {
    auto list = datum::empty_list();
    const auto add = [&](std::uint64_t place) {
        const auto generation = all.pages()[place / page_agents]->generation(static_cast<std::uint32_t>(place % page_agents));
        if (all.keeps_contexts() || generation > 0) list.add(describe_place(place, generation));
    };
    if (all.keeps_contexts()) {
        for (const auto place : all.free_places()) add(place);
        return list;
    }
    for (std::uint64_t n = 0; n < all.pages().size(); ++n)
        for (std::uint32_t slot = 0; slot < all.pages()[n]->used; ++slot)
            if (!all.pages()[n]->has_agent(slot)) add(n * page_agents + slot);
    return list;
}

datum describe_mail(const crowd_access& all, const crowd_image_shape& shape) {
    auto list = datum::empty_list();
    if (!all.mail()) return list;
    const auto& core = all.core.shape().core;
    all.mail()->gather();
    all.mail()->each_with_tag([&](const queued_entry& e, const void* payload, std::uint64_t to) {
        auto d = describe_place(to & 0xffff'ffff, static_cast<std::uint32_t>(to >> 32));
        const auto& event = shape_of_column(core, shape.machine, e.column);
        if (!e.has_payload) payload = &any_named_event;
        image_writer counting({});
        counting.put_value(event, payload);
        std::vector<std::byte> bytes(counting.size());
        image_writer(bytes).put_value(event, payload);
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
    crowd_document_reader(const crowd_access& herd, const crowd_image_shape& shape, const document_part& all, changes& changed)
        : herd_(herd), crowd_(herd.core.shape()), core_(crowd_.core), shape_(shape), all_(all), changed_(changed) {}

    std::vector<std::byte> run() {
        static_cast<void>(all_["chart"].text());
        static_cast<void>(all_["fingerprint"].text());
        static_cast<image_prefix&>(head_) = shape_.prefix();
        head_.now = all_["clock"].integer(0);
        head_.ticks = static_cast<std::uint64_t>(all_["ticks"].integer(0));
        head_.block_size = shape_.block_size;
        head_.context_size = shape_.context_size;
        head_.context_form = shape_.context.form;
        make_places();
        all_.each_item("agents", [&](const document_part& each) { read_agent(each); });
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
    void make_places() {
        std::size_t count = herd_.capacity();
        if (shape_.keeps_contexts) {
            count = all_["agents"].items() + (all_.has("free") ? all_["free"].items() : 0);
            head_.untouched = count;
        }
        places_.resize(count);
    }
    place& place_of(const document_part& from, std::int64_t parity) {
        const auto number = static_cast<std::uint64_t>(from["place"].integer(0));
        if (number >= places_.size()) from["place"].refuse(fmt::format("the crowd has {} places", places_.size()));
        auto& found = places_[number];
        const auto generation = from["generation"].integer(0);
        if (generation > 0xffff'ffff || generation % 2 != parity) from["generation"].refuse("a handle of this place cannot have this generation");
        if (std::exchange(found.is_named, true)) from["place"].refuse("this place appears twice");
        found.generation = static_cast<std::uint32_t>(generation);
        return found;
    }
    void read_agent(const document_part& from) {
        from.only({"place", "generation", "decide_every", "machine", "context"});
        auto& p = place_of(from, 1);
        if (from.has("decide_every")) {
            const auto rate = from["decide_every"].integer(1);
            if (rate > 0xffff) from["decide_every"].refuse("the maximum is 65535");
            p.rate = static_cast<std::uint16_t>(rate);
        }
        p.image = put_together(core_, understand(core_, from["machine"].value(), head_.now, changed_));
        check_image(core_, shape_.machine, p.image);
        if (shape_.context.form != value_shape::nothing) p.context = context_of(from);
    }
    value_bytes context_of(const document_part& from) {
        const auto path = from.path() + "/context";
        if (!from.has("context")) {
            changed_.add(code::changed_chart, from.value().place, path, "the document has none: it is default-constructed");
            return default_context();
        }
        const auto part = from["context"];
        std::vector<misfit> notes;
        try {
            auto made = tree_to_value(shape_.context, nullptr, part.value(), notes);
            for (const auto& each : notes) changed_.add(code::changed_chart, each.place, path + '/' + each.path, each.problem);
            return made;
        } catch (const misfit& wrong) {
            datum at;
            at.place = wrong.place;
            refuse_document(at, wrong.path.empty() ? path : path + '/' + wrong.path, wrong.problem);
        }
    }
    value_bytes default_context() const {
        if (!shape_.context.codec) return value_bytes(shape_.context.size);
        std::vector<misfit> all_of_it;
        return tree_to_value(shape_.context, nullptr, datum::empty_object(), all_of_it);
    }
    void read_free() {
        all_.each_item("free", [&](const document_part& each) {
            each.only({"place", "generation"});
            place_of(each, 0);
            if (shape_.keeps_contexts) free_.push_back(static_cast<std::uint32_t>(each["place"].integer()));
        });
    }
    void read_mail() {
        all_.each_item("mailbox", [&](const document_part& each) {
            each.only({"place", "generation", "event", "value"});
            const auto number = each["place"].integer(0), generation = each["generation"].integer(0);
            if (number > 0xffff'ffff || generation > 0xffff'ffff) each.refuse("this handle does not exist");
            if (auto found = understand_event(core_, each, changed_))
                mail_.push_back({std::move(*found), static_cast<std::uint64_t>(number) | static_cast<std::uint64_t>(generation) << 32});
        });
    }

    template <class T> void put(const T& value) {
        static_assert(has_no_padding<T>);
        put_bytes({reinterpret_cast<const std::byte*>(&value), sizeof value});
    }
    void put_bytes(std::span<const std::byte> bytes) { made_.insert(made_.end(), bytes.begin(), bytes.end()); }
    void put_value(const value_shape& shape, const value_bytes& value) {
        if (shape.form == value_shape::fields) put(std::uint64_t(value.size()));
        put_bytes(value);
    }

    std::vector<std::byte> write() {
        head_.pages = static_cast<std::uint32_t>((places_.size() + page_agents - 1) / page_agents);
        head_.free = static_cast<std::uint32_t>(free_.size());
        head_.mailed = static_cast<std::uint32_t>(mail_.size());
        put(head_);
        for (std::size_t first = 0; first < places_.size(); first += page_agents)
            write_page(std::span(places_).subspan(first, std::min<std::size_t>(page_agents, places_.size() - first)));
        if (shape_.context.form == value_shape::fields)
            for (const auto& p : places_)
                if (!p.image.empty()) put_value(shape_.context, p.context);
        put_bytes(std::as_bytes(std::span(free_)));
        for (const auto& m : mail_) {
            put(crowd_mail_part{m.what.what, 0, 0, m.to});
            if (m.what.what.has_payload) put_value(shape_of_column(core_, shape_.machine, m.what.what.column), m.what.payload);
        }
        head_.size = made_.size();
        std::memcpy(made_.data(), &head_, sizeof head_);
        return std::move(made_);
    }
    void write_page(std::span<const place> page) {
        const auto used = static_cast<std::uint32_t>(page.size());
        const auto alive = static_cast<std::uint32_t>(std::ranges::count_if(page, [](const place& p) { return !p.image.empty(); }));
        const bool has_rates = std::ranges::any_of(page, [](const place& p) { return p.rate > 0; });
        put(crowd_page_head{used, alive, alive, has_rates});
        for (const auto& p : page) {
            const auto row = static_cast<std::uint16_t>(p.image.empty() ? crowd_.none() : crowd_.parked());
            const auto narrow = static_cast<std::uint8_t>(row);
            if (crowd_.row_size == 1)
                put(narrow);
            else
                put(row);
        }
        for (const auto& p : page) put(p.generation);
        if (shape_.has_columns) made_.resize(made_.size() + used * (crowd_.bit_size + shape_.block_size));
        if (shape_.context.form == value_shape::bytes)
            for (const auto& p : page) {
                const auto begin = made_.size();
                put_bytes(p.context);
                made_.resize(begin + shape_.context_size);
            }
        for (const auto& p : page)
            if (has_rates) put(p.rate > 0 ? p.rate : crowd_.options.decide_every);
        for (std::uint32_t slot = 0; slot < used; ++slot) {
            if (page[slot].image.empty()) continue;
            put(crowd_agent_head{slot, static_cast<std::uint32_t>(page[slot].image.size())});
            put_bytes(page[slot].image);
        }
    }

    const crowd_access& herd_;
    const crowd_shape& crowd_;
    const chart_core& core_;
    const crowd_image_shape& shape_;
    const document_part& all_;
    changes& changed_;
    crowd_image_head head_;
    std::vector<place> places_;
    std::vector<std::uint32_t> free_;
    struct letter {
        snapshot::queued_event what;
        std::uint64_t to;
    };
    std::vector<letter> mail_;
    std::vector<std::byte> made_;
};

} // namespace

std::string save_crowd_document(const crowd_base& herd, const saved_context& kind) {
    const crowd_access all(crowd_access::core_of(herd));
    if (all.is_busy()) return {};
    const crowd_image_shape shape(all, kind);
    const auto& core = all.core.shape().core;
    require_known_crowd(core, shape, saving::document);
    require_saveable_context(core, shape.context, or_own_contexts);
    auto d = begin_document("crowd");
    d.add("chart", datum::of(core.root->name()));
    d.add("fingerprint", datum::of(shape_of(core).chart.to_string()));
    d.add("clock", datum::of(all.now()));
    d.add("ticks", datum::of(all.ticks()));
    d.add("agents", describe_agents(all, shape));
    if (auto free = describe_free(all); !free.items.empty()) d.add("free", std::move(free));
    if (auto mail = describe_mail(all, shape); !mail.items.empty()) d.add("mailbox", std::move(mail));
    return write_json(d);
}

restored restore_crowd_document(crowd_base& herd, const saved_context& kind, std::string_view text, const document_options& how) {
    auto& core = crowd_access::core_of(herd);
    const crowd_access all(core);
    if (all.is_busy()) return {result::busy, {}};
    const crowd_image_shape shape(all, kind);
    require_known_crowd(core.shape().core, shape, saving::document);
    require_saveable_context(core.shape().core, shape.context, or_own_contexts);
    const auto d = read_json(text, how.most_bytes, how.most_depth);
    const document_part from(d, "");
    check_envelope(from, "crowd", {"chart", "fingerprint", "clock", "ticks", "agents", "free", "mailbox"});
    changes changed;
    const auto image = crowd_document_reader(all, shape, from, changed).run();
    if (how.strict && !changed.notes.empty()) throw save_error(std::move(changed.notes));
    const auto outcome = restore_core(core, kind, image);
    return {outcome, std::move(changed.notes)};
}

} // namespace hsm::detail
