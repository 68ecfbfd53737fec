#include <hsm/observe/detail/texts.hpp>

#include <hsm/draw/detail/lines.hpp>
#include <hsm/op/detail/format.hpp>

#include <limits>

namespace hsm::detail {

namespace {

std::string raw_text_of(const transition_view& t) {
    std::string text(t.source().path());
    if (t.defers()) return fmt::format("{} keeps {}", text, t.event().text());
    bool first = true;
    for (const auto target : t.targets()) text += fmt::format("{}{}", std::exchange(first, false) ? " -> " : ", ", target.path());
    if (t.event()) return fmt::format("{} on {}", text, t.event().text());
    if (t.trigger() == trigger_kind::completion) return text + " when finished";
    return t.timer() ? fmt::format("{} {}", text, option_of(t.timer())) : text;
}

} // namespace

std::string text_of(const state_view& s) { return legible_line(s.path()); }
std::string text_of(const transition_view& t) { return legible_line(raw_text_of(t)); }

std::string text_of(std::string_view what, const guard_view& g, const view_list<guard_view>& list) {
    if (!g.label().empty()) return fmt::format("{} \"{}\"", what, legible_line(g.label()));
    const auto place = g.number() - list[0].number() + 1;
    const auto where = g.where().short_text();
    return where.empty() ? fmt::format("{} {}", what, place) : fmt::format("{} {} ({})", what, place, where);
}

std::string text_of_time(std::int64_t nanoseconds) {
    struct unit {
        std::int64_t size;
        std::string_view name;
    };
    constexpr unit units[] = {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}};
    if (nanoseconds == std::numeric_limits<std::int64_t>::max()) return "ever";
    for (const auto& u : units)
        if (nanoseconds >= u.size) return fmt::format("{} {}", static_cast<double>(nanoseconds) / static_cast<double>(u.size), u.name);
    return fmt::format("{} ns", nanoseconds);
}

} // namespace hsm::detail
