#include <hsm/define/detail/hook_context.hpp>
#include <hsm/define/detail/local.hpp>

namespace hsm::detail {

const local_place& place_of(const local_type& type, const local_place* first) {
    while (!same_type(*first->type, type)) ++first;
    return *first;
}

} // namespace hsm::detail
