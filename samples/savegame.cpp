// Savegames: the character of samples/character plays a recording. In the middle of a combo it is saved, and the
// program ends; another program loads it and plays the rest. The same for a hit that holds it. The end is the same as
// without a break.
//
//     savegame MOVIE                   all of the above
//     savegame save MOVIE STATE FILE   plays until that state has been active for some frames, and saves
//     savegame load MOVIE FILE         loads, plays the rest, and prints how it ends

#include <samples/character/fm2.hpp>
#include <samples/character/frames.hpp>
#include <samples/character/game.hpp>

#include <hsm/save/check_saveable.hpp>
#include <hsm/save/document.hpp>
#include <hsm/save/hash.hpp>

#include "expect.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

namespace {

constexpr int some_frames = 5;

void play_up_to(game& g, const fm2::movie& movie, std::size_t frame) {
    for (auto i = g.log().frames(); i < frame; ++i) g.play(movie.frames[i]);
}

/// Returns the state at the end: the active states, and hashes of the machine and the character.
std::string end_of(const game& g) {
    return g.machine().path_of_leaves() + ' ' + std::to_string(hsm::hash(g.machine())) + ' ' +
           std::to_string(hsm::hash_of(g.hero()));
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
}

/// In the file, the number of played frames precedes the document.
void save(const fm2::movie& movie, const std::string& state, const std::string& path) {
    game g(movie.frame_nanoseconds());
    while (!g.machine().is_in(state) || g.machine().time_in_state(state) < frames(some_frames))
        play_up_to(g, movie, g.log().frames() + 1);
    std::ofstream file(path);
    file << g.log().frames() << '\n';
    // [save]
    file << hsm::save_document(g.machine(), g.hero());
    // [/save]
}

void load(const fm2::movie& movie, const std::string& path) {
    const auto all = text_of(path);
    const auto line = all.find('\n');
    const auto frames_played = std::stoul(all.substr(0, line));
    const auto text = all.substr(line + 1);
    game g;
    // [load]
    const auto [outcome, changes] = hsm::restore_document(g.machine(), g.hero(), text);
    for (const auto& change : changes) std::puts(change.to_string().c_str());
    // [/load]
    for (auto i = frames_played; i < movie.frames.size(); ++i) g.play(movie.frames[i]);
    std::printf("%s\n", end_of(g).c_str());
}

/// Runs a separate program, whose output goes to a file.
std::string run(const std::string& arguments, const std::string& output) {
    auto command = arguments + " > \"" + output + '"';
#ifdef _WIN32
    command = '"' + command + '"'; // cmd removes the first and last quotes of a command that begins with one
#endif
    if (std::system(command.c_str()) != 0) std::exit(1);
    auto text = text_of(output);
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

} // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    if (argc == 5 && what == "save") return save(fm2::load(argv[2]), argv[3], argv[4]), 0;
    if (argc == 4 && what == "load") return load(fm2::load(argv[2]), argv[3]), 0;
    if (argc != 2) return std::fprintf(stderr, "usage: savegame MOVIE\n"), 2;

    const auto movie = fm2::load(argv[1]);
    game whole(movie.frame_nanoseconds());
    play(whole, movie);
    // A separate folder, because other processes can run this sample at the same time.
    const auto folder =
        std::filesystem::temp_directory_path() / ("hsm_savegame_" + std::to_string(std::random_device()()));
    std::filesystem::create_directory(folder);
    const auto quoted = [](const std::string& text) { return '"' + text + '"'; };
    const auto file = (folder / "save.json").string(), output = (folder / "output").string();
    for (const std::string state : {"attack/sword/backhand", "hit"}) {
        const auto program = quoted(argv[0]);
        run(program + " save " + quoted(argv[1]) + ' ' + quoted(state) + ' ' + quoted(file), output);
        const auto end = run(program + " load " + quoted(argv[1]) + ' ' + quoted(file), output);
        expect("saved and loaded in " + state, end, end_of(whole));
    }
    std::filesystem::remove_all(folder);

    // [check]
    timeline unused;
    for (const auto& f : hsm::check_saveable(character_chart(unused), hsm::saving::document))
        std::puts(f.to_string().c_str());
    // [/check]
}
