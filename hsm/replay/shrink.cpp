#include <hsm/replay/shrink.hpp>

#include <hsm/replay/detail/log_format.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

namespace {

/// Returns a log of some of the calls. It begins with the first keyframe, and contains the targets of its jumps.
std::vector<std::byte> log_of(const log_view& log, const std::vector<log_call>& calls) {
    log_view made;
    made.machines = log.machines;
    made.keyframes.push_back(log.keyframes.front());
    std::vector<const log_view::keyframe*> jumps;
    for (const auto& each : log.keyframes)
        if (each.head.is_jump) jumps.push_back(&each);
    std::vector<std::byte> written;
    std::uint64_t elapsed = 0, made_jumps = 0;
    for (auto call : calls) {
        if (call.code == log_jump) {
            auto keyframe = *jumps[static_cast<std::size_t>(std::exchange(call.number, made_jumps++))];
            keyframe.head = {made.head.calls, made.head.frames, written.size(), elapsed, 0, 1};
            made.keyframes.push_back(keyframe);
        }
        made.head.frames += call.is_frame();
        ++made.head.calls;
        put_call(written, call, elapsed, false);
    }
    made.calls = written;
    return write_log(made);
}

} // namespace

std::vector<std::byte> shrink_log(std::span<const std::byte> bytes, void* self, log_test fails) {
    const auto log = read_log(bytes);
    std::vector<log_call> calls;
    call_reader reader(log.calls, 0, 0, log.head.flags & log_has_checks);
    for (log_call call; reader.next(call);) calls.push_back(call);

    auto shortest = log_of(log, calls);
    if (!fails(self, shortest)) return {bytes.begin(), bytes.end()};
    for (auto size = std::max<std::size_t>(calls.size() / 2, 1);;) { // the number of calls to leave out
        bool any = false;
        for (std::size_t begin = 0; begin < calls.size();) {
            const auto end = std::min(begin + size, calls.size());
            auto rest = calls;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(begin), rest.begin() + static_cast<std::ptrdiff_t>(end));
            auto candidate = log_of(log, rest);
            if (fails(self, candidate)) {
                calls = std::move(rest);
                shortest = std::move(candidate);
                any = true;
            } else {
                begin = end;
            }
        }
        if (size == 1 && !any) return shortest;
        if (!any || size > calls.size()) size = std::max<std::size_t>(size / 2, 1);
    }
}

} // namespace hsm::detail
