/// The type-erased type of a context: its name, and functions that create and destroy an instance over it.
#pragma once

#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/instance.hpp>

namespace hsm::detail {

struct context_kind : type_identity {
    instance_base* (*make)(void* at, const chart_base& chart, void* context, const instance_options& options, void* memory);
    void (*destroy)(instance_base& machine) noexcept;
};

template <class Context> instance_base* make_instance(void* at, const chart_base& c, void* context, const instance_options& options, void* memory) {
    static_assert(sizeof(instance<Context>) == sizeof(instance_base), "the pool reserves the size of instance_base");
    return new (at) instance<Context>(static_cast<const chart<Context>&>(c), *static_cast<Context*>(context), options, memory);
}

template <class Context> void destroy_instance(instance_base& machine) noexcept {
    using type = instance<Context>;
    static_cast<type&>(machine).~type();
}

template <class Context>
HSM_HIDDEN inline constexpr context_kind context_kind_of{identity_of<Context>(), &make_instance<Context>, &destroy_instance<Context>};

} // namespace hsm::detail
