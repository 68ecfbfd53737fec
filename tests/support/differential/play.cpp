#include <tests/support/differential/play.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/run/error.hpp>
#include <hsm/run/instance.hpp>
#include <tests/reference/reference.hpp>
#include <tests/support/aligned_memory.hpp>
#include <tests/support/differential/build.hpp>
#include <tests/support/differential/conditions.hpp>
#include <tests/support/differential/invariants.hpp>
#include <tests/support/differential/reloaded.hpp>
#include <tests/support/differential/saved.hpp>
#include <tests/support/differential/watched.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace differential {

namespace {

/// The argument of time_left: an object with a spec.
struct timed {
    const hsm::transition_spec& transition;
    const hsm::transition_spec& spec() const { return transition; }
};

/// An agent of a crowd with the interface of an instance, except for its frames.
class crowd_agent {
public:
    crowd_agent(const hsm::chart<test_context>& chart, test_context& w, const hsm::instance_options& options)
        : chart_(chart), test_context_(w), options_(options),
          herd_(chart, std::span(&w, 1), options_of_crowd()), id_(herd_.add_element(0)) {
        herd_[id_]->set_stream(options.stream); // as an instance
    }

    auto operator->() const { return herd_[id_]; }

    /// An inactive agent is not ticked by the crowd; a direct call returns that it is inactive.
    template <class Whole, class Alone> hsm::result frame(Whole whole, Alone alone) {
        const bool ticked = herd_[id_]->active() && !herd_[id_]->busy();
        return ticked ? whole(herd_) : alone(*herd_[id_]);
    }
    hsm::result tick(hsm::time_span t) {
        return frame([&](auto& all) { return all.tick(t); }, [&](auto& one) { return one.tick(t); });
    }
    hsm::result update(hsm::time_span t) {
        return frame([&](auto& all) { return all.update(t); }, [&](auto& one) { return one.update(t); });
    }
    hsm::result decide() {
        return frame([&](auto& all) { return all.decide(); }, [&](auto& one) { return one.decide(); });
    }
    /// Releases the agent into an instance and takes it back, if that is possible now. The instance has its own clock.
    void move_and_return() {
        if (herd_[id_]->busy() || herd_[id_]->now() != herd_.now()) return;
        hsm::instance<test_context> outside(chart_, test_context_, options_);
        if (herd_.release(id_, outside) != hsm::result::taken) return;
        id_ = herd_.add_element(0);
        herd_[id_]->take_over(outside);
    }
    /// Sends an event to all agents, or to a list. There is only one agent. An agent that is being removed gets no events.
    template <class E> hsm::result give(const E& event, bool to_all) {
        const auto results = to_all ? herd_.process_all(event) : herd_.process(std::span(&id_, 1), event);
        const auto answer = std::ranges::find_if(results.counts, [](std::size_t agents) { return agents != 0; });
        if (answer == std::ranges::end(results.counts)) return hsm::result::inactive;
        return static_cast<hsm::result>(answer - std::ranges::begin(results.counts));
    }
    hsm::attachment attach(hsm::observer& to) { return herd_.attach(id_, to); }
    hsm::attachment attach_to_all(hsm::observer& to) { return herd_.attach(to); }
    void pulse(const hsm::condition_key& c) { herd_.pulse(id_, c); }
    void set(const hsm::condition_key& c, bool on) { herd_.set(id_, c, on); }
    bool get(const hsm::condition_key& c) const { return herd_.get(id_, c); }
    void clear() { herd_[id_]->clear(); }
    /// Returns the answer of the crowd, without asking the instance.
    bool is_in(const hsm::state_base& s) const {
        const bool found = herd_.is_in(id_, s);
        bool listed = false;
        herd_.each(s, [&](hsm::agent_id id, test_context&) { listed |= id == id_; });
        if (listed != found && !herd_[id_]->busy()) throw std::logic_error("the lists are wrong about " + s.path());
        return found;
    }
    bool has_tag(int tag) const {
        const auto name = tag_name(tag);
        const bool found = herd_.is_in(id_, hsm::tag(name));
        if (herd_.count(hsm::tag(name)) != std::size_t(found) && !herd_[id_]->busy()) throw std::logic_error("the count is wrong about " + name);
        return found;
    }

    /// Gives the other agent's crowd the chart of this one, and continues with its agent.
    hsm::reload_report continue_from(crowd_agent& other, const hsm::reload_plan& plan) {
        const auto report = plan.apply(other.herd_);
        const auto alive = test_context_.alive;
        hsm::restore(herd_, hsm::save(other.herd_));
        test_context_.alive = alive;
        id_ = other.id_;
        return report;
    }

protected:
    hsm::crowd<test_context> another() { return hsm::crowd<test_context>(chart_, std::span(&test_context_, 1), options_of_crowd()); }
    hsm::crowd<test_context>& herd() { return herd_; }
    hsm::agent_id id() const { return id_; }
    test_context& context() { return test_context_; }
    const hsm::chart<test_context>& chart() const { return chart_; }

private:
    hsm::crowd_options options_of_crowd() const {
        return {.agent = options_, .start = false, .lists = chart_.state_count() % 2 == 0, .update_order = order_for(chart_)};
    }
    /// Alternates, independent of the option `lists`.
    static hsm::update_order order_for(const hsm::chart<test_context>& chart) {
        return chart.state_count() / 2 % 2 == 0 ? hsm::update_order::by_state : hsm::update_order::by_index;
    }

    const hsm::chart<test_context>& chart_;
    test_context& test_context_;
    const hsm::instance_options options_;
    mutable hsm::crowd<test_context> herd_;
    hsm::agent_id id_;
};

/// The same, observed. The crowd attaches the observer to the agent or to all.
class watched_agent : public crowd_agent {
public:
    watched_agent(const hsm::chart<test_context>& chart, test_context& w, const hsm::instance_options& options)
        : crowd_agent(chart, w, options), to_all_(chart.state_count() % 3 == 0), observers_(chart) {
        observers_.begin(*this);
    }

    void next_input() {
        if (!(*this)->busy()) observers_.next_input(*this);
    }
    hsm::attachment attach_observer(hsm::observer& to) { return to_all_ ? attach_to_all(to) : attach(to); }
    bool is_in(const hsm::state_base& s) const {
        const bool is = crowd_agent::is_in(s);
        observers_.check(s, is, (*this)->busy());
        return is;
    }
    void move_and_return() {} // its observers would not move with it

private:
    const bool to_all_;
    coming_and_going observers_;
};

/// An agent of a crowd that is regularly saved and restored: into another crowd, which replaces it, or into itself.
class saved_agent : public crowd_agent {
public:
    saved_agent(const hsm::chart<test_context>& chart, test_context& w, const hsm::instance_options& options)
        : crowd_agent(chart, w, options), turn_(static_cast<int>(chart.state_count())) {}

    void next_input() {
        if (++turn_ % 4 == 0 || (*this)->busy()) return;
        const bool checked = turn_ % 3 == 0;
        const auto image = hsm::save(herd(), {.checksum = checked});
        if (const auto size = hsm::image_size(herd()); size != image.size()) throw std::logic_error("an image of a crowd has another size than it says");
        if (turn_ % 3 == 1) {
            auto other = another();
            if (turn_ % 5 != 0) disturb(other, other.add_element(0));
            restore(other, image, checked);
            herd() = std::move(other);
        } else {
            disturb(herd(), id());
            restore(herd(), image, checked);
        }
        if (!herd().has(id())) throw std::logic_error("an agent that was saved has another handle");
    }

private:
    void restore(hsm::crowd<test_context>& to, const std::vector<std::byte>& image, bool checked) {
        const auto before = hsm::save(to, {.checksum = checked});
        const auto was_alive = context().alive;
        try {
            hsm::restore(to, image);
        } catch (const fault&) { // of a local's copy: the crowd must be unchanged
            if (hsm::save(to, {.checksum = checked}) != before || context().alive != was_alive) throw std::logic_error("half restored");
            const auto bits = std::exchange(context().bits, 0);
            hsm::restore(to, image);
            context().bits = bits;
        }
        if (hsm::save(to, {.checksum = checked}) != image) throw std::logic_error("a crowd that was restored is not what was saved");
    }
    /// Changes the agent; restoring must undo this.
    void disturb(hsm::crowd<test_context>& to, hsm::agent_id id) {
        const auto bits = std::exchange(context().bits, 0);
        const bool silent = std::exchange(context().silent, true);
        try {
            to[id]->set_state(chart().state(static_cast<std::size_t>(turn_) % chart().state_count()));
            to[id]->post(hit{1});
            to[id]->post("ping");
            if (turn_ % 2 == 0) {
                to.remove(id);
                if (turn_ % 4 == 0) to.add_element(0);
            }
        } catch (const std::exception&) {
        }
        context().silent = silent;
        context().bits = bits;
    }

    int turn_;
};

using some_event = std::variant<hit, parcel, key, far_apart, unexpected>;

/// Calls f(event), or for some payloads f(a variant with the event). The reference has no variants.
template <class Engine, class F> auto perhaps_in_variant(int payload, F f) {
    return [payload, f](auto&& e) {
        using event = std::remove_cvref_t<decltype(e)>;
        if constexpr (!std::is_same_v<Engine, hsm::reference<test_context>> && !std::is_same_v<event, std::string_view>) {
            if (payload / 5 % 2 == 1) {
                some_event held(const_cast<event&&>(e));
                if constexpr (std::is_lvalue_reference_v<decltype(e)>)
                    return f(held);
                else
                    return f(std::move(held));
            }
        }
        return f(std::forward<decltype(e)>(e));
    };
}

/// `Engine` is hsm::instance<world>, hsm::reference<world>, or an agent of a crowd.
template <class Engine> class running final : public agent {
public:
    running(const hsm::chart<test_context>& chart, test_context& w, const plan& p) : chart_(chart) {
        if constexpr (std::is_same_v<Engine, hsm::instance<test_context>>) {
            if (p.own_memory) {
                const auto need = hsm::instance_memory(chart, p.run);
                memory_.reset(static_cast<std::byte*>(test::get_aligned(need.alignment, need.size + 1)));
                engine_.emplace(chart, w, p.run, memory_.get());
                return;
            }
        }
        engine_.emplace(chart, w, p.run);
    }

    hsm::result start() override { return of()->start(); }
    hsm::result stop() override { return of()->stop(); }
    hsm::result tick(std::int64_t ns) override { return frames().tick(hsm::time_span::from_nanoseconds(ns)); }
    hsm::result update(std::int64_t ns) override { return frames().update(hsm::time_span::from_nanoseconds(ns)); }
    hsm::result decide() override { return frames().decide(); }
    hsm::result drain() override { return of()->drain(); }
    hsm::result process(int event, int payload) override {
        const auto give = [&](auto&& e) { return handle(std::forward<decltype(e)>(e), payload % 4 == 1); };
        return with_event(event, payload, perhaps_in_variant<Engine>(payload, give));
    }
    hsm::result post(int event, int payload) override {
        const auto give = [&](auto&& e) { return of()->post(std::forward<decltype(e)>(e)); };
        return with_event(event, payload, perhaps_in_variant<Engine>(payload, give));
    }
    hsm::result can(int event, int payload) override {
        const auto ask = [&](const auto& e) { return of()->can(e).outcome; };
        return with_event(event, payload, perhaps_in_variant<Engine>(payload, ask));
    }
    hsm::result change_to(int state) override { return of()->change_to(at(state)); }
    hsm::result change_to_place(int p) override { return of()->change_to(static_cast<place>(p)); }
    hsm::result finish() override { return of()->finish(); }
    hsm::result finish(int state) override { return of()->finish(at(state)); }
    hsm::result release() override { return of()->release(); }
    hsm::result release(int state) override { return of()->release(at(state)); }
    hsm::result force_to(int state) override { return of()->force_to(at(state)); }
    hsm::result restart() override { return of()->restart(); }
    hsm::result destroy() override { return of()->destroy(); }
    hsm::result reset() override { return of()->reset(); }
    hsm::result set_state(int state) override { return of()->set_state(at(state)); }
    void pause(bool paused) override { paused ? of()->pause() : of()->resume(); }
    hsm::result scale(int percent) override { return of()->set_time_scale(percent / 100.0); }
    std::string times_left() const override {
        std::string text;
        for (std::size_t s = 0; s < chart_.state_count(); ++s)
            for (const auto& t : at(static_cast<int>(s)).transitions())
                if (const auto left = of()->time_left(timed{*t})) text += " " + std::to_string(left->nanoseconds());
        return text;
    }
    std::optional<hsm::timer_key> timer(int what) const override {
        std::vector<const hsm::transition_spec*> timed;
        for (std::size_t s = 0; s < chart_.state_count(); ++s)
            for (const auto& t : at(static_cast<int>(s)).transitions())
                if (t->after || t->every) timed.push_back(t.get());
        if (timed.empty()) return {};
        const auto& t = *timed[static_cast<std::size_t>(what) / 20 % timed.size()];
        return t.label.empty() ? hsm::timer_key(t) : hsm::timer_key(t.label);
    }
    hsm::result set_timer(int what) override { return differential::set_timer(*of(), timer(what), what); }
    hsm::condition_key key(int condition) const override { return key_of(at(0), condition); }
    void change(int condition, hsm::condition_change to) override {
        if (to == hsm::condition_change::pulse) return engine_->pulse(key(condition));
        engine_->set(key(condition), to == hsm::condition_change::on);
    }
    bool get(int condition) const override { return engine_->get(key(condition)); }
    void clear() override { engine_->clear(); }
    void move() override {
        if constexpr (in_crowd) {
            engine_->move_and_return();
        } else {
            auto elsewhere = std::make_unique<Engine>(std::move(*engine_));
            engine_.emplace(std::move(*elsewhere));
        }
    }
    hsm::state_ref current() const override { return of()->current(); }
    std::vector<hsm::state_ref> leaves() const override { return of()->leaves(); }
    bool is_in(int state) const override { return frames().is_in(at(state)); }
    const hsm::state_base& node(int state) const override { return at(state); }
    bool has_tag(int tag) const override {
        [[maybe_unused]] const auto name = tag_name(tag);
        if constexpr (in_crowd)
            return engine_->has_tag(tag);
        else
            return of()->is_in(hsm::tag(name));
    }
    bool is_in_place(int p) const override { return of()->is_in(static_cast<place>(p)); }
    bool finished() const override { return of()->finished(); }
    std::size_t queued() const override { return of()->queued(); }
    std::int64_t time_in_state(int state) const override { return of()->time_in_state(at(state)).nanoseconds(); }
    std::int64_t now() const override { return of()->now().nanoseconds(); }

    Engine& engine() { return *engine_; }

private:
    static constexpr bool in_crowd = std::is_base_of_v<crowd_agent, Engine>;
    decltype(auto) of() const {
        if constexpr (in_crowd)
            return engine_->operator->();
        else
            return &*engine_;
    }
    decltype(auto) of() {
        if constexpr (in_crowd)
            return engine_->operator->();
        else
            return &*engine_;
    }
    /// Agents of a crowd sometimes get the event through a list of handles.
    template <class E> hsm::result handle(E&& e, bool listed) {
        if constexpr (in_crowd && (std::is_lvalue_reference_v<E> || std::is_same_v<std::remove_cvref_t<E>, std::string_view>))
            return engine_->give(e, listed);
        else
            return of()->process(std::forward<E>(e));
    }
    Engine& frames() { return *engine_; }

public:
    void next_input()
        requires requires(Engine& e) { e.next_input(); }
    {
        engine_->next_input();
    }

private:
    const Engine& frames() const { return *engine_; }

    const hsm::state_base& at(int state) const {
        const auto s = static_cast<std::size_t>(state);
        if constexpr (requires { engine_->present_chart(); })
            return *engine_->present_chart().state(s).get();
        else
            return *chart_.state(s).get();
    }

    struct freeing {
        void operator()(std::byte* p) const { test::free_aligned(p); }
    };

    const hsm::chart<test_context>& chart_;
    std::unique_ptr<std::byte, freeing> memory_;
    std::optional<Engine> engine_;
};

hsm::result give(const input_plan& in, agent& a) {
    switch (in.does) {
    case input::start: return a.start();
    case input::stop: return a.stop();
    case input::tick: return a.tick(in.amount);
    case input::update: return a.update(in.amount);
    case input::decide: return a.decide();
    case input::drain: return a.drain();
    case input::process: return a.process(in.what, in.amount);
    case input::post: return a.post(in.what, in.amount);
    case input::can: return a.can(in.what, in.amount);
    case input::change_to: return a.change_to(in.what);
    case input::change_to_place: return a.change_to_place(in.what);
    case input::finish: return a.finish();
    case input::finish_state: return a.finish(in.what);
    case input::release: return a.release();
    case input::release_state: return a.release(in.what);
    case input::force_to: return a.force_to(in.what);
    case input::restart: return a.restart();
    case input::destroy: return a.destroy();
    case input::reset: return a.reset();
    case input::set_state: return a.set_state(in.what);
    case input::pause: a.pause(true); return hsm::result::taken;
    case input::resume: a.pause(false); return hsm::result::taken;
    case input::scale: return a.scale(in.amount);
    case input::move: a.move(); return hsm::result::taken;
    case input::clear_conditions: a.clear(); return hsm::result::taken;
    case input::set_timer: return a.set_timer(in.what);
    case input::revive:
        if (a.finished()) a.stop();
        return a.start();
    }
    return hsm::result::unhandled;
}

/// Returns the result or the exception. The cycles in a chain_error may differ.
std::string outcome_of(const input_plan& in, agent& a) {
    try {
        return std::string(to_string(give(in, a)));
    } catch (const hsm::chain_error& e) {
        const std::string text = e.what();
        return "chain_error " + text.substr(0, text.find("the chain has not ended"));
    } catch (const std::exception& e) {
        return e.what();
    }
}

void change_conditions(const input_plan& in, const plan& p, agent& a) {
    for (int c = 1; c < static_cast<int>(p.conditions.size()); ++c) {
        if (in.turned >> c & 1) a.change(c, a.get(c) ? hsm::condition_change::off : hsm::condition_change::on);
        if (in.pulsed >> c & 1) a.change(c, hsm::condition_change::pulse);
    }
}

std::string state_of(const agent& a, const test_context& w, const plan& p) {
    const auto states = static_cast<int>(p.states.size());
    const auto current = a.current();
    auto text = "in " + (current ? std::to_string(current.get()->number()) : "none") + (a.finished() ? " finished" : "") + " queued " +
                std::to_string(a.queued()) + " alive " + std::to_string(w.alive) + " now " + std::to_string(a.now()) + " times";
    for (int s = 0; s < states; ++s)
        if (const auto t = a.time_in_state(s)) text += " " + std::to_string(s) + ":" + std::to_string(t);
    text += " left" + a.times_left();
    for (int i = 0; i < place_count; ++i)
        if (a.is_in_place(i)) text += " p" + std::to_string(i);
    each_tag(p, [&](int tag) {
        if (a.has_tag(tag)) text += " " + tag_name(tag);
    });
    text += " active";
    for (int s = 0; s < states; ++s)
        if (a.is_in(s)) text += " " + std::to_string(s);
    text += " leaves";
    for (const auto leaf : a.leaves()) text += " " + std::to_string(leaf.get()->number());
    if (!p.conditions.empty()) text += " conditions";
    for (int c = 0; c < static_cast<int>(p.conditions.size()); ++c)
        if (a.get(c)) text += " " + std::to_string(c);
    return text;
}

/// Restores it also if an exception is thrown.
struct calls_of {
    explicit calls_of(test_context& w) { in_call = &w; }
    calls_of(const calls_of&) = delete;
    ~calls_of() { in_call = nullptr; }
};

/// Returns what is seen after each input, and after the end.
template <class Engine> std::vector<std::string> observe(const plan& p, const hsm::chart<test_context>& chart) {
    std::vector<std::string> seen;
    test_context w(p);
    const calls_of until_the_end(w);
    {
        running<Engine> a(chart, w, p);
        w.self = &a;
        for (const auto& in : p.inputs) {
            w.bits = (w.bits & ((1u << ordinary_bits) - 1)) ^ in.flips;
            w.bits |= in.faults;
            change_conditions(in, p, a);
            if constexpr (requires { a.next_input(); }) a.next_input();
            const auto outcome = outcome_of(in, a);
            seen.push_back(std::move(w.trace) + "-> " + outcome + ", " + state_of(a, w, p) + wrong_after(in, p, a, w));
            w.trace.clear();
        }
    }
    seen.push_back(w.trace + "alive " + std::to_string(w.alive));
    return seen;
}

} // namespace

namespace {

constexpr int parcel_event = 1;
constexpr int heavy_type = 2;

void without_memory(plan& p) {
    const auto replace = [](int& event) {
        if (event == parcel_event) event = 0;
        if (event >= first_unknown) event = 7; // queues allocate for these
    };
    p.checks_activity = false;
    p.compile.done_events = false;
    p.compile.guard_error = {};
    for (auto& s : p.states) {
        std::erase_if(s.locals, [](const auto& l) { return l.type == heavy_type; });
        for (auto& t : s.transitions) replace(t.event);
    }
    visit_hooks(p, [&](hook_plan& h) {
        if (h.act.does == act::process || h.act.does == act::post) replace(h.act.what);
        if (h.act.does == act::can) h.act = {}; // for an unknown name it makes a suggestion
    });
    std::erase_if(p.inputs, [](const auto& in) { return in.does == input::move || in.does == input::can; });
    for (auto& in : p.inputs) {
        in.faults = 0;
        if (in.does == input::process || in.does == input::post) replace(in.what);
    }
}

} // namespace

player::player(const plan& p, const hsm::chart<test_context>& chart)
    : plan_(p), test_context_(p), agent_(std::make_unique<running<hsm::instance<test_context>>>(chart, test_context_, p)) {
    in_call = &test_context_;
    test_context_.self = agent_.get();
}

player::~player() {
    agent_.reset();
    in_call = nullptr;
}

hsm::instance<test_context>& player::machine() { return static_cast<running<hsm::instance<test_context>>&>(*agent_).engine(); }

void player::give(const input_plan& in) {
    test_context_.bits = ((test_context_.bits & ((1u << ordinary_bits) - 1)) ^ in.flips) | in.faults;
    change_conditions(in, plan_, *agent_);
    outcome_of(in, *agent_);
}

std::vector<int> inputs_that_count(plan p, const std::size_t& counter) {
    without_memory(p);
    const auto chart = build(p);
    std::vector<int> found;
    found.reserve(p.inputs.size());
    test_context w(p);
    w.silent = true;
    in_call = &w;
    {
        running<hsm::instance<test_context>> a(chart, w, p);
        w.self = &a;
        for (std::size_t i = 0; i < p.inputs.size(); ++i) {
            w.bits ^= p.inputs[i].flips;
            change_conditions(p.inputs[i], p, a);
            const auto before = counter;
            try {
                give(p.inputs[i], a);
                if (counter != before) found.push_back(static_cast<int>(i));
            } catch (const std::exception&) {
            }
        }
    }
    in_call = nullptr;
    return found;
}

namespace {
difference compare(const std::vector<std::string>& seen, const std::vector<std::string>& expected) {
    for (std::size_t i = 0; i < seen.size(); ++i)
        if (seen[i] != expected[i] || is_wrong(seen[i])) return {static_cast<int>(i), seen[i], expected[i]};
    return {};
}
} // namespace

namespace {

/// Plays both charts with one engine. reload(engine of `before`, engine of `after`) places the second one; it returns false to stop.
template <class Engine, class Reload>
std::vector<std::string> observe_edited(const edited& e, const hsm::chart<test_context>& before, const hsm::chart<test_context>& after,
                                        std::size_t first_inputs, const Reload& reload) {
    std::vector<std::string> seen;
    test_context old_context(e.before), context(e.after);
    {
        running<Engine> a(before, old_context, e.before), b(after, context, e.after);
        old_context.self = &a;
        context.self = &b;
        {
            const calls_of until_reload(old_context);
            for (std::size_t i = 0; i < first_inputs; ++i) {
                const auto& in = e.before.inputs[i];
                old_context.bits = (old_context.bits & ((1u << ordinary_bits) - 1)) ^ in.flips;
                change_conditions(in, e.before, a);
                outcome_of(in, a);
            }
            old_context.bits &= (1u << ordinary_bits) - 1;
            old_context.trace.clear();
        }
        const calls_of until_the_end(context);
        context.bits = old_context.bits;
        context.alive = old_context.alive;
        if (!reload(a.engine(), b.engine(), context)) return {};
        seen.push_back(old_context.trace + state_of(b, context, e.after));
        for (const auto& in : e.after.inputs) {
            context.bits = ((context.bits & ((1u << ordinary_bits) - 1)) ^ in.flips) | in.faults;
            change_conditions(in, e.after, b);
            const auto outcome = outcome_of(in, b);
            seen.push_back(std::move(context.trace) + "-> " + outcome + ", " + state_of(b, context, e.after));
            context.trace.clear();
        }
    }
    return seen;
}

} // namespace

reloaded_play play_edited(edited e, std::size_t first_inputs) {
    const bool in_crowd = e.before.played_by == players::crowd;
    const auto before = build(e.before), after = build(e.after);
    const hsm::instance_options defaults;
    const auto& run = e.before.run;
    const bool has_queues = run.internal_queue > 0 || run.posted_queue > 0 || run.mailbox > 0 || run.chain_limit != defaults.chain_limit;
    if (!before.core().has_defers && !in_crowd && !has_queues) e.after.run.deferred_queue = defaults.deferred_queue; // the instance does not store it
    hsm::reload_plan plan(before, after);
    for (const auto& [s, t] : e.renamed)
        plan.map(before.state(static_cast<std::size_t>(s)).path(), after.state(static_cast<std::size_t>(t)).path());
    std::vector<std::uint16_t> places;
    for (const int s : e.place) places.push_back(s == none ? 0xffff : static_cast<std::uint16_t>(s));
    reloaded_play done;
    using reference = hsm::reference<test_context>;
    using instance = hsm::instance<test_context>;
    const auto expected = observe_edited<reference>(e, before, after, first_inputs, [&](reference& from, reference& to, test_context& context) {
        if (from.has_waiting()) return false;
        const auto before_copies = context.alive;
        to.come_from(from, places);
        context.alive -= before_copies; // only the copies stay
        return true;
    });
    if (expected.empty()) return done;
    done.is_played = true;
    const auto note = [&](const hsm::reload_report& report) {
        done.same = report.same;
        done.moved = report.moved;
        done.replaced = report.replaced;
        done.dropped = report.changes.size();
    };
    const auto move_instance = [&](instance& from, instance& to, test_context& context) {
        note(plan.apply(from));
        to = std::move(from);
        to.rebind(context);
        return true;
    };
    const auto move_agent = [&](crowd_agent& from, crowd_agent& to, test_context&) {
        note(to.continue_from(from, plan));
        return true;
    };
    const auto seen = in_crowd ? observe_edited<crowd_agent>(e, before, after, first_inputs, move_agent)
                               : observe_edited<instance>(e, before, after, first_inputs, move_instance);
    done.found = compare(seen, expected);
    return done;
}

std::vector<std::string> seen_of(const plan& p, const hsm::chart<test_context>& chart) { return observe<hsm::instance<test_context>>(p, chart); }

difference play(const plan& p) {
    const auto chart = build(p);
    if (p.played_by == players::crowd) return compare(observe<crowd_agent>(p, chart), observe<hsm::instance<test_context>>(p, chart));
    if (p.played_by == players::observed) return compare(observe<watched>(p, chart), observe<hsm::instance<test_context>>(p, chart));
    if (p.played_by == players::saved) return compare(observe<saved_often>(p, chart), observe<hsm::instance<test_context>>(p, chart));
    if (p.played_by == players::reloaded) return compare(observe<reloaded_often>(p, chart), observe<hsm::instance<test_context>>(p, chart));
    if (p.played_by == players::saved_crowd) return compare(observe<saved_agent>(p, chart), observe<crowd_agent>(p, chart));
    if (p.played_by == players::observed_crowd) return compare(observe<watched_agent>(p, chart), observe<crowd_agent>(p, chart));
    auto reference = p.played_by != players::instance ? observe<hsm::reference<test_context>>(p, chart) : std::vector<std::string>();
    const auto instance = p.played_by != players::reference ? observe<hsm::instance<test_context>>(p, chart) : reference;
    if (reference.empty()) reference = instance;
    return compare(instance, reference);
}

} // namespace differential
