#include <samples/character/weapons.hpp>

#include <samples/character/timer.hpp>

whip::whip() : fsm("whip") {
    auto& swing = add<timer>("swing", 8);
    auto& lash = add<timer>("lash", 6).on_enter([](character& c) { c.strike(56); });
    auto& recover = add<timer>("recover", 8);
    auto& done = add_final("done");
    swing.to(lash).on_finished();
    lash.to(recover).on_finished();
    recover.to(done).on_finished();
}

namespace {

/// Of the whole sword, while it is out.
struct combo {
    bool goes_on = false; ///< attack was pressed again in time

    void go_on() { goes_on = true; }
};

/// Of one stroke.
struct stroke {
    int reach;
    int frames;
    int age = 0;

    void enter(character& c, combo& series) {
        series.goes_on = false;
        c.strike(reach, 2);
    }
    void update() { ++age; }
    bool finished() const { return age == frames; }
    bool may_be_followed() const { return age >= 4; }
};

} // namespace

sword::sword() : fsm("sword") {
    local<combo>();
    auto& slash = add<stroke>("slash", 32, 14);
    auto& backhand = add<stroke>("backhand", 32, 14);
    auto& thrust = add<stroke>("thrust", 52, 22);
    auto& done = add_final("done");

    const auto followed_by = [&](state& first, state& next) {
        first.on<press::attack>().when(&stroke::may_be_followed).then(&combo::go_on);
        first.to(next).on_finished().when(&combo::goes_on);
        first.to(done).on_finished();
    };
    followed_by(slash, backhand);
    followed_by(backhand, thrust);
    thrust.to(done).on_finished();
}

archery::archery() : fsm("bow") {
    auto& draw = add("draw").on_update([](bow& b) { ++b.draw; });
    auto& charged = add("charged");
    auto& loose = add<timer>("loose", 10).on_enter([](bow& b) { b.arrow = b.draw; });
    auto& done = add_final("done");
    draw.to(loose).when(hsm::no(&bow::is_pulled));
    draw.to(charged).when([](const bow& b) { return b.draw >= 40; });
    charged.to(loose).when(hsm::no(&bow::is_pulled));
    loose.to(done).on_finished();
}

throwing::throwing() : fsm("throw") {
    auto& dagger = add<timer>("dagger", 10).on_enter([](character& c) { c.throw_missile(160, 1); });
    auto& axe = add<timer>("axe", 24).on_enter([](character& c) { c.throw_missile(72, 3); });
    auto& done = add_final("done");
    dispatch(axe).when([](const character& c) { return c.carries(missile::axe); });
    dispatch(dagger);
    dagger.to(done).on_finished();
    axe.to(done).on_finished();
}
