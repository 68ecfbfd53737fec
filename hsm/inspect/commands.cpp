#include <hsm/inspect/detail/commands.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/inspect/detail/sent_event.hpp>
#include <hsm/inspect/inspect_error.hpp>
#include <hsm/observe/explain.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/calls.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/save_error.hpp>

#include <algorithm>
#include <exception>
#include <new>

namespace hsm::inspect::detail {

namespace {

using hsm::detail::instance_access;

std::string_view name_of(verb v) { return verb_names[static_cast<std::size_t>(v)]; }

[[noreturn]] void refuse(const subject& s, const command& c, std::string hint) {
    throw inspect_error(code::not_offered, fmt::format("\"{}\" does not offer the command {}", s.name, name_of(c.verb)), std::move(hint));
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
    } catch (const inspect_error& e) {
        return error_of({e.number(), {}, e.problem(), e.hint()});
    } catch (const save_error& e) {
        return e.findings().empty() ? error_of(e.what()) : error_of(e.findings().front());
    } catch (const std::exception& e) {
        return error_of(fmt::format("an exception was thrown: {}", e.what()));
    } catch (...) {
        return error_of("an exception was thrown");
    }
}

/// Does the same, and also returns a result if there is no memory.
template <class Call> command_result result_of(Call call) {
    try {
        return result_or_error(call);
    } catch (const std::bad_alloc&) {
        return error_of("no memory"); // a text that a string stores without an allocation
    }
}

state_ref state_of(const chart_base& chart, const std::optional<std::uint32_t>& number) { return number ? chart.state(*number) : state_ref(); }

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
    case explained::event: return text_of(hsm::detail::explain_event(machine, sent_event(chart, c.event, c.data).get(), {}));
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
    case verb::process: return hsm::detail::calls::process(m, sent_event(chart, c.event, c.data).get());
    case verb::post: return hsm::detail::calls::post(m, sent_event(chart, c.event, c.data).get());
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

command_result change_session(machine_subject& s, const command& c) {
    const auto& calls = *s.calls;
    if (c.verb == verb::process) return outcome_of(calls.process(s.session, c.event, c.data.value_or("")));
    if (c.verb == verb::start) return outcome_of(calls.start(s.session));
    if (c.verb == verb::stop) return outcome_of(calls.stop(s.session));
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

command_result run(machine_subject& s, const command& c) {
    if (s.session && c.verb != verb::explain) return change_session(s, c);
    if (c.verb == verb::agents || c.verb == verb::agent) refuse(s, c, "only crowds have agents");
    const auto chart = *s.chart();
    command_result done;
    s.use([&](instance_base& machine) { done = c.verb == verb::explain ? explain_to(machine, chart, c) : outcome_of(change(machine, chart, c)); });
    return done;
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

command_result run(lane_core& lane, crowd_subject& s, const command& c) {
    constexpr std::uint32_t most_agents = 1000;
    auto& herd = s.herd();
    const auto chart = *s.chart();
    const hsm::condition_key condition(static_cast<int>(c.condition));
    command_result done = taken();
    switch (c.verb) {
    case verb::agents:
        if (c.state && !chart.state(*c.state)) refuse(s, c, "the chart has no such state");
        done.agents = agents_of(herd, c.state, std::min(c.most, most_agents));
        return done;
    case verb::agent: done.machine = lane.add_agent(s, {c.index, c.generation}); return done;
    case verb::set: return herd.set_all(condition), done;
    case verb::clear: return herd.set_all(condition, false), done;
    case verb::process:
    case verb::post: return text_of((herd.*crowd_calls::give_all)(sent_event(chart, c.event, c.data).get(), c.verb == verb::post, nullptr));
    default: refuse(s, c, "open an agent, and send it the command");
    }
}

// Commands that the lane itself executes.

/// Requires that the loop of the program calls lane::runs.
subject& stoppable(subject& s, const command& c) {
    if (!s.runner().asks) refuse(s, c, "the program's loop must call `if (page.runs(machine))` before it runs the machine");
    return s.runner();
}

command_result set_breakpoint(subject& s, const command& c) {
    auto* const machine = s.as_machine();
    if (!machine || (c.verb == verb::break_ && !c.place)) refuse(s, c, "name a machine, and a place in it");
    if (c.verb == verb::unbreak)
        machine->ignore(c.place);
    else if (stoppable(s, c); true)
        machine->stop_at(*c.place);
    return taken();
}

command_result set_pace(subject& s, const command& c) {
    auto& runner = stoppable(s, c);
    runner.is_paused = c.verb != verb::continue_;
    runner.steps = c.verb == verb::step ? c.ticks : 0;
    return taken();
}

command_result record_it(subject& s, const command& c) {
    auto* const machine = s.as_machine();
    if (c.verb == verb::record && !machine) refuse(s, c, "record one of its machines");
    if (!machine)
        s.is_watched = c.verb == verb::open;
    else if (c.verb == verb::record)
        machine->record(c.on);
    else
        machine->open(c.verb == verb::open);
    return taken();
}

command_result dispatch(lane_core& lane, subject& s, const command& c) {
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
        if (s.kind != machine_kind::agent) refuse(s, c, "only agents can be closed");
        return taken();
    default: break;
    }
    if (auto* const machine = s.as_machine()) return run(*machine, c);
    if (auto* const herd = s.as_crowd()) return run(lane, *herd, c);
    refuse(s, c, "send the command to one of its machines");
}

} // namespace

command_result run_command(lane_core& lane, subject& s, const command& c) {
    return result_of([&] { return dispatch(lane, s, c); });
}

command_result unknown_machine() {
    return result_of([] { return error_of({code::not_listed, {}, "the machine is not listed, or was destroyed", "reload the list"}); });
}

} // namespace hsm::inspect::detail
