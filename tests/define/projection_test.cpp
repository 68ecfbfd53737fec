// A machine over a part of the context inside a machine over the whole. The projection finds the part.

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace test;

namespace {

struct blade {
    recorder* out = nullptr;
    std::string name = "blade";
    bool sharp = true;
};

struct weapon {
    recorder* out = nullptr;
    blade edge;
    bool drawn = false;
};

struct magic_weapon : weapon {};

struct base : recorder {
    weapon belt;
};

struct hero : base {
    weapon left, right;
    magic_weapon wand;
    std::unique_ptr<weapon> spare = std::make_unique<weapon>();
    weapon& favourite() { return right; }

    hero() {
        for (auto* w : {&belt, &left, &right, static_cast<weapon*>(&wand), spare.get()}) w->out = w->edge.out = this;
        belt.edge.name = "belt", left.edge.name = "left", right.edge.name = "right", wand.edge.name = "wand";
        spare->edge.name = "spare";
    }
};

struct blade_machine : hsm::fsm<blade> {
    blade_machine() : fsm("blade") {
        auto& still = add("still").on_enter([](blade& b) { b.out->note("E still " + b.name); });
        auto& moving = add("moving").on_enter([](blade& b) { b.out->note("E moving " + b.name); });
        still.to(moving).when(&blade::sharp).then([](blade& b) { b.out->note("action " + b.name); });
    }
    void enter(blade& b) const { b.out->note("E blade " + b.name); }
};

struct weapon_machine : hsm::fsm<weapon> {
    explicit weapon_machine(std::string name = "weapon") : fsm(std::move(name)) {
        add<blade_machine>(&weapon::edge);
        on_enter([](weapon& w, hsm::step<weapon>& s) {
            w.drawn = true;
            w.out->note("E " + std::string(s.state().path()));
        });
    }
};

struct grip : hsm::state<weapon> {
    grip() : state("grip") {}
    void enter(weapon& w) const { w.out->note("grip " + w.edge.name); }
};

/// The trace of the start of a machine whose substate works on a part of a hero.
std::string entered(auto define) {
    auto root = hsm::make_fsm<hero>("R");
    define(*root);
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    return h.take();
}

} // namespace

TEST_CASE("a projection is a data member, a member function, or any callable") {
    CHECK(entered([](auto& r) { r.template add<grip>(&hero::left); }) == "grip left");
    CHECK(entered([](auto& r) { r.template add<grip>(&hero::favourite); }) == "grip right");
    CHECK(entered([](auto& r) { r.template add<grip>([](hero& h) -> weapon& { return *h.spare; }); }) == "grip spare");
    CHECK(entered([](auto& r) { r.template add<grip>([](auto& h) -> auto& { return h.left; }); }) == "grip left");
}

TEST_CASE("the part can be a member of a base of the context, or have a class derived from the inner context") {
    CHECK(entered([](auto& r) { r.template add<grip>(&base::belt); }) == "grip belt");
    CHECK(entered([](auto& r) { r.template add<grip>(&hero::wand); }) == "grip wand");
}

TEST_CASE("a projection can have captures, also move-only ones") {
    CHECK(entered([](auto& r) {
              auto chosen = std::make_unique<weapon hero::*>(&hero::right);
              r.template add<grip>([chosen = std::move(chosen)](hero& h) -> weapon& { return h.**chosen; });
          }) == "grip right");
}

TEST_CASE("a machine over a base of the context needs no projection") {
    struct noisy : hsm::fsm<recorder> {
        noisy() : fsm("noisy") { add("x").on_enter(tracing("E x")); }
        void enter(recorder& r) const { r.note("E noisy"); }
    };
    struct over_base : hsm::state<base> {
        over_base() : state("over_base") {}
        void enter(base& b) const { b.note(b.belt.edge.name); }
    };
    CHECK(entered([](auto& r) { r.template add<noisy>(); }) == "E noisy, E x");
    CHECK(entered([](auto& r) { r.template add<over_base>(); }) == "belt");
}

TEST_CASE("a member pointer is a projection also if the part has the class of the whole context") {
    struct rider : recorder {
        rider* mount = nullptr;
        std::string name;
        rider& ridden() { return *mount; }
    };
    struct riding : hsm::state<rider> {
        riding() : state("riding") {}
        void enter(rider& r) const { r.note("ride " + r.name); }
    };
    auto root = hsm::make_fsm<rider>("R");
    root->add<riding>(&rider::ridden);
    const auto chart = hsm::compile(std::move(root));
    rider horse{{}, nullptr, "horse"}, knight{{}, &horse, "knight"};
    hsm::instance agent{chart, knight};
    agent.start();
    CHECK(horse.take() == "ride horse");
    CHECK(knight.take() == "");
}

TEST_CASE("the constructor receives the arguments after the projection; an enumerator can precede it") {
    enum class slot { left };
    CHECK(entered([](auto& r) { r.template add<weapon_machine>(&hero::left, "one"); }) == "E R/one, E blade left, E still left");
    CHECK(entered([](auto& r) { r.template add<slot::left, weapon_machine>(&hero::left); }) == "E R/left, E blade left, E still left");
}

TEST_CASE("projections nest: hooks receive the part of their state, guards and actions the part of their source") {
    auto root = hsm::make_fsm<hero>("R");
    auto& left = root->add<weapon_machine>(&hero::left, "left");
    auto& right = root->add<weapon_machine>(&hero::right, "right");
    left.to(right).when([](const weapon& w) { return w.drawn && w.out->go; }).then([](weapon& w) { w.out->note("change"); });
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    CHECK(h.take() == "E R/left, E blade left, E still left");
    CHECK_FALSE(h.right.drawn);
    agent.tick();
    CHECK(h.take() == "action left, E moving left");
    h.go = true;
    h.right.edge.sharp = false;
    agent.tick();
    CHECK(h.take() == "change, E R/right, E blade right, E still right");
    agent.tick();
    CHECK(h.take() == "");
    CHECK(agent.current().path() == "R/right/blade/still");
}
