/// A time that is fixed, or computed when a state is entered.
#pragma once

#include <hsm/define/detail/erased.hpp>
#include <hsm/define/owned.hpp>
#include <hsm/define/time_span.hpp>

namespace hsm::detail {

/// The parts from which a delay is made.
struct delay_spec {
    bound_op find; ///< stores the time in the hook context; empty if the time is fixed
    std::int64_t fixed = 0;
    origin where;
};

class delay {
public:
    delay() = default;
    explicit delay(time_span fixed) : given_(true), fixed_(fixed.nanoseconds()) {}
    explicit delay(hook find) : given_(true), find_(make_owned<hook>(std::move(find))) {}
    explicit delay(const delay_spec& parts) : given_(true), fixed_(parts.fixed), where_(parts.where) {
        if (hook find(parts.find); find) find_ = make_owned<hook>(std::move(find));
    }

    explicit operator bool() const { return given_; }
    std::int64_t nanoseconds() const { return fixed_; }        ///< if the time is fixed
    const hook& find() const { return find_ ? *find_ : none; } ///< empty if the time is fixed
    hook* finder() { return find_.get(); }                     ///< the same; null if the time is fixed
    origin where() const { return where_; }
    void set_where(origin where) { where_ = where; }

private:
    static const hook none;

    bool given_ = false;
    std::int64_t fixed_ = 0;
    owned<hook> find_; ///< null in most transitions
    origin where_;
};

} // namespace hsm::detail
