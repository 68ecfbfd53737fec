/// The format of a manager's image, documented in docs/reference/image_format.md.
///
///     [ head | kinds: head, label | machines: head, name, image, context ]
#pragma once

#include <hsm/manage/detail/machine_pool.hpp>
#include <hsm/save/detail/image_format.hpp>
#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/detail/savable.hpp>
#include <hsm/save/machine_factory.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

inline constexpr std::uint32_t manager_image_magic = 0x676d'7368; ///< "hsmg"

struct manager_image_head {
    std::uint32_t magic = manager_image_magic;
    std::uint16_t version = image_version;
    std::uint16_t flags = 0;
    std::uint64_t size = 0;
    std::uint64_t checksum = 0;
    std::uint64_t origin = 0; ///< machine_pool::origin
    std::int64_t elapsed = 0, real_elapsed = 0;
    std::uint32_t kinds = 0, machines = 0;
};
static_assert(std::is_trivially_copyable_v<manager_image_head> && sizeof(manager_image_head) == 56);

struct manager_kind_head {
    std::uint32_t label_size = 0;
    std::uint32_t context_form = 0; ///< value_layout::form_of
    std::uint32_t context_size = 0;
    std::uint32_t reserved = 0;
};

struct manager_machine_head {
    std::uint32_t name_size = 0;
    std::uint32_t kind = 0;
    std::uint32_t number = 0;
    std::uint32_t real_time = 0;
    std::uint64_t serial = 0; ///< machine_slot::serial
    std::uint64_t image_size = 0;
};

/// Returns the form of a saved context; `nothing` if contexts are not saved.
value_layout context_layout_of(const machine_kind& kind);
/// Returns null if no kind has this chart.
const machine_kind* find_kind(const machine_factory& kinds, const chart_core& core);
const machine_kind* find_kind(const machine_factory& kinds, std::string_view label);
/// Throws save_error (HSM-351).
const machine_kind& require_kind(const machine_factory& kinds, const machine_slot& p);

class savable_manager final : public savable {
public:
    savable_manager(machine_pool& pool, const machine_factory& kinds) : pool_(pool), kinds_(kinds) {}
    savable_manager(const manager& machines, const machine_factory& kinds) : savable_manager(manager_access::pool_of(machines), kinds) {}

    std::string path() const override { return ""; }
    bool is_busy() const override { return pool_.is_busy(); }
    void gather_mail() const override;
    std::size_t most_image_size() const override { return image_size_of(*this); }
    std::size_t save(std::span<std::byte> to, bool checksum) const override;
    void restore(std::span<const std::byte> from) const override;
    std::vector<field_difference> difference(std::span<const std::byte> a, std::span<const std::byte> b) const override;

private:
    machine_pool& pool_;
    const machine_factory& kinds_;
};

/// A deferred action on a context.
struct late_step {
    virtual ~late_step() = default;
    virtual void run(void* context) const = 0;
};
template <class F> owned<late_step> later(F f) {
    struct step final : late_step {
        explicit step(F given) : call(std::move(given)) {}
        void run(void* context) const override { call(context); }
        F call;
    };
    return make_owned<step>(std::move(f));
}

/// A machine to restore.
struct wanted_machine {
    std::string name;
    const machine_kind* kind = nullptr;
    bool real_time = false;
    struct slot_handle {
        std::uint32_t number;
        std::uint64_t serial;
    };
    std::optional<slot_handle> place; ///< in the same manager
    std::span<const std::byte> image;
    std::span<const std::byte> context = {}; ///< as in the image
    owned<late_step> change_context;         ///< null: the context stays unchanged
    bool cannot_fail = false;                ///< whether change_context cannot fail
};
struct wanted_pool {
    std::int64_t elapsed = 0, real_elapsed = 0;
    std::vector<wanted_machine> machines;
    owned<late_step> when_checked; ///< called after all checks and before any change; its exceptions are passed on
};
/// Reads and checks an image except for the machines' images. The result refers to `from`. `pool` is null if the image will not be restored. Throws
/// save_error (HSM-353 to HSM-355).
wanted_pool read_pool_image(const machine_pool* pool, const machine_factory& kinds, std::span<const std::byte> from);
/// Restores everything or nothing. Throws like restore.
void restore_pool(machine_pool& pool, const wanted_pool& wanted);

/// Describes the manager with the names of its charts. Throws save_error (HSM-351).
json_value describe_pool(machine_pool& pool, const machine_factory& kinds);

} // namespace hsm::detail
