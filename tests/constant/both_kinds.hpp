/// Plays one definition as a constant chart and as a chart that is compiled at run time. Their observers must receive the same records.
#pragma once

#include <hsm/constant/observed_instance.hpp>
#include <tests/constant/same_text.hpp>
#include <tests/support/text_observer.hpp>

namespace test {

/// Plays the calls on both kinds of charts. The results and records must be equal.
template <auto Chart, class Queue = hsm::queue<0>> struct both_kinds {
    explicit both_kinds(hsm::instance_options o = {}) : options(o) {}

    hsm::instance_options options; ///< of the ordinary instance
    hsm::chart<trace_context> chart = [] {
        auto root = hsm::make_fsm<trace_context>("root");
        typename std::remove_const_t<decltype(Chart)>::definition{}(*root);
        return hsm::compile(std::move(root), {.order = Chart.order, .remember_finals = Chart.remember_finals});
    }();
    trace_context ordinary_context, constant_context;
    test::text_observer ordinary_log, constant_log;
    hsm::instance<trace_context> ordinary{chart, ordinary_context, options};
    hsm::attachment attached = ordinary.attach(ordinary_log);
    hsm::constant_instance<Chart, Queue, test::text_observer> constant{constant_context, constant_log};

    template <class F> void operator()(F does) {
        does(ordinary), does(constant);
        CHECK(constant_log.take() == ordinary_log.take());
        CHECK(constant.current().path() == (ordinary.current() ? ordinary.current().path() : ""));
    }
};

} // namespace test
