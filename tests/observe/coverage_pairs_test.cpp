// Possible pairs of transitions: examples, and random charts, in which no pair may occur that is considered impossible.

#include <hsm/observe/detail/coverage_model.hpp>

#include <hsm/hsm.hpp>
#include <hsm/observe/coverage.hpp>
#include <hsm/observe/detail/coverage_follower.hpp>
#include <tests/support/differential/dice.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>
#include <vector>

using hsm::coverage_kind;
using hsm::detail::coverage_key;
using namespace std::chrono_literals;

namespace {

struct player {
    differential::dice* rolls = nullptr;
    bool agrees() const { return !rolls || rolls->below(2) == 0; }
};
template <int> struct event {};
struct go {};

using machine = hsm::fsm<player>;

/// Returns "a>b c>d": the pairs, by the numbers of the transitions in the order of the chart.
std::string pairs_of(const hsm::chart_base& chart) {
    const hsm::detail::coverage_model model(chart.view());
    std::string text;
    for (const auto key : model.items(coverage_kind::pairs))
        text += (text.empty() ? "" : " ") + std::to_string(hsm::detail::first_of(key)) + ">" + std::to_string(hsm::detail::second_of(key));
    return text;
}

} // namespace

TEST_CASE("a transition to a machine forms pairs only from states that the entry choice can enter") {
    auto root = hsm::make_fsm<player>("R");
    auto& a = root->add("a");
    auto& m = root->add_fsm("M");
    auto& x = m.add("x");
    auto& y = m.add("y");
    auto& z = m.add("z");
    m.dispatch(y).when(&player::agrees); // 1
    m.dispatch(x);                       // 2
    a.to(m).on<go>();                    // 0
    x.to(z).on<go>();                    // 3
    y.to(a).on<go>();                    // 4
    z.to(a).on<go>();                    // 5
    CHECK(pairs_of(hsm::compile(std::move(root))) == "0>3 0>4 3>5 4>0 5>0");
}

TEST_CASE("a transition to a history forms pairs with any state of its machine") {
    auto root = hsm::make_fsm<player>("R");
    auto& a = root->add("a");
    auto& m = root->add_fsm("M");
    auto& x = m.add("x");
    auto& y = m.add("y");
    auto& before = m.add_deep_history("before");
    a.to(before).on<go>(); // 0
    x.to(y).on<go>();      // 1
    y.to(a).on<go>();      // 2
    CHECK(pairs_of(hsm::compile(std::move(root))) == "0>1 0>2 1>2 2>0");
}

TEST_CASE("a machine with final states finishes only in them, immediately after their entry") {
    auto root = hsm::make_fsm<player>("R");
    auto& a = root->add("a");
    auto& m = root->add_fsm("M");
    auto& x = m.add("x");
    auto& done = m.add_final("done");
    a.to(m).on<go>();       // 0
    m.to(a).on<event<0>>(); // 1 on an event, or
    m.to(a).on_finished();  // 2
    x.to(done).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    const auto number = [&](hsm::trigger_kind kind, std::string_view source) {
        for (const auto t : chart.view().transitions())
            if (t.trigger() == kind && t.source().name() == source) return t.number();
        return hsm::detail::no_fact;
    };
    const auto in = number(hsm::trigger_kind::event, "a"), over = number(hsm::trigger_kind::completion, "M");
    const auto out = number(hsm::trigger_kind::event, "M"), ends = number(hsm::trigger_kind::event, "x");
    const hsm::detail::coverage_model model(chart.view());
    CHECK(model.items(coverage_kind::pairs).size() == 5);
    for (const auto& [first, second] : {std::pair(in, out), {in, ends}, {ends, over}, {over, in}, {out, in}})
        CHECK(model.is_item(coverage_kind::pairs, coverage_key(first, second)));
}

TEST_CASE("a transition to a choice forms pairs with its branches") {
    auto root = hsm::make_fsm<player>("R");
    auto& a = root->add("a");
    auto& b = root->add("b");
    auto& which = root->add_choice("which");
    root->to(a).on<event<0>>();        // 0
    a.to(which).on<go>();              // 1
    which.to(b).when(&player::agrees); // 2
    which.to(a);                       // 3
    const auto text = pairs_of(hsm::compile(std::move(root)));
    CHECK(text == "0>0 0>1 1>2 1>3 2>0 3>0 3>1");
}

TEST_CASE("an any-state transition does not follow while its target is active") {
    auto root = hsm::make_fsm<player>("R");
    auto& a = root->add("a");
    auto& b = root->add("b");
    root->to(b).when(&player::agrees);           // 0
    root->to(a).when(&player::agrees).reenter(); // 1
    const auto text = pairs_of(hsm::compile(std::move(root)));
    CHECK(text == "0>1 1>0 1>1");
}

namespace {

/// A random chart: machines, parallels, choices, histories, final states, and transitions from anywhere to anywhere.
class random_chart {
public:
    explicit random_chart(std::uint64_t seed) : dice_(seed) {}

    hsm::compile_result<player> make() {
        auto root = hsm::make_fsm<player>("R");
        fill(*root, 0);
        add(*root);
        for (auto* choice : choices_) {
            choice->to(target()).when(&player::agrees);
            choice->to(target());
        }
        for (int i = 0; i < 16; ++i) connect(*sources_[at_most(sources_.size())]);
        return hsm::try_compile(std::move(root),
                                {.order = dice_.below(2) == 0 ? hsm::decision_order::superstate_first : hsm::decision_order::substate_first});
    }

private:
    std::size_t at_most(std::size_t n) { return static_cast<std::size_t>(dice_.below(static_cast<int>(n))); }
    hsm::state_base& target() { return *targets_[at_most(targets_.size())]; }
    std::string name() { return "s" + std::to_string(targets_.size()); }
    void add(hsm::state<player>& s) {
        sources_.push_back(&s);
        targets_.push_back(&s);
    }

    void fill(machine& m, int depth) {
        const auto leaf = [&]() -> hsm::state<player>& { return m.add(name()); };
        add(leaf());
        for (int i = dice_.below(4); i > 0; --i) fill_one(m, depth);
        if (dice_.below(4) == 0) targets_.push_back(&m.add_deep_history(name()));
        if (dice_.below(4) == 0) targets_.push_back(&m.add_history(name()));
        if (dice_.below(5) == 0) m.remembers();
    }

    void fill_one(machine& m, int depth) {
        const auto kind = dice_.below(depth < 3 ? 9 : 5);
        if (kind == 3) return void(targets_.push_back(&m.add_final(name())));
        if (kind == 4) {
            choices_.push_back(&m.add_choice(name()));
            targets_.push_back(choices_.back());
        } else if (kind == 5) {
            fill_parallel(m.add_parallel(name()), depth);
        } else if (kind > 5) {
            auto& inner = m.add_fsm(name());
            fill(inner, depth + 1);
            add(inner);
        } else {
            add(m.add(name()));
        }
    }

    void fill_parallel(hsm::parallel<player>& p, int depth) {
        add(p);
        for (int i = 0; i < 2; ++i) fill(p.add_fsm(name() + "r"), depth + 2);
    }

    void connect(hsm::state<player>& from) {
        auto t = from.to(target());
        switch (dice_.below(7)) {
        case 0: t.template on<event<0>>(); break;
        case 1: t.template on<event<1>>(); break;
        case 2: t.template on<event<2>>().when(&player::agrees); break;
        case 3: t.after(10ms); break;
        case 4: t.on_finished(); break;
        case 5: t.when("p"); break;
        default: t.when(&player::agrees);
        }
    }

    differential::dice dice_;
    std::vector<hsm::state<player>*> sources_;
    std::vector<hsm::state_base*> targets_;
    std::vector<hsm::choice<player>*> choices_;
};

/// Counts like a coverage, and also counts directly from the records.
class checked final : public hsm::observer {
public:
    explicit checked(const hsm::chart_base& chart) : model(chart.view()), chart_(chart) {}

    void on_record(const hsm::record& r, const hsm::moment& when) override {
        if (r.kind == hsm::record_kind::transition && r.number != hsm::record::no_number) ++transitions;
        if (r.kind == hsm::record_kind::entered) ++entries;
        if (r.kind == hsm::record_kind::guard) ++answers;
        const auto before = r.kind == hsm::record_kind::event ? counts : hsm::detail::coverage_counts();
        follower_.apply(r);
        if (r.kind == hsm::record_kind::event) check_leaves(before, r, when);
    }

    std::uint64_t sum(coverage_kind kind) const {
        std::uint64_t all = 0;
        for (const auto& [key, times] : counts.at(kind)) all += times;
        return all;
    }

    hsm::detail::coverage_model model;
    hsm::detail::coverage_counts counts;
    std::uint64_t transitions = 0, entries = 0, answers = 0;
    std::size_t wrong = 0; ///< events that were counted in states that were not active

private:
    /// Checks that an event counts once in each active leaf, and nowhere else.
    void check_leaves(const hsm::detail::coverage_counts& before, const hsm::record& r, const hsm::moment& when) {
        for (std::uint32_t s = 0; s < model.state_count(); ++s) {
            const auto view = model.chart().state(s);
            const bool is_leaf = when.is_in(view.ref()) && view.kind() != hsm::state_kind::parallel &&
                                 std::ranges::none_of(view.substates(), [&](const auto& inner) { return when.is_in(inner.ref()); });
            const auto key = coverage_key(s, r.number == hsm::record::no_number ? r.number : model.event_rows()[r.number]);
            wrong += counts.count(coverage_kind::events, key) != before.count(coverage_kind::events, key) + is_leaf;
        }
    }

    const hsm::chart_base chart_;
    hsm::detail::coverage_follower follower_{model, counts};
};

void play(hsm::instance<player>& agent, differential::dice& rolls) {
    try {
        switch (rolls.below(8)) {
        case 0: agent.process(event<0>{}); break;
        case 1: agent.process(event<1>{}); break;
        case 2: agent.process(event<2>{}); break;
        case 3: agent.change_to(agent.leaves().empty() ? agent.current() : agent.leaves().front()); break;
        case 4: agent.pulse("p"); break;
        case 5: agent.finished() ? void(agent.restart()) : void(agent.tick(0.02)); break;
        default: agent.tick(0.004);
        }
    } catch (const hsm::chain_error&) {     // it continues in its current state
    } catch (const hsm::condition_error&) { // there is no "p"
    }
}

} // namespace

namespace {
/// Returns the number in HSM_CHARTS, otherwise 600.
std::uint64_t number_of_charts() {
    const char* const text = std::getenv("HSM_CHARTS");
    return text ? std::strtoull(text, nullptr, 10) : 600;
}
} // namespace

TEST_CASE("random charts never take an excluded pair, and all records are counted") {
    int charts = 0;
    std::size_t seen = 0;
    for (std::uint64_t seed = 1; seed <= number_of_charts(); ++seed) {
        CAPTURE(seed);
        auto made = random_chart(seed).make();
        if (!made) continue;
        ++charts;
        differential::dice rolls(seed);
        player p{&rolls};
        checked counted(made.chart);
        hsm::instance agent{made.chart, p};
        const auto attached = agent.attach(counted);
        try {
            agent.start();
        } catch (const hsm::chain_error&) {
        }
        for (int i = 0; i < 100; ++i) play(agent, rolls);
        for (const auto& pair : counted.counts.at(coverage_kind::pairs)) {
            const auto key = pair.first;
            CAPTURE(made.chart.view().transition(hsm::detail::first_of(key)).text());
            CAPTURE(made.chart.view().transition(hsm::detail::second_of(key)).text());
            CHECK(counted.model.is_item(coverage_kind::pairs, key));
        }
        seen += counted.counts.at(coverage_kind::pairs).size();
        CHECK(counted.sum(coverage_kind::transitions) == counted.transitions);
        CHECK(counted.sum(coverage_kind::states) == counted.entries);
        CHECK(counted.sum(coverage_kind::guards) == counted.answers);
        CHECK(counted.wrong == 0);
    }
    CHECK(charts > static_cast<int>(number_of_charts()) / 3);
    CHECK(seen > 10u * static_cast<unsigned>(charts));
}
