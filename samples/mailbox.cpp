// The mailbox: a thread that loads assets reports them to the machine of a game. The game never waits for it.

#include <hsm/hsm.hpp>

#include "expect.hpp"

#include <functional>
#include <string>
#include <thread>
#include <utility>

struct game {
    std::string assets;
    int missing = 0;
};

struct loaded {
    std::string name;
};
struct missing {
    std::string name;
};
enum class loader { done };

auto make_game() {
    auto root = hsm::make_fsm<game>("game");
    auto& loading = root->add("loading");
    auto& playing = root->add("playing");
    auto& apology = root->add("apology");
    loading.on<loaded>().then([](game& g, const loaded& l) { g.assets += l.name + ' '; });
    loading.on<missing>().then([](game& g) { ++g.missing; });
    loading.to(apology).on(loader::done).when([](const game& g) { return g.missing > 0; });
    loading.to(playing).on(loader::done);
    return hsm::compile(std::move(root));
}

// [loader]
/// Runs in its own thread; its only connection to the game is the mailbox.
void load(hsm::mailbox& mail, int textures) {
    const auto send = [&mail](auto message) {
        while (mail.post(std::move(message)) == hsm::result::full) std::this_thread::yield(); // full: nothing was moved
    };
    send(loaded{"terrain"});
    for (int i = 1; i <= textures; ++i) send(loaded{"texture" + std::to_string(i)});
    if (textures == 0) send(missing{"textures"});
    send(loader::done);
}
// [/loader]

std::string play_until_loaded(int textures) {
    const auto chart = make_game();
    game g;
    // [game]
    hsm::instance agent{chart, g, {.mailbox = 4}}; // room for four messages between two frames
    agent.start();
    std::thread worker(load, std::ref(agent.mailbox()), textures);
    while (agent.is_in("loading")) {
        agent.tick(0.016); // handles the messages that have arrived
        std::this_thread::yield();
    }
    worker.join(); // before the instance and its mailbox are destroyed
    // [/game]
    return g.assets + "-> " + std::string(agent.current().name());
}

int main() {
    expect("loaded, in order", play_until_loaded(6),
           "terrain texture1 texture2 texture3 texture4 texture5 texture6 -> playing");
    expect("without textures", play_until_loaded(0), "terrain -> apology");

    const auto chart = make_game();
    game g;
    hsm::instance agent{chart, g, {.mailbox = 1}};
    auto& mail = agent.mailbox();
    expect("before the start", to_string(mail.post(loaded{"early"})), "queued");
    expect("no free slot", to_string(mail.post(loaded{"more"})), "full");
    expect("an unexpected event", to_string(mail.post("weather")), "unhandled");
    agent.start();
    agent.tick();
    expect("waiting assets", g.assets, "early ");
}
