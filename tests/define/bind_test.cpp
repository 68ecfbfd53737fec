// Every form in which a hook can be written, and what it may take.

#include <tests/support/life.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <string>

using namespace test;

namespace {

struct hero : recorder {
    void greet() { note("greet"); }
    void nod() noexcept { note("nod"); }
    void tell() const { ++told; }
    void move(float dt) { note("move " + std::to_string(dt).substr(0, 3)); }
    void report(hsm::step<hero>& s) { note("report " + std::string(s.state().name())); }
    mutable int told = 0;
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

TEST_CASE("a hook may be written for a base of the context, may take it as const, or may take nothing at all") {
    CHECK(once(of_base) == "base");
    CHECK(once([](recorder& r) { r.note("base lambda"); }) == "base lambda");
    CHECK(life_of_state<hero>([](hsm::state<hero>& s) {
              s.on_enter(&hero::tell).on_exit([](const hero& h) { CHECK(h.told == 1); });
          }) == "");
    int calls = 0;
    CHECK(once([&calls] { ++calls; }) == "");
    CHECK(calls == 1);
}

TEST_CASE("generic lambdas are given the context, and the step if they take two") {
    CHECK(once([](auto& h) { h.note("generic"); }) == "generic");
    CHECK(once([](auto&& h) { h.note("forwarding"); }) == "forwarding");
    CHECK(once([](hero& h, hsm::step<hero>& s) { h.note(std::string(s.state().name())); }) == "A");
    CHECK(once([](auto& h, hsm::step<hero>& s) { h.note(std::string(s.state().name())); }) == "A");
    CHECK(once([](auto& h, auto& s) { h.note(std::string(s.state().name())); }) == "A");
    CHECK(once([](auto& h, auto&&) { h.note("two"); }) == "two");
    CHECK(updated([](auto& h, auto& s) { h.note(std::to_string(s.elapsed().seconds()).substr(0, 3)); }) == "0.5");
}

TEST_CASE("a generic action is given the context alone, or the event with it") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    struct hit {
        int damage;
    };
    a.on<hit>().then([](auto& r) { r.note("context"); });
    a.on<hit>().when([](const auto& r) { return r.go; }).priority(1).then([](auto& r, const auto& e) {
        r.note("hit " + std::to_string(e.damage));
    });
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

TEST_CASE("several hooks of a kind run in the order in which they were given") {
    CHECK(life_of_state<recorder>([](hsm::state<recorder>& s) {
              s.on_enter(noting("1"))
                  .on_enter(noting("2"))
                  .on_enter(noting("3"))
                  .on_exit(noting("4"))
                  .on_exit(noting("5"));
          }) == "1, 2, 3, 4, 5");
}

TEST_CASE("parameters may stand in any order") {
    CHECK(updated([](bag& b, float dt, hsm::step<hero>& s, hero& h, watch& w) {
              h.note(std::to_string(b.coins) + " " + std::to_string(int(dt * 10)) + " " +
                     std::string(s.state().name()) + " " + std::to_string(w.ticks));
          }) == "7 5 A 1");
    CHECK(updated([](hsm::step<hero>& s, const bag& b, hero& h) {
              h.note(std::to_string(b.coins) + std::string(s.state().name()));
          }) == "7A");
}

TEST_CASE("the elapsed time comes as the number or duration that the update takes") {
    using namespace std::chrono;
    const auto counted = [](auto d) { return std::to_string(d.count()); };
    CHECK(updated([](hero& h, float dt) { h.note(dt == 0.5f ? "half" : "?"); }) == "half");
    CHECK(updated([](hero& h, double dt) { h.note(dt == 0.5 ? "half" : "?"); }) == "half");
    CHECK(updated([](hero& h, const double& dt) { h.note(dt == 0.5 ? "half" : "?"); }) == "half");
    CHECK(updated([](hero& h, long double dt) { h.note(dt == 0.5L ? "half" : "?"); }) == "half");
    CHECK(updated([=](hero& h, nanoseconds dt) { h.note(counted(dt)); }) == "500000000");
    CHECK(updated([=](hero& h, microseconds dt) { h.note(counted(dt)); }) == "500000");
    CHECK(updated([=](hero& h, milliseconds dt) { h.note(counted(dt)); }) == "500");
    CHECK(updated([=](hero& h, const milliseconds& dt) { h.note(counted(dt)); }) == "500");
    CHECK(updated([=](hero& h, seconds dt) { h.note(counted(dt)); }) == "0");
    CHECK(updated([=](hero& h, hours dt) { h.note(counted(dt)); }) == "0");
    CHECK(updated([](hero& h, duration<float> dt) { h.note(dt.count() == 0.5f ? "half" : "?"); }) == "half");
    CHECK(updated([](hero& h, duration<double, std::milli> dt) { h.note(dt.count() == 500 ? "half" : "?"); }) ==
          "half");
    CHECK(updated([=](hero& h, duration<int, std::ratio<1, 60>> frames) { h.note(counted(frames)); }) == "30");
    CHECK(updated([](hero& h, hsm::time_span dt) { h.note(std::to_string(dt.nanoseconds())); }) == "500000000");
    CHECK(updated([](float dt) { CHECK(dt == 0.5f); }) == "");
    CHECK(updated(&hero::move) == "move 0.5");
}

TEST_CASE("a member function may take what any hook may") {
    CHECK(once(&hero::report) == "report A");
    CHECK(updated(&hero::report) == "report A");
}

TEST_CASE("a member function of a local is a hook of the state that has it, or of a state below") {
    CHECK(life_of<hero>([](hsm::fsm<hero>& root) {
              root.local<watch>();
              root.add("A").on_enter(&watch::start).on_enter(&watch::start).on_exit(&watch::show);
          }) == "watch 3");
}

TEST_CASE("a lambda keeps what it captured, also what can only be moved") {
    const std::string long_word = "a word that does not fit into a small string";
    CHECK(once([long_word](hero& h) { h.note(long_word); }) == long_word);
    auto number = std::make_unique<int>(42);
    CHECK(once([number = std::move(number)](hero& h) { h.note(std::to_string(*number)); }) == "42");
}

TEST_CASE("what a hook captured is destroyed with the chart, once") {
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

TEST_CASE("an action takes the event by reference or by value, in any place") {
    auto root = hsm::make_fsm<hero>("R");
    struct hit {
        int damage;
        void tell(hero& h) const { h.note("told " + std::to_string(damage)); }
    };
    auto& a = root->add("A").local<bag>();
    a.on<hit>()
        .then([](hero& h, const hit& e) { h.note("reference " + std::to_string(e.damage)); })
        .then([](hit e, hero& h) { h.note("value " + std::to_string(e.damage)); })
        .then([](const hit& e) { CHECK(e.damage == 3); })
        .then([](const hit& e, bag& b, hsm::step<hero>& s, hero& h) {
            h.note(std::to_string(e.damage + b.coins) + std::string(s.state().name()));
        })
        .then(&hero::greet);
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    CHECK(agent.process(hit{3}) == hsm::result::internal);
    CHECK(h.take() == "reference 3, value 3, 10A, greet");
}
