#include <hsm/compile/check.hpp>

#include <hsm/compile/check_parts.hpp>

namespace hsm {

std::vector<finding> check(state_base& root, const compile_options& options) {
    const auto o = make_outline(root);
    if (o.too_large)
        return {{code::too_large, root.path(), "the definition has more than 65534 states", "split it into several charts"}};
    std::vector<finding> findings;
    check_errors(o, findings);
    if (findings.empty()) check_warnings(o, options, findings);
    return findings;
}

} // namespace hsm
