/// Images of a manager: the state of all machines as bytes.
///
///     std::vector<std::byte> before = hsm::save(machines, kinds);       // kinds: machine_factory.hpp
///     ...
///     hsm::restore(machines, kinds, before);                            // or another manager
///
/// An image contains the machines in the order of their creation, each with its name, place, state (image.hpp) and use of real time. If
/// factory_options::saves_contexts is set, it also contains the contexts. If a context has a `serialize`, the image contains the fields that
/// `serialize` names; a restore does not change other fields. Without a `serialize`, the context is saved as bytes, including pointers.
///
/// When an image is restored, existing machines with the same name and chart as in the image stay in place, with their contexts and observers. The
/// image's other machines are created, with contexts from the factory. If a machine is not in the image, it is removed without running hooks. In the
/// saved manager, handles of the image's machines are valid again, and handles that were issued later are stale. In another manager, existing
/// machines keep their handles.
///
/// Call these functions in the manager's thread. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/manage/manager.hpp>
#include <hsm/save/difference.hpp>
#include <hsm/save/image.hpp>
#include <hsm/save/machine_factory.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hsm {

/// Returns the number of bytes that save would write now; 0 if the manager is busy. Throws save_error (HSM-351).
std::size_t image_size(const manager& machines, const machine_factory& kinds);
/// Writes the image into memory of any alignment. Returns `busy` in a hook of a machine, and during a loop over the machines. Throws save_error:
/// HSM-351 if a class or context cannot be saved, or a machine has an unknown kind; HSM-352 if the memory is too small.
saved save(const manager& machines, const machine_factory& kinds, std::span<std::byte> to, image_options how = {});
/// Returns the image, or an empty vector if the manager is busy.
[[nodiscard]] std::vector<std::byte> save(const manager& machines, const machine_factory& kinds, image_options how = {});

/// Restores a manager and returns `taken`. In a hook of a machine, and during a loop over the machines, returns `busy` and changes nothing. Throws
/// save_error (HSM-353 to HSM-356), and rethrows exceptions of the factory's functions, constructors and `serialize`. In these cases, nothing has
/// changed. Exceptions of observers, and of the `serialize` of a context that cannot be copied, are rethrown after everything is restored.
result restore(manager& machines, const machine_factory& kinds, std::span<const std::byte> from);

/// Returns a hash of names, order, kinds, states (hash.hpp) and contexts. Excludes places and handles. Returns 0 if the manager is busy. Throws
/// save_error (HSM-351).
std::uint64_t hash(const manager& machines, const machine_factory& kinds);
/// Returns the differences between two managers, as difference.hpp describes. Paths are, for example, "machines/door/machine/active/0",
/// "machines/door/context/life" and "order/3".
std::vector<field_difference> difference(const manager& a, const manager& b, const machine_factory& kinds, std::size_t most = 100);
/// Compares two images. Contexts are compared by fields if their class has a default constructor.
std::vector<field_difference> difference(const machine_factory& kinds, std::span<const std::byte> a, std::span<const std::byte> b,
                                         std::size_t most = 100);

} // namespace hsm
