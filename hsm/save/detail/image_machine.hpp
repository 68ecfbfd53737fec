/// Images of machines without their types.
#pragma once

#include <hsm/define/detail/local.hpp>
#include <hsm/define/event.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/op/result.hpp>
#include <hsm/run/detail/event_queue.hpp>
#include <hsm/save/check_saveable.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace hsm::detail {

struct chart_core;
struct checked_image;
struct image_head;
struct image_layout;

/// Takes over what other threads have posted. Events that they post later are in no image until the next call of this function.
void gather_mail(machine& m);
/// Requires a machine that is not in a call. Returns the required size. Writes the image if `to` is large enough.
std::size_t save_machine(machine& m, std::span<std::byte> to, bool checksum);
/// The same with a layout of the caller.
std::size_t save_machine(machine& m, const image_layout& layout, std::span<std::byte> to, bool checksum);
/// Returns an image in `scratch`, which grows if necessary.
std::span<const std::byte> save_machine(machine& m, std::vector<std::byte>& scratch);
/// Checks that the machine has room for all waiting items. Throws save_error (HSM-356).
void check_room(machine& m, const chart_core& core, const image_head& head);
/// Moves the objects to which an image refers into another machine: see image_layout::refer_to_objects.
class carried_objects {
public:
    /// Copies the object if its move can throw, or if it is the prototype. Otherwise `finish` moves it.
    void add_local(void* place, void* from, const local_type& type, const void* prototype);
    void add_event(void* place, void* from, const event_type& type); ///< copies the object if that is possible
    void finish() noexcept;
    void undo() noexcept; ///< instead of `finish`: destroys the copied locals, and moves events back

private:
    struct local {
        void *place, *from;
        const local_type* type;
        bool is_made;
    };
    struct event {
        void *place, *from;
        const event_type* type;
    };
    std::vector<local> locals_;
    std::vector<event> events_; ///< those that were moved
};

/// Moves a checked image into a machine that was cleared and has room for it. `carried` is required if the image refers to objects. Only then it
/// can throw.
void fill(machine& m, checked_image& image, const image_layout& layout, mailbox_queue::refill* mail, carried_objects* carried = nullptr);
/// Moves a checked image into a machine that has room for it. Throws only exceptions of observers, at the end.
void exchange(machine& m, checked_image& image, mailbox_queue::refill* mail);
/// Requires a machine that is not in a call. Throws save_error.
void restore_machine(machine& m, std::span<const std::byte> from);

/// Throws save_error (HSM-351).
void require_saveable(const chart_core& core, saving purpose);
const char* impossible(saving purpose); ///< "cannot be saved"

// A faster path for images of plain machines: one region, no conditions, timers, locals, holds or deferral. The bytes are the same.

/// Returns the required size. Writes the image if `to` is large enough. Returns 0 if something waits; then use the general path.
std::size_t save_plain(machine& m, const chart_core& core, const image_layout& layout, std::span<std::byte> to);
/// Returns false without changes if the general path is needed, or if the image does not fit.
bool restore_plain(machine& m, const chart_core& core, const image_layout& layout, std::span<const std::byte> from);

} // namespace hsm::detail
