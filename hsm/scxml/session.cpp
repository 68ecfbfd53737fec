#include <hsm/scxml/session.hpp>

#include <hsm/run/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace hsm::scxml {

namespace {

std::vector<std::string> names_of(const std::vector<state_ref>& leaves) {
    std::vector<std::string> names;
    for (const auto leaf : leaves) names.emplace_back(leaf.name());
    return names;
}

} // namespace

std::vector<std::string> session_base::configuration() const { return finished() ? last_ : names_of(machine_.leaves()); }

result session_base::settle(result outcome) {
    for (std::size_t steps = 0; machine_.active() && !machine_.finished() && machine_.queued() > 0; ++steps) {
        if (steps == options_.max_macrosteps)
            throw chain_error({code::chain, std::string(machine_.current().name()),
                               fmt::format("after {} events that the document has sent to itself there is no end", steps),
                               "let it send the next one with a delay"});
        machine_.drain();
    }
    if (machine_.finished()) {
        last_ = names_of(machine_.leaves());
        end_ = last_.empty() ? std::string() : last_.front();
        machine_.stop();
    }
    return outcome;
}

result session_base::start() {
    end_.clear();
    last_.clear();
    return settle(machine_.start());
}

result session_base::process(std::string_view event) { return settle(machine_.process(event)); }

result session_base::tick(time_span elapsed) {
    if (elapsed < time_span()) return result::refused;
    auto outcome = result::unhandled;
    auto left = elapsed.nanoseconds();
    std::size_t steps = 0;
    while (machine_.active()) {
        const auto next = data_.next_delay();
        const auto part = next ? std::min(left, next->nanoseconds()) : left;
        const bool comes = next && next->nanoseconds() <= left;
        if (comes && ++steps > options_.max_macrosteps)
            throw chain_error({code::chain,
                               {},
                               fmt::format("more than {} delayed events come in one tick", options_.max_macrosteps),
                               "let less time pass at once"});
        if (const auto done = settle(machine_.tick(time_span::from_nanoseconds(part))); done == result::taken) outcome = done;
        left -= part;
        if (!comes) return outcome;
    }
    return outcome;
}

} // namespace hsm::scxml
