/// Documents of a manager: the state of all machines as JSON text, for savegames.
///
///     std::string text = hsm::save_document(machines, kinds);           // kinds: machine_factory.hpp
///     ...
///     const auto [outcome, changes] = hsm::restore_document(machines, kinds, text);
///
/// The text contains each machine in the form of an instance's document (document.hpp). A document is restored like a manager's image
/// (manager_image.hpp). A machine of an unknown kind is left out and reported. Contexts are included if factory_options::saves_contexts is set.
/// Included contexts need a `serialize`, a copy constructor and a move assignment that does not throw, unless their bytes determine their value.
///
/// Call these functions in the manager's thread. They allocate memory. This header is not part of <hsm/hsm.hpp>; it is available only if hsm was
/// built with nlohmann_json.
#pragma once

#include <hsm/save/document.hpp>
#include <hsm/save/machine_factory.hpp>

#include <string>
#include <string_view>

namespace hsm {

/// Returns the document, or an empty text if the manager is busy. Throws save_error (HSM-351), and exceptions of `serialize`.
std::string save_document(const manager& machines, const machine_factory& kinds);

/// Restores a manager and returns `taken`. In a hook of a machine, and during a loop over the machines, returns `busy` and changes nothing. Throws
/// save_error and changes nothing, as for an instance (document.hpp): HSM-351, HSM-356, HSM-361 to HSM-363. Rethrows exceptions of the factory's
/// functions, constructors and `serialize`.
restored restore_document(manager& machines, const machine_factory& kinds, std::string_view text, const document_options& how = {});

} // namespace hsm
