#include <samples/character/machine.hpp>

#include <samples/character/attack.hpp>
#include <samples/character/locomotion.hpp>
#include <samples/character/timer.hpp>

#include <chrono>

using namespace std::chrono_literals;

namespace {

/// Falls down, lies there for a while, and is gone.
class death : public hsm::fsm<character> {
public:
    death() : fsm("dead") {
        auto& collapse = add<timer>("collapse", 30);
        auto& lie = add("lie").on_update([](character&, hsm::step<character>& s) {
            if (s.time_in_state() > 1s) s.finish();
        });
        auto& gone = add_final("gone");
        collapse.to(lie).on_finished();
        lie.to(gone).on_finished();
    }
    void enter(character& c) const { c.halt(); }
};

} // namespace

hsm::owned<hsm::fsm<character>> make_character() {
    auto root = hsm::make_fsm<character>("character");
    auto& title = root->add("title").on_enter(&character::freeze).on_exit(&character::thaw);
    auto& move = root->add<locomotion>();
    auto& strike = root->add<attack>();
    auto& hit = root->add<timer>("hit", 24).on_enter(&character::suffer);
    auto& dead = root->add<death>();
    auto& respawn = root->add<timer>("respawn", 60).on_enter(&character::revive);
    auto& pause = root->add("pause").on_enter(&character::freeze).on_exit(&character::thaw);

    root->on_update(&character::step); // the body moves first; then states decide what to make of it

    // Whatever the character is doing:
    root->to(dead).when(&character::is_spent).priority(9);
    root->to(hit).when(&character::is_struck).priority(8);
    root->to(title).on<reset>().then(&character::start_over);

    move.to(strike).on<press::attack>();
    strike.to(move).on_finished();
    hit.to(move).on_finished();
    dead.to(respawn).on_finished();
    respawn.to(move).on_finished();

    title.to(respawn).on<press::start>();
    move.to(pause).on<press::start>();
    pause.to(move).on<press::start>();
    return root;
}
