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
#include "live.hpp"
#endif

#include <SDL2/SDL.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
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
    std::size_t player = 0; // of this process
    int frames = -1;        // no end
    int every = 60;
    std::string shots;
};

struct key {
    SDL_Scancode code;
    button means;
};
constexpr std::array<std::array<key, 7>, 2> key_map = {{
    {{{SDL_SCANCODE_A, left},
      {SDL_SCANCODE_D, right},
      {SDL_SCANCODE_W, jump},
      {SDL_SCANCODE_F, fire},
      {SDL_SCANCODE_G, dodge},
      {SDL_SCANCODE_S, block},
      {SDL_SCANCODE_Q, swap}}},
    {{{SDL_SCANCODE_LEFT, left},
      {SDL_SCANCODE_RIGHT, right},
      {SDL_SCANCODE_UP, jump},
      {SDL_SCANCODE_PERIOD, fire},
      {SDL_SCANCODE_COMMA, dodge},
      {SDL_SCANCODE_DOWN, block},
      {SDL_SCANCODE_M, swap}}},
}};

pads read_keyboard(int players) {
    const auto* held = SDL_GetKeyboardState(nullptr);
    pads now = {};
    for (std::size_t i = 0; i < key_map.size(); ++i)
        for (const auto& k : key_map[i]) // one player can use both halves of the keyboard
            if (held[k.code]) now[players == 1 ? 0 : i] = static_cast<pad>(now[players == 1 ? 0 : i] | k.means);
    return now;
}

void write_picture(canvas& picture, const std::string& file) {
    auto pixels = picture.pixels();
    const std::unique_ptr<SDL_Surface, void (*)(SDL_Surface*)> surface(
        SDL_CreateRGBSurfaceFrom(pixels.data(), canvas::width, canvas::height, 32, canvas::width * 4, 0xFF0000, 0xFF00,
                                 0xFF, 0),
        SDL_FreeSurface);
    if (!surface || SDL_SaveBMP(surface.get(), file.c_str())) throw std::runtime_error(file + ": " + SDL_GetError());
}

void run_headless(const settings& how) {
    session run(how.game);
    overlay text(run.game());
    canvas picture;
    std::array<pilot, 2> pilots;
    if (!how.shots.empty()) std::filesystem::create_directories(how.shots);
    for (int frame = 0; frame != how.frames && run.game().now().won < 120; ++frame) {
        pads now = {};
        for (std::size_t i = 0; i < run.game().heroes().size(); ++i) now[i] = pilots[i].play(run.game(), i);
        run.play(now);
        if (how.shots.empty() || frame % how.every) continue;
        draw(run.game(), picture);
        if (how.overlay) text.draw(run.game(), picture);
        char name[32];
        std::snprintf(name, sizeof name, "/%05d.bmp", frame);
        write_picture(picture, how.shots + name);
    }
    const auto& game = run.game();
    std::printf("frame %lld: %s, %d enemies, %d bats, hash %016llx\n", static_cast<long long>(game.frame()),
                game.won() ? "won" : game.heroes()[0].machine.path_of_leaves().c_str(), game.now().kills,
                game.now().swatted, static_cast<unsigned long long>(game.hash()));
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
    const std::unique_ptr<SDL_Window, void (*)(SDL_Window*)> window(
        SDL_CreateWindow("arena", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, canvas::width * 3, canvas::height * 3,
                         SDL_WINDOW_RESIZABLE),
        SDL_DestroyWindow);
    const std::unique_ptr<SDL_Renderer, void (*)(SDL_Renderer*)> renderer(
        SDL_CreateRenderer(window.get(), -1, SDL_RENDERER_PRESENTVSYNC), SDL_DestroyRenderer);
    SDL_RenderSetLogicalSize(renderer.get(), canvas::width, canvas::height);
    const std::unique_ptr<SDL_Texture, void (*)(SDL_Texture*)> texture(
        SDL_CreateTexture(renderer.get(), SDL_PIXELFORMAT_RGB888, SDL_TEXTUREACCESS_STREAMING, canvas::width,
                          canvas::height),
        SDL_DestroyTexture);
    if (!texture) throw std::runtime_error(SDL_GetError());
    std::puts(keys);

    session run(how.game);
    overlay text(run.game());
    text.visible = how.overlay;
#ifdef ARENA_PAGE
    std::optional<live_page> page;
    if (how.page) page.emplace(run.game());
#endif
    std::optional<link> line;
    std::optional<netplay> linked;
    if (how.port) {
        line.emplace(static_cast<std::uint16_t>(how.port), static_cast<std::uint16_t>(how.peer));
        linked.emplace(run.game(), how.player);
    }
    canvas picture;
    bool paused = false;
    auto next = SDL_GetTicks64() * 60;
    for (int frame = 0; frame != how.frames && handle_events(run, text, paused, linked.has_value()); ++frame) {
        if (SDL_GetKeyboardState(nullptr)[SDL_SCANCODE_R])
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
    return 0;
}

settings read_arguments(int count, char** arguments) {
    settings how;
    how.game.enemies = ARENA_ENEMIES;
    for (int i = 1; i < count; ++i) {
        const std::string_view option = arguments[i];
        const auto value = [&] {
            if (++i == count) throw std::runtime_error(std::string(option) + " needs a value");
            return std::string(arguments[i]);
        };
        if (option == "--headless")
            how.headless = true;
        else if (option == "--overlay")
            how.overlay = true;
#ifdef ARENA_PAGE
        else if (option == "--page")
            how.page = true;
#endif
        else if (option == "--frames")
            how.frames = std::stoi(value());
        else if (option == "--every")
            how.every = std::max(1, std::stoi(value()));
        else if (option == "--shots")
            how.shots = value();
        else if (option == "--port")
            how.port = std::stoi(value());
        else if (option == "--peer")
            how.peer = std::stoi(value());
        else if (option == "--player")
            how.player = value() == "2" ? 1 : 0;
        else if (option == "--players")
            how.game.players = std::stoi(value()) == 2 ? 2 : 1;
        else if (option == "--enemies")
            how.game.enemies = value();
        else
            throw std::runtime_error("unknown option " + std::string(option));
    }
    if (how.port) how.game.players = 2;
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
