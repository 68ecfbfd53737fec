/// The script language of SCXML documents, if hsm was built with one.
#pragma once

namespace hsm::detail::scxml {
class data_model_kind;
}

namespace hsm::detail::tool {

/// Returns ECMAScript with its default limits, or null if hsm was built without scripts (script_model_none.cpp).
const scxml::data_model_kind* script_model();

} // namespace hsm::detail::tool
