#include <samples/character/machine.hpp>

#include <samples/character/attack.hpp>
#include <samples/character/frames.hpp>
#include <samples/character/locomotion.hpp>

#include <chrono>

using namespace std::chrono_literals;

namespace {

/// Falls down, lies there for a while, and is finished.
class death : public hsm::fsm<character> {
public:
    death() : fsm("dead") {
        auto& collapse = add("collapse");
        auto& lie = add("lie");
        auto& gone = add_final("gone");
        collapse.to(lie).after(frames(30));
        lie.to(gone).after(1s);
    }
    void enter(character& c) const { c.halt(); }
};

} // namespace

hsm::owned<hsm::fsm<character>> make_character() {
    auto root = hsm::make_fsm<character>("character");
    auto& title = root->add("title").on_enter(&character::freeze).on_exit(&character::thaw);
    auto& move = root->add<locomotion>();
    auto& strike = root->add<attack>();
    auto& hit = root->add("hit").on_enter(&character::suffer).min_duration(frames(8)); // even death waits for its end
    auto& dead = root->add<death>();
    auto& respawn = root->add("respawn").on_enter(&character::revive);
    auto& pause = root->add("pause").on_enter(&character::freeze).on_exit(&character::thaw);
    auto& as_before = move.add_deep_history("as before");

    root->on_update(&character::step); // the body moves first; then states react

    // In every state:
    root->to(dead).when(hsm::named("is spent", &character::is_spent)).priority(9);
    root->to(hit).when(hsm::named("is struck", &character::is_struck)).priority(8);
    root->to(title).on<reset>().then(hsm::named("start over", &character::start_over)).force();

    move.to(strike).on<press::attack>();
    strike.to(move).on_finished();
    hit.to(move).after(frames(24));
    dead.to(respawn).on_finished();
    respawn.to(move).after(frames(60));

    title.to(respawn).on<press::start>();
    move.to(pause).on<press::start>();
    pause.to(as_before).on<press::start>();
    return root;
}
