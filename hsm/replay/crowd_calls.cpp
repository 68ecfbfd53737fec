// Repeats the calls of a crowd in a log.

#include <hsm/replay/detail/machine_calls.hpp>

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/crowd_format.hpp>
#include <hsm/save/detail/image_checker.hpp>

#include <algorithm>
#include <iterator>

namespace hsm::detail {

namespace {

class crowd_call_maker {
public:
    crowd_call_maker(crowd_core& crowd, const crowd_image_layout& layout) : core_(crowd), layout_(layout) {}

    void make(const log_call& what, std::uint64_t call) {
        const auto run = [&](agent_slot::phase phase) { core_.run(static_cast<std::int64_t>(what.number), phase, nullptr); };
        switch (what.code) {
        case static_cast<int>(input_kind::tick): return pass_over([&] { run(agent_slot::phase::both); });
        case static_cast<int>(input_kind::update): return pass_over([&] { run(agent_slot::phase::hooks); });
        case static_cast<int>(input_kind::decide): return pass_over([&] { run(agent_slot::phase::decisions); });
        case log_other: return make_other(what.bytes, call);
        default: refuse_call(call, "is not a call of a crowd");
        }
    }

private:
    const chart_core& chart() const { return core_.layout().core; }

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
            return make_complete(from, call, [&] { core_.remove(id); });
        }
        case crowd_call::clear: return make_complete(from, call, [&] { core_.clear(); });
        case crowd_call::change: return make_change(from, call);
        case crowd_call::change_all: {
            const auto condition = take_condition(from, call);
            const bool on = from.number() != 0;
            return make_complete(from, call, [&] { core_.change_all(condition, on); });
        }
        case crowd_call::set_rate: {
            const auto id = take_handle(from);
            const auto ticks = static_cast<std::uint16_t>(from.number());
            return make_complete(from, call, [&] {
                if (core_.has(id)) core_.set_rate(id, ticks);
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
            if (auto* const mail = crowd_access(core_).mail()) mail->put_recorded(event.event(), id.index | std::uint64_t(id.generation) << 32);
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
        const auto value = take_value(from, layout_.context, call);
        const auto place = claim(position, call);
        if (layout_.owns_contexts) make_context(place, value, call);
        pass_over([&] { core_.add(place, nullptr); });
    }
    /// Takes the given place. In a state from a keyframe it can be anywhere in the free list.
    std::uint32_t claim(std::uint64_t position, std::uint64_t call) const {
        const crowd_access crowd(core_);
        if (position >= (layout_.owns_contexts ? crowd.untouched() + 1 : crowd.capacity()))
            refuse_call(call, "adds an agent at a place that does not exist");
        const auto place = static_cast<std::uint32_t>(position);
        crowd.make_page(place / page_agents);
        if (crowd.pages()[place / page_agents]->has_agent(place % page_agents)) refuse_call(call, "adds an agent at a place that already has one");
        if (!layout_.owns_contexts) return place;
        if (position == crowd.untouched()) ++crowd.untouched();
        auto& free = crowd.free_positions();
        if (const auto found = std::find(free.rbegin(), free.rend(), place); found != free.rend()) free.erase(std::next(found).base());
        return place;
    }
    void make_context(std::uint32_t place, std::span<const std::byte> value, std::uint64_t call) const {
        auto* const context = core_.context(place);
        try {
            if (layout_.context.form == value_layout::bytes) std::memcpy(context, value.data(), value.size());
            if (layout_.context.form == value_layout::fields) built_value(layout_.context, nullptr, value).move_to(context);
        } catch (const broken_bytes& e) {
            core_.give_back(place);
            refuse_call(call, std::string("has an invalid context: ") + e.what());
        } catch (...) {
            core_.give_back(place);
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
                if (core_.has(id)) core_.change(id, condition, static_cast<condition_change>(to));
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
                core_.give(event.event(), is_posted, ids);
            else
                core_.give(event.event(), is_posted, whom == crowd_call::give_state ? &key : nullptr);
        });
    }
    void make_agent_call(call_operands& from, std::uint64_t call) {
        const auto id = take_handle(from);
        const auto what = take_machine_call(from, call);
        if (!core_.has(id)) return;
        auto& s = core_.load(id);
        try {
            make_machine_call(instance_access::engine_of(s.machine()), what, call);
        } catch (...) {
            core_.store(s);
            throw;
        }
        pass_over([&] { core_.store(s); });
    }

    crowd_core& core_;
    const crowd_image_layout& layout_;
};

} // namespace

void make_crowd_call(crowd_core& crowd, const crowd_image_layout& layout, const log_call& what, std::uint64_t call) {
    crowd_call_maker(crowd, layout).make(what, call);
}

} // namespace hsm::detail
