/// Plays a machine step by step. The happenings of a step are kept until the next step.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/define/event_data.hpp>
#include <hsm/observe/chart_names.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/tool/detail/machine_file.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm::detail::tool {

/// A field of an event, such as damage=3.
struct written_field {
    std::string name, value;
};

/// Returns the payload as bytes of an image. Without fields, it is a default value of the event's class, or all zeros. Throws command_error if the
/// class does not have one of the fields, or if its fields are unknown.
std::vector<std::byte> payload_of(event_view event, const chart_base& chart, const std::vector<written_field>& fields);
/// Returns the data of a named event: an object, or the value of the field `data` if it is the only field and contains JSON.
event_data data_of(const std::vector<written_field>& fields);

/// Something that happened in a step.
struct happening {
    enum kind_of : std::uint8_t {
        transition, ///< number, or none; from: source; to: target, or none; why; event
        exited,     ///< from: the state
        entered,    ///< from: the state
        ran,        ///< name: of a hook, an action, an update
        asked,      ///< name: of a guard; yes: its result
        timed,      ///< name: of a simulated delay; text: its length
        event,      ///< name: of the event being handled
        held,       ///< from: the holding state; number: the transition
        deferred,   ///< name
        recalled,   ///< name
        dropped,    ///< name; text: the reason
        refused,    ///< number: the refused transition
        finished,   ///< from: the state
        condition,  ///< name: of the condition; yes: its value
        thrown,     ///< text: what a hook threw
        logged,     ///< name: a label, text: what an SCXML document logs
        sent,       ///< name: an event that a document sends; text: the target
        failed,     ///< name: an error event of a document; text: the problem
        shown,      ///< text: an unprocessed record, if `stores_records`
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

    // Inputs. They throw command_error or an exception of the library if the step is not possible. An exception of a hook becomes a happening.
    void chart_changed(); ///< call it after a reload
    void reset_all();     ///< resets all settings; the new machine is not started
    void start();
    void event(std::uint32_t number, const std::vector<written_field>& fields);
    void event(const std::string& name, const event_data& data); ///< for machines that accept any event name
    void stop();
    /// Runs all ticks as one step. If `goes_on` is not null, it is called before each tick; false ends the ticks.
    void tick(time_span elapsed, std::uint32_t times = 1, bool (*goes_on)() = nullptr);
    void set(std::string_view condition, bool on);
    void pulse(std::string_view condition);
    void finish(std::string_view state); ///< empty: the innermost state
    void release(std::string_view state);
    void force(std::string_view state);
    void restart(); ///< stop and start

    const machine_to_play& what() const { return what_; }
    instance_base& machine() const { return session_->machine(); }
    hsm::tool::session& session() const { return *session_; }
    chart_view chart() const { return what_.chart().view(); }
    simulation& sim() const { return what_.sim(); }
    bool is_started() const { return started_; }
    std::uint32_t ticks() const { return ticks_; } ///< in the last step of ticks; fewer than requested if it was stopped

    const std::vector<happening>& happened() const { return happened_; } ///< of the last step
    std::size_t further() const { return further_; }                     ///< the number of happenings that were not kept because the step was long
    std::optional<result> outcome() const { return outcome_; }           ///< of the last step
    bool has_changed() const;                                            ///< whether a transition fired, or a state was entered or exited
    bool take_thrown() { return std::exchange(has_thrown_, false); }     ///< whether a step threw since the last call
    bool is_over() const { return session_->finished(); }
    bool is_in(state_view s) const; ///< also true for the final state of a document that has ended
    bool takes_any_name() const { return session_->takes_any_name(); }

    /// Answers for guards with the setting `ask`. If no guard_answerer is set, the answer is no.
    class guard_answerer {
    public:
        virtual ~guard_answerer() = default;
        virtual bool ask(const simulated_name& guard) = 0;
    };
    void listen(guard_answerer* asked) { guard_answerer_ = asked; }
    guard_setting guards_at_first = guard_setting::no;
    bool stores_records = false; ///< also keep unprocessed records

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
    void add_hooks_run(view_list<hook_view> hooks);
    void note(happening h);
    void add_state_change(happening::kind_of kind, const hsm::record& r);
    void add_guard_answer(const hsm::record& r);
    bool is_simulated(std::string_view label) const;
    void require_started() const;

    const machine_to_play& what_;
    chart_names names_;
    owned<hsm::tool::session> session_;
    attachment watching_;
    std::vector<happening> happened_;
    std::optional<result> outcome_;
    std::vector<std::string_view> simulated_; ///< names that the program has not registered
    std::size_t further_ = 0;
    std::uint32_t ticks_ = 0;
    bool started_ = false;
    bool in_step_ = false;
    bool has_taken_ = false; ///< whether a call of the step took a transition
    bool has_thrown_ = false;
    guard_answerer* guard_answerer_ = nullptr;
};

} // namespace hsm::detail::tool
