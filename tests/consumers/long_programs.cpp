// Programs of very many ops in a thread with a small stack, whatever the compiler makes of the calls by which they go on: built with
// each level of optimisation, together with the library's own ops.

#include <hsm/hsm.hpp>

#include <pthread.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr std::size_t stack = 64 * 1024;
constexpr int very_many = 200'000;
constexpr int many = 20'000;
constexpr int levels = 500;

struct counts {
    long entered = 0, updated = 0, left = 0, asked = 0, acted = 0;
};
struct go {};
struct last {};

void enter(counts& c) { ++c.entered; }
void leave(counts& c, hsm::step<counts>& s) { c.left += static_cast<bool>(s.current()) ? 1 : 0; }
void update(counts& c, double) { ++c.updated; }
void act(counts& c) { ++c.acted; }
bool refuse(const counts& c) { return ++const_cast<counts&>(c).asked < 0; }
bool agree(const counts& c) { return ++const_cast<counts&>(c).asked > 0; }

void check(bool good, const char* what) {
    if (good) return;
    std::printf("wrong: %s\n", what);
    std::exit(1);
}

void in_small_stack(void (*body)(void*), void* argument) {
    struct call {
        void (*body)(void*);
        void* argument;
    } made{body, argument};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
#ifdef PTHREAD_STACK_MIN // Windows takes any
    const auto least = static_cast<std::size_t>(PTHREAD_STACK_MIN);
#else
    constexpr std::size_t least = 0;
#endif
    check(pthread_attr_setstacksize(&attributes, std::max(stack, least)) == 0, "the size of the stack");
    pthread_t thread;
    const auto start = [](void* c) -> void* {
        static_cast<call*>(c)->body(static_cast<call*>(c)->argument);
        return nullptr;
    };
    check(pthread_create(&thread, &attributes, start, &made) == 0, "the thread");
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

template <class Body> void run(hsm::owned<hsm::fsm<counts>> root, Body body) {
    const auto chart = hsm::compile(std::move(root));
    struct all {
        const hsm::chart<counts>& chart;
        Body& body;
    } both{chart, body};
    in_small_stack(
        [](void* argument) {
            auto& a = *static_cast<all*>(argument);
            counts c;
            hsm::instance agent{a.chart, c};
            agent.start();
            a.body(agent, c);
        },
        &both);
}

void hooks() {
    auto root = hsm::make_fsm<counts>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    for (int i = 0; i < very_many; ++i) b.on_enter(&enter);
    for (int i = 0; i < many; ++i) b.on_update(&update).on_exit(&leave);
    auto go_on = a.to(b).on<go>();
    for (int i = 0; i < many; ++i) go_on.then(&act);
    b.to(a).on<last>();
    run(std::move(root), [](auto& agent, counts& c) {
        agent.process(go{});
        agent.tick(1.0);
        agent.process(last{});
        check(c.entered == very_many && c.acted == many && c.updated == many && c.left == many, "hooks");
    });
}

void guards() {
    auto root = hsm::make_fsm<counts>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    for (int i = 0; i < many; ++i) a.to(b).on<go>().when(&refuse);
    for (int i = 0; i < many; ++i) a.to(b).when(&refuse);
    for (int i = 0; i < many; ++i) a.when(&agree).then(&act);
    for (int i = 0; i < many; ++i) a.when("set").then(&act);
    for (int i = 0; i < many; ++i) a.hold_until(&agree);
    a.to(b).on<last>();
    run(std::move(root), [](auto& agent, counts& c) {
        agent.process(go{});
        check(c.asked == many, "guards of an event");
        agent.tick(1.0);
        check(c.asked == 3l * many && c.acted == many, "guards of a tick");
        agent.set("set");
        agent.tick(1.0);
        check(c.asked == 5l * many && c.acted == 3l * many, "conditions of a tick");
        agent.process(last{});
        check(c.asked == 6l * many, "guards of a state that holds");
    });
}

void entries() {
    auto root = hsm::make_fsm<counts>("R");
    auto* at = root.get();
    for (int i = 1; i < levels; ++i) {
        auto& inner = at->add_fsm("M");
        at->dispatch(inner).when(&agree);
        at = &inner.on_enter(&enter);
    }
    at->add("X");
    run(std::move(root), [](auto& agent, counts& c) {
        check(c.asked == levels - 1 && c.entered == levels - 1, "entries by choice");
        agent.stop();
    });
}

void regions() {
    auto root = hsm::make_fsm<counts>("R");
    auto& p = root->add_parallel("P");
    for (const char* name : {"one", "two"}) {
        auto& region = p.add_fsm(name);
        auto& a = region.add("A");
        auto& b = region.add("B");
        for (int i = 0; i < many; ++i) a.on_exit(&leave).on_update(&update), b.on_enter(&enter);
        a.to(b).on<go>().when(&agree).then(&act);
    }
    run(std::move(root), [](auto& agent, counts& c) {
        agent.tick(1.0);
        agent.process(go{});
        check(c.updated == 2l * many && c.left == 2l * many && c.entered == 2l * many && c.acted == 2, "regions");
    });
}

} // namespace

int main() {
    hooks();
    guards();
    entries();
    regions();
}
