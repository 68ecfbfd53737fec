/// Tests the output of emit_generated.cpp: a file loaded with the generated registry, and the generated definition, are the same chart and behave
/// equally.
#pragma once

#include <hsm/chart/fingerprint.hpp>
#include <hsm/define/detail/finishes_when.hpp>
#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>
#include <hsm/run/error.hpp>
#include <tests/support/text_observer.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

template <class Context> struct player {
    explicit player(const hsm::chart<Context>& chart) : agent(chart, context), attached(agent.attach(log)) {}

    std::string next(std::uint32_t x) {
        flip(context, x & (x >> 7)); // beside the context
        std::string said;
        try {
            said = to_string(x % 61 == 0 ? agent.stop() : !agent.active() ? agent.start() : give(agent, x >> 8));
        } catch (const hsm::chain_error& e) {
            said = e.report().problem;
        }
        return log.take() + " => " + said + (agent.finished() ? " finished" : "");
    }

    Context context{};
    test::text_observer log;
    hsm::instance<Context> agent;
    hsm::attachment attached;
};

template <class Context> void compare(std::uint64_t seed, const char* xml, hsm::owned<hsm::fsm<Context>> (*define)()) {
    CAPTURE(seed);
    const hsm::registry<Context> names;
    const hsm::compile_options options{.order = seed % 2 ? hsm::decision_order::substate_first : hsm::decision_order::superstate_first};
    const auto by_file = hsm::compile(hsm::load_xml_text(xml, names), options);
    const auto by_code = hsm::compile(define(), options);
    CHECK(by_file.fingerprint() == by_code.fingerprint());
    player<Context> a(by_file), b(by_code);
    std::uint32_t x = 2463534242u + static_cast<std::uint32_t>(seed);
    for (int i = 0; i < 300; ++i) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        const auto expected = a.next(x), found = b.next(x);
        CAPTURE(i);
        CHECK(found == expected);
        if (found != expected) return; // the rest is a consequence
    }
}
