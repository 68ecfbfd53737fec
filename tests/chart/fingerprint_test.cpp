// Equal definitions have equal fingerprints, whichever compiler builds them. Each kind of change alters the fingerprint.

#include <tests/support/recorder.hpp>

#include <hsm/chart/view.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using test::event;
using test::recorder;

namespace game {
template <class T> struct shot {};
struct hit {};
enum class signal { go, halt };
} // namespace game

namespace {

using machine = hsm::fsm<recorder>;

/// Two states, and the definition calls of `more`.
hsm::chart<recorder> made(const std::function<void(machine&, hsm::state<recorder>&, hsm::state<recorder>&)>& more,
                          const hsm::compile_options& o = {}) {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    more(*root, a, b);
    return hsm::compile(std::move(root), o);
}

std::string print_of(const std::function<void(machine&, hsm::state<recorder>&, hsm::state<recorder>&)>& more, const hsm::compile_options& o = {}) {
    return made(more, o).fingerprint().to_string();
}

} // namespace

TEST_CASE("a fingerprint is the same in every build") {
    CHECK(print_of([](auto&, auto&, auto&) {}) == "89192ba9d1956193396433727e69764b");
    CHECK(print_of([](auto&, auto& a, auto& b) { a.to(b).template on<game::hit>(); }) == "9a8d8d32b2a7f58da51a33ca32cbba71");
    CHECK(print_of([](auto&, auto& a, auto& b) { a.to(b).on(game::signal::halt); }) == "45d9a40d5d07728db4cbd6815fbb514c");
    CHECK(print_of([](auto&, auto& a, auto& b) { a.to(b).template on<game::shot<std::vector<int>>>(); }) == "b783753580c0d76871021d4694d43d46");
    CHECK(print_of([](auto&, auto& a, auto& b) { a.to(b).when("Go").after(3ms); }) == "ffd32cc06e438b04c34b342059c29678");
}

TEST_CASE("charts with equal definitions, and their views, have the same fingerprint") {
    const auto definition = [](auto&, auto& a, auto& b) { a.to(b).on("go").when([](const recorder&) { return true; }); };
    const auto first = made(definition);
    const auto second = made(definition);
    CHECK(first.fingerprint() == second.fingerprint());
    CHECK(first.layout() == second.layout());
    CHECK(first.view().fingerprint() == first.fingerprint());
    CHECK(first.layout() != first.fingerprint());
}

TEST_CASE("each kind of change to a definition changes the fingerprint") {
    std::vector<std::string> all;
    const auto add = [&](const auto& more, const hsm::compile_options& o = {}) { all.push_back(print_of(more, o)); };
    add([](auto&, auto&, auto&) {});
    add([](auto&, auto&, auto&) {}, {.order = hsm::decision_order::substate_first});
    add([](auto& root, auto&, auto&) { root.add("C"); });
    add([](auto& root, auto&, auto&) { root.add_fsm("C").add("D"); });
    add([](auto& root, auto&, auto&) { root.add_parallel("C").add("D"); });
    add([](auto& root, auto&, auto&) { root.add_final("C"); });
    add([](auto&, auto& a, auto&) { a.transient(); });
    add([](auto&, auto& a, auto&) { a.hold(); });
    add([](auto&, auto& a, auto&) { a.min_duration(1ms); });
    add([](auto&, auto& a, auto&) { a.min_duration(2ms); });
    add([](auto&, auto& a, auto&) { a.on_enter([](recorder&) {}); });
    add([](auto&, auto& a, auto&) { a.on_exit([](recorder&) {}); });
    add([](auto&, auto& a, auto& b) { a.to(b); });
    add([](auto&, auto& a, auto& b) { b.to(a); });
    add([](auto&, auto& a, auto& b) { a.to(b).always(); });
    add([](auto&, auto& a, auto& b) { a.to(b).priority(1); });
    add([](auto&, auto& a, auto& b) { a.to(b).force(); });
    add([](auto&, auto& a, auto& b) { a.to(b).external(); });
    add([](auto&, auto& a, auto& b) { a.to(b).after(1ms); });
    add([](auto&, auto& a, auto& b) { a.to(b).after(2ms); });
    add([](auto&, auto& a, auto& b) { a.to(b).when("Go"); });
    add([](auto&, auto& a, auto& b) { a.to(b).when("!Go"); });
    add([](auto&, auto& a, auto& b) { a.to(b).when("Halt"); });
    add([](auto&, auto& a, auto& b) { a.to(b).when([](const recorder&) { return true; }); });
    add([](auto&, auto& a, auto& b) { a.to(b).then([](recorder&) {}); });
    add([](auto&, auto& a, auto& b) { a.to(b).on("go"); });
    add([](auto&, auto& a, auto& b) { a.to(b).on("halt"); });
    add([](auto&, auto& a, auto& b) { a.to(b).template on<game::hit>(); });
    add([](auto&, auto& a, auto& b) { a.to(b).on(game::signal::go); });
    add([](auto&, auto& a, auto& b) { a.to(b).on(game::signal::halt); });
    add([](auto&, auto& a, auto& b) { a.to(b).on("go").unless_in(b); });
    add([](auto&, auto& a, auto&) { a.defer("go"); });
    const std::set<std::string> distinct(all.begin(), all.end());
    CHECK(distinct.size() == all.size());
}
