// A constant chart: a pedestrian crossing whose machine the compiler flattens. The same definition, compiled at run
// time, behaves identically, and can be drawn, dumped and observed.

#include <hsm/constant/constant_definition.hpp>
#include <hsm/constant/constant_instance.hpp>
#include <hsm/hsm.hpp>

#include "expect.hpp"

#include <utility>

enum class light { red, yellow, green };

struct crossing {
    light cars = light::red;
    bool walk = false;
    bool wanted = false;
    int seconds = 0; ///< in the current state

    bool is_long_enough() const { return seconds >= 2; }
};

struct press {};
struct power_cut {};

template <light Cars>
constexpr auto shows = [](crossing& c) {
    c.cars = Cars;
    c.seconds = 0;
};

// [definition]
constexpr auto define_crossing = [](auto& root) {
    auto& working = root.named("crossing").add_fsm("working");
    auto& stop = working.add("stop").on_enter(shows<light::red>);
    auto& ready = working.add("ready").on_enter(shows<light::yellow>);
    auto& go = working.add("go").on_enter(shows<light::green>);
    auto& dark = root.add("dark").on_enter([](crossing& c) { c.walk = false; });

    stop.on_enter([](crossing& c) { c.walk = c.wanted; }).on_exit([](crossing& c) { c.walk = c.wanted = false; });
    working.on_update([](crossing& c) { ++c.seconds; });
    working.template on<press>().then([](crossing& c) { c.wanted = true; });
    stop.to(go).when(&crossing::is_long_enough);
    go.to(ready).when(hsm::all(&crossing::wanted, &crossing::is_long_enough));
    ready.to(stop);
    working.to(dark).template on<power_cut>();
};
constexpr auto crossing_chart = hsm::constant_chart<crossing>(define_crossing);
// [/definition]

const char* yes(bool b) { return b ? "yes" : "no"; }

int main() {
    // [use]
    crossing street;
    hsm::constant_instance<crossing_chart> lights(street);
    lights.start();
    lights.tick();
    lights.process(press{});
    // [/use]
    expect("after a second", lights.current().name(), "stop");
    street.wanted = false;
    lights.tick();
    expect("then", lights.current().name(), "go");
    lights.process(press{});
    lights.tick();
    expect("pressed, but not long enough", lights.current().name(), "go");
    lights.tick();
    lights.tick();
    expect("pressed", lights.current().path(), "crossing/working/stop");
    expect("people can walk", yes(street.walk && street.cars == light::red), "yes");
    lights.process(power_cut{});
    expect("a power cut", yes(lights.is_in("dark") && !street.walk), "yes");
    expect("pressed in the dark", to_string(lights.process(press{})), "unhandled");
    static_assert(sizeof(lights) == 2 * sizeof(void*));

    // [ordinary]
    // `drawn` is the constant chart as an ordinary chart, for drawing, dumping and observing. `root` is the same
    // definition, to be compiled at run time.
    const auto drawn = hsm::compile(hsm::definition_of(crossing_chart), {.order = crossing_chart.order});
    auto root = hsm::make_fsm<crossing>("crossing");
    define_crossing(*root);
    // [/ordinary]
    expect("charts are equal", yes(hsm::compile(std::move(root)).dump() == drawn.dump()), "yes");
}
