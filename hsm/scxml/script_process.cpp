#include <hsm/scxml/detail/ecmascript_model.hpp>

#include <system_error>

namespace hsm::detail::scxml {

owned<data_model> make_process_model(const script_setting&, std::int64_t, owned<model_callbacks>) {
    throw std::system_error(std::make_error_code(std::errc::not_supported), "untrusted scripts");
}

} // namespace hsm::detail::scxml
