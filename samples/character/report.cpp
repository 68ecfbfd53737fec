#include <samples/character/report.hpp>

namespace {

constexpr std::size_t shown_at_either_end = 20;

void print_change(std::FILE* out, const change& c, double frame_seconds) {
    std::fprintf(out, "%7zu %9.2f  %-22s -> %-22s  %s\n", c.frame, static_cast<double>(c.frame) * frame_seconds,
                 short_path(c.from).c_str(), short_path(c.to).c_str(), std::string(to_string(c.why)).c_str());
}

void print_account(std::FILE* out, const account& a, double frame_seconds, double share) {
    std::fprintf(out, "%-24s %8zu %10.2f %7.2f%%\n", short_path(*a.state).c_str(), a.entries,
                 static_cast<double>(a.frames) * frame_seconds, 100 * share);
}

} // namespace

void print_changes(std::FILE* out, const timeline& log, double frame_seconds, bool all) {
    const auto& changes = log.changes();
    const auto count = changes.size();
    const bool cut = !all && count > 2 * shown_at_either_end + 1;
    std::fprintf(out, "  frame    time s  from                   -> to                      reason\n");
    for (std::size_t i = 0; i < count; ++i) {
        if (cut && i == shown_at_either_end) {
            std::fprintf(out, "%7s … %zu more …\n", "", count - 2 * shown_at_either_end);
            i = count - shown_at_either_end;
        }
        print_change(out, changes[i], frame_seconds);
    }
    std::fprintf(out, "\n");
}

void print_summary(std::FILE* out, const timeline& log, double frame_seconds) {
    const auto frames = static_cast<double>(log.frames());
    std::fprintf(out, "frames played %zu, seconds %.2f, state changes %zu\n\n", log.frames(), frames * frame_seconds,
                 log.changes().size());
    std::fprintf(out, "%-24s %8s %10s %8s\n", "state", "entries", "time s", "share");
    for (const auto& a : log.accounts())
        if (a.entries > 0) print_account(out, a, frame_seconds, static_cast<double>(a.frames) / frames);
    const auto missed = log.never_visited();
    std::fprintf(out, "\nnever visited: %s\n", missed.empty() ? "none" : "");
    for (const auto& path : missed) std::fprintf(out, "    %s\n", path.c_str());
}
