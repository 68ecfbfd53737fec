#include <hsm/reload/reloader.hpp>

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/load/detail/problem_list.hpp>
#include <hsm/load/detail/source_text.hpp>
#include <hsm/reload/detail/replacement.hpp>
#include <hsm/run/detail/followed.hpp>
#include <hsm/run/detail/instance_access.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

namespace hsm::detail {

namespace {

namespace fs = std::filesystem;

/// The size and the time of a file.
struct stamp {
    std::uint64_t size;
    fs::file_time_type time;
    bool operator==(const stamp&) const = default;

    /// Whether the file can change again without another time: clocks of file systems can be coarse.
    bool is_recent() const { return fs::file_time_type::clock::now() - time < std::chrono::seconds(2); }
};

std::optional<stamp> stamp_of(const std::string& path) {
    std::error_code problem;
    const stamp found{fs::file_size(path, problem), fs::last_write_time(path, problem)};
    if (problem) return {};
    return found;
}

void ignore(void*) noexcept {}

} // namespace

struct watched_file::state {
    std::optional<stamp> seen; ///< when the content was read
    bool was_recent = true;
    std::optional<std::string> content;
    std::vector<std::unique_ptr<follower>> machines, crowds;
};

watched_file::watched_file(std::string path) : path_(std::move(path)), state_(make_owned<state>()) {}
watched_file::watched_file(watched_file&& other) noexcept = default;
watched_file::~watched_file() = default;

bool watched_file::read_changed(std::string& text, const load_options& limits) {
    const auto now = stamp_of(path_);
    if (state_->content && (!now || (now == state_->seen && !state_->was_recent)))
        return false; // a file that is replaced can be missing for a moment
    problem_list problems(path_, limits);
    auto content = read_file(path_, limits.max_bytes, problems);
    if (!problems.empty()) throw load_error(problems.take());
    state_->seen = now;
    state_->was_recent = !now || now->is_recent();
    if (content == state_->content) return false;
    text = content;
    state_->content = std::move(content);
    return true;
}

void watched_file::forget() {
    state_->seen = {};
    state_->content = std::string();
}

namespace {

void add(std::vector<std::unique_ptr<follower>>& to, void* added) {
    std::erase_if(to, [](const auto& each) { return !each->get(); });
    if (std::ranges::any_of(to, [&](const auto& each) { return each->get() == added; })) return;
    to.push_back(std::make_unique<follower>(added, &ignore, nullptr));
}

template <class T, class Get> auto all_of(const std::vector<std::unique_ptr<follower>>& from, const Get& get) {
    std::vector<decltype(get(static_cast<T*>(nullptr)))> there;
    for (const auto& each : from)
        if (void* const object = each->get()) there.push_back(get(static_cast<T*>(object)));
    return there;
}

} // namespace

void watched_file::attach(instance_base& machine, const chart_base& chart) {
    auto& added = instance_access::engine_of(machine);
    require_machine(chart.core(), added);
    add(state_->machines, &added);
}

void watched_file::attach(crowd_base& crowd, const chart_base& chart) {
    require_old_chart(chart.core(), &crowd_access::core_of(crowd).layout().core);
    add(state_->crowds, &crowd);
}

reload_report watched_file::apply(const reload_plan& plan, first_exception& first) {
    const auto machines = all_of<engine>(state_->machines, [](engine* m) { return m; });
    const auto crowds = all_of<crowd_base>(state_->crowds, [](crowd_base* c) { return &crowd_access::core_of(*c); });
    return apply_to(plan.charts(), machines, crowds, first);
}

} // namespace hsm::detail
