/// What a log can be of: a machine, a crowd, a manager. Each notes what comes into it, and makes it again.
#pragma once

#include <hsm/replay/detail/log_format.hpp>
#include <hsm/save/difference.hpp>
#include <hsm/save/machine_factory.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hsm {
class instance_base;
class crowd_base;
class manager;
class machine_factory;
} // namespace hsm

namespace hsm::detail {

struct kept_machine;
struct saved_context;

/// Where calls are noted. A call of the log's own is one during which others are none from outside.
class call_sink {
public:
    virtual ~call_sink() = default;
    virtual bool is_in_call() const = 0;
    virtual void begin_call() noexcept = 0;
    virtual void end_call() noexcept = 0;
    /// A call comes: what was before it may be kept. Nothing of the log's is loaded, or half noted.
    virtual void prepare() = 0;
    /// The call, before it happens; `machine` is put into it. If it was not prepared for, what was before it is not checked.
    virtual void note(std::uint32_t machine, log_call call) = 0;
    /// What has arrived in a mailbox: what is noted next takes it out.
    virtual void note_arrival(std::uint32_t machine, log_call call) = 0;
    /// No call leads to what it has become: that is kept.
    virtual void note_jump() noexcept = 0;
};

class logged {
public:
    logged() = default;
    logged(const logged&) = delete;
    logged& operator=(const logged&) = delete;
    virtual ~logged() = default;

    /// What of: its context apart.
    virtual log_machine made_as() const = 0;
    virtual const chart_core* core() const = 0; ///< for contexts; null: it has many
    virtual std::string path() const = 0;       ///< for messages
    /// For checks of every call. Throws save_error (HSM-351).
    virtual void require_hash() const = 0;

    virtual bool is_busy() const = 0; ///< it cannot be saved now
    /// How much it takes; written if that is not more than there is.
    virtual std::size_t save(std::span<std::byte> to) const = 0;
    virtual void restore(std::span<const std::byte> from) = 0;
    /// Of what it is now; that is its image.
    virtual std::uint64_t hash(std::span<const std::byte> image) const = 0;
    virtual std::vector<field_difference> difference(std::span<const std::byte> a, std::span<const std::byte> b) const = 0;

    /// From now on, as long as it exists.
    virtual void listen(call_sink& to, std::uint32_t number) = 0;
    virtual void note_mail() = 0;

    /// Once more. What a hook throws is passed over. Throws replay_error (HSM-372). Call: its number.
    virtual void make(const log_call& what, std::uint64_t call) = 0;
};

/// Throw save_error (HSM-351).
std::unique_ptr<logged> logged_instance(instance_base& agent);
std::unique_ptr<logged> logged_crowd(crowd_base& herd, const kept_machine& images, const saved_context& kind);
std::unique_ptr<logged> logged_manager(manager& machines, const machine_factory& kinds);

} // namespace hsm::detail
