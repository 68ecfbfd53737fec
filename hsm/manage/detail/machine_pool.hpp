/// The machines of a manager: their memory, names and order.
///
/// A machine's slot is one piece of memory with the instance, its block, and the manager's data. Slots never move. Slots of removed machines stay in
/// the pool of their chart. All slots in use form a list in the order of creation. While a loop over the list runs, no slot is removed from it:
/// a removed machine is `gone`, and its slot returns to the pool when the last loop ends.
#pragma once

#include <hsm/manage/managed.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/run/detail/first_exception.hpp>
#include <hsm/run/detail/recorded_call.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hsm {

class chart_base;
class time_span;
struct event_ref;

} // namespace hsm

namespace hsm::detail {

struct machine_slot;

/// Records the inputs of a manager. Calls to machines are reported by observers of the machines.
class manager_inputs : public recorded_inputs {
public:
    virtual void create(std::string_view name, const chart_base& chart, void* context) = 0;
    virtual void remove(const machine_slot& p) = 0;
    virtual void shutdown() = 0;
    virtual void update(time_span elapsed, time_span real_elapsed) = 0;
    virtual void broadcast(const event_ref& event) = 0;
    virtual void use_real_time(const machine_slot& p, bool yes) = 0;
};

struct observer_link;
struct pool;
struct machine_slot;

using name_table = std::unordered_map<std::string_view, machine_slot*>;

enum class slot_status : std::uint8_t {
    free,    ///< in the pool
    present, ///< a machine
    ending,  ///< removed, but a call to it is in progress, or its exit hooks run
    gone,    ///< the instance is destroyed, but a loop over the list runs
};

struct machine_slot {
    slot_status is = slot_status::free;
    bool real_time = false;
    std::uint32_t number = 0;      ///< index in machine_pool::slots_
    std::uint64_t order = 0;       ///< increases along the list
    machine_slot* after = nullptr; ///< the next slot of the list
    alignas(instance_base) std::byte head[sizeof(instance_base)];
    // An update needs only the members above.
    std::uint64_t serial = 0; ///< counts the machines of the manager
    machine_slot* before = nullptr;
    machine_slot* next = nullptr; ///< in the list of free, ending or gone slots
    pool* home = nullptr;         ///< of its memory
    pool* uses = nullptr;         ///< of its chart: another one after a reload
    std::string name;
    name_table::node_type key; ///< while it is not in the table: kept for the next machine in this slot

    instance_base& machine() { return *reinterpret_cast<instance_base*>(head); }
    const instance_base& machine() const { return *reinterpret_cast<const instance_base*>(head); }
};

/// Counts the machines whose contexts have one type.
struct kind_usage {
    std::size_t count = 0;
    std::uint32_t numbers = 0; ///< the sum of their slot numbers; for a single machine, this is its slot number
};

/// The slots for instances of one chart with the same options.
struct pool {
    chart_base chart; ///< keeps the chart alive; empty after release_chart
    instance_options options;
    const context_kind* kind;
    kind_usage* of_kind;
    memory_need block;
    std::size_t slots = 0; ///< free, or used by machines with this chart or this memory
    machine_slot* free = nullptr;
};

struct pool_key {
    const chart_core* core; ///< null after release_chart
    instance_options options;

    friend bool operator==(const pool_key&, const pool_key&) = default;
};
struct pool_key_hash {
    std::size_t operator()(const pool_key& key) const;
};

/// A machine for `exchange`.
struct prepared_machine {
    machine_slot* slot;
    std::uint32_t number;
    std::uint64_t serial;
    bool is_new; ///< made by prepare
    bool real_time;
};

class machine_pool {
public:
    machine_pool();
    machine_pool(const machine_pool&) = delete;
    machine_pool& operator=(const machine_pool&) = delete;
    ~machine_pool(); ///< runs no hooks

    machine_slot& create(const context_kind& kind, std::string_view name, const chart_base& chart, void* context, const instance_options& options);
    machine_slot* find(std::string_view name) const;
    /// Returns the machine of the handle; null if it was removed.
    machine_slot* at(const managed_base& m) const;
    machine_slot* only(const context_kind& kind) const;
    /// Returns the object that represents this type in the pool. It can belong to another module.
    const context_kind& kind_like(const context_kind& kind) const;
    std::size_t count() const { return names_.size(); }
    std::uint64_t lost() const; ///< posted events of all machines, including removed ones, that did not fit
    std::size_t count(const context_kind& kind) const;
    const name_table& names() const { return names_; }

    // The exchange of all machines. Only prepare and make_room can fail.
    bool is_busy() const; ///< a call to a machine is in progress, or a loop over the list
    /// Creates a machine that is not in the list yet, and that observers identify by `number`. If this throws, nothing has changed.
    machine_slot& prepare(const context_kind& kind, std::string_view name, const chart_base& chart, void* context, const instance_options& options,
                          std::optional<std::uint32_t> number);
    void make_room(std::size_t machines);   ///< in the table of names
    void discard(machine_slot& p) noexcept; ///< destroys a prepared machine
    /// Makes these the manager's only machines, in this order. No hook runs.
    void exchange(std::span<const prepared_machine> all) noexcept;
    std::uint64_t origin() const { return origin_; } ///< unique among all managers, also across runs of the program
    std::uint64_t issued() const { return serial_; }
    std::uint64_t next_serial() { return ++serial_; }
    std::size_t numbers() const { return slots_.size(); }
    machine_slot* by_number(std::uint32_t number) const { return number < slots_.size() ? slots_[number] : nullptr; }

    /// Returns the pool for another chart of this machine. Can throw.
    pool& pool_of(const machine_slot& p, const chart_base& chart) { return pool_for(*p.home->kind, chart, p.home->options); }
    /// Call it when the machine has changed its chart.
    static void change_chart(machine_slot& p, pool& to) noexcept {
        if (p.uses != p.home) --p.uses->slots;
        if (&to != p.home) ++to.slots;
        p.uses = &to;
    }

    /// Ends the use of this chart by pools whose machines have got other charts. Their memory stays until the machines are removed, and `trim`.
    void release_chart(const chart_core& core) noexcept;

    bool remove(machine_slot& p); ///< false in a guard of that machine, with nothing changed
    void shutdown();
    void trim();

    void attach(observer_link* link); ///< also to machines that are created later
    result update(time_span elapsed, time_span real_elapsed);
    result_counts broadcast(result (*call)(instance_base&, const void*), const void* event);
    /// Ends machines that were removed during calls that are complete now.
    void finish_calls(first_exception& first);
    bool ends_some() const { return ending_; }

    managed_base handle(const machine_slot* p) { return p ? managed_base(this, p->number, p->serial) : managed_base(); }

    // Loops over the list.
    machine_slot* first() const { return first_; }
    std::uint64_t last_order() const { return order_; }
    void hold() { ++walks_; }
    void end_walk() noexcept;

    time_span elapsed;
    time_span real_elapsed;
    manager_inputs* inputs = nullptr;     ///< null: inputs are not recorded
    const chart_core* replaced = nullptr; ///< the old chart during a reload

private:
    struct walk {
        machine_pool& self;
        explicit walk(machine_pool& r) : self(r) { self.hold(); }
        ~walk() { self.end_walk(); }
    };

    static void observe(machine_slot& p, observer_link* link, std::uint32_t number);
    pool& pool_for(const context_kind& kind, const chart_base& chart, const instance_options& options);
    machine_slot& take_slot(pool& home);
    machine_slot& make_slot(pool& home);
    void destroy_slot(machine_slot& p) noexcept;
    machine_slot& make(const context_kind& kind, std::string_view name, const chart_base& chart, void* context, const instance_options& options,
                       std::optional<std::uint32_t> number);
    static void give_name(machine_slot& p, std::string_view name);
    void enlist(machine_slot& p);
    void append(machine_slot& p) noexcept;
    void renumber(machine_slot& p, std::uint32_t number) noexcept;
    void destroy_machine(machine_slot& p) noexcept;
    void take_out(machine_slot& p, first_exception& first);
    void end(machine_slot& p, first_exception& first);
    template <class Visit> void each(first_exception& first, Visit visit);

    name_table names_;
    std::unordered_multimap<pool_key, pool, pool_key_hash> pools_; ///< several only after release_chart
    std::unordered_map<const context_kind*, kind_usage> kinds_;
    std::vector<machine_slot*> slots_;         ///< by number; null: freed
    std::vector<std::uint32_t> spare_numbers_; ///< numbers of freed slots
    machine_slot* first_ = nullptr;
    machine_slot* last_ = nullptr;
    machine_slot* ending_ = nullptr;
    machine_slot* gone_ = nullptr;
    std::vector<observer_link*> observers_; ///< of all machines
    std::uint64_t serial_ = 0;              ///< of the machine created last
    std::uint64_t order_ = 0;               ///< of the last one in the list
    const std::uint64_t origin_;
    std::uint64_t lost_ = 0; ///< of destroyed machines
    int walks_ = 0;          ///< loops in progress
    int shutdowns_ = 0;
    bool updating_ = false;
};

/// Throws a manager_error. `path` is the machine's name.
[[noreturn]] void throw_manager_error(code number, std::string_view path, std::string problem, std::string hint = {});

/// Access to a manager's machines, for saving it.
struct manager_access {
    static machine_pool& pool_of(const manager& m) { return *m.machines_; }
};

} // namespace hsm::detail
