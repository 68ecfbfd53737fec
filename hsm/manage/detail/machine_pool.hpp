/// The machines of a manager: where they lie, what they are called, in which order they were made.
///
/// A machine lies in a slot: one piece of memory with its head, its block, and what the manager knows of it. Slots never
/// move. Those of removed machines are kept in the pool of their chart. All slots that are in use form a list, in the order of
/// creation. While anybody walks along it nothing is taken out of it: what has been removed meanwhile is `gone`, and its slot
/// goes back to the pool when the last walk is over.
#pragma once

#include <hsm/manage/detail/manager_inputs.hpp>
#include <hsm/manage/managed.hpp>
#include <hsm/manage/manager.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hsm::detail {

struct observer_link;
struct pool;
struct machine_slot;

using name_table = std::unordered_map<std::string_view, machine_slot*>;

enum class presence : std::uint8_t {
    free,    ///< in the pool
    present, ///< a machine
    ending,  ///< removed, but a call to it is in progress, or the end is being told to its states
    gone,    ///< there is no instance any more; somebody walks along the list
};

struct machine_slot {
    presence is = presence::free;
    bool real_time = false;
    std::uint32_t number = 0;      ///< in machine_pool::slots_, for good
    std::uint64_t order = 0;       ///< in the list of all; it grows from one to the next
    machine_slot* after = nullptr; ///< in the list of all
    alignas(instance_base) std::byte head[sizeof(instance_base)];
    // What an update needs stands above.
    std::uint64_t serial = 0; ///< of the machine: the how manieth of this manager
    machine_slot* before = nullptr;
    machine_slot* next = nullptr; ///< among those that are free, or that end, or that are gone
    pool* home = nullptr;
    std::string name;
    name_table::node_type key; ///< kept for the next machine here, when it is not in the table

    instance_base& machine() { return *reinterpret_cast<instance_base*>(head); }
    const instance_base& machine() const { return *reinterpret_cast<const instance_base*>(head); }
};

/// How many machines there are over contexts of one type.
struct census {
    std::size_t count = 0;
    std::uint32_t numbers = 0; ///< the sum of the numbers of their slots: the number itself, if there is one only
};

/// The free slots of one chart, for instances with the same options.
struct pool {
    chart_base chart; ///< kept alive
    instance_options options;
    const context_kind* kind;
    census* of_kind;
    memory_need block;
    std::size_t slots = 0; ///< free or not
    machine_slot* free = nullptr;
};

struct pool_key {
    const chart_core* core;
    instance_options options;

    friend bool operator==(const pool_key&, const pool_key&) = default;
};
struct pool_key_hash {
    std::size_t operator()(const pool_key& key) const;
};

/// Everything is tried; the first exception goes on in the end.
class first_exception {
public:
    template <class Body> void of(Body body) {
        try {
            body();
        } catch (...) {
            if (!first_) first_ = std::current_exception();
        }
    }
    void rethrow() const {
        if (first_) std::rethrow_exception(first_);
    }

private:
    std::exception_ptr first_;
};

/// A machine of a manager that is exchanged as a whole.
struct machine_in_place {
    machine_slot* slot;
    std::uint32_t number;
    std::uint64_t serial;
    bool is_new; ///< it was prepared
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
    /// The machine that the handle is of; null if that is not there any more.
    machine_slot* at(const managed_base& m) const;
    machine_slot* only(const context_kind& kind) const;
    /// The one by which machines over that context are kept, which may be another module's.
    const context_kind& kind_like(const context_kind& kind) const;
    std::size_t count() const { return names_.size(); }
    std::uint64_t lost() const; ///< posted events that found no room, of all machines that there have been
    std::size_t count(const context_kind& kind) const;
    const name_table& names() const { return names_; }

    // To exchange all of them for others: that fails in the first two, if at all.
    bool is_busy() const; ///< a machine is in a call, or somebody walks along the list
    /// A machine that nobody finds yet, and that observers know by that number. Either all of it happens or nothing.
    machine_slot& prepare(const context_kind& kind, std::string_view name, const chart_base& chart, void* context, const instance_options& options,
                          std::optional<std::uint32_t> number);
    void make_room(std::size_t machines);   ///< for their names
    void discard(machine_slot& p) noexcept; ///< one that was prepared
    /// These are the machines, in that order, and nobody else; no hook runs.
    void exchange(std::span<const machine_in_place> all) noexcept;
    std::uint64_t origin() const { return origin_; } ///< no other manager has that number, in no run of the program
    std::uint64_t issued() const { return serial_; }
    std::uint64_t next_serial() { return ++serial_; }
    std::size_t numbers() const { return slots_.size(); }
    machine_slot* by_number(std::uint32_t number) const { return number < slots_.size() ? slots_[number] : nullptr; }

    bool remove(machine_slot& p); ///< false in a guard of that machine: nothing has changed
    void shutdown();
    void trim();

    void attach(observer_link* link); ///< to those, too, who come later
    result update(time_span elapsed, time_span real_elapsed);
    answers broadcast(result (*call)(instance_base&, const void*), const void* event);
    /// Ends what was removed while a call to it was in progress, and is free now.
    void finish_calls(first_exception& first);
    bool ends_some() const { return ending_; }

    managed_base handle(const machine_slot* p) { return p ? managed_base(this, p->number, p->serial) : managed_base(); }

    // To walk along the list.
    machine_slot* first() const { return first_; }
    std::uint64_t last_order() const { return order_; }
    void hold() { ++walks_; }
    void let_go() noexcept;

    time_span elapsed;
    time_span real_elapsed;
    manager_inputs* inputs = nullptr; ///< null: nobody notes them

private:
    struct walk {
        machine_pool& self;
        explicit walk(machine_pool& r) : self(r) { self.hold(); }
        ~walk() { self.let_go(); }
    };

    static void observe(machine_slot& p, observer_link* link, std::uint32_t number);
    pool& pool_for(const context_kind& kind, const chart_base& chart, const instance_options& options);
    machine_slot& take_place(pool& home);
    machine_slot& make_place(pool& home);
    void destroy_place(machine_slot& p) noexcept;
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
    std::unordered_map<pool_key, pool, pool_key_hash> pools_;
    std::unordered_map<const context_kind*, census> kinds_;
    std::vector<machine_slot*> slots_;         ///< by number; null: given back to the system
    std::vector<std::uint32_t> spare_numbers_; ///< of those
    machine_slot* first_ = nullptr;
    machine_slot* last_ = nullptr;
    machine_slot* ending_ = nullptr;
    machine_slot* gone_ = nullptr;
    std::vector<observer_link*> observers_; ///< of all machines
    std::uint64_t serial_ = 0;              ///< of the machine that was made last
    std::uint64_t order_ = 0;               ///< of the last one in the list
    const std::uint64_t origin_;
    std::uint64_t lost_ = 0; ///< by machines that have been destroyed
    int walks_ = 0;          ///< in progress
    int shutdowns_ = 0;
    bool updating_ = false;
};

/// The error itself; `path` is the machine's name.
[[noreturn]] void throw_manager_error(code number, std::string_view path, std::string problem, std::string hint = {});

} // namespace hsm::detail
