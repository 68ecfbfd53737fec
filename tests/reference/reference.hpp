/// An instance run by the reference interpreter: the calls of hsm::instance, without its inline path for events.
///
/// The chart and the context must outlive it.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/run/instance_base.hpp>
#include <tests/reference/interpreter.hpp>

#include <concepts>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hsm {

template <class Context> class reference {
public:
    reference(const chart<Context>& chart, std::type_identity_t<Context>& context, const instance_options& options = {})
        : context_(&context), run_(std::make_unique<detail::interpreter>(chart.core(), &context, options)) {}
    reference(chart<Context>&&, std::type_identity_t<Context>&, const instance_options& = {}) = delete;

    result start() { return run_->start(); }
    result start(const state_key& target) { return run_->start(target); }
    result stop() { return run_->stop(); }
    template <duration_like D> result tick(D elapsed) { return tick(time_span(elapsed)); }
    template <std::floating_point S> result tick(S seconds) { return tick(time_span::from_seconds(static_cast<double>(seconds))); }
    result tick(time_span elapsed = {}) { return run_->tick(elapsed.nanoseconds()); }
    result decide() { return run_->decide(); }
    template <duration_like D> result update(D elapsed) { return update(time_span(elapsed)); }
    template <std::floating_point S> result update(S seconds) { return update(time_span::from_seconds(static_cast<double>(seconds))); }
    result update(time_span elapsed = {}) { return run_->update(elapsed.nanoseconds()); }

    template <event_object E> result process(E&& e) { return run_->process(detail::refer(std::forward<E>(e))); }
    result process(std::string_view name, event_data data = {}) { return run_->process(detail::refer_name(name, std::move(data))); }
    template <event_object E> result post(E&& e) { return run_->post(detail::refer(std::forward<E>(e))); }
    result post(std::string_view name, event_data data = {}) { return run_->post(detail::refer_name(name, std::move(data))); }
    result drain() { return run_->drain(); }
    template <event_object E> can_result can(const E& e) const { return {run_->can(detail::view_of_event(e))}; }
    can_result can(std::string_view name, event_data data = {}) const { return {run_->can(detail::refer_name(name, std::move(data)))}; }

    result change_to(const state_key& target) { return run_->change_to(target, false); }
    result force_to(const state_key& target) { return run_->change_to(target, true); }
    result finish() { return run_->mark_finished(nullptr); }
    result finish(const state_key& state) { return run_->mark_finished(&state); }

    result release() { return run_->mark_released(nullptr); }
    result release(const state_key& state) { return run_->mark_released(&state); }

    result restart() { return run_->restart(); }
    result destroy() { return run_->destroy(); }
    result reset() { return run_->reset(); }
    result set_state(const state_key& target) { return run_->set_state(target); }

    void set(const condition_key& c, bool on = true) { run_->set_condition(c, on ? condition_change::on : condition_change::off); }
    void pulse(const condition_key& c) { run_->set_condition(c, condition_change::pulse); }
    void trigger(const condition_key& c) { run_->trigger(c); }
    bool get(const condition_key& c) const { return run_->get_condition(c); }
    void clear(const condition_key& c) { set(c, false); }
    void clear() { run_->clear_conditions(); }

    void pause() { run_->pause(true); }
    void resume() { run_->pause(false); }
    bool paused() const { return run_->is_paused(); }
    result set_time_scale(double factor) { return run_->scale_time(factor); }
    double time_scale() const { return run_->time_scale(); }
    std::optional<time_span> time_left(const timer_key& timer) const {
        const auto left = run_->time_left(timer);
        return left ? std::optional(time_span::from_nanoseconds(*left)) : std::nullopt;
    }

    result restart_timer(const timer_key& timer) { return run_->set_timer(timer, timer_change::restart, 0); }
    result set_time_left(const timer_key& timer, time_span left) { return run_->set_timer(timer, timer_change::set, left.nanoseconds()); }
    result cancel_timer(const timer_key& timer) { return run_->set_timer(timer, timer_change::cancel, 0); }

    bool active() const { return static_cast<bool>(current()); }
    bool finished() const { return run_->is_finished(); }
    state_ref current() const { return run_->current(); }
    std::vector<state_ref> leaves() const { return run_->leaves(); }
    bool is_in(const state_query& state) const { return run_->is_in(state); }
    time_span time_in_state(const state_key& state) const { return time_span::from_nanoseconds(run_->time_in_state(state)); }
    time_span time_in_state() const { return time_span::from_nanoseconds(active() ? run_->time_in_state(*current().get()) : 0); }
    time_span now() const { return time_span::from_nanoseconds(run_->now()); }
    std::size_t queued() const { return run_->queued(); }
    template <class T> T* local() const { return static_cast<T*>(run_->local_of_leaf(detail::local_type_of<T>)); }

    bool has_waiting() const { return run_->has_waiting(); }
    void come_from(reference& from, const std::vector<detail::index>& place) { run_->come_from(*from.run_, place); }

    Context& context() const { return *context_; }

private:
    Context* context_;
    std::unique_ptr<detail::interpreter> run_;
};

} // namespace hsm
