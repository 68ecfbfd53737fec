#include <samples/character/weapons.hpp>

#include <samples/character/frames.hpp>

#include <hsm/save/serialize.hpp>

whip::whip() : fsm("whip") {
    auto& swing = add("swing");
    auto& lash = add("lash").on_enter([](character& c) { c.strike(56); });
    auto& recover = add("recover");
    auto& done = add_final("done");
    swing.to(lash).after(frames(8));
    lash.to(recover).after(frames(6));
    recover.to(done).after(frames(8));
}

namespace {

/// A local of the sword, which lives as long as the sword is drawn.
struct combo {
    bool goes_on = false; ///< attack was pressed again in time

    void go_on() { goes_on = true; }
};

/// A local of one stroke.
struct stroke {
    int reach;
    hsm::time_span lasts;

    void enter(character& c, combo& series) {
        series.goes_on = false;
        c.strike(reach, 2);
    }
};

// [serialize]
template <class A> void serialize(A& archive, combo& c) { archive("goes on", c.goes_on); }
template <class A> void serialize(A& archive, stroke& s) { archive("reach", s.reach)("lasts", s.lasts); }
// [/serialize]

} // namespace

sword::sword() : fsm("sword") {
    local<combo>();
    // [types]
    hsm::serializes<combo, stroke>(*this);
    // [/types]
    auto& slash = add<stroke>("slash", 32, frames(14));
    auto& backhand = add<stroke>("backhand", 32, frames(14));
    auto& thrust = add<stroke>("thrust", 52, frames(22));
    auto& done = add_final("done");

    const auto followed_by = [&](state& first, state& next) {
        first.on<press::attack>().after(frames(4)).then(hsm::named("go on", &combo::go_on));
        first.to(next).after(&stroke::lasts).when(hsm::named("goes on", &combo::goes_on));
        first.to(done).after(&stroke::lasts);
    };
    followed_by(slash, backhand);
    followed_by(backhand, thrust);
    thrust.to(done).after(&stroke::lasts);
}

archery::archery() : fsm("bow") {
    auto& draw = add("draw").on_update([](bow& b) { ++b.draw; });
    auto& charged = add("charged");
    auto& loose = add("loose").on_enter([](bow& b) { b.arrow = b.draw; });
    auto& done = add_final("done");
    draw.to(loose).when(hsm::no(hsm::named("is pulled", &bow::is_pulled)));
    draw.to(charged).when(hsm::named("fully drawn", [](const bow& b) { return b.draw >= 40; }));
    charged.to(loose).when(hsm::no(hsm::named("is pulled", &bow::is_pulled)));
    loose.to(done).after(frames(10));
}

throwing::throwing() : fsm("throw") {
    auto& dagger = add("dagger").on_enter([](character& c) { c.throw_missile(160, 1); });
    auto& axe = add("axe").on_enter([](character& c) { c.throw_missile(72, 3); });
    auto& done = add_final("done");
    dispatch(axe).when(hsm::named("carries axes", [](const character& c) { return c.carries(missile::axe); }));
    dispatch(dagger);
    dagger.to(done).after(frames(10));
    axe.to(done).after(frames(24));
}
