#include <hsm/observe/expect.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/observe/chart_names.hpp>
#include <hsm/observe/detail/turns.hpp>
#include <hsm/observe/record_text.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/call.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace hsm {

using namespace detail;

/// The position of the expectation in the recorder.
class expectation::search {
public:
    search(recorder& of, std::uint32_t agent) : of_(of), agent_(agent), chart_(of.chart(agent)), names_(names_of(chart_)) {
        const auto expected = consumed();
        if (of.lost_ > expected)
            throw unmet_expectation(fmt::format("{} records were lost before the check: the recorder is too small", of.lost_ - expected));
        turns whose;
        constexpr auto of_call = record_kind::call | record_kind::call_end | record_kind::configuration | record_kind::more;
        bool outside = false; // the record of an attachment, or one between calls: not caused by a call of the user
        for (std::size_t i = 0; i < of.size(); ++i) {
            const auto& r = of[i];
            if (whose.next(r).number != agent) continue;
            if (r.kind == record_kind::call) outside = r.what == static_cast<std::uint8_t>(call_kind::none);
            if (!outside || !of_call.has(r.kind)) places_.push_back(i);
        }
        next_ = static_cast<std::size_t>(std::ranges::lower_bound(places_, static_cast<std::size_t>(expected - of.lost_)) - places_.begin());
    }

    const chart_base& chart() const { return chart_; }
    const chart_names& names() const { return names_; }

    /// Consumes the next record of these kinds, or fails.
    template <class Fits> void consume(record_kinds kinds, const std::string& expected, Fits fits) {
        named_ = named_ | kinds;
        for (auto at = next_; at < places_.size(); ++at) {
            const auto& r = record_at(at);
            if (!kinds.has(r.kind) && !steps.has(r.kind)) continue;
            if (!kinds.has(r.kind) || !fits(r)) fail(expected, at);
            advance_to(at + 1);
            return;
        }
        fail(expected, places_.size());
    }
    void expect_nothing() {
        const auto unexpected = named_ | steps;
        for (auto at = next_; at < places_.size(); ++at)
            if (unexpected.has(record_at(at).kind)) fail("nothing else", at);
        advance_to(places_.size());
    }

private:
    static constexpr auto steps = record_kind::exited | record_kind::entered;
    static constexpr std::size_t most_before = 8, most_behind = 12; ///< lines in a message

    const record& record_at(std::size_t at) const { return of_[places_[at]]; }
    void advance_to(std::size_t at) {
        next_ = at;
        if (at > 0) consumed() = of_.lost_ + places_[at - 1] + 1;
    }
    std::uint64_t& consumed() {
        const auto known = std::ranges::find(of_.expected_, agent_, [](const auto& each) { return each.first; });
        return known == of_.expected_.end() ? of_.expected_.emplace_back(agent_, 0).second : known->second;
    }
    void append_line(std::string& text, std::size_t at, bool marked) const {
        text += marked ? "  > " : "    ";
        append_text(record_at(at), names_, text);
        text += '\n';
    }
    [[noreturn]] void fail(const std::string& expected, std::size_t found) const {
        const bool is_there = found < places_.size();
        auto text = fmt::format("expected: {}\nfound:    {}\n", expected, is_there ? to_string(record_at(found), names_) : "nothing more");
        const auto first = found > most_before ? found - most_before : 0;
        const auto last = std::min(places_.size(), found + most_behind);
        if (first > 0) text += fmt::format("    ... {} records\n", first);
        for (auto at = first; at < last; ++at) append_line(text, at, at == found);
        if (last < places_.size()) text += fmt::format("    ... {} records\n", places_.size() - last);
        if (!is_there) text += "  > \n";
        text.pop_back();
        throw unmet_expectation(text);
    }

    recorder& of_;
    std::uint32_t agent_;
    chart_base chart_;
    chart_names names_;
    std::vector<std::size_t> places_; ///< of the agent's records
    std::size_t next_ = 0;            ///< index in places_
    record_kinds named_;
};

expectation::expectation(recorder& of, std::uint32_t agent) : search_(new search(of, agent)) {}
expectation::~expectation() { delete search_; }

expectation& expectation::of_state(record_kind kind, const state_key& state, std::string_view word) {
    const auto number = require_state(search_->chart().core(), state);
    search_->consume(kind, fmt::format("{} {}", word, search_->names().path(number)), [&](const record& r) { return r.state == number; });
    return *this;
}

expectation& expectation::exits(const state_key& state) { return of_state(record_kind::exited, state, "exited"); }
expectation& expectation::enters(const state_key& state) { return of_state(record_kind::entered, state, "entered"); }
expectation& expectation::arrives(const state_key& leaf) { return of_state(record_kind::arrived, leaf, "arrived in"); }
expectation& expectation::updates(const state_key& state) { return of_state(record_kind::updated, state, "updated"); }
expectation& expectation::finishes(const state_key& state) { return of_state(record_kind::finished, state, "finished"); }
expectation& expectation::holds(const state_key& state) { return of_state(record_kind::held, state, "a transition waits for a state that holds:"); }
expectation& expectation::releases(const state_key& state) { return of_state(record_kind::released, state, "released"); }

namespace {
std::string because(reason why) { return why == reason::none ? std::string() : fmt::format(" ({})", to_string(why)); }
bool fits(const record& r, reason why) { return why == reason::none || r.what == static_cast<std::uint8_t>(why); }
} // namespace

expectation& expectation::takes(const state_key& from, const state_key& to, reason why) {
    const auto& core = search_->chart().core();
    const auto source = require_state(core, from), target = require_state(core, to);
    const auto text = fmt::format("transition {} -> {}{}", search_->names().path(source), search_->names().path(target), because(why));
    search_->consume(record_kind::transition, text, [&](const record& r) { return r.state == source && r.value == target && fits(r, why); });
    return *this;
}

expectation& expectation::reacts(const state_key& source, reason why) {
    const auto number = require_state(search_->chart().core(), source);
    const auto text = fmt::format("reaction of {}{}", search_->names().path(number), because(why));
    search_->consume(record_kind::transition, text,
                     [&](const record& r) { return r.state == number && r.value == record::no_state && fits(r, why); });
    return *this;
}

expectation& expectation::acts(std::string_view label) {
    const auto text = label.empty() ? std::string("an action") : fmt::format("action {}", label);
    search_->consume(record_kind::action, text, [&](const record& r) { return label.empty() || name_in(search_->names().hooks, r.number) == label; });
    return *this;
}

expectation& expectation::asks(std::string_view label, bool answer) {
    search_->consume(record_kind::guard, fmt::format("{}: {}", label, answer ? "yes" : "no"), [&](const record& r) {
        return r.what == static_cast<std::uint8_t>(answer ? guard_answer::yes : guard_answer::no) &&
               name_in(search_->names().guards, r.number) == label;
    });
    return *this;
}

expectation& expectation::asks(bool answer) {
    search_->consume(record_kind::guard, fmt::format("a guard: {}", answer ? "yes" : "no"),
                     [&](const record& r) { return (r.what % 2 == 1) == answer; });
    return *this;
}

namespace {
/// Returns whether `name` is the displayed name of the event or the name that the user wrote.
bool is_named(const event_view& e, std::string_view name) { return e && (e.name() == name || e.text() == name); }
} // namespace

expectation& expectation::of_event(record_kind kind, std::string_view name, std::string_view word) {
    const auto view = search_->chart().view();
    search_->consume(kind, fmt::format("{} {}", word, name),
                     [&](const record& r) { return r.number < view.events().size() && is_named(view.event(r.number), name); });
    return *this;
}

expectation& expectation::event(std::string_view name) { return of_event(record_kind::event, name, "event"); }
expectation& expectation::defers(std::string_view name) { return of_event(record_kind::deferred, name, "deferred"); }
expectation& expectation::recalls(std::string_view name) { return of_event(record_kind::recalled, name, "recalled"); }
expectation& expectation::drops(std::string_view name) { return of_event(record_kind::dropped, name, "dropped"); }

expectation& expectation::drops_request() {
    search_->consume(record_kind::dropped, "dropped a request", [](const record& r) { return r.number == record::no_number; });
    return *this;
}

expectation& expectation::event_like(const event_key& event) {
    const auto number = search_->chart().core().find_event({event.type, event.value, event.name, nullptr, nullptr});
    search_->consume(record_kind::event, "event " + event.name,
                     [&](const record& r) { return r.number == (number == no_index ? record::no_number : number); });
    return *this;
}

expectation& expectation::call(call_kind kind) {
    search_->consume(record_kind::call, fmt::format("{}", to_string(kind)),
                     [&](const record& r) { return r.what == static_cast<std::uint8_t>(kind); });
    return *this;
}

expectation& expectation::ends(result outcome) {
    search_->consume(record_kind::call_end, fmt::format("-> {}", to_string(outcome)),
                     [&](const record& r) { return r.what == static_cast<std::uint8_t>(outcome); });
    return *this;
}

expectation& expectation::throws() {
    search_->consume(record_kind::call_end, "-> an exception", [](const record& r) { return r.what == record::thrown; });
    return *this;
}

expectation& expectation::changes(std::string_view condition, bool to) {
    search_->consume(record_kind::condition, fmt::format("condition {} {}", condition, to ? "on" : "off"), [&](const record& r) {
        const auto step = static_cast<condition_step>(r.what);
        return name_in(search_->names().conditions, r.number) == condition && (step == condition_step::on || step == condition_step::pulse) == to;
    });
    return *this;
}

void expectation::nothing_else() { search_->expect_nothing(); }

} // namespace hsm
