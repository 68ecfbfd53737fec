/// The language that scripts of SCXML documents are run in, if hsm was built with one.
#pragma once

namespace hsm::detail::scxml {
class data_model_kind;
}

namespace hsm::detail::tool {

/// ECMAScript, with its bounds as they are by default. Null: this program was built without scripts (script_model_none.cpp).
const scxml::data_model_kind* script_model();

} // namespace hsm::detail::tool
