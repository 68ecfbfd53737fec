/// A machine that is played step by step, from outside: each step is something that comes in, and what the machine made of it is kept until the next.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/observe/chart_names.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/tool/detail/event_payload.hpp>
#include <hsm/tool/detail/machine_to_play.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm::detail::tool {

/// Something that has happened in a step.
struct happening {
    enum kind_of : std::uint8_t {
        transition, ///< number, or none; from: its source; to: its target, or none; why; event
        exited,     ///< from
        entered,    ///< from
        ran,        ///< name: of a hook, an action, an update
        asked,      ///< name: of a guard; yes
        timed,      ///< name: of a delay that was simulated; its length in `text`
        event,      ///< name: it is handled
        held,       ///< from: holds; number: the transition
        deferred,   ///< name
        recalled,   ///< name
        dropped,    ///< name, text: why
        refused,    ///< number
        finished,   ///< from
        condition,  ///< name; yes
        thrown,     ///< text: what a hook threw
        logged,     ///< name: a label, text: what an SCXML document logs
        sent,       ///< name: an event that a document sends to somebody else, text: to whom
        failed,     ///< name: an event that tells a document of an error, text: what is wrong
        told,       ///< text: a record as it is, if those are wanted
    } kind;
    std::uint32_t from = record::no_state;
    std::uint32_t to = record::no_state;
    std::uint32_t number = record::no_number;
    reason why = reason::none;
    bool yes = false;
    std::string name = {};
    std::string text = {};
};

class player final : private observer, private simulation_listener {
public:
    explicit player(const machine_to_play& what);
    player(const player&) = delete;
    player& operator=(const player&) = delete;
    ~player() override;

    // What comes in. They throw command_error, or what the library throws, if the step makes no sense; what a hook throws is kept as a happening.
    void begin_anew(); ///< a fresh machine that is not started; all settings are as at first
    void start();
    void event(std::uint32_t number, const std::vector<written_field>& fields);
    void event(const std::string& name, const std::vector<written_field>& fields); ///< of a machine to which any name may come
    /// All of them are one step. `goes_on`, if there is one, is asked before each.
    void tick(time_span elapsed, std::uint32_t times = 1, bool (*goes_on)() = nullptr);
    void set(std::string_view condition, bool on);
    void pulse(std::string_view condition);
    void finish(std::string_view state); ///< empty: the innermost
    void release(std::string_view state);
    void force(std::string_view state);
    void restart(); ///< stop and start

    const machine_to_play& what() const { return what_; }
    instance_base& machine() const { return session_->machine(); }
    const hsm::tool::session& session() const { return *session_; }
    chart_view chart() const { return what_.chart().view(); }
    simulation& world() const { return what_.world(); }
    bool is_started() const { return started_; }
    std::uint32_t ticks() const { return ticks_; } ///< in the last step that was ticks: fewer than were wanted if it was stopped

    const std::vector<happening>& happened() const { return happened_; } ///< in the last step
    std::size_t further() const { return further_; }                     ///< so many more: of a long step not all are kept
    std::optional<result> outcome() const { return outcome_; }           ///< of the last step
    bool has_changed() const;                                            ///< a transition fired, a state was entered or left
    bool take_thrown() { return std::exchange(has_thrown_, false); }     ///< a step has thrown since this was last called
    bool is_over() const { return session_->finished(); }
    bool is_in(state_view s) const; ///< also of a document that has ended in it
    bool takes_any_name() const { return session_->takes_any_name(); }

    /// Whoever answers for guards whose setting is `ask`, in a step; null: they answer no.
    class oracle {
    public:
        virtual ~oracle() = default;
        virtual bool ask(const simulated_name& guard) = 0;
    };
    void listen(oracle* asked) { oracle_ = asked; }
    guard_setting guards_at_first = guard_setting::no;
    bool keeps_records = false; ///< also as they are

private:
    // observer
    void on_record(const hsm::record& r, const moment& when) override;
    // simulation_listener
    bool ask(const simulated_name& guard) override;
    void answered(const simulated_name& guard, bool answer) override;
    void ran(const simulated_name& hook) override;
    void measured(const simulated_name& delay) override;
    void logged(std::string_view label, std::string_view text) override;
    void sent(std::string_view event, std::string_view target, std::string_view data) override;
    void failed(std::string_view event, std::string_view what) override;

    template <class Call> void step(const Call& call);
    void note_hooks(view_list<hook_view> hooks);
    void note(happening h);
    void note_state(happening::kind_of kind, const hsm::record& r);
    void note_guard(const hsm::record& r);
    bool is_simulated(std::string_view label) const;
    void require_started() const;

    const machine_to_play& what_;
    chart_names names_;
    owned<hsm::tool::session> session_;
    attachment watching_;
    std::vector<happening> happened_;
    std::optional<result> outcome_;
    std::vector<std::string_view> simulated_; ///< names that no program has registered
    std::size_t further_ = 0;
    std::uint32_t ticks_ = 0;
    bool started_ = false;
    bool in_step_ = false;
    bool has_taken_ = false; ///< some call of the step
    bool has_thrown_ = false;
    oracle* oracle_ = nullptr;
};

} // namespace hsm::detail::tool
