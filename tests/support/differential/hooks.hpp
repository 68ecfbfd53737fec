/// The hooks and guards of a built plan: they record what they see, and then execute the acts of the plan.
#pragma once

#include <hsm/define/fsm.hpp>
#include <tests/support/differential/test_context.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace differential {

inline std::string number(hsm::state_ref s) { return s ? std::to_string(s.get()->number()) : "-"; }

inline std::string numbers(const std::vector<hsm::state_ref>& states) {
    std::string text;
    for (const auto s : states) text += (text.empty() ? "" : " ") + number(s);
    return text;
}

/// Returns what a hook without a step can see.
inline std::string seen(const test_context& w) { return "@" + number(w.self->current()); }

/// Returns what a step contains.
template <class C> std::string seen(hsm::step<C>& s) {
    auto text = "@" + number(s.current()) + "/" + number(s.state()) + " " + std::string(to_string(s.reason())) + " " + number(s.source()) + ">" +
                number(s.target()) + "<" + number(s.previous()) + " t" + std::to_string(s.time_in_state().nanoseconds()) + " d" +
                std::to_string(s.elapsed().nanoseconds());
    if (const auto* e = s.template event<hit>()) text += " " + describe(*e);
    if (const auto* e = s.template event<parcel>()) text += " " + describe(*e);
    if (const auto* e = s.template event<key>()) text += " " + describe(*e);
    if (const auto* e = s.template event<far_apart>()) text += " " + describe(*e);
    if (!s.event_name().empty()) text += " " + std::string(s.event_name());
    if (const auto data = s.data()) text += "=" + hsm::to_string(data);
    return text;
}

/// The two ways for a hook to call its machine: by its step, if it takes one, or by the agent.
template <class C> struct by_step {
    hsm::step<C>& step;
    agent& self;
    hsm::result process(int event, int payload) {
        return with_event(event, payload, [&](auto&& e) { return step.process(std::forward<decltype(e)>(e)); });
    }
    hsm::result post(int event, int payload) {
        return with_event(event, payload, [&](auto&& e) { return step.post(std::forward<decltype(e)>(e)); });
    }
    hsm::result change_to(int state) { return step.change_to(self.node(state)); }
    hsm::result force_to(int state) { return step.force_to(self.node(state)); }
    hsm::result stop() { return step.stop(); }
    void finish() { step.finish(); }
    void release() { step.release(); }
    void change(int condition, hsm::condition_change to) {
        if (to == hsm::condition_change::pulse) return step.pulse(self.key(condition));
        step.set(self.key(condition), to == hsm::condition_change::on);
    }
    bool get(int condition) { return step.get(self.key(condition)); }
    bool has_tag(int tag) { return step.is_in(hsm::tag(tag_name(tag))); }
    hsm::result set_timer(int what) { return differential::set_timer(step, self.timer(what), what); }
};

struct by_agent {
    agent& self;
    hsm::result process(int event, int payload) { return self.process(event, payload); }
    hsm::result post(int event, int payload) { return self.post(event, payload); }
    hsm::result change_to(int state) { return self.change_to(state); }
    hsm::result force_to(int state) { return self.force_to(state); }
    hsm::result stop() { return self.stop(); }
    void finish() { self.finish(); }
    void release() { self.release(); }
    void change(int condition, hsm::condition_change to) { self.change(condition, to); }
    bool get(int condition) { return self.get(condition); }
    bool has_tag(int tag) { return self.has_tag(tag); }
    hsm::result set_timer(int what) { return self.set_timer(what); }
};

template <class Ask> void perform(const hook_plan& h, test_context& w, Ask ask) {
    const auto& a = h.act;
    if (a.does == act::nothing || !w.has(a.bit)) return;
    const auto answer = [&](hsm::result r) {
        if (!w.silent) w.note("=" + std::string(to_string(r)));
    };
    switch (a.does) {
    case act::nothing: break;
    case act::process: answer(ask.process(a.what, h.token)); break;
    case act::post: answer(ask.post(a.what, h.token)); break;
    case act::change_to: answer(ask.change_to(a.what)); break;
    case act::change_to_place: answer(w.self->change_to_place(a.what)); break;
    case act::finish: ask.finish(); break;
    case act::finish_leaf: answer(w.self->finish()); break;
    case act::finish_state: answer(w.self->finish(a.what)); break;
    case act::release: ask.release(); break;
    case act::release_state: answer(w.self->release(a.what)); break;
    case act::force_to: answer(ask.force_to(a.what)); break;
    case act::stop: answer(ask.stop()); break;
    case act::raise: throw fault(h.token);
    case act::flip: w.bits ^= 1u << a.what; break;
    case act::can: answer(w.self->can(a.what, h.token)); break;
    case act::look:
        if (w.silent) break;
        w.note((w.self->is_in(a.what) ? "in" : "out of") + std::to_string(a.what) + " {" + numbers(w.self->leaves()) + "}");
        each_tag(w.made_from, [&](int tag) {
            if (ask.has_tag(tag)) w.note(tag_name(tag));
        });
        break;
    case act::set_condition: ask.change(a.what, hsm::condition_change::on); break;
    case act::clear_condition: ask.change(a.what, hsm::condition_change::off); break;
    case act::pulse_condition: ask.change(a.what, hsm::condition_change::pulse); break;
    case act::get_condition:
        if (const bool is = ask.get(a.what); !w.silent) w.note((is ? "c" : "!c") + std::to_string(a.what));
        break;
    case act::set_timer: answer(ask.set_timer(a.what)); break;
    case act::tick:
        answer(w.self->tick(1));
        answer(w.self->start());
        answer(w.self->decide());
        answer(w.self->drain());
        answer(w.self->restart());
        answer(w.self->destroy());
        answer(w.self->reset());
        answer(w.self->set_state(0));
        if (!w.silent) w.note("q" + std::to_string(w.self->queued()) + (w.self->finished() ? "f" : ""));
        break;
    }
}

template <class C> void note_hook(const char* kind, const hook_plan& h, C& c, std::string_view what) {
    whole(c).note(kind + std::to_string(h.token) + side(c) + std::string(what));
}

template <class C> void plain_hook(const char* kind, const hook_plan& h, C& c, const std::string& extra = {}) {
    if (!whole(c).silent) note_hook(kind, h, c, seen(whole(c)) + extra);
    perform(h, whole(c), by_agent{*whole(c).self});
}

template <class C> void step_hook(const char* kind, const hook_plan& h, C& c, hsm::step<C>& s) {
    if (whole(c).silent) return perform(h, whole(c), by_step<C>{s, *whole(c).self});
    auto text = seen(s);
    if (auto* const local = s.template local<bare>()) text += " b" + std::to_string(local->value++) + (local->count.whole() ? "" : "!");
    if (auto* const local = s.template local<heavy>()) text += " h" + std::to_string(local->text.size());
    note_hook(kind, h, c, text);
    perform(h, whole(c), by_step<C>{s, *whole(c).self});
}

/// The acts of a guard have no effect. can() calls guards again, whose acts are skipped.
inline void act_of_guard(const guard_plan& g, const test_context& w) {
    if (g.act.does == act::nothing || w.self->asked) return;
    auto& asked = w.self->asked;
    asked = g.act.does == act::can;
    perform({g.token, 0, g.act}, *const_cast<test_context*>(&w), by_agent{*w.self});
    asked = false;
}

template <class C> bool ask(const guard_plan& g, const C& c) {
    const auto& w = whole(c);
    if (!w.silent) w.note("g" + std::to_string(g.token) + side(c) + seen(w));
    act_of_guard(g, w);
    if (g.fault != none && w.has(g.fault)) throw fault(g.token);
    for (const auto& [token, answer] : w.answers)
        if (token == g.token) return answer;
    return w.has(g.bit) == g.wanted;
}

/// A machine or a parallel with a nested context.
template <class Base> class nested : public Base {
    using C = typename Base::context_type;

public:
    explicit nested(std::string name) : Base(std::move(name)) {}
    void enter(C& c, hsm::step<C>& s) const { note_call("ne", c, s); }
    void update(C& c, hsm::step<C>& s) const { note_call("nu", c, s); }
    void exit(C& c, hsm::step<C>& s) const { note_call("nx", c, s); }

private:
    static void note_call(const char* what, C& c, hsm::step<C>& s) {
        if (!whole(c).silent) whole(c).note(what + (side(c) + seen(s)));
    }
};

} // namespace differential
