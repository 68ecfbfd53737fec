// Calls to a crowd, as a log holds them. Frames are ticks, decides and updates as those of a machine; everything else is the bytes of log_other: a
// number that says what, and its operands. Handles are a place and a generation; lists stand behind their length.

#include <hsm/replay/detail/logged.hpp>

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/replay/detail/kept_machine.hpp>
#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/error.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/check_image.hpp>
#include <hsm/save/detail/crowd_reader.hpp>
#include <hsm/save/detail/image_checker.hpp>

#include <algorithm>
#include <list>

namespace hsm::detail {

namespace {

enum class crowd_call : std::uint64_t { add, remove, clear, change, change_all, set_rate, give_all, give_state, give_list, mailed, agent };

constexpr std::uint64_t no_elapsed = ~std::uint64_t(0); ///< calls of one agent stand by themselves

class crowd_in_log final : public logged, private crowd_inputs {
public:
    crowd_in_log(crowd_base& herd, const kept_machine& images, const saved_context& kind)
        : core_(&crowd_access::core_of(herd)), images_(images), kind_(kind), herd_(herd), chart_(core_->shape().core),
          shape_(crowd_access(*core_), kind) {
        shape_.require_saveable(crowd_access(*core_));
    }
    ~crowd_in_log() override {
        if (core_ && sink_) core_->inputs = nullptr;
    }

    log_machine made_as() const override { return {.chart = shape_.machine.chart, .layout = shape_.machine.layout, .kind = log_machine::crowd}; }
    const chart_core* core() const override { return &chart(); }
    std::string path() const override { return chart().root->path(); }
    void require_hash() const override { require_known_crowd(chart(), shape_); }

    bool is_busy() const override { return crowd_access(*core_).is_busy(); }
    /// An image; and what handles have been given out of which it says nothing.
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
            refuse_image(chart_, code::broken_image, "the handles of the crowd are broken", "replay what input_log has written");
        restore_core(*core_, kind_, image_of(from), later_handles::are_forgotten);
        image_reader in(issued);
        const crowd_access herd(*core_);
        while (in.left() > 0) {
            const auto place = in.take<std::uint32_t>(), generation = in.take<std::uint32_t>();
            if (place / page_agents >= herd.pages().size()) continue; // nobody is there
            auto& all = herd.pages()[place / page_agents]->issued();
            if (!all) all = std::make_unique<page::issued_generations>();
            (*all)[place % page_agents] = generation;
        }
    }
    std::uint64_t hash(std::span<const std::byte>) const override { return hash_of_crowd(herd_, kind_); }
    std::vector<field_difference> difference(std::span<const std::byte> a, std::span<const std::byte> b) const override {
        return images_.difference(images_.self, image_of(a), image_of(b));
    }

    void listen(call_sink& to, std::uint32_t number) override {
        if (core_->inputs)
            throw usage_error({code::bad_option, path(), "another log notes what comes into this crowd", "one log at a time, for several machines"});
        core_->inputs = this;
        sink_ = &to;
        number_ = number;
    }
    void note_mail() override {
        auto* const mail = core_ ? crowd_access(*core_).mail() : nullptr;
        if (!mail) return;
        mail->gather();
        mail->each_unnoted([&](const queued_entry& e, const void* payload, std::uint64_t to) {
            const auto event = chart().event_at(chart().column_events[e.column], e.has_payload ? payload : &any_named_event);
            begin(crowd_call::mailed);
            put(static_cast<std::uint32_t>(to));
            put(to >> 32);
            put_event(event);
            sink_->note_arrival(number_, {.code = log_other, .bytes = operands_});
        });
    }

    void make(const log_call& what, std::uint64_t call) override {
        const auto run = [&](agent_slot::phase phase) { core_->run(static_cast<std::int64_t>(what.number), phase, nullptr); };
        switch (what.code) {
        case static_cast<int>(input_kind::tick): return pass_over([&] { run(agent_slot::phase::both); });
        case static_cast<int>(input_kind::update): return pass_over([&] { run(agent_slot::phase::hooks); });
        case static_cast<int>(input_kind::decide): return pass_over([&] { run(agent_slot::phase::decisions); });
        case log_other: return make_other(what.bytes, call);
        default: refuse_call(call, "is none that a crowd has");
        }
    }

private:
    const chart_core& chart() const { return chart_; }

    static std::span<const std::byte> image_of(std::span<const std::byte> saved) {
        crowd_image_head head;
        if (saved.size() < sizeof head) return saved;
        std::memcpy(&head, saved.data(), sizeof head);
        return saved.first(static_cast<std::size_t>(std::min<std::uint64_t>(head.size, saved.size())));
    }
    /// visit(place, generation): of places that have gone back, and of those behind all that are used.
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

    // Noting.

    void crowd_gone() noexcept override { core_ = nullptr; }
    bool begins() override {
        if (sink_->is_in_call()) return false;
        sink_->prepare();
        sink_->begin_call();
        return true;
    }
    void ends() noexcept override { sink_->end_call(); }

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
        put(note_event(chart(), event, payload_));
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
        counting.put_value(shape_.context, context);
        const auto at = operands_.size();
        operands_.resize(at + counting.size());
        image_writer(std::span(operands_).subspan(at)).put_value(shape_.context, context);
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
    void jump() noexcept override { sink_->note_jump(); }

    /// Observed for one call, or several at a time.
    struct loaded_agent final : observer {
        loaded_agent(crowd_in_log& log, agent_id which) : of(log), id(which) {}
        bool wants_inputs() const override { return true; }
        void on_input(const input& what, const moment&) override { of.note_call(id, what); }
        void on_record(const record& r, const moment&) override {
            if (r.kind == record_kind::call) of.sink_->begin_call();
            if (r.kind == record_kind::call_end) of.sink_->end_call();
            if (r.kind != record_kind::configuration) return;
            const auto why = static_cast<configuration_reason>(r.what);
            if (why == configuration_reason::restored || why == configuration_reason::take_over) of.sink_->note_jump();
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
            added.attached = herd_.attach(id, added, record_kind::call | record_kind::call_end | record_kind::configuration);
        } catch (...) {
            loaded_.pop_back();
            throw;
        }
    }
    void store(std::uint32_t position) noexcept override {
        if (sink_->is_in_call()) return;
        loaded_.remove_if([&](loaded_agent& each) { return each.id.index == position && --each.times == 0; });
    }
    void note_call(agent_id id, const input& what) {
        if (sink_->is_in_call()) return;
        const auto call = call_of(chart(), what, payload_);
        begin(crowd_call::agent);
        put(id);
        auto elapsed = no_elapsed;
        put_call(operands_, call, elapsed, false);
        note();
    }

    // Making.

    static agent_id take_handle(call_operands& from) {
        const auto index = from.number(), generation = from.number();
        return {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(generation)};
    }
    std::vector<agent_id> take_handles(call_operands& from) const {
        std::vector<agent_id> ids;
        for (auto count = from.number(); count > 0 && !from.is_broken(); --count) ids.push_back(take_handle(from));
        return ids;
    }
    [[noreturn]] static void broken(std::uint64_t call) { refuse_call(call, "is broken"); }

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
            const noted_event event(chart(), call, column, from.rest());
            if (from.is_broken()) broken(call);
            if (auto* const mail = crowd_access(*core_).mail()) mail->put(event.event(), id.index | std::uint64_t(id.generation) << 32);
            return;
        }
        case crowd_call::agent: return make_agent_call(from, call);
        default: broken(call);
        }
    }
    template <class Call> void make_complete(const call_operands& from, std::uint64_t call, const Call& make_it) {
        if (!from.is_complete()) broken(call);
        pass_over(make_it);
    }
    std::uint32_t take_condition(call_operands& from, std::uint64_t call) const {
        const auto condition = from.number();
        if (condition == 0 || condition >= chart().conditions.size()) refuse_call(call, "names a condition that there is not");
        return static_cast<std::uint32_t>(condition);
    }

    void make_add(call_operands& from, std::uint64_t call) {
        const auto position = from.number();
        image_reader in(from.rest());
        const auto value = in.take_value(shape_.context);
        if (from.is_broken() || in.ends_early() || in.left() > 0) broken(call);
        const auto place = claim(position, call);
        if (shape_.keeps_contexts) make_context(place, value, call);
        pass_over([&] { core_->add(place, nullptr); });
    }
    /// That very place. A keyframe may have been kept when it was nobody's any more.
    std::uint32_t claim(std::uint64_t position, std::uint64_t call) const {
        const crowd_access herd(*core_);
        if (position >= (shape_.keeps_contexts ? herd.untouched() + 1 : herd.capacity()))
            refuse_call(call, "adds an agent for whom there is no place");
        const auto place = static_cast<std::uint32_t>(position);
        herd.make_page(place / page_agents);
        if (herd.pages()[place / page_agents]->has_agent(place % page_agents)) refuse_call(call, "adds an agent where there is one");
        if (!shape_.keeps_contexts) return place;
        if (position == herd.untouched()) ++herd.untouched();
        auto& free = herd.free_places();
        if (const auto found = std::find(free.rbegin(), free.rend(), place); found != free.rend()) free.erase(std::next(found).base());
        return place;
    }
    void make_context(std::uint32_t place, std::span<const std::byte> value, std::uint64_t call) const {
        auto* const context = core_->context(place);
        try {
            if (shape_.context.form == value_shape::bytes) std::memcpy(context, value.data(), value.size());
            if (shape_.context.form == value_shape::fields) built_value(shape_.context, nullptr, value).move_to(context);
        } catch (const broken_bytes& e) {
            core_->give_back(place);
            refuse_call(call, std::string("has a context that is broken: ") + e.what());
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
        const noted_event event(chart(), call, column, from.rest());
        if (from.is_broken()) broken(call);
        if (state >= chart().states.size()) refuse_call(call, "names a state that there is not");
        const state_key key(*chart().states[static_cast<index>(state)].node);
        pass_over([&] {
            if (whom == crowd_call::give_list)
                core_->give(event.event(), is_posted, ids);
            else
                core_->give(event.event(), is_posted, whom == crowd_call::give_state ? &key : nullptr);
        });
    }
    void make_agent_call(call_operands& from, std::uint64_t call) {
        const auto id = take_handle(from);
        log_call what;
        call_reader inner(from.rest(), 0, no_elapsed, false);
        log_call behind;
        if (from.is_broken() || !inner.next(what) || inner.next(behind) || what.code >= input_kind_count) broken(call);
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

    crowd_core* core_; ///< null: it is gone
    const kept_machine images_;
    const saved_context kind_;
    crowd_base& herd_;
    const chart_core& chart_;
    const crowd_image_shape shape_;
    call_sink* sink_ = nullptr;
    std::uint32_t number_ = 0;
    std::vector<std::byte> operands_, payload_;
    std::list<loaded_agent> loaded_;
};

} // namespace

std::unique_ptr<logged> logged_crowd(crowd_base& herd, const kept_machine& images, const saved_context& kind) {
    return std::make_unique<crowd_in_log>(herd, images, kind);
}

} // namespace hsm::detail
