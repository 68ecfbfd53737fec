// Executes the commands of viewers as ordinary calls.

#include <hsm/inspect/detail/lane_core.hpp>

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/crowd/detail/event_round.hpp>
#include <hsm/define/event.hpp>
#include <hsm/inspect/inspect_error.hpp>
#include <hsm/observe/explain.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/run/detail/calls.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/json_archive.hpp>
#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/save_error.hpp>

#include <algorithm>
#include <exception>
#include <new>

namespace hsm::inspect::detail {

namespace {

using hsm::detail::instance_access;

std::string_view name_of(verb v) { return verb_names[static_cast<std::size_t>(v)]; }

[[noreturn]] void refuse(const subject& s, const command& c, std::string hint) {
    throw inspect_error(code::not_offered, fmt::format("\"{}\" does not offer the command {}", s.name(), name_of(c.verb)), std::move(hint));
}

command_result outcome_of(hsm::result r) {
    command_result done;
    done.outcome = to_string(r);
    return done;
}
command_result taken() { return outcome_of(result::taken); }

command_result error_of(const finding& f) {
    command_result done;
    done.code = to_string(f.code);
    done.message = f.path.empty() ? f.problem : f.path + ": " + f.problem;
    done.hint = f.hint;
    return done;
}
command_result error_of(std::string message) {
    command_result done;
    done.message = std::move(message);
    return done;
}

/// Returns the result of call(), or its exception.
template <class Call> command_result result_or_error(Call call) {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const run_error& e) {
        return error_of(e.report());
    } catch (const save_error& e) {
        return e.findings().empty() ? error_of(e.what()) : error_of(e.findings().front());
    } catch (const std::exception& e) {
        return error_of(fmt::format("an exception was thrown: {}", e.what()));
    } catch (...) {
        return error_of("an exception was thrown");
    }
}

state_ref state_of(const chart_base& chart, const std::optional<std::uint32_t>& number) { return number ? chart.state(*number) : state_ref(); }

// Events.

event_view find_event(const chart_view& chart, std::string_view text) {
    event_view by_name;
    for (const auto e : chart.events()) {
        if (e.text() == text) return e;
        if (e.name() == text) by_name = e;
    }
    return by_name;
}

[[noreturn]] void refuse_event(std::string_view event, std::string_view problem, std::string hint) {
    throw inspect_error(code::not_offered, fmt::format("the event \"{}\" {}", event, problem), std::move(hint));
}

/// Returns the payload as logs store it.
std::vector<std::byte> payload_of(event_view event, const hsm::detail::value_layout& shape, const std::optional<std::string>& data) {
    using namespace hsm::detail;
    constexpr std::size_t most_bytes = 1u << 16, most_depth = 64; // of the data
    if (shape.form == value_layout::nothing && !data) return {};
    if (shape.form == value_layout::nothing) refuse_event(event.name(), "carries no data", "send it without data");
    if (!shape.codec && !(shape.type && (shape.type->traits & value_number)))
        refuse_event(event.name(), "carries data that cannot be created from JSON",
                     "register its serialization in the definition: hsm::serializes<...>(...)");
    try {
        std::vector<mismatch> notes;
        return json_to_payload(shape, data ? read_json(*data, most_bytes, most_depth) : default_payload(event, shape), notes);
    } catch (const mismatch& m) {
        refuse_event(event.name(), fmt::format("cannot be created: {} {}", m.path, m.problem), "correct the data");
    }
}

/// Calls call(event_ref) with the event of a command. Its text is that of event_view::text, or the name of an event. Its data is JSON. Named events
/// can have any data; other events, the data that their `serialize` reads. Throws inspect_error (HSM-405) if the event cannot be created.
template <class Call> auto with_event(const chart_base& chart, const command& c, Call call) {
    const auto event = find_event(chart.view(), c.event);
    if (event && !event.is_name()) {
        const auto& core = chart.core();
        const auto payload = payload_of(event, hsm::detail::image_layout_of(core).events.at(event.number()), c.data);
        return call(hsm::detail::decoded_event(core, 0, hsm::detail::column_of(event, core), payload).event());
    }
    event_data value;
    if (c.data && !read_json(*c.data, value)) refuse_event(c.event, "has data that is not JSON", "pass a JSON object");
    return call(hsm::detail::refer_name(event ? event.name() : std::string_view(c.event), std::move(value)));
}

// Explanations.

command_result text_of(const explanation& e) {
    command_result done;
    done.outcome = to_string(e.outcome);
    done.text = to_string(e);
    for (const auto& each : e.candidates) {
        candidate_text text{each.transition, each.taken(), {}};
        for (const auto& o : each.obstacles) text.obstacles.push_back(to_string(e, o));
        done.candidates.push_back(std::move(text));
    }
    return done;
}

command_result explain_to(const instance_base& machine, const chart_base& chart, const command& c) {
    switch (c.of) {
    case explained::tick: return text_of(hsm::explain(machine));
    case explained::event:
        return with_event(chart, c, [&](const event_ref& event) { return text_of(hsm::detail::explain_event(machine, event, {})); });
    case explained::state: return text_of(hsm::why_not(machine, state_of(chart, c.state)));
    case explained::possible: break;
    }
    command_result done;
    done.text = to_string(hsm::possible(machine));
    return done;
}

// Commands for one machine.

result change(instance_base& machine, const chart_base& chart, const command& c) {
    auto& m = instance_access::engine_of(machine);
    const hsm::condition_key condition(static_cast<int>(c.condition));
    const auto state = state_of(chart, c.state);
    switch (c.verb) {
    case verb::process: return with_event(chart, c, [&](const event_ref& event) { return hsm::detail::calls::process(m, event); });
    case verb::post: return with_event(chart, c, [&](const event_ref& event) { return hsm::detail::calls::post(m, event); });
    case verb::set: return machine.set(condition), result::taken;
    case verb::clear: return machine.clear(condition), result::taken;
    case verb::pulse: return machine.pulse(condition), result::taken;
    case verb::change_to: return machine.change_to(state);
    case verb::force_to: return machine.force_to(state);
    case verb::start: return machine.start();
    case verb::stop: return machine.stop();
    case verb::restart: return machine.restart();
    default: return machine.set_time_scale(c.factor);
    }
}

command_result change_session(subject& s, const command& c) {
    const auto& calls = *s.object().calls;
    auto* const session = s.object().session;
    if (c.verb == verb::process) return outcome_of(calls.process(session, c.event, c.data.value_or("")));
    if (c.verb == verb::start) return outcome_of(calls.start(session));
    if (c.verb == verb::stop) return outcome_of(calls.stop(session));
    refuse(s, c, "for a session, use process, start, stop, save or load");
}

command_result save(subject& s) {
    command_result done;
    done.document = s.save();
    done.outcome = to_string(done.document->empty() ? result::busy : result::taken);
    return done;
}

command_result load(subject& s, std::string_view text) {
    const auto all = s.load(text);
    auto done = outcome_of(all.outcome);
    done.text = describe(all.changes);
    return done;
}

command_result run_machine(subject& s, const command& c) {
    if (s.kind() == machine_kind::session && c.verb != verb::explain) return change_session(s, c);
    if (c.verb == verb::agents || c.verb == verb::agent) refuse(s, c, "only crowds have agents");
    const auto chart = *s.chart();
    return s.use(
        [&](instance_base& machine) { return c.verb == verb::explain ? explain_to(machine, chart, c) : outcome_of(change(machine, chart, c)); });
}

// Commands for a crowd: for all its agents.

struct crowd_calls : crowd_base {
    using give_to_state = result_counts (crowd_base::*)(const event_ref&, bool, const state_query*);
    static constexpr give_to_state give_all = &crowd_calls::give;
};

command_result text_of(const result_counts& all) {
    auto done = outcome_of(all.accepted() > 0 ? result::taken : result::unhandled);
    for (std::size_t r = 0; r < std::size(all.counts); ++r)
        if (all.counts[r] > 0) done.text += fmt::format("{}{} {}", done.text.empty() ? "" : ", ", all.counts[r], to_string(static_cast<result>(r)));
    return done;
}

// Commands that the lane itself executes.

/// Requires that the loop of the program calls lane::runs.
subject& stoppable(subject& s, const command& c) {
    if (!s.runner().asks) refuse(s, c, "the program's loop must call `if (page.runs(machine))` before it runs the machine");
    return s.runner();
}

command_result set_breakpoint(subject& s, const command& c) {
    if (!s.is_machine() || (c.verb == verb::break_ && !c.place)) refuse(s, c, "name a machine, and the place of the breakpoint");
    auto stops = s.stops();
    if (c.verb == verb::break_) {
        stoppable(s, c);
        if (std::ranges::find(stops, *c.place) == stops.end()) stops.push_back(*c.place);
    } else if (c.place) {
        std::erase(stops, *c.place);
    } else {
        stops.clear();
    }
    s.stop_at(std::move(stops));
    return taken();
}

command_result set_pace(subject& s, const command& c) {
    auto& runner = stoppable(s, c);
    runner.is_paused = c.verb != verb::continue_;
    runner.steps = c.verb == verb::step ? c.ticks : 0;
    return taken();
}

command_result record_it(subject& s, const command& c) {
    if (c.verb == verb::record && !s.is_machine()) refuse(s, c, "record one of its machines");
    if (!s.is_machine())
        s.is_watched = c.verb == verb::open;
    else if (c.verb == verb::record)
        s.record(c.on);
    else
        s.open(c.verb == verb::open);
    return taken();
}

std::vector<agent_place> agents_of(const crowd_base& herd, std::optional<std::uint32_t> state, std::size_t most) {
    const auto& core = hsm::detail::crowd_access::core_of(herd);
    std::vector<agent_place> all;
    for (std::size_t n = 0; n < core.pages() && all.size() < most; ++n) {
        const auto& p = core.page_number(n);
        hsm::detail::each_agent(state ? core.agents_in(p, *state) : core.agents_of(p), [&](std::uint32_t slot) {
            if (all.size() < most) all.push_back({p.id(slot).index, p.id(slot).generation, core.first_leaf_of(p, slot)});
        });
    }
    return all;
}

} // namespace

command_result lane_core::run_for_all(subject& s, const command& c) {
    auto& herd = s.crowd();
    const auto chart = *s.chart();
    const hsm::condition_key condition(static_cast<int>(c.condition));
    command_result done = taken();
    switch (c.verb) {
    case verb::agents:
        if (c.state && !chart.state(*c.state)) refuse(s, c, "the chart has no such state");
        done.agents = agents_of(herd, c.state, c.most);
        return done;
    case verb::agent: done.machine = add_agent(s, {c.index, c.generation}); return done;
    case verb::set: return herd.set_all(condition), done;
    case verb::clear: return herd.set_all(condition, false), done;
    case verb::process:
    case verb::post:
        return with_event(chart, c,
                          [&](const event_ref& event) { return text_of((herd.*crowd_calls::give_all)(event, c.verb == verb::post, nullptr)); });
    default: refuse(s, c, "open an agent, and send it the command");
    }
}

command_result lane_core::dispatch(subject& s, const command& c) {
    switch (c.verb) {
    case verb::open:
    case verb::close:
    case verb::record: return record_it(s, c);
    case verb::save: return save(s);
    case verb::load: return load(s, c.document);
    case verb::pause:
    case verb::continue_:
    case verb::step: return set_pace(s, c);
    case verb::break_:
    case verb::unbreak: return set_breakpoint(s, c);
    case verb::close_agent:
        if (s.kind() != machine_kind::agent) refuse(s, c, "only agents can be closed");
        return taken();
    default: break;
    }
    if (s.is_machine()) return run_machine(s, c);
    if (s.kind() == machine_kind::crowd) return run_for_all(s, c);
    refuse(s, c, "send the command to one of its machines");
}

command_result lane_core::run(subject* s, const command& c) {
    try {
        return result_or_error([&] {
            return s ? dispatch(*s, c) : error_of({code::not_listed, {}, "the machine is not listed, or was destroyed", "reload the list"});
        });
    } catch (const std::bad_alloc&) {
        return error_of("no memory"); // a text that a string stores without an allocation
    }
}

} // namespace hsm::inspect::detail
