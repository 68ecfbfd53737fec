#include <hsm/save/machine_factory.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/error.hpp>

namespace hsm {

void machine_factory::add_kind(owned<detail::machine_kind> kind) {
    detail::require_chart(kind->chart);
    const auto refuse = [&](std::string what) {
        throw usage_error({code::bad_option, kind->label, std::move(what), "use one label for each chart"});
    };
    for (const auto& known : kinds_) {
        if (known->label == kind->label) refuse(fmt::format("the factory already has the label \"{}\"", kind->label));
        if (&known->chart.core() == &kind->chart.core()) refuse(fmt::format("the chart already has the label \"{}\"", known->label));
    }
    kinds_.push_back(std::move(kind));
}

} // namespace hsm
