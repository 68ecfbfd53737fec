// Every form of a hook.

#include <tests/support/life.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace test;

namespace {

struct hero : recorder {
    void greet() { note("greet"); }
    void nod() noexcept { note("nod"); }
    void count() const { ++calls; }
    void move(float dt) { note("move " + std::to_string(dt).substr(0, 3)); }
    void report(hsm::step<hero>& s) { note("report " + std::string(s.state().name())); }
    mutable int calls = 0;
};

struct watch {
    int ticks = 1;
    void start() { ++ticks; }
    void show(hero& h) const { h.note("watch " + std::to_string(ticks)); }
};

struct bag {
    int coins = 7;
};

void free_function(hero& h) { h.note("function"); }
void free_noexcept(hero& h) noexcept { h.note("noexcept function"); }
void of_base(recorder& r) { r.note("base"); }

struct functor {
    std::string word;
    void operator()(hero& h) const { h.note(word); }
};

std::string once(auto hook) {
    return life_of_state<hero>([&](hsm::state<hero>& s) { s.on_enter(std::move(hook)); });
}
std::string updated(auto hook) {
    return life_of_state<hero>([&](hsm::state<hero>& s) { s.local<watch>().local<bag>().on_update(std::move(hook)); });
}

struct on_purpose {
    explicit on_purpose() = default;
    void operator()(hero& h) const { h.note("on purpose"); }
};

struct counted {
    int count = 0;
    void operator()(hero& h) const { h.note("counted " + std::to_string(count)); }
};

} // namespace

TEST_CASE("a hook is a lambda, a function, a member function of the context, or any other callable") {
    CHECK(once([](hero& h) { h.note("lambda"); }) == "lambda");
    CHECK(once([](hero& h) noexcept { h.note("noexcept lambda"); }) == "noexcept lambda");
    CHECK(once(free_function) == "function");
    CHECK(once(&free_function) == "function");
    CHECK(once(free_noexcept) == "noexcept function");
    CHECK(once(&hero::greet) == "greet");
    CHECK(once(&hero::nod) == "nod");
    CHECK(once(functor{"functor"}) == "functor");
}

TEST_CASE("a hook can take a base of the context, a const context, or no parameters") {
    CHECK(once(of_base) == "base");
    CHECK(once([](recorder& r) { r.note("base lambda"); }) == "base lambda");
    CHECK(life_of_state<hero>([](hsm::state<hero>& s) { s.on_enter(&hero::count).on_exit([](const hero& h) { CHECK(h.calls == 1); }); }) == "");
    int calls = 0;
    CHECK(once([&calls] { ++calls; }) == "");
    CHECK(calls == 1);
}

TEST_CASE("a generic lambda receives the context, and also the step if it has a parameter for it") {
    CHECK(once([](auto& h) { h.note("generic"); }) == "generic");
    CHECK(once([](auto&& h) { h.note("forwarding"); }) == "forwarding");
    CHECK(once([](hero& h, hsm::step<hero>& s) { h.note(std::string(s.state().name())); }) == "A");
    CHECK(once([](auto& h, hsm::step<hero>& s) { h.note(std::string(s.state().name())); }) == "A");
    CHECK(updated([](auto& h, hsm::step<hero>& s) { h.note(std::to_string(s.elapsed().seconds()).substr(0, 3)); }) == "0.5");
}

TEST_CASE("a generic action receives the context, or the context and the event") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    struct hit {
        int damage;
    };
    a.on<hit>().then([](auto& r) { r.note("context"); });
    a.on<hit>().when([](const auto& r) { return r.go; }).priority(1).then([](auto& r, const auto& e) { r.note("hit " + std::to_string(e.damage)); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.process(hit{3});
    CHECK(r.take() == "context");
    r.go = true;
    agent.process(hit{3});
    CHECK(r.take() == "hit 3");
}

TEST_CASE("several hooks of a kind run in the order of definition") {
    CHECK(life_of_state<recorder>([](hsm::state<recorder>& s) {
              s.on_enter(tracing("1")).on_enter(tracing("2")).on_enter(tracing("3")).on_exit(tracing("4")).on_exit(tracing("5"));
          }) == "1, 2, 3, 4, 5");
}

TEST_CASE("a member function can take the same parameters as any hook") {
    CHECK(once(&hero::report) == "report A");
    CHECK(updated(&hero::report) == "report A");
}

TEST_CASE("a member function of a local can be a hook of the local's state, or of a state below it") {
    CHECK(life_of<hero>([](hsm::fsm<hero>& root) {
              root.local<watch>();
              root.add("A").on_enter(&watch::start).on_enter(&watch::start).on_exit(&watch::show);
          }) == "watch 3");
}

TEST_CASE("a lambda hook keeps its captures, also move-only ones") {
    const std::string long_word = "a word that does not fit into a small string";
    CHECK(once([long_word](hero& h) { h.note(long_word); }) == long_word);
    auto number = std::make_unique<int>(42);
    CHECK(once([number = std::move(number)](hero& h) { h.note(std::to_string(*number)); }) == "42");
}

TEST_CASE("a hook stores its callable only if the callable has data") {
    auto root = hsm::make_fsm<hero>("R");
    root->add("A").on_enter(on_purpose()).on_enter(counted{5}).on_enter(&hero::greet).on_enter([](hero&) {});
    const auto& hooks = root->substates()[0]->hooks(hsm::hook_kind::enter);
    CHECK_FALSE(hooks[0].self());
    CHECK(hooks[1].self());
    CHECK(hooks[2].self());
    CHECK_FALSE(hooks[3].self());
    CHECK(once(on_purpose()) == "on purpose");
    CHECK(once(counted{5}) == "counted 5");
    const counted kept{6};
    CHECK(once(kept) == "counted 6");
}

TEST_CASE("the captures of hooks are destroyed once, with the chart") {
    const auto shared = std::make_shared<int>(0);
    {
        auto root = hsm::make_fsm<recorder>("R");
        auto& a = root->add("A").on_enter([shared](recorder&) {}).on_exit([shared](recorder&) {});
        a.to(a).when([shared](const recorder&) { return false; }).then([shared](recorder&) {});
        root->on_change([shared](hsm::state_ref, hsm::state_ref, hsm::reason) {});
        CHECK(shared.use_count() == 6);
        const auto chart = hsm::compile(std::move(root));
        CHECK(shared.use_count() == 6);
    }
    CHECK(shared.use_count() == 1);
}
