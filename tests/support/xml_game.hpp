/// Machines from the contents of a <Project>, with names for everything that a file can name.
#pragma once

#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>

#include <tests/support/recorder.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace test {

using namespace std::chrono_literals;

struct hit {
    int force;
};
enum class pose { lying };
enum class input { up, down };

struct count_down {
    int left = 2;
    void update(recorder& r) { r.note("left " + std::to_string(--left)); }
    bool finished() const { return left == 0; }
};

class spin : public hsm::fsm<recorder> {
public:
    explicit spin(const char* first) : fsm("spin") { add(first).on_enter(tracing(std::string("E ") + first)).to(add_final("end")).on("stop"); }
    void enter(recorder& r) const { r.note("E spin"); }
};

struct outer : recorder {
    recorder inner;
};

inline auto tracing_state(const char* token) {
    return [token](recorder& r, hsm::step<recorder>& s) { r.note(std::string(token) + " " + std::string(s.state().name())); };
}

struct recorder_registry : hsm::registry<recorder> {
    recorder_registry() {
        hook("E", tracing_state("E")).hook("U", tracing_state("U")).hook("X", tracing_state("X"));
        hook("a hook with blanks", tracing("blanks"));
        action("act", tracing("act")).action<hit>("hurt", [](recorder& r, const hit& h) { r.note("hurt " + std::to_string(h.force)); });
        update("float", [](recorder& r, float dt) { r.note("dt " + std::to_string(int(dt * 1000))); });
        guard("go", &recorder::go).guard("ready", &recorder::ready);
        guard("asks go", [](const recorder& r) { return const_cast<recorder&>(r).note("go?"), r.go; });
        guard("asks ready", [](const recorder& r) { return const_cast<recorder&>(r).note("ready?"), r.ready; });
        guard<hit>("hard", [](const recorder&, const hit& h) { return h.force > 5; });
        guard<hsm::state_ref>("to b", [](const recorder&, hsm::state_ref to) { return to.name() == "b"; });
        change("change", [](recorder& r, hsm::state_ref from, hsm::state_ref to, hsm::reason) {
            r.note(std::string(from.name()) + ">" + std::string(to.name()));
        });
        delay("short", 30ms).delay("found", [](const recorder& r) { return r.ready ? 10ms : 50ms; });
        local<count_down>("countDown");
        state<spin>("spin", "around");
        identifier("lying", pose::lying);
        event<hit>("hit").event("up", input::up).event("stop");
        bit("registered", 7);
    }
};

/// A machine from the contents of its <Project>.
struct game {
    explicit game(const std::string& inside, const std::string& attributes = "")
        : chart(hsm::compile(hsm::load_xml_text("<Project name='R' " + attributes + ">" + inside + "</Project>", names))), agent(chart, r) {}

    std::string start() { return agent.start(), r.take(); }
    std::string tick(std::chrono::milliseconds dt = 0ms) { return agent.tick(dt), r.take(); }
    template <class E> std::string process(E&& e) { return agent.process(std::forward<E>(e)), r.take(); }
    std::string at() const {
        const auto path = agent.current().path();
        return path == "R" ? path : path.substr(2);
    }

    recorder_registry names;
    hsm::chart<recorder> chart;
    recorder r;
    hsm::instance<recorder> agent;
};

inline constexpr auto eux = " enter='E' update='U' exit='X' ";

inline std::string state(const std::string& id, const std::string& inside, const std::string& attributes = "") {
    return "<state ID='" + id + "' " + attributes + ">" + inside + "</state>";
}

} // namespace test
