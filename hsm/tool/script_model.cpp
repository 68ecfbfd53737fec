#include <hsm/tool/detail/machine_file.hpp>

#include <hsm/scxml/ecmascript.hpp>

namespace hsm::detail::tool {

const scxml::data_model_kind* script_model() {
    static const hsm::scxml::ecmascript model;
    return &model;
}

} // namespace hsm::detail::tool
