// A program that loads plugin.cpp: host <plugin> [exported]. Everything that is done with machines crosses from one to the other.
//
// Where a program exports its symbols, the functions of its classes stand in for those of the plugin's classes of the same name. So these
// have to be the same classes then.

struct clash {
    char byte = 1;
};
struct zap {
    char byte = 1;
};
using own = zap;
#define MODULE "host"
#include "in_module.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <vector>

namespace {

using hsm::result;

int failures = 0;
bool exports = false;
std::string context;

void expect(bool holds, const std::string& what) {
    if (holds) return;
    std::printf("failed: %s (%s)\n", what.c_str(), context.c_str());
    ++failures;
}
template <class T> void expect_equal(const T& is, const T& wanted, const std::string& what) {
    if constexpr (std::is_same_v<T, std::string>)
        expect(is == wanted, what + " is \"" + is + "\" instead of \"" + wanted + '"');
    else if constexpr (std::is_same_v<T, result>)
        expect(is == wanted, what + " is " + std::string(to_string(is)) + " instead of " + std::string(to_string(wanted)));
    else
        expect(is == wanted, what + " is " + std::to_string(is) + " instead of " + std::to_string(wanted));
}

struct side {
    const char* name;
    const game::module* module;
};

/// An agent of `owner`'s chart, made by `maker`.
struct agent {
    agent(const side& owner, const side& maker) : maker_(*maker.module), chart_(owner.module->make_chart()), of(maker_.make_instance(chart_, world)) {
        of->start();
    }
    ~agent() { maker_.destroy_instance(of); }
    std::string trace() { return std::exchange(world.trace, {}); }

    game::world world;

private:
    const game::module& maker_;
    hsm::chart<game::world> chart_;

public:
    hsm::instance<game::world>* of;
};

void check_types_of_one_module(agent& a, const side& owner, const side& caller) {
    const auto& call = *caller.module;
    const bool same = owner.module == caller.module;
    const auto own_only = same ? result::internal : result::unhandled;
    expect_equal(call.own(*a.of), own_only, "own");
    if (!exports) expect_equal(call.clash(*a.of), own_only, "clash");
    expect_equal(call.quiet(*a.of), own_only, "quiet");
    expect_equal(call.loc(*a.of), result::unhandled, "loc");
    const auto name = std::string(owner.name);
    const auto clashes = exports ? std::string() : name + ":clash ";
    expect_equal(a.trace(), same ? name + ":own " + clashes + name + ":quiet " : std::string(), "trace of own types");
}

void check_events(agent& a, const side& owner, const side& caller) {
    const auto& call = *caller.module;
    const auto name = std::string(owner.name);
#if HSM_NAMES_TELL_FUNCTIONS || defined(__cpp_rtti)
    expect_equal(call.flash(*a.of), result::internal, "flash");
    expect_equal(a.trace(), name + ":flash ", "trace of flash");
#endif
    expect_equal(call.can_hit(*a.of), result::taken, "can hit");
    expect_equal(call.hit(*a.of, 3, "a name that does not fit into a string itself"), result::taken, "hit");
    expect_equal(a.trace(), name + ":hit by a name that does not fit into a string itself power 7 ", "trace of hit");
    expect_equal(call.named(*a.of, "calm"), result::taken, "calm");
    expect_equal(a.trace(), std::string("calm "), "trace of calm");
    expect_equal(call.input(*a.of, game::input::duck), result::taken, "duck");
    expect_equal(call.input(*a.of, game::input::duck), result::unhandled, "duck, once more");
    expect_equal(call.hit(*a.of, 1, "deferred"), result::deferred, "deferred hit");
    expect_equal(call.named(*a.of, "calm"), result::taken, "calm");
    expect_equal(a.trace(), name + ":hit by deferred power 7 ", "trace of a deferred hit");
    expect_equal(call.named(*a.of, "calm"), result::taken, "calm");
    a.trace();
}

void check_queues(agent& a, const side& owner, const side& caller) {
    const auto& call = *caller.module;
    const auto name = std::string(owner.name);
    expect_equal(call.post_hit(*a.of, "the internal post office"), result::queued, "post");
    expect_equal(a.of->tick(), result::taken, "tick");
    expect_equal(a.trace(), name + ":hit by the internal post office power 7 ", "trace of a post");
    call.named(*a.of, "calm");
    expect_equal(call.mail_hit(*a.of, "a caller in another thread"), result::queued, "mail");
    expect_equal(a.of->drain(), result::taken, "drain");
    expect_equal(a.trace(), "calm " + name + ":hit by a caller in another thread power 7 ", "trace of mail");
    call.named(*a.of, "calm");
    a.trace();
}

void check_states(agent& a, const side& caller) {
    const auto& call = *caller.module;
    expect(call.is_in(*a.of, game::pose::idle) && !call.is_in(*a.of, game::pose::down) && !call.is_in_fight(*a.of), "is in idle");
    expect_equal(call.power(*a.of), -1, "power of nothing");
    expect_equal(call.go_to(*a.of, game::pose::struck), result::taken, "change_to");
    expect(call.is_in(*a.of, game::pose::struck) && call.has_swing(*a.of), "is in struck");
    expect_equal(call.power(*a.of), 7, "power");
    call.named(*a.of, "calm");
    expect_equal(call.input(*a.of, game::input::jump), result::taken, "jump");
    expect(call.is_in_fight(*a.of) && !call.is_in(*a.of, game::pose::idle), "is in fight");
    call.named(*a.of, "calm");
    expect(!a.of->busy(), "at rest for the host");
    a.trace();
}

/// What is stopped by one module is at rest for the other.
void check_rest(agent& a, const side& caller) {
    a.of->stop();
    expect(!a.of->busy() && !a.of->active(), "stopped");
    expect_equal(caller.module->input(*a.of, game::input::duck), result::inactive, "an event before the start");
    expect_equal(a.of->start(), result::taken, "start");
}

/// A definition with types of both: equal ones are one, and ids of different ones may be alike.
void check_mixed(const side& owner, const side& other) {
    context = std::string("a tree of ") + owner.name + " and " + other.name;
    auto root = hsm::make_fsm<game::world>("root");
    root->add("start");
    owner.module->add_states(*root);
    auto& rest = root->add_fsm("rest");
    other.module->add_states(rest);
    const auto chart = hsm::compile(std::move(root));
    game::world w;
    hsm::instance agent{chart, w};
    agent.start("extra");
    for (const auto& at : {"extra", "rest/extra"}) {
        const bool of_owner = std::string_view(at) == "extra";
        agent.force_to(at);
        for (const auto* caller : {&owner, &other}) {
            w.trace.clear();
            const auto named = std::string("hit by ") + caller->name + " power 9 ";
            expect_equal(caller->module->hit(agent, 1, caller->name), result::internal, "hit");
            expect_equal(w.trace, "added " + named, "trace of hit");
            w.trace.clear();
            const bool mine = (caller == &owner) == of_owner;
            expect_equal(caller->module->own(agent), mine ? result::internal : result::unhandled, "own");
            expect_equal(w.trace, mine ? "added " + std::string(caller->name) + ":own " : std::string(), "trace of own");
            expect_equal(caller->module->power(agent), 9, "power");
        }
    }
}

void check_many(const std::vector<side>& sides) {
    context = "manager, registry, crowd";
    game::world w;
    std::vector<hsm::chart<game::world>> charts;
    for (const auto& s : sides) charts.push_back(s.module->make_chart());
    hsm::manager machines;
    hsm::registry<game::world> names;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        sides[i].module->manage(machines, charts[i], w);
        for (const auto& s : sides) expect_equal(s.module->managed(machines), static_cast<int>(i) + 1, "machines");
        sides[i].module->name_hook(names);
        expect(sides[i].module->finds_hook(names) &&
                   names.find(hsm::detail::behavior_kind::callback, sides[i].name, hsm::detail::tag_of<game::world>()),
               "hook");
    }
    machines.shutdown();
    machines.trim();
    for (std::size_t i = 0; i < sides.size(); ++i) {
        hsm::crowd<game::world> crowd(charts[i]);
        for (const auto& s : sides) expect_equal(s.module->hit_agent(crowd, crowd.add()), result::taken, "hit of an agent");
    }
}

/// What a plugin has posted to the program's machine is the program's.
void check_unloading(const side& host, const side& plugin, void* library) {
    context = "after unloading";
    agent a(host, host);
    plugin.module->post_hit(*a.of, "a caller that has ended by now");
    plugin.module->mail_hit(*a.of, "and once more, by mail");
    plugin.module->input(*a.of, game::input::duck);
    plugin.module->hit(*a.of, 1, "an event that a caller has left behind");
    dlclose(library);
    expect(!a.of->busy() && a.of->is_in(game::pose::down), "down");
    expect_equal(a.of->process("calm"), result::taken, "calm");
    expect_equal(a.trace(), std::string("host:hit by an event that a caller has left behind power 7 "), "trace of what was deferred");
    a.of->process("calm");
    expect_equal(a.of->tick(), result::taken, "tick");
    expect_equal(a.trace(), std::string("calm host:hit by a caller that has ended by now power 7 "), "trace of what was posted");
}

} // namespace

int main(int argc, char** argv) {
    exports = argc == 3;
    void* const library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
    void* const function = library ? dlsym(library, "plugin") : nullptr;
    if (!function) return std::printf("there is no plugin: %s\n", dlerror()), 2;
    const std::vector<side> sides{{"host", &this_one}, {"plugin", reinterpret_cast<const game::module* (*)()>(function)()}};
    for (const auto& owner : sides)
        for (const auto& maker : sides)
            for (const auto& caller : sides) {
                context = std::string("chart of ") + owner.name + ", instance of " + maker.name + ", call of " + caller.name;
                agent a(owner, maker);
                check_types_of_one_module(a, owner, caller);
                check_events(a, owner, caller);
                check_queues(a, owner, caller);
                check_states(a, caller);
                check_rest(a, caller);
            }
    check_mixed(sides[0], sides[1]);
    check_mixed(sides[1], sides[0]);
    check_many(sides);
    check_unloading(sides[0], sides[1], library);
    return failures == 0 ? 0 : 1;
}
