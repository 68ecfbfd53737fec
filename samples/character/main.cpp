// A character, driven by recorded controller movies: character [option]... movie.fm2...

#include <samples/character/game.hpp>
#include <samples/character/report.hpp>
#include <samples/character/trace.hpp>

#include <hsm/observe/coverage_report.hpp>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr const char* usage =
    "usage: character [--all | --quiet] [--check] [--stats] [--trace FILE] [--coverage FILE] movie.fm2...\n"
    "       character [--all | --quiet] --record LOG movie.fm2\n"
    "       character [--all | --quiet] --replay LOG\n"
    "  --all    print every state change, not only the first and last 20\n"
    "  --quiet  print the summary only\n"
    "  --check  fail if the figures contradict each other or the movie. If the movie's header has the line\n"
    "           'comment visits every state', also fail if a state is not visited\n"
    "  --stats  print how often and how long each state was active, and how often each transition fired\n"
    "  --trace FILE\n"
    "           write a trace: for ui.perfetto.dev (.pftrace), for chrome://tracing (.json), as JSON lines (.jsonl),\n"
    "           or as a trace file of hsm\n"
    "  --coverage FILE\n"
    "           write the coverage of all movies together: as a page (.html), for lcov (.info), or as text\n"
    "  --record LOG\n"
    "           write a log of the machine's inputs\n"
    "  --replay LOG\n"
    "           replay a log, and fail if the machine behaves differently\n";

struct options {
    bool all = false, quiet = false, check = false, stats = false;
    std::string trace, coverage, record, replay; // files
    std::vector<std::string> movies;
};

std::optional<options> read_arguments(int count, char** arguments) {
    options o;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--all")
            o.all = true;
        else if (argument == "--quiet")
            o.quiet = true;
        else if (argument == "--check")
            o.check = true;
        else if (argument == "--stats")
            o.stats = true;
        else if (argument == "--trace" && i + 1 < count)
            o.trace = arguments[++i];
        else if (argument == "--coverage" && i + 1 < count)
            o.coverage = arguments[++i];
        else if (argument == "--record" && i + 1 < count)
            o.record = arguments[++i];
        else if (argument == "--replay" && i + 1 < count)
            o.replay = arguments[++i];
        else if (argument.starts_with('-'))
            return {};
        else
            o.movies.emplace_back(argument);
    }
    if (o.movies.empty() == o.replay.empty() || (o.all && o.quiet)) return {};
    if (!o.record.empty() && o.movies.size() > 1) return {};
    return o;
}

bool promises_every_state(const fm2::movie& movie) {
    return std::ranges::any_of(
        movie.header, [](const auto& field) { return field.key == "comment" && field.value == "visits every state"; });
}

/// Prints all errors; returns true if there are none.
bool check(const timeline& log, const fm2::movie& movie) {
    auto problems = log.contradictions();
    if (log.frames() != movie.frames.size()) problems.push_back("not every frame of the movie was played");
    if (promises_every_state(movie))
        for (const auto& path : log.never_visited()) problems.push_back(path + " was not visited");
    for (const auto& problem : problems) std::fprintf(stderr, "check: %s\n", problem.c_str());
    return problems.empty();
}

std::vector<std::byte> read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path + " cannot be read");
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    const auto bytes = std::as_bytes(std::span(all));
    return {bytes.begin(), bytes.end()};
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw std::runtime_error(path + " cannot be written");
}

/// Plays one movie; returns false if a check failed.
bool run(const fm2::movie& movie, const options& o, const spectators& all) {
    const double frame_seconds = static_cast<double>(movie.frame_nanoseconds()) / 1e9;
    game g(movie.frame_nanoseconds(), all);
    play(g, movie);
    g.stop();
    if (all.inputs) write_file(o.record, all.inputs->bytes());
    if (!o.quiet) print_changes(stdout, g.log(), frame_seconds, o.all);
    print_summary(stdout, g.log(), frame_seconds);
    return !o.check || check(g.log(), movie);
}

/// Plays a log instead of movies.
bool replay(const options& o) {
    const double frame_seconds = static_cast<double>(fm2::movie().frame_nanoseconds()) / 1e9;
    const auto log = read_file(o.replay);
    game g;
    const auto found = g.replay(log);
    if (found) std::printf("%s", found->to_string().c_str());
    g.close();
    if (!o.quiet) print_changes(stdout, g.log(), frame_seconds, o.all);
    print_summary(stdout, g.log(), frame_seconds);
    if (!found) std::printf("\nThe replay equals the log %s.\n", o.replay.c_str());
    return !found;
}

/// Reads all movies before it plays the first.
bool run_all(const options& o) {
    std::vector<fm2::movie> movies;
    for (const auto& path : o.movies) movies.push_back(fm2::load(path));
    timeline unused;
    hsm::coverage seen(character_chart(unused));
    hsm::statistics figures;
    game_trace trace(o.trace);
    bool fine = true;
    for (std::size_t i = 0; i < movies.size(); ++i) {
        if (movies.size() > 1) std::printf("%s%s\n\n", i == 0 ? "" : "\n", o.movies[i].c_str());
        spectators all;
        hsm::input_log inputs;
        if (!o.record.empty()) all.inputs = &inputs;
        if (!o.coverage.empty()) all.coverage = &seen;
        if (o.stats) all.statistics = &figures;
        if (!o.trace.empty()) all.observer = &trace.add_game(o.movies[i]);
        fine &= run(movies[i], o, all);
    }
    if (o.stats) std::printf("\n%s", figures.text().c_str());
    if (!o.trace.empty()) trace.save();
    if (!o.coverage.empty()) hsm::write_coverage(seen, o.coverage);
    return fine;
}

} // namespace

int main(int count, char** arguments) {
    const auto o = read_arguments(count, arguments);
    if (!o) {
        std::fputs(usage, stderr);
        return 2;
    }
    try {
        return (o->replay.empty() ? run_all(*o) : replay(*o)) ? 0 : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
