// A fighter, step 8: a cutscene and a saved state continue where they were; a trace and a question explain the rest.

#include <samples/fighter/hero.hpp>

#include <hsm/observe/explain.hpp>
#include <hsm/observe/record_text.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/save/image.hpp>
#include <samples/expect.hpp>

// [machine]
enum class scene { begins, ends };

auto make_fighter() {
    auto root = hsm::make_fsm<fighter>("fighter");
    auto& play = root->add<hero>("play");
    auto& resume = play.add_deep_history("resume");
    auto& cutscene = root->add("cutscene");
    play.to(cutscene).on<scene::begins>();
    cutscene.to(resume).on<scene::ends>(); // to the leaf in which play was exited
    return hsm::compile(std::move(root));
}
// [/machine]

// [trace]
struct tracer : hsm::observer {
    std::string lines;
    void on_record(const hsm::record& r, const hsm::moment& when) override {
        lines += to_string(r, when.chart()) + "\n";
    }
};
// [/trace]

int main() {
    const auto chart = make_fighter();
    fighter f;
    f.in_hand = weapon::bow;
    hsm::instance agent{chart, f};

    // [history]
    agent.start();
    agent.set("OnGround");
    agent.process(press::attack);
    expect("drawn for 0.6 s", after(agent, 6), "play/attack/bow/aim");
    agent.process(scene::begins);
    expect("a cutscene", after(agent, 9), "cutscene");
    agent.process(scene::ends);
    expect("back", after(agent, 0), "play/attack/bow/aim");
    // [/history]

    // [save]
    const auto image = hsm::save(agent); // the machine, with its times
    const auto then = f;                 // save your context yourself
    expect("0.3 s later", after(agent, 3), "play/attack/bow/aim");
    agent.process(press::release);
    expect("release", after(agent, 2), "play/move/idle");
    expect("load", to_string(hsm::restore(agent, image)), "taken");
    f = then;
    expect("back", after(agent, 0), "play/attack/bow/aim");
    // [/save]

    // [why]
    expect("jump", to_string(agent.process(press::jump)), "guarded");
    expect("why?", to_string(hsm::explain(agent, press::jump)),
           "on jump of press: guarded\n"
           "  fighter/play/attack -> fighter/play/move/jump on jump of press: CanCancel is not set\n");
    // [/why]

    // [traced]
    tracer seen;
    const auto attached = agent.attach(seen, hsm::record_kind::transition);
    agent.process(press::release);
    after(agent, 2);
    expect("trace", seen.lines,
           "transition aim -> loose on release of press (event)\n"
           "transition loose -> bow/done after 200ms (time)\n"
           "transition bow -> attack/done when finished (completion)\n"
           "transition attack -> move when finished (completion)\n");
    // [/traced]
}
