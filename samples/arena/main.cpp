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
    if (all.empty()) throw std::runtime_error("cannot read " ARENA_FOLDER "/demo.txt");
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
            throw std::runtime_error("no display is available. Add --headless to play without a display.");
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

class program {
public:
    explicit program(const settings& how) : how_(how), run_(how.game), text_(run_.game()) {
        if (!how.headless) window_.emplace();
        if (how.headless || how.demo) demo_ = read_demo();
        if (how.port) linked_.emplace(how, run_);
        if (!how.shots.empty()) std::filesystem::create_directories(how.shots);
        text_.visible = how.overlay;
#ifdef ARENA_PAGE
        if (how.page) list_all(run_.game(), page_.emplace(hsm::inspect::page_options{.title = "arena"}));
#endif
    }

    void run() {
        for (int frame = 0; !is_finished(frame) && (!window_ || handle_events()); ++frame) {
            play(frame);
            show(frame);
        }
        if (linked_) linked_->both.correct();
        const auto& game = run_.game();
        std::printf("frame %lld: %s, %d enemies, %d bats, hash %016llx\n", static_cast<long long>(game.frame()),
                    game.won() ? "won" : game.heroes[0].machine.path_of_leaves().c_str(), game.now.kills,
                    game.now.swatted, static_cast<unsigned long long>(game.hash()));
    }

private:
    bool is_finished(int frame) const {
        if (!demo_.empty() && run_.inputs() == demo_.size()) return true;
        return linked_ ? linked_->both.frame() == how_.frames && linked_->both.complete() : frame == how_.frames;
    }

    /// Returns false if the window was closed.
    bool handle_events() {
        SDL_Event event;
        while (SDL_PollEvent(&event)) {
            if (event.type == SDL_QUIT) return false;
            if (event.type != SDL_KEYDOWN || event.key.repeat) continue;
            const auto key = event.key.keysym.sym;
            if (key == SDLK_ESCAPE) return false;
            if (key == SDLK_F1) text_.visible = !text_.visible;
            if (linked_) continue; // the other process cannot follow these commands
            if (key == SDLK_F2) run_.restart();
            if (key == SDLK_F3) run_.replay();
            if (key == SDLK_F5) text_.report({run_.save("arena.save") ? "saved" : "cannot write arena.save"});
            if (key == SDLK_F9) text_.report({run_.load("arena.save") ? "loaded" : "cannot load arena.save"});
            if (key == SDLK_p) paused_ = !paused_;
        }
        return true;
    }

    void play(int frame) {
        const auto now = demo_.empty() ? read_keyboard(linked_ ? 1 : how_.game.players) : demo_[run_.inputs()];
        if (linked_) return linked_->play(now[0], how_.frames);
        if (window_ && SDL_GetKeyboardState(nullptr)[SDL_SCANCODE_R])
            run_.rewind();
        else if (!paused_)
            run_.play(now);
        if (!window_ || frame % 30) return;
        if (auto changes = run_.game().reload(); !changes.empty()) {
            run_.begin_here(); // earlier frames have other machines
            text_.report(std::move(changes));
        }
    }

    void show(int frame) {
#ifdef ARENA_PAGE
        if (page_) page_->poll();
#endif
        const bool shot = !how_.shots.empty() && frame % how_.every == 0;
        if (!window_ && !shot) return;
        draw(run_.game(), picture_);
        text_.draw(run_.game(), picture_);
        char name[32];
        std::snprintf(name, sizeof name, "/%05d.bmp", frame);
        if (shot) write_picture(picture_, how_.shots + name);
        if (window_) window_->show(picture_);
    }

    settings how_;
    std::optional<screen> window_;
    session run_;
    overlay text_;
    std::vector<pads> demo_;
    std::optional<connection> linked_;
#ifdef ARENA_PAGE
    std::optional<hsm::inspect::page> page_;
#endif
    canvas picture_;
    bool paused_ = false;
};

settings read_arguments(int count, char** arguments) {
    settings how;
    how.game.enemies = ARENA_FOLDER "/enemies";
    const std::map<std::string, bool*> flags = {
        {"--headless", &how.headless},
        {"--demo", &how.demo},
        {"--overlay", &how.overlay},
#ifdef ARENA_PAGE
        {"--page", &how.page},
#endif
    };
    const std::map<std::string, int*> numbers = {{"--frames", &how.frames}, {"--every", &how.every},
                                                 {"--port", &how.port},     {"--peer", &how.peer},
                                                 {"--player", &how.player}, {"--players", &how.game.players}};
    const std::map<std::string, std::string*> texts = {{"--shots", &how.shots}, {"--enemies", &how.game.enemies}};
    for (int i = 1; i < count; ++i) {
        const std::string option = arguments[i];
        if (flags.contains(option))
            *flags.at(option) = true;
        else if (++i == count)
            throw std::runtime_error("unknown option, or an option without its value: " + option);
        else if (numbers.contains(option))
            *numbers.at(option) = std::stoi(arguments[i]);
        else if (texts.contains(option))
            *texts.at(option) = arguments[i];
        else
            throw std::runtime_error("unknown option " + option);
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
        arena::program(arena::read_arguments(count, arguments)).run();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "arena: %s\n", e.what());
        return 1;
    }
}
