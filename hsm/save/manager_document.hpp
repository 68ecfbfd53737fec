/// Documents of a manager: what all its machines are, as JSON text, for savegames.
///
///     std::string text = hsm::save_document(machines, kinds);           // kinds: machine_factory.hpp
///     ...
///     const auto [outcome, changes] = hsm::restore_document(machines, kinds, text);
///
/// It is for machines what a document of an instance is (document.hpp), and restored as an image of a manager is (manager_image.hpp). A machine of a
/// kind that the factory does not know is left out, and the report says so. Contexts are in it as far as the factory says so; they need a
/// `serialize`, and a copy constructor and a move assignment that does not throw, unless their bytes are their value.
///
/// In the thread of the manager. Allocates. Not part of <hsm/hsm.hpp>; there only if hsm was built with nlohmann_json.
#pragma once

#include <hsm/save/document.hpp>
#include <hsm/save/machine_factory.hpp>

#include <string>
#include <string_view>

namespace hsm {

/// Empty if it is busy. Throws save_error (HSM-351), and what serialize throws.
std::string save_document(const manager& machines, const machine_factory& kinds);

/// taken; busy, and nothing has changed. Throws save_error, and nothing has changed: HSM-351, HSM-356, and HSM-361 to HSM-363 as restore_document of
/// an instance; what the factory's functions, constructors and serialize throw.
restored restore_document(manager& machines, const machine_factory& kinds, std::string_view text, const document_options& how = {});

} // namespace hsm
