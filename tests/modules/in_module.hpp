/// The same code for the program and the plugin, compiled into each. MODULE is its name; `own` and `clash` come first.
#pragma once

#include "shared.hpp"

namespace {

struct quiet {};

hsm::chart<game::world> make_chart() {
    struct loc {
        int number = 0;
    };
    auto root = hsm::make_fsm<game::world>("root");
    auto& idle = root->add<game::pose::idle>();
    auto& struck = root->add<game::pose::struck>().local<game::swing>(7);
    auto& fight = root->add<game::fight>();
    auto& down = root->add<game::pose::down>();
    idle.on<own>().then([](game::world& w, const own&) { w.trace += MODULE ":own "; });
    idle.on<clash>().then([](game::world& w, const clash&) { w.trace += MODULE ":clash "; });
    idle.to(struck).on<game::hit>().then([](game::world& w, const game::hit& h, hsm::step<game::world>& s) {
        const bool is_right = s.event<game::hit>() == &h && !s.event<flash>() && !s.event<clash>() && s.event_name().empty();
        w.trace += MODULE ":hit by " + h.by + (is_right ? " " : " (step differs) ");
    });
    idle.to(down).on(game::input::duck);
    idle.to(fight).on(game::input::jump);
    idle.on<flash>().then([](game::world& w) { w.trace += MODULE ":flash "; });
    idle.on<quiet>().then([](game::world& w) { w.trace += MODULE ":quiet "; });
    idle.on<loc>().then([](game::world& w) { w.trace += MODULE ":loc "; });
    struck.on_enter([](game::world& w, const game::swing& s) { w.trace += "power " + std::to_string(s.power) + ' '; });
    struck.to(idle).on("calm").then([](game::world& w, hsm::step<game::world>& s) { w.trace += std::string(s.event_name()) + ' '; });
    fight.to(idle).on("calm");
    down.to(idle).on("calm");
    down.defer<game::hit>();
    return hsm::compile(std::move(root));
}

/// In the other module's tree: it has types of both then.
void add_states(hsm::fsm<game::world>& root) {
    auto& extra = root.add("extra").local<game::swing>(9);
    root.to(extra).on("extra");
    extra.on<own>().then([](game::world& w, const own&) { w.trace += "added " MODULE ":own "; });
    extra.on<game::hit>().then(
        [](game::world& w, const game::hit& h, game::swing& s) { w.trace += "added hit by " + h.by + " power " + std::to_string(s.power) + ' '; });
}

const hsm::registration<game::world> of_this_module{[](auto& names) { names.hook("registered by " MODULE, [](game::world&) {}); }};

hsm::result handle_loc(hsm::instance<game::world>& agent) {
    struct loc {
        int number = 0;
    };
    return agent.process(loc());
}

int managed(hsm::manager& machines) {
    int found = 0;
    for (const auto m : machines.all<game::world>()) found += m.is<game::world>() && machines.has<game::world>(m.name());
    if (found != static_cast<int>(machines.count<game::world>()) || machines.count<quiet>() > 0) return -1;
    return found == 1 ? machines.get<game::world>().running() : found;
}

const game::module this_one = {
    &make_chart,
    &add_states,
    [](const hsm::chart<game::world>& chart, game::world& w) {
        return new hsm::instance<game::world>(chart, w, {.deferred_queue = 4, .mailbox = 4});
    },
    [](hsm::instance<game::world>* agent) { delete agent; },
    [](hsm::instance<game::world>& agent, int damage, const char* by) {
        return agent.process(game::hit{damage, by});
    },
    [](hsm::instance<game::world>& agent, game::input in) { return agent.process(in); },
    [](hsm::instance<game::world>& agent, const char* name) { return agent.process(name); },
    [](hsm::instance<game::world>& agent) { return agent.process(flash{1}); },
    [](hsm::instance<game::world>& agent) { return agent.process(clash()); },
    [](hsm::instance<game::world>& agent) { return agent.process(own()); },
    [](hsm::instance<game::world>& agent) { return agent.process(quiet()); },
    &handle_loc,
    [](hsm::instance<game::world>& agent, const char* by) {
        return agent.post(game::hit{1, by});
    },
    [](hsm::instance<game::world>& agent, const char* by) {
        return agent.mailbox().post(game::hit{1, by});
    },
    [](hsm::instance<game::world>& agent) { return agent.can(game::hit()).outcome; },
    [](hsm::instance<game::world>& agent, game::pose p) { return agent.is_in(p); },
    [](hsm::instance<game::world>& agent) { return agent.is_in(hsm::state_of<game::fight>()); },
    [](hsm::instance<game::world>& agent) { return agent.is_in(hsm::state_of<game::swing>()); },
    [](hsm::instance<game::world>& agent) { return agent.local<quiet>() || !agent.local<game::swing>() ? -1 : agent.local<game::swing>()->power; },
    [](hsm::instance<game::world>& agent, game::pose p) { return agent.change_to(p); },
    [](hsm::manager& machines, const hsm::chart<game::world>& chart, game::world& w) { machines.create(MODULE, chart, w).start(); },
    &managed,
    [](hsm::registry<game::world>& names) { names.hook(MODULE, [](game::world&) {}); },
    [](const hsm::registry<game::world>& names) {
        const hsm::registry<game::world> own;
        const auto all = own.names();
        return all.size() == 1 && all[0].name == "registered by " MODULE &&
               names.find(hsm::detail::behavior_kind::callback, MODULE, hsm::detail::tag_of<game::world>()) != nullptr &&
               names.find(hsm::detail::behavior_kind::callback, MODULE, hsm::detail::tag_of<quiet>()) == nullptr;
    },
    [](hsm::crowd<game::world>& crowd, hsm::agent_id id) {
        return crowd[id]->process(game::hit{1, MODULE});
    },
};

} // namespace
