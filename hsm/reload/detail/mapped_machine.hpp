/// The state of a machine in the new chart of a plan.
#pragma once

#include <hsm/crowd/detail/page.hpp>
#include <hsm/reload/detail/chart_map.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/snapshot.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace hsm::detail {

/// Makes objects with the converters of a plan. The objects live as long as this one.
class converted_objects {
public:
    explicit converted_objects(const chart_map& map) : map_(map) {}
    converted_objects(const converted_objects&) = delete;
    ~converted_objects();

    void convert(snapshot& parts);

private:
    void convert(value_bytes& value, const reload_converter* by);
    void convert_event(value_bytes& value, std::uint16_t event);

    struct converted {
        const reload_converter* by;
        void* object;
    };
    const chart_map& map_;
    std::vector<converted> made_;
};

/// The active states of a machine that vanish in a reload, substates first, and those that appear, superstates first.
struct passed_states {
    std::vector<index> exited, entered;
    bool empty() const { return exited.empty() && entered.empty(); }
    bool operator==(const passed_states&) const = default;
};
/// Runs the exit or enter hooks of these states. After enter hooks, executes what follows from them and from the exit hooks before.
void run_passing_hooks(machine& m, hook_kind kind, std::span<const index> states);

/// A machine's state in the new chart, as an image. It refers to the objects in the machine, to prototypes and to converted objects.
struct mapped_machine {
    mapped_machine(const chart_map& map, machine& m, converted_objects& converted);

    std::vector<std::byte> image;
    reload_report report;
    passed_states passed; ///< empty unless the plan runs hooks
};

void add_agent(reload_report& to, reload_report of_agent); ///< adds equal changes only once

/// Returns the offsets in the block of a machine at which the times of the state are: its entry time, and its timers with their periods.
std::vector<std::uint32_t> times_of(const chart_core& core, index s);
/// Returns which times of the new machine are times of the old one. All others do not depend on the old machine's times.
std::vector<copied_time> copied_times(const chart_map& map, machine& m);

/// Calls put(entry, value) with a waiting event in the new chart, unless it is dropped. `idle` is a machine of the old chart that is not active.
void map_event(const chart_map& map, machine& idle, const queued_entry& e, const void* payload, converted_objects& converted, reload_report& report,
               const std::function<void(const queue_entry&, const value_bytes&)>& put);

/// Moves a mapped machine into a machine of the new chart that was not started and has room for it.
void fill_mapped(machine& m, const chart_map& map, std::span<const std::byte> image, mailbox_queue::refill* mail, carried_objects& carried);

} // namespace hsm::detail
