// Records the calls of a crowd. crowd_calls.cpp repeats them.

#include <hsm/replay/detail/logged_container.hpp>

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/save/detail/crowd_format.hpp>

#include <algorithm>
#include <list>

namespace hsm::detail {

namespace {

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
            const auto event = chart().event_at(chart().column_events[e.column], e.has_payload ? payload : &any_named_event);
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
    void make(const log_call& what, std::uint64_t call) override { make_crowd_call(*core_, layout(), what, call); }

private:
    // Of the present chart: a reload changes it.
    const chart_core& chart() const { return core_->layout().core; }
    crowd_image_layout layout() const { return {crowd_access(*core_), kind_}; }

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

    const crowd_with_handles object_;
    const saved_context kind_;
    crowd_base& crowd_;
    std::list<loaded_agent> loaded_;
};

} // namespace

std::unique_ptr<logged> logged_crowd(crowd_base& crowd, const saved_context& kind) { return std::make_unique<crowd_in_log>(crowd, kind); }

} // namespace hsm::detail
