/// Plays a document with hsm::instance or with the reference.
#pragma once

#include <hsm/compile/compile.hpp>
#include <hsm/run/instance.hpp>
#include <hsm/scxml/scxml.hpp>

#ifdef HSM_TEST_SCRIPTS
#include <hsm/scxml/ecmascript.hpp>
#endif

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace suites {

using names = std::set<std::string>;

inline constexpr hsm::instance_options roomy{.internal_queue = 1000, .posted_queue = 1000, .chain_limit = 1000};

#ifdef HSM_TEST_SCRIPTS
inline constexpr bool has_scripts = true;
inline const hsm::scxml_options& options() {
    static const hsm::scxml::ecmascript scripts;
    static const auto made = [] {
        hsm::scxml_options o;
        o.data_models = {&scripts};
        return o;
    }();
    return made;
}
#else
inline constexpr bool has_scripts = false;
inline const hsm::scxml_options& options() {
    static const hsm::scxml_options made;
    return made;
}
#endif

/// Returns an event that the descriptor matches; empty if it matches all.
inline std::string name_to_send(std::string_view descriptor) {
    return std::string(descriptor.ends_with(".*") ? descriptor.substr(0, descriptor.size() - 2) : descriptor);
}

template <class Machine> class player {
public:
    explicit player(const hsm::chart<hsm::scxml::context>& chart, const hsm::instance_options& options = roomy)
        : machine_(chart, context_, options) {}
    player(const player&) = delete;
    player& operator=(const player&) = delete;

    void start() { machine_.start(), settle(); }
    void send(std::string_view event) { machine_.process(event), settle(); }
    /// Advances from one delayed event to the next.
    void pass(hsm::time_span time) {
        for (auto left = time.nanoseconds(); machine_.active() && !machine_.finished();) {
            const auto next = context_.next_delay();
            const auto part = next ? std::min(left, next->nanoseconds()) : left;
            machine_.tick(hsm::time_span::from_nanoseconds(part));
            settle();
            left -= part;
            if (!next || (part == left && left == 0) ||
                context_.next_delay().value_or(hsm::time_span::from_nanoseconds(INT64_MAX)).nanoseconds() > left) {
                if (left > 0) machine_.tick(hsm::time_span::from_nanoseconds(left));
                return;
            }
        }
    }
    names leaves() const {
        names found;
        for (const auto leaf : machine_.leaves()) found.emplace(leaf.name());
        return found;
    }
    bool finished() const { return machine_.finished(); }
    Machine& machine() { return machine_; }

private:
    void settle() {
        for (int i = 0; machine_.active() && !machine_.finished() && machine_.queued() > 0; ++i) {
            if (i == 1000) throw std::runtime_error("the document sends events to itself for ever");
            machine_.drain();
        }
    }

    hsm::scxml::context context_;
    Machine machine_;
};

using playing = player<hsm::instance<hsm::scxml::context>>;

} // namespace suites
