// W2 with Boost.MSM, as it comes and without the queue and the exceptions. Where a state has a single leaf, what the
// leaf answers by leaving the state is written as the state's; where a transition runs through an initial one, its
// action counts that.

#include "samek.hpp"

#include <boost/msm/back/state_machine.hpp>
#include <boost/msm/front/functor_row.hpp>
#include <boost/msm/front/state_machine_def.hpp>

namespace {

namespace mpl = boost::mpl;
using boost::msm::front::none;
using boost::msm::front::Row;
using namespace samek;

template <key Key> struct pressed {};

struct usual {};
struct lean {
    using no_message_queue = int;
    using no_exception_thrown = int;
};

template <action Action, state... Chosen> struct does {
    template <class... Arguments> void operator()(const Arguments&...) const {
        acted(Action);
        (chosen(Chosen), ...);
    }
};
template <action Action, bool Foo, state... Chosen> struct sets {
    template <class Event, class Machine, class Source, class Target> void operator()(const Event&, Machine& machine, Source&, Target&) const {
        *machine.foo = Foo;
        does<Action, Chosen...>()();
    }
};
template <bool Foo> struct foo_is {
    template <class Event, class Machine, class Source, class Target> bool operator()(const Event&, const Machine& machine, Source&, Target&) const {
        return *machine.foo == Foo;
    }
};

template <state State, class Base> struct counted : Base {
    template <class Event, class Machine> void on_entry(const Event&, Machine&) { entered(State); }
    template <class Event, class Machine> void on_exit(const Event&, Machine&) { exited(State); }
};
template <state State> struct leaf : counted<State, boost::msm::front::state<>> {};
template <state State, class Definition, class Policy> struct machine : counted<State, boost::msm::front::state_machine_def<Definition>>, Policy {
    template <class Event, class Machine> void no_transition(const Event&, Machine&, int) {}
};
template <class Definition> using made = boost::msm::back::state_machine<Definition>;

template <class Policy> struct s1_machine : machine<s1, s1_machine<Policy>, Policy> {
    bool* foo = nullptr;
    using initial_state = leaf<s11>;
    struct transition_table : mpl::vector<Row<leaf<s11>, pressed<key::B>, leaf<s11>, does<s1_B>, none>,
                                          Row<leaf<s11>, pressed<key::D>, leaf<s11>, sets<s11_D, false, s1>, foo_is<true>>> {};
};

template <class Policy> struct s21_machine : machine<s21, s21_machine<Policy>, Policy> {
    using initial_state = leaf<s211>;
    struct transition_table : mpl::vector<Row<leaf<s211>, pressed<key::B>, leaf<s211>, does<s21_B>, none>,
                                          Row<leaf<s211>, pressed<key::D>, leaf<s211>, does<s211_D, s21>, none>> {};
};

template <class Policy> struct s2_machine : machine<s2, s2_machine<Policy>, Policy> {
    using initial_state = made<s21_machine<Policy>>;
    struct transition_table : mpl::vector<Row<initial_state, pressed<key::A>, initial_state, does<s21_A, s21>, none>> {};
};

template <class Policy> struct s_machine : machine<s, s_machine<Policy>, Policy> {
    bool* foo = nullptr;
    using one = made<s1_machine<Policy>>;
    using two = made<s2_machine<Policy>>;
    using initial_state = two;
    struct transition_table
        : mpl::vector<Row<one, pressed<key::A>, one, does<s1_A, s1>, none>, Row<one, pressed<key::C>, two, does<s1_C, s2>, none>,
                      Row<one, pressed<key::D>, one, sets<s1_D, true, s>, foo_is<false>>, Row<one, pressed<key::E>, one, does<s_E>, none>,
                      Row<one, pressed<key::F>, two, does<s1_F>, none>, Row<one, pressed<key::G>, two, does<s11_G>, none>,
                      Row<one, pressed<key::H>, one, does<s11_H, s>, none>, Row<one, pressed<key::I>, none, does<s1_I>, none>,
                      Row<two, pressed<key::C>, one, does<s2_C, s1>, none>, Row<two, pressed<key::E>, one, does<s_E>, none>,
                      Row<two, pressed<key::F>, one, does<s2_F>, none>, Row<two, pressed<key::G>, one, does<s21_G, s1>, none>,
                      Row<two, pressed<key::H>, one, does<s211_H, s>, none>, Row<two, pressed<key::I>, none, sets<s_I, false>, foo_is<true>>,
                      Row<two, pressed<key::I>, none, sets<s2_I, true>, foo_is<false>>> {};
};

template <class Policy> class peer {
public:
    peer() {
        machine_.foo = &foo_;
        machine_.template get_state<typename s_machine<Policy>::one&>().foo = &foo_;
    }
    peer(const peer&) = delete;

    void start() {
        machine_.start();
        chosen(s2);
    }
    void process(std::uint8_t event) {
        switch (static_cast<key>(event)) {
        case key::A: machine_.process_event(pressed<key::A>()); return;
        case key::B: machine_.process_event(pressed<key::B>()); return;
        case key::C: machine_.process_event(pressed<key::C>()); return;
        case key::D: machine_.process_event(pressed<key::D>()); return;
        case key::E: machine_.process_event(pressed<key::E>()); return;
        case key::F: machine_.process_event(pressed<key::F>()); return;
        case key::G: machine_.process_event(pressed<key::G>()); return;
        case key::H: machine_.process_event(pressed<key::H>()); return;
        case key::I: machine_.process_event(pressed<key::I>()); return;
        }
    }
    std::size_t bytes() const { return sizeof(*this); }

private:
    bool foo_ = false;
    made<s_machine<Policy>> machine_;
};

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    const auto run = [&]<class Policy>(const char* param, Policy) {
        program.compare(
            {"W2", param, random_checksum, bench::random_events<9>}, [] { return peer<Policy>(); }, [] { return reference(); }, "peer");
    };
    run("boost_msm_lean", lean());
    run("boost_msm", usual());
    return program.status();
}
