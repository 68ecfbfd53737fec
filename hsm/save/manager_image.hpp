/// Images of a manager: of all its machines, as bytes.
///
///     std::vector<std::byte> before = hsm::save(machines, kinds);       // kinds: machine_factory.hpp
///     ...
///     hsm::restore(machines, kinds, before);                            // or another manager
///
/// In it are the machines, in the order of their creation, by name and place, what each one is (image.hpp), whether it uses real time, and their
/// contexts, as far as the factory says so: as their `serialize` names them, what that does not name stays as it is; without one as bytes, pointers
/// with them.
///
/// When it is restored, machines that are there stay where they are, with their contexts and observers: those of the same name and chart. The others
/// of the image are made, over contexts that the factory gives. Those that the image does not have are gone; no hook runs. Handles that machines of
/// the image had in this manager are theirs again, those that were given out since are stale; in another manager, those that are there keep theirs.
///
/// In the thread of the manager. Not part of <hsm/hsm.hpp>.
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

/// Bytes that save would write now; 0: it is busy. Throws save_error (HSM-351).
std::size_t image_size(const manager& machines, const machine_factory& kinds);
/// Into that memory, of any alignment; busy in a hook of a machine, and while somebody walks along the machines. Throws save_error: HSM-351, a
/// class or a context cannot be saved, or a machine is of none of the kinds; HSM-352, the memory is too small.
saved save(const manager& machines, const machine_factory& kinds, std::span<std::byte> to, image_options how = {});
/// Empty if it is busy.
[[nodiscard]] std::vector<std::byte> save(const manager& machines, const machine_factory& kinds, image_options how = {});

/// taken; busy, and nothing has changed. Throws save_error, and nothing has changed: HSM-353 to HSM-356; what the factory's functions, constructors
/// and serialize throw. What observers throw comes when everything is restored, and so does what the serialize of a context throws that cannot be
/// copied.
result restore(manager& machines, const machine_factory& kinds, std::span<const std::byte> from);

/// What the manager means, as a number: names, order, kinds, what each machine is (hash.hpp), contexts. Not in it: places and handles. 0: it is busy.
/// Throws save_error (HSM-351).
std::uint64_t hash(const manager& machines, const machine_factory& kinds);
/// Where two managers differ: "machines/door/machine/active/0", "machines/door/context/life", "order/3". As difference.hpp says.
std::vector<field_difference> difference(const manager& a, const manager& b, const machine_factory& kinds, std::size_t most = 100);
/// Two images. Contexts are compared by their fields if their class has a default constructor.
std::vector<field_difference> difference(const machine_factory& kinds, std::span<const std::byte> a, std::span<const std::byte> b,
                                         std::size_t most = 100);

} // namespace hsm
