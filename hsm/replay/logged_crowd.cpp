// The calls of a crowd in a log. Frames are ticks, decides and updates, as for a machine. Its other calls are the bytes of log_other: the number of
// the crowd_call and its operands. A handle is a place and a generation; lists are preceded by their length.

#include <hsm/replay/detail/logged_container.hpp>

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/crowd_format.hpp>
#include <hsm/save/detail/image_checker.hpp>

#include <algorithm>
#include <iterator>
#include <list>

namespace hsm::detail {

namespace {

enum class crowd_call : std::uint64_t { add, remove, clear, change, change_all, set_rate, give_all, give_state, give_list, mailed, agent };

/// A crowd whose image is followed by the issued handles that the image does not contain.
class crowd_with_handles final : public savable_crowd {
public:
    using savable_crowd::savable_crowd;

    std::size_t save(std::span<std::byte> to, bool checksum) const override {
        image_writer out(to);
        out.skip(savable_crowd::save(to, checksum));
        each_issued([&](std::uint32_t place, std::uint32_t generation) {
            out.put(place);
            out.put(generation);
        });
        return out.size();
    }
    void restore(std::span<const std::byte> from) const override {
        const auto issued = from.subspan(image_of(from).size());
        if (issued.size() % 8 != 0)
            refuse_image(crowd_.layout().core, code::broken_image, "the handles of the crowd are broken", "replay a log that input_log wrote");
        restore_core(crowd_, kind_, image_of(from), later_handles::are_forgotten);
        image_reader in(issued);
        const crowd_access crowd(crowd_);
        while (in.left() > 0) {
            const auto place = in.take<std::uint32_t>(), generation = in.take<std::uint32_t>();
            if (place / page_agents >= crowd.pages().size()) continue; // no agents there
            auto& all = crowd.pages()[place / page_agents]->issued();
            if (!all) all = std::make_unique<page::issued_generations>();
            (*all)[place % page_agents] = generation;
        }
    }
    std::vector<field_difference> difference(std::span<const std::byte> a, std::span<const std::byte> b) const override {
        return savable_crowd::difference(image_of(a), image_of(b));
    }

private:
    static std::span<const std::byte> image_of(std::span<const std::byte> saved) {
        if (saved.size() < sizeof(crowd_image_head)) return saved;
        return saved.first(static_cast<std::size_t>(std::min<std::uint64_t>(head_of_image<crowd_image_head>(saved).size, saved.size())));
    }
    /// Calls visit(place, generation) for places that were reset to an earlier generation, and for places after all used ones.
    template <class Visit> void each_issued(const Visit& visit) const {
        for (const auto& p : crowd_access(crowd_).pages()) {
            if (!p->issued() && p->used == page_agents) continue;
            for (std::uint32_t slot = 0; slot < page_agents; ++slot) {
                const auto known = slot < p->used ? p->generation(slot) : 0;
                const auto last = std::max(slot < p->used ? 0 : p->generation(slot), p->issued() ? (*p->issued())[slot] : 0);
                if (last > known) visit(p->first + slot, last);
            }
        }
    }
};

class crowd_in_log final : public logged_container<crowd_core, crowd_inputs> {
public:
    crowd_in_log(crowd_base& crowd, const saved_context& kind)
        : logged_container(crowd_access::core_of(crowd)), object_(crowd, kind), kind_(kind), crowd_(crowd) {
        layout().require_saveable(crowd_access(*core_));
    }
    ~crowd_in_log() override { stop_listening(); }

    log_machine made_as() const override { return {.chart = layout().machine.chart, .layout = layout().machine.layout, .kind = log_machine::crowd}; }
    const chart_core* core() const override { return &chart(); }
    void require_hash() const override { require_known_crowd(chart(), layout(), saving::hash); }
    const savable& object() const override { return object_; }
    std::uint64_t hash(std::span<const std::byte>) const override { return hash_of_crowd(crowd_, kind_); }

    void listen(call_sink& to, std::uint32_t number) override { listen_to("crowd", to, number); }
    void take_mail() override {
        auto* const mail = core_ ? crowd_access(*core_).mail() : nullptr;
        if (!mail) return;
        mail->gather();
        if (!sink_) return;
        mail->each_unreported([&](const queued_entry& e, const void* payload, std::uint64_t to) {
            const auto event = chart().event_at(chart().column_events[e.column], e.object(payload));
            sink_->log_or_store_state([&] {
                begin(crowd_call::mailed);
                put(to & 0xffff'ffff);
                put(to >> 32);
                put_event(chart(), event);
                log_arrival();
            });
        });
    }
    reloaded_object reloaded() const override { return {.crowd = &crowd_}; }
    void make(const log_call& what, std::uint64_t call) override {
        const auto run = [&](agent_slot::phase phase) { core_->run(static_cast<std::int64_t>(what.number), phase, nullptr); };
        switch (what.code) {
        case static_cast<int>(input_kind::tick): return pass_over([&] { run(agent_slot::phase::both); });
        case static_cast<int>(input_kind::update): return pass_over([&] { run(agent_slot::phase::hooks); });
        case static_cast<int>(input_kind::decide): return pass_over([&] { run(agent_slot::phase::decisions); });
        case log_other: return make_other(what.bytes, call);
        default: refuse_call(call, "is not a call of a crowd");
        }
    }

private:
    // Of the present chart: a reload changes it.
    const chart_core& chart() const { return core_->layout().core; }
    crowd_image_layout layout() const { return {crowd_access(*core_), kind_}; }

    // Recording.

    using logged_container::put;
    void put(agent_id id) {
        put(id.index);
        put(id.generation);
    }
    void put(std::span<const agent_id> ids) {
        put(ids.size());
        for (const auto id : ids) put(id);
    }

    void frame(input_kind what, std::int64_t elapsed) override { note_frame(what, elapsed); }
    void add(std::uint32_t position) override {
        begin(crowd_call::add);
        put(position);
        append_value(operands_, layout().context, core_->context(position));
        note();
    }
    void remove(agent_id id) override {
        begin(crowd_call::remove);
        put(id);
        note();
    }
    void clear() override {
        begin(crowd_call::clear);
        note();
    }
    void change(std::span<const agent_id> ids, std::uint32_t condition, condition_change to) override {
        begin(crowd_call::change);
        put(condition);
        put(static_cast<std::uint64_t>(to));
        put(ids);
        note();
    }
    void change_all(std::uint32_t condition, bool on) override {
        begin(crowd_call::change_all);
        put(condition);
        put(on);
        note();
    }
    void set_rate(agent_id id, std::uint16_t ticks) override {
        begin(crowd_call::set_rate);
        put(id);
        put(ticks);
        note();
    }
    void give(const event_ref& event, bool is_posted, const state_query* state) override {
        begin(state ? crowd_call::give_state : crowd_call::give_all);
        put(is_posted);
        if (state) put(core_->selected(*state));
        put_event(chart(), event);
        note();
    }
    void give(const event_ref& event, bool is_posted, std::span<const agent_id> ids) override {
        begin(crowd_call::give_list);
        put(is_posted);
        put(ids);
        put_event(chart(), event);
        note();
    }
    std::size_t arrived(mailbox_queue& mail) override { return records_ ? mail.reported() : mail.gather(); }

    /// Observes an agent for one call, or for several calls in progress.
    struct loaded_agent final : call_listener {
        loaded_agent(crowd_in_log& log, agent_id which) : of(log), id(which) { sink = log.sink_; }
        void on_input(const input& what, const moment&) override { of.log_input(id, what); }

        crowd_in_log& of;
        const agent_id id;
        int times = 1;
        attachment attached;
    };

    void load(agent_id id) override {
        if (sink_->is_in_call() || !core_->has(id)) return;
        sink_->prepare();
        for (auto& each : loaded_)
            if (each.id == id) {
                ++each.times;
                return;
            }
        auto& added = loaded_.emplace_back(*this, id);
        try {
            added.attached = crowd_.attach(id, added, call_listener::kinds);
        } catch (...) {
            loaded_.pop_back();
            throw;
        }
    }
    void store(std::uint32_t position) noexcept override {
        if (sink_->is_in_call()) return;
        loaded_.remove_if([&](loaded_agent& each) { return each.id.index == position && --each.times == 0; });
    }
    void log_input(agent_id id, const input& what) {
        if (sink_->is_in_call()) return;
        sink_->log_or_store_state([&] {
            begin(crowd_call::agent);
            put(id);
            put_machine_call(chart(), what);
            note();
        });
    }

    // Repeating.

    static agent_id take_handle(call_operands& from) {
        const auto index = from.number(), generation = from.number();
        return {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(generation)};
    }
    std::vector<agent_id> take_handles(call_operands& from) const {
        std::vector<agent_id> ids;
        for (auto count = from.number(); count > 0 && !from.is_broken(); --count) ids.push_back(take_handle(from));
        return ids;
    }

    void make_other(std::span<const std::byte> bytes, std::uint64_t call) {
        call_operands from(bytes);
        switch (static_cast<crowd_call>(from.number())) {
        case crowd_call::add: return make_add(from, call);
        case crowd_call::remove: {
            const auto id = take_handle(from);
            return make_complete(from, call, [&] { core_->remove(id); });
        }
        case crowd_call::clear: return make_complete(from, call, [&] { core_->clear(); });
        case crowd_call::change: return make_change(from, call);
        case crowd_call::change_all: {
            const auto condition = take_condition(from, call);
            const bool on = from.number() != 0;
            return make_complete(from, call, [&] { core_->change_all(condition, on); });
        }
        case crowd_call::set_rate: {
            const auto id = take_handle(from);
            const auto ticks = static_cast<std::uint16_t>(from.number());
            return make_complete(from, call, [&] {
                if (core_->has(id)) core_->set_rate(id, ticks);
            });
        }
        case crowd_call::give_all:
        case crowd_call::give_state:
        case crowd_call::give_list: return make_give(bytes, call);
        case crowd_call::mailed: {
            const auto id = take_handle(from);
            const auto column = from.number();
            const decoded_event event(chart(), call, column, from.rest());
            if (from.is_broken()) broken(call);
            if (auto* const mail = crowd_access(*core_).mail()) mail->put_recorded(event.event(), id.index | std::uint64_t(id.generation) << 32);
            return;
        }
        case crowd_call::agent: return make_agent_call(from, call);
        default: broken(call);
        }
    }
    std::uint32_t take_condition(call_operands& from, std::uint64_t call) const {
        const auto condition = from.number();
        if (condition == 0 || condition >= chart().conditions.size()) refuse_call(call, "names a condition that does not exist");
        return static_cast<std::uint32_t>(condition);
    }

    void make_add(call_operands& from, std::uint64_t call) {
        const auto position = from.number();
        const auto kept = layout();
        const auto value = take_value(from, kept.context, call);
        const auto place = claim(position, kept.owns_contexts, call);
        if (kept.owns_contexts) make_context(place, kept.context, value, call);
        pass_over([&] { core_->add(place, nullptr); });
    }
    /// Takes the given place. In a state from a keyframe it can be anywhere in the free list.
    std::uint32_t claim(std::uint64_t position, bool owns_contexts, std::uint64_t call) const {
        const crowd_access crowd(*core_);
        if (position >= (owns_contexts ? crowd.untouched() + 1 : crowd.capacity())) refuse_call(call, "adds an agent at a place that does not exist");
        const auto place = static_cast<std::uint32_t>(position);
        crowd.make_page(place / page_agents);
        if (crowd.pages()[place / page_agents]->has_agent(place % page_agents)) refuse_call(call, "adds an agent at a place that already has one");
        if (!owns_contexts) return place;
        if (position == crowd.untouched()) ++crowd.untouched();
        auto& free = crowd.free_positions();
        if (const auto found = std::find(free.rbegin(), free.rend(), place); found != free.rend()) free.erase(std::next(found).base());
        return place;
    }
    void make_context(std::uint32_t place, const value_layout& layout, std::span<const std::byte> value, std::uint64_t call) const {
        auto* const context = core_->context(place);
        try {
            if (layout.form == value_layout::bytes) std::memcpy(context, value.data(), value.size());
            if (layout.form == value_layout::fields) built_value(layout, nullptr, value).move_to(context);
        } catch (const broken_bytes& e) {
            core_->give_back(place);
            refuse_call(call, std::string("has an invalid context: ") + e.what());
        } catch (...) {
            core_->give_back(place);
            throw;
        }
    }
    void make_change(call_operands& from, std::uint64_t call) {
        const auto condition = take_condition(from, call);
        const auto to = from.number();
        const auto ids = take_handles(from);
        if (to > static_cast<std::uint64_t>(condition_change::pulse)) broken(call);
        make_complete(from, call, [&] {
            for (const auto id : ids)
                if (core_->has(id)) core_->change(id, condition, static_cast<condition_change>(to));
        });
    }
    void make_give(std::span<const std::byte> bytes, std::uint64_t call) {
        call_operands from(bytes);
        const auto whom = static_cast<crowd_call>(from.number());
        const bool is_posted = from.number() != 0;
        const auto state = whom == crowd_call::give_state ? from.number() : 0;
        const auto ids = whom == crowd_call::give_list ? take_handles(from) : std::vector<agent_id>();
        const auto column = from.number();
        const decoded_event event(chart(), call, column, from.rest());
        if (from.is_broken()) broken(call);
        const auto states = chart().states.size();
        if (state >= states + chart().tags.size()) refuse_call(call, "names a state that does not exist");
        const auto key =
            state < states ? state_query(*chart().states[static_cast<index>(state)].node) : state_query(tag(chart().tags[state - states]));
        pass_over([&] {
            if (whom == crowd_call::give_list)
                core_->give(event.event(), is_posted, ids);
            else
                core_->give(event.event(), is_posted, whom == crowd_call::give_state ? &key : nullptr);
        });
    }
    void make_agent_call(call_operands& from, std::uint64_t call) {
        const auto id = take_handle(from);
        const auto what = take_machine_call(from, call);
        if (!core_->has(id)) return;
        auto& s = core_->load(id);
        try {
            make_machine_call(instance_access::engine_of(s.machine()), what, call);
        } catch (...) {
            core_->store(s);
            throw;
        }
        pass_over([&] { core_->store(s); });
    }

    const crowd_with_handles object_;
    const saved_context kind_;
    crowd_base& crowd_;
    std::list<loaded_agent> loaded_;
};

} // namespace

std::unique_ptr<logged> logged_crowd(crowd_base& crowd, const saved_context& kind) { return std::make_unique<crowd_in_log>(crowd, kind); }

} // namespace hsm::detail
