// The commands of hsm for the character: character_tool replay run.hsmlog, character_tool run character, ...

#include <samples/character/game.hpp>

#include <hsm/tool/main.hpp>

#include <cstdint>
#include <string>

// [session]
/// A character on its stage. Besides the calls, its logs contain the buttons that are held.
class character_session final : public hsm::tool::session {
public:
    explicit character_session(const hsm::chart<character>& chart) : machine_(chart, hero_) {}

    hsm::instance_base& machine() override { return machine_; }
    void attach(hsm::input_log& log) override { log.attach(machine_, hero_); }
    void attach(hsm::replay& log) override {
        log.attach(machine_, hero_);
        log.on_note<std::uint8_t>([this](std::uint8_t held) { hero_.held = controls::of(held); });
    }
    std::string describe() const override {
        const auto at = hero_.where();
        return "at " + std::to_string(at.x) + ", " + std::to_string(at.y) + " with stamina " +
               std::to_string(hero_.stamina()) + " and " + std::to_string(hero_.hearts()) + " hearts";
    }

private:
    character hero_;
    hsm::instance<character> machine_;
};

int main(int argc, char** argv) {
    timeline unused; // its hooks are part of the chart
    hsm::tool::machine hero(character_chart(unused));
    hero.played_by([](const hsm::chart<character>& chart) {
        return hsm::owned<hsm::tool::session>(hsm::make_owned<character_session>(chart));
    });
    return hsm::tool::main(argc, argv, hero);
}
// [/session]
