// Recipes: menus, dialogs, connections, and groups.

#include "recipes.hpp"

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>

#include "../expect.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

namespace {

struct open_settings {};
struct back {};
struct play {};
struct escape {};

struct fire {};
struct open_dialog {};
struct confirm {};

struct connect {};
struct failed {};
struct answer {};

} // namespace

void menus() {
    // [menus]
    struct ui {
        std::vector<hsm::state_ref> opened_from; // the stack
    };
    auto root = hsm::make_fsm<ui>("ui");
    auto& title = root->add("title");
    auto& game = root->add("game");
    auto& pause = root->add("pause");
    auto& settings = root->add("settings");
    auto& help = root->add("help");

    title.to(game).on<play>();
    game.to(pause).on<escape>();
    pause.to(game).on<escape>();
    const auto push = [](ui& u, hsm::step<ui>& s) { u.opened_from.push_back(s.previous()); };
    root->to(settings).on<open_settings>().unless_in(settings, help).then(push);
    settings.to(help).on("help").then(push);
    const auto pop = [](ui& u, hsm::step<ui>& s) {
        s.change_to(u.opened_from.back());
        u.opened_from.pop_back();
    };
    settings.on<back>().then(pop);
    help.on<back>().then(pop);
    // [/menus]

    const auto chart = hsm::compile(std::move(root));
    ui u;
    hsm::instance agent{chart, u};
    agent.start();
    agent.process(play{});
    agent.process(escape{});
    agent.process(open_settings{});
    agent.process("help");
    agent.process(back{});
    expect("back from the help", agent.current().name(), "settings");
    expect("settings again", to_string(agent.process(open_settings{})), "guarded");
    agent.process(back{});
    expect("back from the settings", agent.current().name(), "pause");
    expect("stack", std::to_string(u.opened_from.size()), "0");
}

void modal_dialog() {
    // [modal_dialog]
    struct game_data {
        int frames = 0;
    };
    auto root = hsm::make_fsm<game_data>("session");
    root->on_update([](game_data& g) { ++g.frames; }); // the world continues in all states
    auto& control = root->add_fsm("control").remembers();
    auto& walk = control.add("walk");
    auto& shoot = control.add("shoot");
    auto& dialog = root->add("dialog");

    walk.to(shoot).on<fire>();
    control.to(dialog).on<open_dialog>();
    dialog.to(control).on<confirm>();
    dialog.on(hsm::any_event); // consumes everything else
    // [/modal_dialog]

    const auto chart = hsm::compile(std::move(root));
    game_data g;
    hsm::instance agent{chart, g};
    agent.start();
    agent.process(open_dialog{});
    expect("fire in the dialog", to_string(agent.process(fire{})), "internal");
    agent.tick(16ms);
    expect("the game continues", std::to_string(g.frames), "1");
    expect("active states", agent.path_of_leaves(), "session/dialog");
    expect("an unknown event", to_string(agent.process("wave")), "internal");
    agent.process(confirm{});
    expect("fire after the dialog", to_string(agent.process(fire{})), "taken");
}

void late_answer() {
    // [late_answer]
    struct client {
        int request = 0; // the number of the latest request
        std::string price;
    };
    struct ask {};
    struct reply {
        int request;
        std::string price;
    };
    auto root = hsm::make_fsm<client>("client");
    auto& idle = root->add("idle");
    auto& asking = root->add("asking");
    auto& shown = root->add("shown");

    idle.to(asking).on<ask>();
    asking.on_enter([](client& c) { ++c.request; }); // here the game sends the request with its number
    asking.to(shown)
        .on<reply>()
        .when([](const client& c, const reply& r) { return r.request == c.request; })
        .then([](client& c, const reply& r) { c.price = r.price; });
    asking.to(idle).after(2s);
    shown.to(asking).on<ask>();
    // [/late_answer]

    const auto chart = hsm::compile(std::move(root));
    client c;
    hsm::instance agent{chart, c};
    agent.start();
    agent.process(ask{});
    agent.tick(2s);
    expect("an answer in idle", to_string(agent.process(reply{1, "10"})), "unhandled");
    agent.process(ask{});
    expect("an answer to the first request", to_string(agent.process(reply{1, "10"})), "guarded");
    expect("an answer to the second one", to_string(agent.process(reply{2, "12"})), "taken");
    expect("price", c.price, "12");
}

void retry() {
    // [retry]
    struct connection {
        int attempts = 0;
        std::chrono::milliseconds delay() const { return 100ms * (1 << attempts); } // 200, 400 ms
    };
    auto root = hsm::make_fsm<connection>("connection");
    auto& closed = root->add("closed");
    auto& trying = root->add("trying");
    auto& waiting = root->add("waiting");
    auto& open = root->add("open");
    auto& given_up = root->add("given up");

    closed.to(trying).on<connect>().then([](connection& l) { l.attempts = 0; });
    trying.on_enter([](connection& l) { ++l.attempts; }); // here the real attempt begins
    trying.to(open).on<answer>();
    trying.to(given_up).on<failed>().when([](const connection& l) { return l.attempts == 3; });
    trying.to(waiting).on<failed>();
    waiting.to(trying).after(&connection::delay); // computed when waiting is entered
    given_up.to(trying).on<connect>().then([](connection& l) { l.attempts = 0; });
    // [/retry]

    const auto chart = hsm::compile(std::move(root));
    connection l;
    hsm::instance agent{chart, l};
    agent.start();
    agent.process(connect{});
    agent.process(failed{});
    agent.tick(199ms);
    expect("not yet", agent.current().name(), "waiting");
    agent.tick(1ms);
    agent.process(failed{});
    agent.tick(399ms);
    expect("twice as long", agent.current().name(), "waiting");
    agent.tick(1ms);
    agent.process(failed{});
    expect("three are enough", agent.current().name(), "given up");
    agent.process(connect{});
    agent.process(answer{});
    expect("later it works", agent.current().name(), "open");
}

void timeouts() {
    // [timeouts]
    struct job {
        std::string log;
    };
    auto root = hsm::make_fsm<job>("job");
    auto& idle = root->add("idle");
    auto& work = root->add_fsm("work");
    auto& ask = work.add("ask");
    auto& load = work.add("load");
    auto& late = root->add("late");

    idle.to(work).on<connect>();
    ask.to(load).on<answer>();
    ask.to(late).after(2s).then([](job& j) { j.log += "no answer "; });     // for this step
    work.to(late).after(5s).then([](job& j) { j.log += "all too long "; }); // for all steps: its time continues
    load.to(idle).on<answer>();
    late.to(idle).on<connect>();
    // [/timeouts]

    const auto chart = hsm::compile(std::move(root));
    job j;
    hsm::instance agent{chart, j};
    agent.start();
    agent.process(connect{});
    agent.tick(2s);
    expect("no answer", j.log, "no answer ");
    agent.process(connect{});
    agent.process(connect{});
    agent.tick(1s);
    agent.process(answer{});
    agent.tick(3s);
    expect("it still loads", agent.current().name(), "load");
    agent.tick(1s);
    expect("both together", j.log, "no answer all too long ");
}

void squad_alert() {
    // [squad_alert]
    struct squad {
        bool alarm = false;
    };
    struct soldier {
        squad* of;
        bool sees_player = false;
    };
    struct alert {};
    auto root = hsm::make_fsm<soldier>("soldier");
    auto& patrol = root->add("patrol");
    auto& spotted = root->add("spotted");
    auto& chase = root->add("chase");

    patrol.to(spotted).when(&soldier::sees_player);
    spotted.on_enter([](soldier& s) { s.of->alarm = true; }); // the hook records it; the game sends the event
    spotted.to(chase).after(500ms);
    patrol.to(chase).on<alert>();
    // [/squad_alert]

    const auto chart = hsm::compile(std::move(root));
    squad ours;
    // [squad_alert_loop]
    hsm::crowd<soldier> soldiers(chart);
    for (int i = 0; i < 10; ++i) soldiers.add(&ours);
    const auto frame = [&](hsm::time_span elapsed) {
        soldiers.tick(elapsed);
        if (std::exchange(ours.alarm, false)) soldiers.process_in("patrol", alert{});
    };
    // [/squad_alert_loop]
    frame(16ms);
    expect("all quiet", std::to_string(soldiers.count("patrol")), "10");
    bool first = true;
    soldiers.each([&](hsm::agent_id, soldier& s) { s.sees_player = std::exchange(first, false); });
    frame(16ms);
    expect("one has seen the player", std::to_string(soldiers.count("spotted")), "1");
    expect("the others run", std::to_string(soldiers.count("chase")), "9");
}

namespace {

struct boss {
    double distance = 1; ///< to the hero
    int life = 100;
    bool has_arrows = true;
    double rage() const { return life < 50 ? 0.8 : 0.2; }
};

} // namespace

void eight_attacks() {
    // [eight_attacks]
    auto root = hsm::make_fsm<boss>("boss");
    auto& wait = root->add("wait");
    auto& attack = root->add_fsm("attack").choose(hsm::best);
    attack.dispatch(attack.add("bite")).score([](const boss& b) { return b.distance < 2 ? 0.6 : 0; });
    attack.dispatch(attack.add("claw")).score([](const boss& b) { return b.distance < 1 ? 0.7 : 0; });
    attack.dispatch(attack.add("shoot")).score([](const boss& b) { return b.distance / 20; }).when(&boss::has_arrows);
    attack.dispatch(attack.add("charge")).score([](const boss& b) { return b.distance > 5 ? 0.4 : 0; });
    attack.dispatch(attack.add("roar")).score(&boss::rage);
    attack.dispatch(attack.add("heal")).score([](const boss& b) { return (100 - b.life) / 150.0; });
    attack.dispatch(attack.add("flee")).weight(1).when([](const boss& b) { return b.life < 10; }).rank(1);
    auto& taunt = attack.add_fsm("taunt").choose(hsm::weighted); // by chance
    attack.dispatch(taunt).weight(0.1);
    taunt.dispatch(taunt.add("laugh")).weight(3);
    taunt.dispatch(taunt.add("dance")).weight(1);
    wait.to(attack).after(1s);
    attack.to(wait).after(500ms);
    // [/eight_attacks]

    const auto chart = hsm::compile(std::move(root));
    boss b;
    hsm::instance agent{chart, b, {.seed = 7}};
    agent.start();
    const auto next = [&] {
        agent.tick(1s);
        const auto chosen = std::string(agent.current().name());
        agent.tick(500ms);
        return chosen;
    };
    expect("near", next(), "bite");
    b.distance = 10;
    expect("far", next(), "shoot");
    b.has_arrows = false;
    expect("without arrows", next(), "charge");
    b.life = 40;
    expect("angry", next(), "roar");
    b.life = 5;
    expect("in danger", next(), "flee");
    b = {.distance = 3, .life = 100, .has_arrows = false};
    expect("nothing better", next(), "roar");
}
