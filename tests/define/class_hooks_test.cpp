// Hooks that are members of a node's class, or of a local's.

#include <tests/support/life.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using namespace test;

namespace {

// nodes

struct talker : hsm::state<recorder> {
    explicit talker(std::string name = "talker") : state(std::move(name)) {}
    void enter(recorder& r) const { r.note("enter " + std::string(name())); }
    void update(recorder& r, std::chrono::milliseconds dt) const { r.note("update " + std::to_string(dt.count())); }
    void exit(recorder& r, hsm::step<recorder>& s) const { r.note("exit " + std::string(s.state().name())); }
};

struct heir : talker {
    heir() : talker("heir") {}
};

struct louder_heir : talker {
    louder_heir() : talker("louder") {}
    void enter(recorder& r) const { r.note("ENTER"); }
};

struct purse {
    int coins = 3;
};

struct shop : hsm::fsm<recorder> {
    shop() : fsm("shop") {
        local<purse>();
        add<talker>("counter");
    }
    void enter(recorder& r, purse& p) const {
        ++p.coins;
        r.note("open " + std::to_string(p.coins));
    }
    void update(recorder&, purse& p) const { ++p.coins; }
    void exit(const purse& p, recorder& r) const noexcept { r.note("close " + std::to_string(p.coins)); }
};

struct bell : hsm::state<recorder> {
    bell() : state("bell") {}
    void update(recorder& r) const { r.note("ding"); }
    bool finished() const { return true; }
};

struct gate : hsm::state<recorder> {
    gate() : state("gate") {}
    bool finished(const recorder& r) const { return r.go; }
};

// locals

struct swing {
    int swung = 0;
    void enter(recorder& r) { r.note("swing " + std::to_string(swung)); }
    void update(recorder& r, float dt) { r.note("swung " + std::to_string(swung += int(dt * 10))); }
    void exit(recorder& r) const { r.note("rest"); }
    bool finished() const { return swung >= 5; }
};

struct sword_swing : swing {
    std::string sword = "a sword with a name that is long enough for the heap";
};

struct aimed {
    void enter(recorder& r, purse& p, hsm::step<recorder>& s) { r.note("aimed " + std::to_string(p.coins) + " " + std::string(s.state().name())); }
    bool finished(const recorder& r) const { return r.ready; }
};

struct any_of_those {
    int entered = 0; // no hook: another name
    int exits() const { return 0; }
};

namespace named_as {
struct update {
    void enter(recorder&) {}
};
} // namespace named_as

struct with_types {
    using exit = int;
    struct enter {};
    enum class update { yes };
    bool finished() const { return true; }
};

} // namespace

TEST_CASE("any member with the name of a hook is detected") {
    using namespace hsm::detail;
    struct data {
        int enter;
    };
    struct overloaded {
        void enter(int);
        void enter(float);
    };
    class hidden {
        [[maybe_unused]] void enter() {}
    };
    struct inherits : talker {};
    static_assert(mentions_enter<data> && mentions_enter<overloaded> && mentions_enter<hidden> && mentions_enter<inherits>);
    static_assert(!mentions_exit<data> && !mentions_update<overloaded> && !mentions_finished<hidden>);
    static_assert(!mentions_enter<any_of_those> && !mentions_exit<any_of_those>);
    static_assert(mentions_finished<bell> && !mentions_enter<bell> && mentions_update<swing> && mentions_finished<swing>);
    static_assert(!mentions_enter<hsm::fsm<recorder>> && !mentions_update<hsm::fsm<recorder>> && !mentions_exit<hsm::fsm<recorder>> &&
                  !mentions_finished<hsm::fsm<recorder>>);
}

TEST_CASE("a member type with the name of a hook is not a hook") {
    using namespace hsm::detail;
    static_assert(!mentions_exit<with_types> && !mentions_enter<with_types> && !mentions_update<with_types>);
    static_assert(mentions_finished<with_types>);
    static_assert(!mentions_update<named_as::update> && mentions_enter<named_as::update>);
    CHECK(life_of([](auto& root) { root.template add<with_types>("A").to(traced(root.add("B"))).on_finished(); }) == "E B, X B");
}

TEST_CASE("a node runs the hooks of its class") {
    CHECK(life_of([](auto& root) { root.template add<talker>(); }) == "enter talker, update 500, exit talker");
    CHECK(life_of([](auto& root) { root.template add<talker>("other"); }) == "enter other, update 500, exit other");
}

TEST_CASE("a node inherits the hooks of its base class, and can replace them") {
    CHECK(life_of([](auto& root) { root.template add<heir>(); }) == "enter heir, update 500, exit heir");
    CHECK(life_of([](auto& root) { root.template add<louder_heir>(); }) == "ENTER, update 500, exit louder");
}

TEST_CASE("the hooks of a machine's class run around those of its substates, and can take its local") {
    CHECK(life_of([](auto& root) { root.template add<shop>(); }) == "open 4, enter counter, update 500, exit counter, close 5");
}

TEST_CASE("the hooks of a node's class run after those of its constructor, and before those that are added later") {
    // add binds the class after the constructor; calls on the result of add come later
    struct both : hsm::state<recorder> {
        both() : state("both") { on_enter(tracing("constructor")); }
        void enter(recorder& r) const { r.note("class"); }
    };
    CHECK(life_of([](auto& root) { root.template add<both>().on_enter(tracing("given")); }) == "constructor, class, given");
}

TEST_CASE("make_fsm and compile<T> bind the hooks of the root's class") {
    recorder r;
    const auto first = hsm::compile(hsm::make_fsm<shop>());
    const auto second = hsm::compile<shop>();
    for (const auto& chart : {first, second}) {
        hsm::instance agent{chart, r};
        agent.start();
        agent.stop();
        CHECK(r.take() == "open 4, enter counter, exit counter, close 4");
    }
}

TEST_CASE("a node is finished if its finished() returns true after its update") {
    CHECK(life_of([](auto& root) {
              auto& b = root.template add<bell>();
              b.to(traced(root.add("B"))).on_finished();
          }) == "ding, E B, X B");
    const auto gated = [](bool open) {
        recorder r;
        r.go = open;
        return life_of([](auto& root) { root.template add<gate>().to(traced(root.add("B"))).on_finished(); }, r);
    };
    CHECK(gated(true) == "E B, X B");
    CHECK(gated(false) == "");
}

TEST_CASE("a state runs the hooks of its local's class") {
    CHECK(life_of([](auto& root) {
              auto& a = root.template add<swing>("A", 2).on_enter(tracing("given"));
              a.to(traced(root.add("B"))).on_finished();
          }) == "swing 2, given, swung 7, rest, E B, X B");
    CHECK(life_of_state([](auto& s) { s.template local<swing>().on_exit(tracing("given")); }) == "swing 0, swung 5, rest, given");
}

TEST_CASE("a local inherits the hooks of its base class") {
    CHECK(life_of_state([](auto& s) { s.template local<sword_swing>(); }) == "swing 0, swung 5, rest");
}

TEST_CASE("the hooks of a local can take the same parameters as any hook, and finished() can take the context") {
    recorder r;
    r.ready = true;
    CHECK(life_of(
              [](auto& root) {
                  root.template local<purse>(9);
                  auto& a = root.add("A").template local<aimed>();
                  a.to(traced(root.add("B"))).on_finished();
              },
              r) == "aimed 9 A, E B, X B");
}

TEST_CASE("the hooks of several locals run in the order in which the locals were added") {
    struct first {
        void enter(recorder& r) { r.note("first"); }
    };
    struct second {
        void enter(recorder& r, first&) { r.note("second"); }
    };
    CHECK(life_of_state([](auto& s) { s.template local<first>().template local<second>(); }) == "first, second");
}

namespace {
/// A class of another library, which calls these members.
struct widget {
    int shown = 0;
    void on_enter(recorder&) { ++shown; }
    void Exit(int) {} // takes no context, so it cannot be a hook
};
struct quiet {
    void onEnter() {}
    int Update = 0;
};
} // namespace
template <> inline constexpr bool hsm::allows_similar_names<widget> = true;

TEST_CASE("members with names similar to hooks are ignored if they cannot be hooks, or if the class allows similar names") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add<widget>("A").local<quiet>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(agent.local<widget>()->shown == 0);
}
