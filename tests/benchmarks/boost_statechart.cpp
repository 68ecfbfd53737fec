// W2 with Boost.Statechart. Its transitions from a state to one inside it exit the state, so those that are to stay
// inside are written as the leaf's; where a transition runs through an initial one, its reaction counts that.

#include "samek.hpp"

#include <boost/mpl/list.hpp>
#include <boost/statechart/custom_reaction.hpp>
#include <boost/statechart/event.hpp>
#include <boost/statechart/simple_state.hpp>
#include <boost/statechart/state_machine.hpp>

namespace {

namespace sc = boost::statechart;
using namespace samek;

template <key Key> struct pressed : sc::event<pressed<Key>> {};
template <key... Keys> using reacts_to = boost::mpl::list<sc::custom_reaction<pressed<Keys>>...>;

struct in_s;
struct in_s1;
struct in_s2;
struct in_s11;
struct in_s21;
struct in_s211;

struct chart : sc::state_machine<chart, in_s> {
    bool foo = false;
};

template <state State, class Self, class Outer, class... Inner> struct counted : sc::simple_state<Self, Outer, Inner...> {
    counted() { entered(State); }
    ~counted() { exited(State); }

protected:
    /// Acts, counts the initial transitions on the way, and goes.
    template <class Target> sc::result go(action a, std::initializer_list<state> on_the_way = {}) {
        acted(a);
        for (const auto choosing : on_the_way) chosen(choosing);
        return this->template transit<Target>();
    }
    sc::result stay(action a) {
        acted(a);
        return this->discard_event();
    }
    bool& foo() { return this->template context<chart>().foo; }
};

struct in_s : counted<s, in_s, chart, in_s2> {
    using reactions = reacts_to<key::I>;
    sc::result react(const pressed<key::I>&) {
        if (!foo()) return forward_event();
        foo() = false;
        return stay(s_I);
    }
};

struct in_s1 : counted<s1, in_s1, in_s, in_s11> {
    using reactions = reacts_to<key::A, key::C, key::D, key::F, key::I>;
    sc::result react(const pressed<key::A>&) { return go<in_s1>(s1_A, {s1}); }
    sc::result react(const pressed<key::C>&) { return go<in_s2>(s1_C, {s2}); }
    sc::result react(const pressed<key::D>&) {
        if (foo()) return forward_event();
        foo() = true;
        return go<in_s1>(s1_D, {s});
    }
    sc::result react(const pressed<key::F>&) { return go<in_s211>(s1_F); }
    sc::result react(const pressed<key::I>&) { return stay(s1_I); }
};

struct in_s11 : counted<s11, in_s11, in_s1> {
    using reactions = reacts_to<key::B, key::D, key::E, key::G, key::H>;
    sc::result react(const pressed<key::B>&) { return go<in_s11>(s1_B); }
    sc::result react(const pressed<key::D>&) {
        if (!foo()) return forward_event();
        foo() = false;
        return go<in_s11>(s11_D, {s1});
    }
    sc::result react(const pressed<key::E>&) { return go<in_s1>(s_E); }
    sc::result react(const pressed<key::G>&) { return go<in_s211>(s11_G); }
    sc::result react(const pressed<key::H>&) { return go<in_s1>(s11_H, {s}); }
};

struct in_s2 : counted<s2, in_s2, in_s, in_s21> {
    using reactions = reacts_to<key::C, key::E, key::F, key::I>;
    sc::result react(const pressed<key::C>&) { return go<in_s1>(s2_C, {s1}); }
    sc::result react(const pressed<key::E>&) { return go<in_s11>(s_E); }
    sc::result react(const pressed<key::F>&) { return go<in_s11>(s2_F); }
    sc::result react(const pressed<key::I>&) {
        if (foo()) return forward_event();
        foo() = true;
        return stay(s2_I);
    }
};

struct in_s21 : counted<s21, in_s21, in_s2, in_s211> {
    using reactions = reacts_to<key::A, key::G>;
    sc::result react(const pressed<key::A>&) { return go<in_s21>(s21_A, {s21}); }
    sc::result react(const pressed<key::G>&) { return go<in_s1>(s21_G, {s1}); }
};

struct in_s211 : counted<s211, in_s211, in_s21> {
    using reactions = reacts_to<key::B, key::D, key::H>;
    sc::result react(const pressed<key::B>&) { return go<in_s211>(s21_B); }
    sc::result react(const pressed<key::D>&) { return go<in_s211>(s211_D, {s21}); }
    sc::result react(const pressed<key::H>&) { return go<in_s1>(s211_H, {s}); }
};

class peer {
public:
    void start() {
        chart_.initiate();
        chosen(s2);
    }
    void process(std::uint8_t event) {
        switch (static_cast<key>(event)) {
        case key::A: chart_.process_event(pressed<key::A>()); return;
        case key::B: chart_.process_event(pressed<key::B>()); return;
        case key::C: chart_.process_event(pressed<key::C>()); return;
        case key::D: chart_.process_event(pressed<key::D>()); return;
        case key::E: chart_.process_event(pressed<key::E>()); return;
        case key::F: chart_.process_event(pressed<key::F>()); return;
        case key::G: chart_.process_event(pressed<key::G>()); return;
        case key::H: chart_.process_event(pressed<key::H>()); return;
        case key::I: chart_.process_event(pressed<key::I>()); return;
        }
    }
    std::size_t bytes() const { return sizeof(chart_); } ///< its states are on the heap

private:
    chart chart_;
};

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    program.compare(
        {"W2", "boost_statechart", random_checksum, bench::random_events<9>}, [] { return peer(); }, [] { return reference(); }, "peer");
    return program.status();
}
