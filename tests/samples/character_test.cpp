// The character's machine, played by scripts and by recordings: exact sequences of leaves.

#include <samples/character/game.hpp>
#include <samples/character/machine.hpp>

#include <hsm/hsm.hpp>
#include <hsm/observe/coverage_report.hpp>
#include <hsm/observe/expect.hpp>
#include <hsm/observe/recorder.hpp>
#include <hsm/save/hash.hpp>

#include <doctest/doctest.h>

#include <filesystem>

namespace {

constexpr std::int64_t ntsc = 16'639'267;

/// By all of these tests.
hsm::coverage& all_seen() {
    static timeline unused;
    static hsm::coverage seen(character_chart(unused));
    return seen;
}

/// A game past its title, at the first checkpoint, where nothing stirs for a while.
struct script {
    game g;
    std::size_t seen = 0;

    explicit script(hsm::observer* records = nullptr, hsm::record_kinds kinds = {})
        : g(ntsc, {.coverage = &all_seen(), .observer = records, .kinds = kinds}) {
        hold({.start = true});
        hold({}, 69);
        seen = g.log().changes().size();
    }
    void hold(const controls& held, int frames = 1) {
        for (int i = 0; i < frames; ++i) g.play(held);
    }
    /// For one frame; then lets go.
    void tap(const controls& held, int frames = 1) {
        hold(held);
        hold({}, frames);
    }
    std::string where() const { return short_path(g.machine().current()); }
    /// The leaves that were entered since the last time.
    std::string take() {
        std::string text;
        const auto& changes = g.log().changes();
        for (; seen < changes.size(); ++seen) text += (text.empty() ? "" : ", ") + short_path(changes[seen].to);
        return text;
    }
};

using why = hsm::reason;

/// The same, with all that is taken, and where it leads, in a recorder from then on.
struct fight_records {
    hsm::recorder records{10'000};
};
struct fight : fight_records, script {
    fight() : script(&records, hsm::record_kind::transition | hsm::record_kind::arrived) { records.clear(); }
    void draw_sword() {
        tap({.select = true});
        records.clear();
    }
};

/// The machine alone, for what no script reaches quickly.
struct bench {
    timeline log;
    hsm::chart<character> chart = character_chart(log);
    character hero;
    hsm::instance<character> agent{chart, hero};
    hsm::attachment counted = all_seen().watch(agent);

    bench() {
        agent.start();
        agent.process(press::start);
        while (!agent.is_in("move")) tick();
    }
    void tick() { agent.tick(hsm::time_span::from_nanoseconds(ntsc)); }
    std::string where() const { return short_path(agent.current()); }
    void kill() { hero.hurt(1000); }
};

std::vector<std::string> leaves_of(const hsm::chart_base& chart) {
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < chart.state_count(); ++i)
        if (chart.state(i).get()->substates().empty()) paths.push_back(short_path(chart.state(i)));
    return paths;
}

fm2::frame frame_with(unsigned commands) {
    fm2::frame frame;
    frame.commands = static_cast<std::uint8_t>(commands);
    return frame;
}

std::size_t entries(const game& g, std::string_view path) {
    for (const auto& a : g.log().accounts())
        if (short_path(*a.state) == path) return a.entries;
    return 0;
}

/// Everything that a timeline tells, as text.
std::string records(const timeline& log) {
    std::string text;
    for (const auto& c : log.changes())
        text += std::to_string(c.frame) + ' ' + c.from.path() + ' ' + c.to.path() + ' ' + std::string(to_string(c.why)) + '\n';
    return text;
}

} // namespace

TEST_CASE("the definition has no warnings") {
    const auto chart = hsm::compile(make_character());
    CHECK(hsm::describe(chart.warnings()) == "");
    CHECK(chart.state_count() == 41);
}

TEST_CASE("START leads from the title into the game") {
    game g(ntsc, {.coverage = &all_seen()});
    CHECK(short_path(g.machine().current()) == "title");
    g.play(controls{.start = true});
    CHECK(short_path(g.machine().current()) == "respawn");
    for (int i = 0; i < 59; ++i) g.play(controls{});
    CHECK(short_path(g.machine().current()) == "move/ground/idle");
}

TEST_CASE("the held buttons select walking, ducking or standing; ducking has priority") {
    script s;
    s.hold({.right = true}, 5);
    s.hold({.right = true, .down = true}, 5);
    s.hold({.down = true}, 5);
    s.hold({.right = true, .left = true}, 5);
    CHECK(s.take() == "move/ground/walk, move/ground/crouch, move/ground/idle");
}

TEST_CASE("a jump rises, falls and lands where it began") {
    script s;
    const auto before = s.g.hero().where();
    s.tap({.jump = true}, 60);
    CHECK(s.take() == "move/air/rise, move/air/fall, move/ground/idle");
    CHECK(s.g.hero().where().x == before.x);
    CHECK(s.g.hero().where().y == before.y);
}

TEST_CASE("the character catches a ladder in a jump, climbs down, and leaves it by a jump") {
    script s;
    s.hold({.right = true}, 600); // to the wall behind the ladder, whatever is in the way
    s.take();
    s.hold({.jump = true});
    s.hold({.up = true}, 20);
    CHECK(s.take() == "move/air/rise, move/climb");
    s.hold({.down = true}, 60);
    s.hold({}, 2);
    CHECK(s.take() == "move/ground/idle, move/ground/crouch, move/ground/idle");
    s.hold({.up = true}, 20);
    s.tap({.jump = true}, 60);
    CHECK(s.take() == "move/climb, move/air/rise, move/air/fall, move/ground/idle");
}

// The weapons: what is taken, why, and where it leads, out of a recorder.

TEST_CASE("a whip attack has three phases of fixed length, then the character can walk again") {
    fight f;
    f.hold({.right = true, .attack = true}, 23);
    hsm::expect(f.records)
        .takes("move", "attack", why::event)
        .arrives("whip/swing")
        .takes("swing", "lash", why::time)
        .arrives("lash")
        .takes("lash", "whip/recover", why::time)
        .arrives("whip/recover")
        .takes("whip/recover", "whip/done", why::time)
        .arrives("whip/done")
        .takes("attack/whip", "attack/done", why::completion)
        .arrives("attack/done")
        .takes("attack", "move", why::completion)
        .arrives("idle")
        .takes("ground", "walk", why::poll)
        .arrives("walk")
        .nothing_else();
}

TEST_CASE("an attack in the air ends in the air") {
    fight f;
    f.tap({.jump = true}, 10);
    f.tap({.attack = true}, 25);
    hsm::expect(f.records)
        .arrives("air/rise")
        .arrives("whip/swing")
        .arrives("lash")
        .arrives("whip/recover")
        .arrives("whip/done")
        .arrives("attack/done")
        .arrives("air/fall")
        .nothing_else();
}

TEST_CASE("one attack with the sword is a single stroke") {
    fight f;
    f.draw_sword();
    f.tap({.attack = true}, 30);
    hsm::expect(f.records)
        .takes("move", "attack")
        .arrives("slash")
        .takes("slash", "sword/done", why::time)
        .arrives("sword/done")
        .arrives("attack/done")
        .arrives("idle")
        .nothing_else();
}

TEST_CASE("an attack within each stroke continues a combo of at most three") {
    fight f;
    f.draw_sword();
    for (int i = 0; i < 6; ++i) f.tap({.attack = true}, 7);
    f.hold({}, 30);
    hsm::expect(f.records)
        .takes("move", "attack", why::event)
        .arrives("slash")
        .reacts("slash", why::event)
        .takes("slash", "backhand", why::time)
        .arrives("backhand")
        .reacts("backhand", why::event)
        .takes("backhand", "thrust", why::time)
        .arrives("thrust")
        .takes("thrust", "sword/done", why::time)
        .arrives("sword/done")
        .arrives("attack/done")
        .arrives("idle")
        .nothing_else();
}

TEST_CASE("an attack that is too early starts no combo") {
    fight f;
    f.draw_sword();
    f.tap({.attack = true}, 1);
    f.tap({.attack = true}, 30);
    hsm::expect(f.records).takes("move", "attack").arrives("slash").takes("slash", "sword/done").arrives("sword/done");
}

TEST_CASE("each combo starts from the first stroke") {
    fight f;
    f.draw_sword();
    for (int i = 0; i < 2; ++i) {
        f.tap({.attack = true}, 7);
        f.tap({.attack = true}, 30);
        hsm::expect(f.records)
            .takes("move", "attack")
            .arrives("slash")
            .reacts("slash")
            .arrives("backhand")
            .arrives("sword/done")
            .arrives("attack/done")
            .arrives("idle")
            .nothing_else();
    }
}

TEST_CASE("the bow is drawn while attack is held, charged after 40 frames, and fires on release") {
    fight f;
    f.draw_sword();
    f.tap({.select = true});
    f.records.clear();
    f.hold({.attack = true}, 39);
    hsm::expect(f.records).takes("move", "attack").arrives("draw").nothing_else();
    f.hold({.attack = true}, 30);
    hsm::expect(f.records).takes("draw", "charged", why::poll).arrives("charged").nothing_else();
    f.hold({}, 20);
    hsm::expect(f.records)
        .takes("charged", "loose", why::poll)
        .arrives("loose")
        .takes("loose", "bow/done", why::time)
        .arrives("bow/done")
        .arrives("attack/done")
        .arrives("idle")
        .nothing_else();
    f.hold({.attack = true}, 5);
    f.hold({}, 20);
    hsm::expect(f.records).arrives("draw").takes("draw", "loose", why::poll).arrives("loose");
}

TEST_CASE("up and attack throws for one heart with any weapon; without hearts, the weapon is used") {
    fight f;
    f.hold({.left = true}); // where there is nothing that would pay for it
    REQUIRE(f.g.hero().hearts() == 10);
    f.tap({.up = true, .attack = true}, 20);
    hsm::expect(f.records)
        .arrives("walk")
        .arrives("dagger")
        .takes("dagger", "throw/done", why::time)
        .arrives("throw/done")
        .arrives("attack/done")
        .arrives("idle")
        .nothing_else();
    CHECK(f.g.hero().hearts() == 9);
    bench b;
    b.hero.held = {.up = true};
    for (int i = 0; i < 10; ++i) b.hero.throw_missile(0, 0);
    b.agent.process(press::attack);
    CHECK(b.where() == "attack/whip/swing");
}

TEST_CASE("weapons change only between attacks") {
    bench b;
    CHECK(b.agent.process(press::select) == hsm::result::internal);
    CHECK(b.hero.holds(weapon::sword));
    b.agent.process(press::attack);
    CHECK(b.agent.process(press::select) == hsm::result::unhandled);
    CHECK(b.hero.holds(weapon::sword));
}

TEST_CASE("a pause keeps all states") {
    script s;
    s.hold({.right = true}, 10);
    const auto before = s.g.hero().where().x;
    s.tap({.start = true}, 100);
    s.hold({.right = true, .attack = true}, 10);
    CHECK(s.where() == "pause");
    CHECK(s.g.hero().where().x == before);
    s.tap({.start = true});
    CHECK(s.take() == "move/ground/walk, pause, move/ground/walk, move/ground/idle");
}

TEST_CASE("being hurt interrupts any state for a limited time") {
    for (const auto& leaf : leaves_of(hsm::compile(make_character()))) {
        CAPTURE(leaf);
        bench b;
        b.agent.change_to(leaf.c_str());
        if (b.agent.is_in("hit")) continue; // it is there already
        b.hero.hurt(1);
        b.tick();
        CHECK(b.where() == "hit");
        for (int i = 0; i < 24; ++i) b.tick();
        CHECK(b.agent.is_in("move"));
    }
}

TEST_CASE("death follows from any state after the hurt time, has priority over being hurt, and ends in a new life") {
    for (const auto& leaf : leaves_of(hsm::compile(make_character()))) {
        CAPTURE(leaf);
        bench b;
        b.kill();
        b.hero.suffer();
        b.hero.hurt(1);
        b.agent.change_to(leaf.c_str());
        if (b.agent.is_in("respawn")) continue; // revived: dead/gone leads there at once
        for (int i = b.agent.is_in("hit") ? 8 : 1; i > 0; --i) b.tick();
        CHECK(b.agent.is_in("dead"));
    }
    bench b;
    b.kill();
    b.tick();
    std::string path;
    for (std::string last; path.find("move") == std::string::npos; b.tick())
        if (b.where() != last) path += (last = b.where()) + ' ';
    CHECK(path == "hit dead/collapse dead/lie respawn move/ground/idle ");
    CHECK(b.hero.stamina() == 16);
}

TEST_CASE("a reset leads to the title from any state") {
    for (const auto& leaf : leaves_of(hsm::compile(make_character()))) {
        CAPTURE(leaf);
        bench b;
        b.agent.change_to(leaf.c_str());
        CHECK(b.agent.process(reset{}) == hsm::result::taken);
        CHECK(b.where() == "title");
    }
}

TEST_CASE("the console's commands reset the game") {
    for (unsigned commands = 1; commands <= 3; ++commands) {
        script s;
        s.g.play(frame_with(commands));
        CHECK(s.where() == "title");
    }
    script s;
    s.g.play(frame_with(4));
    CHECK(s.where() == "move/ground/idle");
}

TEST_CASE("the demo visits every state, and is the same each time") {
    const auto movie = fm2::load(HSM_SAMPLE_DATA "/demo.fm2");
    game first(movie.frame_nanoseconds(), {.coverage = &all_seen()}), second(movie.frame_nanoseconds());
    for (auto* g : {&first, &second}) {
        play(*g, movie);
        g->stop();
        CHECK(g->log().frames() == movie.frames.size());
        CHECK(g->log().contradictions() == std::vector<std::string>());
        CHECK(g->log().never_visited() == std::vector<std::string>());
    }
    CHECK(records(first.log()) == records(second.log()));
    CHECK(first.log().changes().size() == 79);
    CHECK(records(first.log()).find(" character/move/air/fall character/dead/collapse poll\n") != std::string::npos); // the pit
    CHECK(entries(first, "attack") == 9);
    CHECK(entries(first, "hit") == 1);
    CHECK(entries(first, "dead") == 1);
}

TEST_CASE("a long recording gives the recorded result") {
    const std::string path = HSM_SHARED_DATA "/input/akumajou_densetsu-scrimpeh.fm2";
    if (!std::filesystem::exists(path)) {
        MESSAGE("skipped: there is no ", path);
        return;
    }
    const auto movie = fm2::load(path);
    REQUIRE(movie.frames.size() == 103'081);
    game g(movie.frame_nanoseconds());
    play(g, movie);
    g.stop();
    CHECK(g.log().frames() == 103'081);
    CHECK(g.log().contradictions() == std::vector<std::string>());
    CHECK(g.log().changes().size() == 5135);
    CHECK(entries(g, "attack") == 403);
    CHECK(entries(g, "hit") == 116);
    CHECK(entries(g, "dead") == 93);
    CHECK(g.log().never_visited() == std::vector<std::string>{"attack/bow/charged"});
    CHECK(g.machine().now().nanoseconds() == 103'081 * ntsc);
}

TEST_CASE("a log of a long recording uses less than four bytes per frame, replays, and can seek any frame") {
    const std::string path = HSM_SHARED_DATA "/input/akumajou_densetsu-scrimpeh.fm2";
    if (!std::filesystem::exists(path)) {
        MESSAGE("skipped: there is no ", path);
        return;
    }
    const auto movie = fm2::load(path);
    hsm::input_log inputs;
    game first(movie.frame_nanoseconds(), {.inputs = &inputs});
    struct place {
        std::uint64_t call, frame, hash;
    };
    const auto hash_of = [](const game& g) { return hsm::hash(g.machine()) ^ hsm::hash_of(g.hero()); };
    std::vector<place> places;
    for (std::size_t i = 0; i < movie.frames.size(); ++i) {
        if (i % 9'973 == 0) places.push_back({inputs.calls(), i, hash_of(first)});
        first.play(movie.frames[i]);
    }
    CHECK(inputs.frames() == movie.frames.size());
    CHECK(inputs.call_bytes() < 4 * movie.frames.size());
    CHECK(inputs.keyframe_bytes() < (16u << 20));
    const auto noted = inputs.bytes();
    MESSAGE(inputs.call_bytes(), " bytes of calls for ", inputs.frames(), " frames, ", inputs.keyframes(), " keyframes");

    game second;
    const auto found = second.replay(noted);
    CHECK_MESSAGE(!found, (found ? found->to_string() : ""));
    CHECK(hash_of(second) == hash_of(first));

    game third;
    hsm::replay again(noted);
    again.attach(third.machine(), third.hero());
    again.on_note<std::uint8_t>([&](std::uint8_t held) { third.hero().held = controls::of(held); });
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto& to = places[i * 5 % places.size()]; // to and fro
        again.seek(to.call);
        CHECK(again.frame() == to.frame);
        CHECK(hash_of(third) == to.hash);
        again.seek_frame(to.frame + 1);
        CHECK(again.frame() == to.frame + 1);
    }
}

TEST_CASE("the earlier tests cover the machine") {
    MESSAGE(hsm::coverage_text(all_seen()));
    hsm::require(all_seen(), {.states = 1, .transitions = 1, .guards = 1});
}

TEST_CASE("a recorded game can be replayed, and its log can seek") {
    const auto movie = fm2::load(std::string(HSM_SAMPLE_DATA) + "/demo.fm2");
    hsm::input_log inputs({.keyframe_bytes = 100'000, .calls_between = 64, .check_calls = true});
    game first(movie.frame_nanoseconds(), {.inputs = &inputs});
    play(first, movie);
    first.stop();
    CHECK(inputs.call_bytes() < (4 + 4) * movie.frames.size()); // four of them are the checks
    const auto noted = inputs.bytes();
    game second;
    const auto found = second.replay(noted);
    CHECK_MESSAGE(!found, (found ? found->to_string() : ""));
    second.close();
    CHECK(second.log().changes().size() == first.log().changes().size());
    CHECK(second.hero().where().x == first.hero().where().x);
    CHECK(hsm::hash_of(second.hero()) == hsm::hash_of(first.hero()));
}
