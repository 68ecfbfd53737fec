// The window, the keyboard, and pictures without a window. This is the only file that includes SDL.
//
//     arena [--players 2] [--enemies FOLDER] [--overlay] [--page]   play; --page: a live page, if that part is built
//     arena --port 7001 --peer 7002 --player 1      play over UDP; the other process has the other ports and player
//     arena --headless [--frames N] [--shots FOLDER] [--every N]    the pilot plays; every N-th frame becomes a picture

#include "draw.hpp"
#include "link.hpp"
#include "netplay.hpp"
#include "overlay.hpp"
#include "pilot.hpp"
#include "session.hpp"

#ifdef ARENA_PAGE
#include <hsm/inspect.hpp>
#endif
#include <SDL2/SDL.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace arena {

namespace {

constexpr const char* keys =
    "A D W F G S Q: move, jump, attack, dodge, block, next weapon (second player: arrows, . , - and M)\n"
    "F1 overlay   F2 new game   F3 replay   F5 save   F9 load   R rewind   P pause   Esc quit";

struct settings {
    world_options game;
    bool headless = false;
    bool overlay = false;
    bool page = false;
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

template <class T> using handle = std::unique_ptr<T, void (*)(T*)>;

void write_picture(canvas& picture, const std::string& file) {
    auto pixels = picture.pixels();
    const handle<SDL_Surface> surface(SDL_CreateRGBSurfaceFrom(pixels.data(), canvas::width, canvas::height, 32,
                                                               canvas::width * 4, 0xFF0000, 0xFF00, 0xFF, 0),
                                      SDL_FreeSurface);
    if (!surface || SDL_SaveBMP(surface.get(), file.c_str())) throw std::runtime_error(file + ": " + SDL_GetError());
}

void print_result(const world& game) {
    std::printf("frame %lld: %s, %d enemies, %d bats, hash %016llx\n", static_cast<long long>(game.frame()),
                game.won() ? "won" : game.heroes[0].machine.path_of_leaves().c_str(), game.now.kills, game.now.swatted,
                static_cast<unsigned long long>(game.hash()));
}

void run_headless(const settings& how) {
    session run(how.game);
    overlay text(run.game());
    canvas picture;
    std::array<pilot, 2> pilots;
    if (!how.shots.empty()) std::filesystem::create_directories(how.shots);
    for (int frame = 0; frame != how.frames && run.game().now.won < 120; ++frame) {
        pads now = {};
        for (std::size_t i = 0; i < run.game().heroes.size(); ++i) now[i] = pilots[i].play(run.game(), i);
        run.play(now);
        if (how.shots.empty() || frame % how.every) continue;
        draw(run.game(), picture);
        if (how.overlay) text.draw(run.game(), picture);
        char name[32];
        std::snprintf(name, sizeof name, "/%05d.bmp", frame);
        write_picture(picture, how.shots + name);
    }
    print_result(run.game());
}

/// Plays a frame with the other process, unless that is too late.
void play_linked(netplay& both, const link& line, pad mine) {
    while (const auto datagram = line.receive()) both.incoming(*datagram);
    both.play(mine);
    line.send(both.outgoing());
}

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

struct video {
    video() : works(SDL_Init(SDL_INIT_VIDEO) == 0) {}
    video(const video&) = delete;
    ~video() { SDL_Quit(); }

    /// SDL has drivers without a window, which it also uses if there is no display.
    bool has_display() const {
        const auto driver = works ? std::string_view(SDL_GetCurrentVideoDriver()) : std::string_view();
        return works && (std::getenv("SDL_VIDEODRIVER") || (driver != "offscreen" && driver != "dummy"));
    }

    bool works;
};

int run_window(const settings& how) {
    const video display;
    if (!display.has_display()) {
        std::fputs("arena: there is no display to play on. Add --headless to let the pilot play without one.\n",
                   stderr);
        return 1;
    }
    const handle<SDL_Window> window(SDL_CreateWindow("arena", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                                     canvas::width * 3, canvas::height * 3, SDL_WINDOW_RESIZABLE),
                                    SDL_DestroyWindow);
    const handle<SDL_Renderer> renderer(SDL_CreateRenderer(window.get(), -1, SDL_RENDERER_PRESENTVSYNC),
                                        SDL_DestroyRenderer);
    SDL_RenderSetLogicalSize(renderer.get(), canvas::width, canvas::height);
    const handle<SDL_Texture> texture(SDL_CreateTexture(renderer.get(), SDL_PIXELFORMAT_RGB888,
                                                        SDL_TEXTUREACCESS_STREAMING, canvas::width, canvas::height),
                                      SDL_DestroyTexture);
    if (!texture) throw std::runtime_error(SDL_GetError());
    std::puts(keys);

    session run(how.game);
    overlay text(run.game());
    text.visible = how.overlay;
#ifdef ARENA_PAGE
    std::optional<hsm::inspect::page> page;
    if (how.page) list_all(run.game(), page.emplace(hsm::inspect::page_options{.title = "arena"}));
#endif
    std::optional<link> line;
    std::optional<netplay> linked;
    if (how.port) {
        line.emplace(static_cast<std::uint16_t>(how.port), static_cast<std::uint16_t>(how.peer));
        linked.emplace(run, static_cast<std::size_t>(how.player - 1));
    }
    canvas picture;
    bool paused = false;
    auto next = SDL_GetTicks64() * 60;
    for (int frame = 0; frame != how.frames && handle_events(run, text, paused, linked.has_value()); ++frame) {
        if (linked)
            play_linked(*linked, *line, read_keyboard(1)[0]);
        else if (SDL_GetKeyboardState(nullptr)[SDL_SCANCODE_R])
            run.rewind();
        else if (!paused)
            run.play(read_keyboard(how.game.players));
        if (frame % 30 == 0 && !linked)
            if (auto shown = run.game().reload(); !shown.empty()) {
                run.begin_here(); // earlier frames have other machines
                text.report(std::move(shown));
            }
#ifdef ARENA_PAGE
        if (page) page->poll();
#endif
        draw(run.game(), picture);
        if (text.visible) text.draw(run.game(), picture);
        text.draw_report(picture);
        SDL_UpdateTexture(texture.get(), nullptr, picture.pixels().data(), canvas::width * 4);
        SDL_RenderClear(renderer.get());
        SDL_RenderCopy(renderer.get(), texture.get(), nullptr, nullptr);
        SDL_RenderPresent(renderer.get());
        next += 1000; // 60 frames per second
        const auto now = SDL_GetTicks64() * 60;
        if (now < next)
            SDL_Delay(static_cast<Uint32>((next - now) / 60));
        else
            next = now;
    }
    print_result(run.game());
    return 0;
}

settings read_arguments(int count, char** arguments) {
    settings how;
    how.game.enemies = ARENA_ENEMIES;
    const std::map<std::string_view, bool*> flags = {
        {"--headless", &how.headless},
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
        const auto how = arena::read_arguments(count, arguments);
        if (!how.headless) return arena::run_window(how);
        arena::run_headless(how);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "arena: %s\n", e.what());
        return 1;
    }
}
