// Records the calls of a crowd. crowd_calls.cpp repeats them.

#include <hsm/replay/detail/logged.hpp>

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/replay/detail/crowd_calls.hpp>
#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/replay/detail/savable_machine.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/error.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/crowd_reader.hpp>
#include <hsm/save/detail/image_checker.hpp>

#include <algorithm>
#include <list>

namespace hsm::detail {

namespace {

class crowd_in_log final : public logged, private crowd_inputs {
public:
    crowd_in_log(crowd_base& crowd, const savable_machine& images, const saved_context& kind)
        : core_(&crowd_access::core_of(crowd)), images_(images), kind_(kind), crowd_(crowd), chart_(core_->layout().core),
          layout_(crowd_access(*core_), kind) {
        layout_.require_saveable(crowd_access(*core_));
    }
    ~crowd_in_log() override {
        if (core_ && sink_) core_->inputs = nullptr;
    }

    log_machine made_as() const override { return {.chart = layout_.machine.chart, .layout = layout_.machine.layout, .kind = log_machine::crowd}; }
    const chart_core* core() const override { return &chart(); }
    std::string path() const override { return chart().root->path(); }
    void require_hash() const override { require_known_crowd(chart(), layout_, saving::hash); }

    bool is_busy() const override { return crowd_access(*core_).is_busy(); }
    /// Writes an image, and the issued handles that the image does not contain.
    std::size_t save(std::span<std::byte> to) const override {
        const auto size = images_.save(images_.self, to);
        image_writer out(to);
        out.skip(size);
        const auto put_issued = [&](std::uint32_t place, std::uint32_t generation) {
            out.put(place);
            out.put(generation);
        };
        each_issued(put_issued);
        return out.size();
    }
    void restore(std::span<const std::byte> from) override {
        auto issued = from.subspan(image_of(from).size());
        if (issued.size() % 8 != 0)
            refuse_image(chart_, code::broken_image, "the handles of the crowd are broken", "replay a log that input_log wrote");
        restore_core(*core_, kind_, image_of(from), later_handles::are_forgotten);
        image_reader in(issued);
        const crowd_access crowd(*core_);
        while (in.left() > 0) {
            const auto place = in.take<std::uint32_t>(), generation = in.take<std::uint32_t>();
            if (place / page_agents >= crowd.pages().size()) continue; // no agents there
            auto& all = crowd.pages()[place / page_agents]->issued();
            if (!all) all = std::make_unique<page::issued_generations>();
            (*all)[place % page_agents] = generation;
        }
    }
    std::uint64_t hash(std::span<const std::byte>) const override { return hash_of_crowd(crowd_, kind_); }
    std::vector<field_difference> difference(std::span<const std::byte> a, std::span<const std::byte> b) const override {
        return images_.difference(images_.self, image_of(a), image_of(b));
    }

    void listen(call_sink& to, std::uint32_t number) override {
        if (core_->inputs) throw usage_error({code::bad_option, path(), "another log records this crowd", "use one log at a time"});
        core_->inputs = this;
        sink_ = &to;
        number_ = number;
    }
    void take_mail() override {
        auto* const mail = core_ ? crowd_access(*core_).mail() : nullptr;
        if (!mail) return;
        mail->gather();
        if (!sink_) return;
        mail->each_unreported([&](const queued_entry& e, const void* payload, std::uint64_t to) {
            const auto event = chart().event_at(chart().column_events[e.column], e.has_payload ? payload : &any_named_event);
            sink_->log_or_store_state([&] {
                begin(crowd_call::mailed);
                put(static_cast<std::uint32_t>(to));
                put(to >> 32);
                put_event(event);
                sink_->log_arrival(number_, {.code = log_other, .bytes = operands_});
            });
        });
    }

    void make(const log_call& what, std::uint64_t call) override { make_crowd_call(*core_, layout_, what, call); }

private:
    const chart_core& chart() const { return chart_; }

    static std::span<const std::byte> image_of(std::span<const std::byte> saved) {
        crowd_image_head head;
        if (saved.size() < sizeof head) return saved;
        std::memcpy(&head, saved.data(), sizeof head);
        return saved.first(static_cast<std::size_t>(std::min<std::uint64_t>(head.size, saved.size())));
    }
    /// Calls visit(place, generation) for places that were reset to an earlier generation, and for places after all used ones.
    template <class Visit> void each_issued(const Visit& visit) const {
        for (const auto& p : crowd_access(*core_).pages()) {
            if (!p->issued() && p->used == page_agents) continue;
            for (std::uint32_t slot = 0; slot < page_agents; ++slot) {
                const auto known = slot < p->used ? p->generation(slot) : 0;
                const auto last = std::max(slot < p->used ? 0 : p->generation(slot), p->issued() ? (*p->issued())[slot] : 0);
                if (last > known) visit(p->first + slot, last);
            }
        }
    }

    // Recording.

    void crowd_gone() noexcept override { core_ = nullptr; }
    bool begins() override {
        if (sink_->is_in_call()) return false;
        sink_->prepare();
        sink_->begin_call();
        records_ = true;
        return true;
    }
    void ends() noexcept override {
        records_ = false;
        sink_->end_call();
    }

    void call_failed() noexcept override { sink_->call_failed(); }

    void begin(crowd_call what) {
        operands_.clear();
        put(static_cast<std::uint64_t>(what));
    }
    void put(std::uint64_t number) { put_number(operands_, number); }
    void put(agent_id id) {
        put(id.index);
        put(id.generation);
    }
    void put(std::span<const agent_id> ids) {
        put(ids.size());
        for (const auto id : ids) put(id);
    }
    void put_event(const event_ref& event) {
        put(encode_event(chart(), event, payload_));
        put_bytes(operands_, payload_.data(), payload_.size());
    }
    void note() { sink_->note(number_, {.code = log_other, .bytes = operands_}); }

    void frame(input_kind what, std::int64_t elapsed) override {
        sink_->note(number_, {.code = static_cast<std::uint8_t>(what), .number = static_cast<std::uint64_t>(elapsed)});
    }
    void add(std::uint32_t position) override {
        begin(crowd_call::add);
        put(position);
        image_writer counting({});
        const auto* const context = core_->context(position);
        counting.put_value(layout_.context, context);
        const auto at = operands_.size();
        operands_.resize(at + counting.size());
        image_writer(std::span(operands_).subspan(at)).put_value(layout_.context, context);
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
    void give(const event_ref& event, bool is_posted, const state_key* state) override {
        begin(state ? crowd_call::give_state : crowd_call::give_all);
        put(is_posted);
        if (state) put(core_->number_of(*state));
        put_event(event);
        note();
    }
    void give(const event_ref& event, bool is_posted, std::span<const agent_id> ids) override {
        begin(crowd_call::give_list);
        put(is_posted);
        put(ids);
        put_event(event);
        note();
    }
    void jump() noexcept override { sink_->store_state(); }
    std::size_t arrived(mailbox_queue& mail) override { return records_ ? mail.reported() : mail.gather(); }

    /// Observes an agent for one call, or for several calls in progress.
    struct loaded_agent final : observer {
        loaded_agent(crowd_in_log& log, agent_id which) : of(log), id(which) {}
        bool wants_inputs() const override { return true; }
        void on_input(const input& what, const moment&) override { of.log_input(id, what); }
        void on_record(const record& r, const moment&) override {
            if (r.kind == record_kind::call) of.sink_->begin_call();
            if (r.kind == record_kind::call_end) of.sink_->end_call();
            if (r.kind == record_kind::error) of.sink_->call_failed();
            if (r.kind != record_kind::configuration) return;
            const auto why = static_cast<configuration_reason>(r.what);
            if (why == configuration_reason::restored || why == configuration_reason::take_over) of.sink_->store_state();
        }

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
            added.attached = crowd_.attach(id, added, record_kind::call | record_kind::call_end | record_kind::configuration | record_kind::error);
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
            const auto call = call_of(chart(), what, payload_);
            begin(crowd_call::agent);
            put(id);
            auto elapsed = no_elapsed;
            put_call(operands_, call, elapsed, false);
            note();
        });
    }

    crowd_core* core_; ///< null: the crowd was destroyed
    const savable_machine images_;
    const saved_context kind_;
    crowd_base& crowd_;
    const chart_core& chart_;
    const crowd_image_layout layout_;
    call_sink* sink_ = nullptr;
    std::uint32_t number_ = 0;
    std::vector<std::byte> operands_, payload_;
    std::list<loaded_agent> loaded_;
    bool records_ = false; ///< the call in progress is recorded
};

} // namespace

std::unique_ptr<logged> logged_crowd(crowd_base& crowd, const savable_machine& images, const saved_context& kind) {
    return std::make_unique<crowd_in_log>(crowd, images, kind);
}

} // namespace hsm::detail
