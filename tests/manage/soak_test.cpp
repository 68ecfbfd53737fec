// Compares a manager with a simple model: random operations from outside and from hooks, and everything observable.
//
//     HSM_OPERATIONS=10000000    number of operations
//     HSM_SEED=17                another sequence

#include <hsm/manage/manager.hpp>
#include <tests/support/machines.hpp>
#include <tests/support/random_input.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace test;

namespace {

constexpr int names_in_use = 40; ///< few, so that names are often in use
constexpr int most_handles = 64;

struct fixture;

/// The context of a machine: it lives exactly as long as the machine, and counts what happens to it.
struct mob {
    fixture* w = nullptr;
    int name = 0;
    std::uint64_t order = 0;  ///< of creation
    bool running = false;     ///< entered and not exited
    bool initialized = false; ///< on_init and not on_destroy
    int updates = 0;
    int pushes = 0;
};

/// The expected state of the machine called `name`.
struct wanted {
    bool exists = false;
    bool running = false;
    bool kind = false;   ///< made of the second chart
    bool steady = false; ///< neither created, started nor stopped since the update began
    int updates = 0;
    int pushes = 0;
    std::unique_ptr<mob> context = {};
    hsm::managed_base handle = {};
};

struct fixture {
    hsm::manager machines;
    std::array<wanted, names_in_use> model;
    std::array<std::string, names_in_use> names;
    std::vector<hsm::managed_base> stale;
    std::vector<std::unique_ptr<mob>> ended; ///< contexts of machines that were removed by their own hook
    random_numbers random;
    std::uint64_t created = 0;
    int in_hooks = 0;                   ///< operations from hooks
    int hook_of = -1;                   ///< the machine whose hook runs in an update
    std::vector<std::uint64_t> updated; ///< in this update, by order of creation

    hsm::chart<mob> first, second;

    explicit fixture(std::uint64_t seed);
    void act(bool inside);
    void update();
    void push_all();
    void create(int name);
    void remove(int name, bool inside);
    void forget(wanted& w);
    void check(int name);
    void check_all();
};

void updated(mob& m) {
    auto& w = *m.w;
    ++m.updates;
    w.updated.push_back(m.order);
    if (w.random.below(4) != 0) return;
    w.hook_of = m.name;
    for (int n = w.random.below(3); n > 0 && w.model[static_cast<std::size_t>(m.name)].exists; --n) w.act(true);
    w.hook_of = -1;
}

hsm::chart<mob> mob_chart(const char* name, int states) {
    auto root = hsm::make_fsm<mob>(name);
    root->on_init([](mob& m) { m.initialized = true; }).on_destroy([](mob& m) { m.initialized = false; });
    root->on_enter([](mob& m) { m.running = true; }).on_exit([](mob& m) { m.running = false; }).on_update(&updated);
    auto* previous = &root->add("s0");
    for (int i = 1; i < states; ++i) {
        auto& next = root->add("s" + std::to_string(i));
        previous->to(next).on<push>().then([](mob& m) { ++m.pushes; });
        previous = &next;
    }
    previous->to("s0").on<push>().then([](mob& m) { ++m.pushes; });
    return hsm::compile(std::move(root));
}

fixture::fixture(std::uint64_t seed) : random{seed}, first(mob_chart("first", 2)), second(mob_chart("second", 5)) {
    for (int i = 0; i < names_in_use; ++i) // some are too long for the buffer inside a std::string
        names[static_cast<std::size_t>(i)] = (i % 5 == 0 ? "a machine of a long name " : "m") + std::to_string(i);
}

void fixture::create(int name) {
    auto& m = model[static_cast<std::size_t>(name)];
    const bool kind = random.below(2) == 1;
    if (m.exists) {
        CHECK_THROWS_AS(machines.create(names[static_cast<std::size_t>(name)], first, *m.context), hsm::manager_error);
        return;
    }
    m.context = std::make_unique<mob>(mob{this, name, ++created});
    m.handle = machines.create(names[static_cast<std::size_t>(name)], kind ? second : first, *m.context);
    m.exists = true;
    m.running = m.steady = false;
    m.kind = kind;
    m.updates = m.pushes = 0;
}

/// Records a removed machine. Its context is destroyed, unless its own hook runs.
void fixture::forget(wanted& w) {
    if (stale.size() < most_handles)
        stale.push_back(w.handle);
    else
        stale[static_cast<std::size_t>(random.below(most_handles))] = w.handle;
    w.exists = false;
    if (w.context->name == hook_of)
        ended.push_back(std::move(w.context));
    else
        REQUIRE_FALSE((w.context->running || w.context->initialized));
    w.context.reset();
}

void fixture::remove(int name, bool inside) {
    auto& m = model[static_cast<std::size_t>(name)];
    const bool itself = inside && name == hook_of;
    const bool removed = random.below(2) ? machines.remove(names[static_cast<std::size_t>(name)]) : machines.remove(m.handle);
    REQUIRE(removed == m.exists);
    if (!m.exists) return;
    if (itself) REQUIRE(m.context->running); // its hook is not complete
    forget(m);
}

void fixture::push_all() {
    int running = 0;
    bool waits = false;
    for (auto& m : model) {
        if (!m.exists || !m.running) continue;
        ++running;
        if (m.context->name == hook_of) waits = true;
        ++m.pushes;
    }
    const auto answers = machines.broadcast(push{});
    REQUIRE(answers[hsm::result::taken] + answers[hsm::result::queued] + answers[hsm::result::full] == static_cast<std::size_t>(running));
    REQUIRE(answers[hsm::result::taken] == static_cast<std::size_t>(running - (waits ? 1 : 0)));
}

void fixture::update() {
    for (auto& m : model) m.steady = true;
    const auto last = created;
    updated.clear();
    REQUIRE(machines.update(0.01f, 0.02f) != hsm::result::busy);
    for (auto& m : model) {
        if (!m.exists) continue;
        const int times = m.context->updates - m.updates;
        if (m.steady)
            REQUIRE(times == (m.running ? 1 : 0));
        else
            REQUIRE(times <= (m.context->order <= last ? 1 : 0));
        m.updates = m.context->updates;
    }
    REQUIRE(std::ranges::is_sorted(updated, std::less_equal()));
    REQUIRE((updated.empty() || updated.back() <= last));
    for (const auto& context : ended) REQUIRE_FALSE((context->running || context->initialized));
    ended.clear();
}

void fixture::act(bool inside) {
    if (inside) ++in_hooks;
    const int name = random.below(names_in_use);
    auto& m = model[static_cast<std::size_t>(name)];
    const bool itself = inside && name == hook_of;
    switch (random.below(inside ? 10 : 11)) {
    case 0:
    case 1: return create(name);
    case 2: return remove(name, inside);
    case 3:
        if (!m.exists) return;
        if (m.running) {
            CHECK_THROWS_AS(m.handle.start(), hsm::manager_error);
        } else {
            random.below(2) ? m.handle.start() : m.handle.start("s1");
            m.running = true;
            m.steady = false;
        }
        return;
    case 4:
        if (!m.exists || itself) return;
        REQUIRE(m.handle.stop() == (m.running ? hsm::result::taken : hsm::result::inactive));
        m.running = m.steady = false;
        return;
    case 5:
        if (m.exists && !itself) REQUIRE(m.handle.change_state("s1") == (m.running ? hsm::result::taken : hsm::result::inactive));
        return;
    case 6:
        if (!m.exists || itself) return;
        REQUIRE(m.handle->process(push{}) == (m.running ? hsm::result::taken : hsm::result::inactive));
        m.pushes += m.running;
        return;
    case 7: return check(name);
    case 8:
        if (stale.empty()) return;
        {
            const auto& gone = stale[static_cast<std::size_t>(random.below(static_cast<int>(stale.size())))];
            REQUIRE_FALSE(gone);
            REQUIRE_FALSE(machines.remove(gone));
        }
        return;
    case 9: return inside ? push_all() : update();
    case 10:
        switch (random.below(200)) {
        case 0: return machines.trim();
        case 1:
            machines.shutdown();
            for (auto& each : model)
                if (each.exists) forget(each);
            return;
        default: return push_all();
        }
    }
}

void fixture::check(int name) {
    const auto& m = model[static_cast<std::size_t>(name)];
    const auto& text = names[static_cast<std::size_t>(name)];
    REQUIRE(machines.has(text) == m.exists);
    REQUIRE(static_cast<bool>(m.handle) == m.exists);
    if (!m.exists) return;
    REQUIRE(machines.get(text) == m.handle);
    REQUIRE(m.handle.name() == text);
    REQUIRE(&m.handle.as<mob>().context() == m.context.get());
    REQUIRE(m.handle.running() == m.running);
    REQUIRE(m.context->running == m.running);
    REQUIRE((m.context->name == hook_of || m.context->pushes == m.pushes));
}

void fixture::check_all() {
    std::size_t count = 0;
    for (int name = 0; name < names_in_use; ++name) {
        check(name);
        count += model[static_cast<std::size_t>(name)].exists;
    }
    REQUIRE(machines.count() == count);
    REQUIRE(machines.count<mob>() == count);
    std::uint64_t before = 0;
    for (const auto m : machines.all<mob>()) {
        const auto& known = model[static_cast<std::size_t>(m.context().name)];
        REQUIRE(known.context->order > before);
        before = known.context->order;
        --count;
    }
    REQUIRE(count == 0);
}

} // namespace

TEST_CASE("a manager behaves like a simple model of it") {
    const auto operations = number_from("HSM_OPERATIONS", 300'000);
    fixture w(number_from("HSM_SEED", 1) * 0x9e37'79b9'7f4a'7c15 + 1);
    for (std::uint64_t i = 0; i < operations; ++i) {
        w.act(false);
        if (i % 64 == 0) w.check_all();
    }
    w.check_all();
    CHECK(w.in_hooks > static_cast<int>(operations / 100));
    CHECK(w.created > operations / 100);
}
