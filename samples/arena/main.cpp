// The window, the keyboard, and pictures. This is the only file that includes SDL.
//
//     arena [--players 2] [--enemies FOLDER] [--overlay] [--page]   play; --page: a live page, if that part is built
//     arena --port 7001 --peer 7002 --player 1      play over UDP; the other process has the other ports and player
//     arena --demo [--frames N]                     show the recorded buttons in demo.txt
//     arena --headless [--frames N] [--shots FOLDER] [--every N]    --demo without a window; writes every N-th frame

#include "draw.hpp"
#include "link.hpp"
#include "netplay.hpp"
#include "overlay.hpp"

#ifdef ARENA_PAGE
#include <hsm/inspect.hpp>
#endif
#include <SDL2/SDL.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace arena {

namespace {

constexpr const char* keys =
    "A D W F G S Q: move, jump, attack, dodge, block, next weapon (second player: arrows, . , - and M)\n"
    "F1 overlay   F2 new game   F3 replay   F5 save   F9 load   R rewind   P pause   Esc quit";

struct settings {
    world_options game;
    bool headless = false, demo = false, overlay = false, page = false;
    int port = 0, peer = 0; // 0: one process
    int player = 1;         // of this process
    int frames = -1;        // no end
    int every = 60;
    std::string shots;
};

constexpr button buttons[] = {left, right, jump, fire, dodge, block, swap};
constexpr SDL_Scancode key_map[2][std::size(buttons)] = {
    {SDL_SCANCODE_A, SDL_SCANCODE_D, SDL_SCANCODE_W, SDL_SCANCODE_F, SDL_SCANCODE_G, SDL_SCANCODE_S, SDL_SCANCODE_Q},
    {SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT, SDL_SCANCODE_UP, SDL_SCANCODE_PERIOD, SDL_SCANCODE_COMMA, SDL_SCANCODE_DOWN,
     SDL_SCANCODE_M},
};

pads read_keyboard(int players) {
    const auto* held = SDL_GetKeyboardState(nullptr);
    pads now = {};
    for (std::size_t half = 0; half < 2; ++half) { // one player can use both halves of the keyboard
        auto& pressed = now[players == 1 ? 0 : half];
        for (std::size_t i = 0; i < std::size(buttons); ++i)
            if (held[key_map[half][i]]) pressed = static_cast<pad>(pressed | buttons[i]);
    }
    return now;
}

/// Returns the recorded buttons of each frame. A line of the file is a number of frames, and the buttons held in them.
std::vector<pads> read_demo() {
    std::ifstream in(ARENA_FOLDER "/demo.txt");
    std::vector<pads> all;
    for (std::size_t frames = 0, held = 0; in >> frames >> held;)
        all.resize(all.size() + frames, {static_cast<pad>(held), static_cast<pad>(held)});
    return all;
}

template <class T> using handle = std::unique_ptr<T, void (*)(T*)>;

class screen {
public:
    screen() {
        const bool works = SDL_Init(SDL_INIT_VIDEO) == 0;
        std::atexit(SDL_Quit);
        // If there is no display, SDL uses a driver without a window.
        const std::string_view driver = works ? SDL_GetCurrentVideoDriver() : "dummy";
        if (!works || (!std::getenv("SDL_VIDEODRIVER") && (driver == "offscreen" || driver == "dummy")))
            throw std::runtime_error("there is no display to play on. Add --headless to play without one.");
        window_.reset(SDL_CreateWindow("arena", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, canvas::width * 3,
                                       canvas::height * 3, SDL_WINDOW_RESIZABLE));
        renderer_.reset(SDL_CreateRenderer(window_.get(), -1, SDL_RENDERER_PRESENTVSYNC));
        SDL_RenderSetLogicalSize(renderer_.get(), canvas::width, canvas::height);
        texture_.reset(SDL_CreateTexture(renderer_.get(), SDL_PIXELFORMAT_RGB888, SDL_TEXTUREACCESS_STREAMING,
                                         canvas::width, canvas::height));
        if (!texture_) throw std::runtime_error(SDL_GetError());
        std::puts(keys);
    }

    /// Shows a picture, and waits until the time of the next one: 60 per second.
    void show(const canvas& picture) {
        SDL_UpdateTexture(texture_.get(), nullptr, picture.pixels().data(), canvas::width * 4);
        SDL_RenderClear(renderer_.get());
        SDL_RenderCopy(renderer_.get(), texture_.get(), nullptr, nullptr);
        SDL_RenderPresent(renderer_.get());
        next_ += 1000;
        const auto now = SDL_GetTicks64() * 60;
        if (now < next_)
            SDL_Delay(static_cast<Uint32>((next_ - now) / 60));
        else
            next_ = now;
    }

private:
    handle<SDL_Window> window_{nullptr, SDL_DestroyWindow};
    handle<SDL_Renderer> renderer_{nullptr, SDL_DestroyRenderer};
    handle<SDL_Texture> texture_{nullptr, SDL_DestroyTexture};
    Uint64 next_ = SDL_GetTicks64() * 60; // in 60ths of a millisecond
};

void write_picture(const canvas& picture, const std::string& file) {
    auto pixels = picture.pixels();
    const handle<SDL_Surface> surface(SDL_CreateRGBSurfaceFrom(pixels.data(), canvas::width, canvas::height, 32,
                                                               canvas::width * 4, 0xFF0000, 0xFF00, 0xFF, 0),
                                      SDL_FreeSurface);
    if (!surface || SDL_SaveBMP(surface.get(), file.c_str())) throw std::runtime_error(file + ": " + SDL_GetError());
}

/// The other process, and the game with it.
struct connection {
    link line;
    netplay both;

    connection(const settings& how, session& run)
        : line(static_cast<std::uint16_t>(how.port), static_cast<std::uint16_t>(how.peer)),
          both(run, static_cast<std::size_t>(how.player - 1)) {}

    /// Plays a frame, unless the other process is too late or the last frame has been played.
    void play(pad mine, std::int64_t last) {
        while (const auto datagram = line.receive()) both.incoming(*datagram);
        if (both.frame() != last) both.play(mine);
        line.send(both.outgoing());
    }
};

#ifdef ARENA_PAGE
/// Shows every machine of the game in a browser.
void list_all(world& game, hsm::inspect::page& page) {
    int number = 0;
    for (auto& hero : game.heroes) page.add("hero " + std::to_string(++number), hero.machine);
    page.add("boss", game.boss.machine);
    for (auto& foe : game.enemies) page.add(enemy_names[foe.self.kind] + (' ' + std::to_string(++number)), foe.machine);
    page.add("bats", game.swarm.herd());
    page.add("doors", game.gates.machines(), game.gates.kinds());
}
#endif

/// Returns false if the window was closed.
bool handle_events(session& run, overlay& text, bool& paused, bool linked) {
    SDL_Event event;
    while (SDL_PollEvent(&event)) {
        if (event.type == SDL_QUIT) return false;
        if (event.type != SDL_KEYDOWN || event.key.repeat) continue;
        if (event.key.keysym.sym == SDLK_ESCAPE) return false;
        if (event.key.keysym.sym == SDLK_F1) text.visible = !text.visible;
        if (linked) continue; // the other process cannot follow these commands
        switch (event.key.keysym.sym) {
        case SDLK_F2: run.restart(); break;
        case SDLK_F3: run.replay(); break;
        case SDLK_F5: text.report({run.save("arena.save") ? "saved" : "cannot write arena.save"}); break;
        case SDLK_F9: text.report({run.load("arena.save") ? "loaded" : "cannot load arena.save"}); break;
        case SDLK_p: paused = !paused; break;
        default: break;
        }
    }
    return true;
}

void run(const settings& how) {
    std::optional<screen> window;
    if (!how.headless) window.emplace();
    session run(how.game);
    const auto& game = run.game();
    overlay text(run.game());
    text.visible = how.overlay;
#ifdef ARENA_PAGE
    std::optional<hsm::inspect::page> page;
    if (how.page) list_all(run.game(), page.emplace(hsm::inspect::page_options{.title = "arena"}));
#endif
    std::optional<connection> linked;
    if (how.port) linked.emplace(how, run);
    const auto demo = how.demo || how.headless ? read_demo() : std::vector<pads>();
    if (!how.shots.empty()) std::filesystem::create_directories(how.shots);
    canvas picture;
    bool paused = false;
    for (int frame = 0;; ++frame) {
        if (linked ? linked->both.frame() == how.frames && linked->both.complete() : frame == how.frames) break;
        if (!demo.empty() && run.inputs() == demo.size()) break;
        if (window && !handle_events(run, text, paused, linked.has_value())) break;
        const auto now = !demo.empty() ? demo[run.inputs()] : read_keyboard(linked ? 1 : how.game.players);
        if (linked)
            linked->play(now[0], how.frames);
        else if (window && SDL_GetKeyboardState(nullptr)[SDL_SCANCODE_R])
            run.rewind();
        else if (!paused)
            run.play(now);
        if (window && !linked && frame % 30 == 0)
            if (auto shown = run.game().reload(); !shown.empty()) {
                run.begin_here(); // earlier frames have other machines
                text.report(std::move(shown));
            }
#ifdef ARENA_PAGE
        if (page) page->poll();
#endif
        const bool shot = !how.shots.empty() && frame % how.every == 0;
        if (!window && !shot) continue;
        draw(game, picture);
        text.draw(game, picture);
        if (window) window->show(picture);
        char name[32];
        std::snprintf(name, sizeof name, "/%05d.bmp", frame);
        if (shot) write_picture(picture, how.shots + name);
    }
    if (linked) linked->both.correct();
    std::printf("frame %lld: %s, %d enemies, %d bats, hash %016llx\n", static_cast<long long>(game.frame()),
                game.won() ? "won" : game.heroes[0].machine.path_of_leaves().c_str(), game.now.kills, game.now.swatted,
                static_cast<unsigned long long>(game.hash()));
}

settings read_arguments(int count, char** arguments) {
    settings how;
    how.game.enemies = ARENA_FOLDER "/enemies";
    const std::map<std::string_view, bool*> flags = {
        {"--headless", &how.headless},
        {"--demo", &how.demo},
        {"--overlay", &how.overlay},
#ifdef ARENA_PAGE
        {"--page", &how.page},
#endif
    };
    const std::map<std::string_view, int*> numbers = {{"--frames", &how.frames}, {"--every", &how.every},
                                                      {"--port", &how.port},     {"--peer", &how.peer},
                                                      {"--player", &how.player}, {"--players", &how.game.players}};
    const std::map<std::string_view, std::string*> texts = {{"--shots", &how.shots}, {"--enemies", &how.game.enemies}};
    for (int i = 1; i < count; ++i) {
        const std::string option = arguments[i];
        const bool is_flag = flags.contains(option), is_number = numbers.contains(option);
        if (!is_flag && !is_number && !texts.contains(option)) throw std::runtime_error("unknown option " + option);
        if (!is_flag && ++i == count) throw std::runtime_error(option + " needs a value");
        if (is_flag)
            *flags.at(option) = true;
        else if (is_number)
            *numbers.at(option) = std::stoi(arguments[i]);
        else
            *texts.at(option) = arguments[i];
    }
    how.every = std::max(1, how.every);
    how.player = std::clamp(how.player, 1, 2);
    how.game.players = how.port ? 2 : std::clamp(how.game.players, 1, 2);
    return how;
}

} // namespace

} // namespace arena

int main(int count, char** arguments) {
    try {
        arena::run(arena::read_arguments(count, arguments));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "arena: %s\n", e.what());
        return 1;
    }
}
