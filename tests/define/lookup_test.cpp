// Paths and enumerators, seen from different places: the nearest one outwards.

#include <tests/support/findings.hpp>

#include <hsm/define/detail/lookup.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace test;

namespace {

enum class pose { idle, run, hang };

/// R { A, idle, M { A, idle, N { A, deep { run } }, R { x } }, O { run, far } }
struct tree {
    hsm::owned<hsm::fsm<recorder>> root = hsm::make_fsm<recorder>("R");
    hsm::state<recorder>& a = root->add("A");
    hsm::state<recorder>& idle = root->add<pose::idle>();
    hsm::fsm<recorder>& m = root->add_fsm("M");
    hsm::state<recorder>& m_a = m.add("A");
    hsm::state<recorder>& m_idle = m.add<pose::idle>();
    hsm::fsm<recorder>& n = m.add_fsm("N");
    hsm::state<recorder>& n_a = n.add("A");
    hsm::fsm<recorder>& deep = n.add_fsm("deep");
    hsm::state<recorder>& deep_run = deep.add<pose::run>();
    hsm::fsm<recorder>& m_r = m.add_fsm("R");
    hsm::state<recorder>& x = m_r.add("x");
    hsm::fsm<recorder>& o = root->add_fsm("O");
    hsm::state<recorder>& o_run = o.add<pose::run>();
    hsm::state<recorder>& far = o.add("far");
};

std::string found(const hsm::state_base& from, const hsm::state_key& key) {
    const auto result = hsm::detail::look_up(from, hsm::target_spec(key));
    if (result.ambiguous) return "ambiguous";
    return result.found ? result.found->path() : "none";
}

} // namespace

TEST_CASE("a path is looked up below the state, then below its superstate, and so on to the root") {
    const tree t;
    CHECK(found(*t.root, "A") == "R/A");
    CHECK(found(t.a, "A") == "R/A");
    CHECK(found(t.m, "A") == "R/M/A");
    CHECK(found(t.m_a, "A") == "R/M/A");
    CHECK(found(t.n, "A") == "R/M/N/A");
    CHECK(found(t.deep_run, "A") == "R/M/N/A");
    CHECK(found(t.deep_run, "O") == "R/O");
    CHECK(found(t.deep_run, "O/far") == "R/O/far");
    CHECK(found(t.deep_run, "N/A") == "R/M/N/A");
    CHECK(found(t.o, "M/N/deep/run") == "R/M/N/deep/run");
}

TEST_CASE("a path never skips a level") {
    const tree t;
    CHECK(found(*t.root, "far") == "none");
    CHECK(found(*t.root, "N") == "none");
    CHECK(found(t.n_a, "far") == "none");
    CHECK(found(t.m, "deep") == "none");
}

TEST_CASE("a path can begin with the root's name, unless a nearer state has that name") {
    const tree t;
    CHECK(found(t.far, "R") == "R");
    CHECK(found(t.far, "R/A") == "R/A");
    CHECK(found(*t.root, "R/O/far") == "R/O/far");
    CHECK(found(t.n_a, "R") == "R/M/R");
    CHECK(found(t.n_a, "R/x") == "R/M/R/x");
    CHECK(found(t.n_a, "R/A") == "R/A"); // R/M/R has no A
    CHECK(found(t.far, "RA") == "none");
}

TEST_CASE("an invalid path finds no state") {
    const tree t;
    CHECK(found(*t.root, "") == "none");
    CHECK(found(*t.root, "/") == "none");
    CHECK(found(*t.root, "/A") == "none");
    CHECK(found(*t.root, "M//A") == "none");
    CHECK(found(*t.root, "a") == "none"); // case counts
}

TEST_CASE("a path with a slash at the end finds no state") {
    const tree t;
    CHECK(found(*t.root, "M/A/") == "none");
    CHECK(found(*t.root, "M/") == "none");
    CHECK(found(*t.root, "R/") == "none");
    CHECK(found(*t.root, "R/M/") == "none");
}

TEST_CASE("no path finds a state without a name") {
    tree t;
    t.m.add_fsm("").add("y");
    CHECK(found(*t.root, "M/") == "none");
    CHECK(found(*t.root, "M//y") == "none");
    CHECK(found(t.m, "/y") == "none");
}

TEST_CASE("an enumerator is looked up in the same way, the shallowest state first") {
    const tree t;
    CHECK(found(*t.root, pose::idle) == "R/idle");
    CHECK(found(t.a, pose::idle) == "R/idle");
    CHECK(found(t.m, pose::idle) == "R/M/idle");
    CHECK(found(t.n_a, pose::idle) == "R/M/idle");
    CHECK(found(t.o, pose::idle) == "R/idle");
    CHECK(found(t.m_idle, pose::idle) == "R/M/idle"); // itself
    CHECK(found(*t.root, pose::run) == "R/O/run");
    CHECK(found(t.m_a, pose::run) == "R/M/N/deep/run");
    CHECK(found(t.n, pose::run) == "R/M/N/deep/run");
    CHECK(found(*t.root, pose::hang) == "none");
}

TEST_CASE("an enumerator of several states at the same distance is ambiguous, unless one is nearer") {
    tree t;
    t.m.add<pose::hang>();
    t.o.add<pose::hang>();
    CHECK(found(*t.root, pose::hang) == "ambiguous");
    CHECK(found(t.a, pose::hang) == "ambiguous");
    CHECK(found(t.n_a, pose::hang) == "R/M/hang");
    CHECK(found(t.far, pose::hang) == "R/O/hang");
    t.o.add<pose::hang>().named("another");
    CHECK(found(t.far, pose::hang) == "ambiguous");
    CHECK(found(*t.root, pose::hang) == "ambiguous");
    t.root->add<pose::hang>().named("nearer");
    CHECK(found(*t.root, pose::hang) == "R/nearer");
}

TEST_CASE("a superstate with the enumerator is nearer than states outside it") {
    tree t;
    t.m.identified<pose::hang>().named("M");
    t.root->add<pose::hang>().named("other");
    CHECK(found(t.n_a, pose::hang) == "R/M");
    CHECK(found(t.a, pose::hang) == "ambiguous");
}

TEST_CASE("a reference names its state, also one of another definition") {
    const tree t;
    auto other = hsm::make_fsm<recorder>("other");
    CHECK(found(t.a, t.deep_run) == "R/M/N/deep/run");
    CHECK(found(t.a, *other) == "other");
}

TEST_CASE("charts and instances find a state by a path from the root, or by the end of exactly one path") {
    tree t;
    t.root->initial(t.n_a);
    const auto chart = hsm::compile(std::move(t.root));
    CHECK(chart.find("A") == t.a);
    CHECK(chart.find("R/M/A") == t.m_a);
    CHECK(chart.find("R") == chart.root());
    CHECK_FALSE(chart.find(pose::idle)); // two have it
    CHECK(chart.find("M/idle") == t.m_idle);
    CHECK(chart.find("far") == t.far);
    CHECK(chart.find(t.far) == t.far);
    CHECK_FALSE(chart.find("nowhere"));
    CHECK_FALSE(chart.find(pose::hang));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(agent.current() == t.n_a);
    agent.change_to("A");
    CHECK(agent.current() == t.a);
    CHECK_THROWS_AS(agent.change_to(pose::idle), hsm::state_error);
    agent.change_to("N/A");
    CHECK(agent.current() == t.n_a);
    agent.change_to("A");
    CHECK(agent.current() == t.a);
    CHECK_THROWS_AS(agent.change_to("run"), hsm::state_error); // two end so, and none of them is a path from the root
}

TEST_CASE("the hint for an unknown name suggests a similar one, or lists the existing ones") {
    const tree t;
    const auto hint = [](const hsm::state_base& from, const hsm::state_key& key) { return hsm::detail::suggestion(from, hsm::target_spec(key)); };
    CHECK(hint(t.a, "idel") == "did you mean \"R/idle\"?");
    CHECK(hint(t.a, "M/N/depe") == "did you mean \"R/M/N/deep\"?");
    CHECK(hint(t.a, "fra") == "did you mean \"R/O/far\"?");
    CHECK(hint(t.far, "completely different") == "\"R/O\" has \"run\", \"far\"");
    CHECK(hint(t.o, "completely different") == "\"R/O\" has \"run\", \"far\"");
    CHECK(hint(t.a, pose::hang) == "add<pose::hang>() adds a state with this name");
    CHECK(hint(t.a, t.far) == "");
}

namespace {
struct swing {};
struct block {};
struct guarding : hsm::state<recorder> {
    guarding() : state("guarding") {}
};
struct fight : hsm::fsm<recorder> {
    fight() : fsm("fight") {
        add<swing>("slash");
        add<guarding>();
    }
};

/// R { idle, fight { slash: swing, guarding }, left { stab: swing }, right { deep { block: block } } }
struct classes {
    hsm::owned<hsm::fsm<recorder>> root = hsm::make_fsm<recorder>("R");
    hsm::state<recorder>& idle = root->add("idle");
    fight& strike = root->add<fight>();
    hsm::fsm<recorder>& left = root->add_fsm("left");
    hsm::state<recorder>& stab = left.add<swing>("stab");
    hsm::fsm<recorder>& right = root->add_fsm("right");
    hsm::state<recorder>& far = right.add_fsm("deep").add<block>("block");
};
} // namespace

TEST_CASE("a class names the nearest node of that class, or the nearest state with a local of it") {
    const classes t;
    CHECK(found(*t.root, hsm::state_of<fight>()) == "R/fight");
    CHECK(found(t.far, hsm::state_of<guarding>()) == "R/fight/guarding");
    CHECK(found(t.idle, hsm::state_of<block>()) == "R/right/deep/block");
    CHECK(found(t.strike, hsm::state_of<swing>()) == "R/fight/slash");
    CHECK(found(t.stab, hsm::state_of<swing>()) == "R/left/stab");
    CHECK(found(t.idle, hsm::state_of<swing>()) == "ambiguous");
    CHECK(found(t.idle, hsm::state_of<recorder>()) == "none");
    CHECK(hsm::detail::suggestion(t.idle, hsm::target_spec(hsm::state_of<classes>())) == "add<classes>(...) adds a state of this class");
}

TEST_CASE("a class can name the root") {
    const auto root = hsm::make_fsm<fight>();
    CHECK(found(*root, hsm::state_of<fight>()) == "fight");
    CHECK(found(*root->substates()[0], hsm::state_of<fight>()) == "fight");
}

TEST_CASE("an index and a look-up find the same state by path") {
    tree t;
    const hsm::detail::state_index index(*t.root);
    int found_some = 0;
    for (const hsm::state_base* from :
         {static_cast<const hsm::state_base*>(t.root.get()), static_cast<const hsm::state_base*>(&t.n_a), static_cast<const hsm::state_base*>(&t.m),
          static_cast<const hsm::state_base*>(&t.x), static_cast<const hsm::state_base*>(&t.far)})
        for (const char* path :
             {"A", "idle", "M/A", "M/R/x", "R", "R/M", "R/x", "deep/run", "N/deep", "O/far", "far", "x", "", "/", "A/", "nowhere", "M/nowhere"}) {
            CAPTURE(path);
            const auto* const wanted = hsm::detail::look_up(*from, hsm::target_spec(hsm::state_key(path))).found;
            CHECK(index.find(*from, path) == wanted);
            CHECK(index.look_up(*from, hsm::target_spec(hsm::state_key(path))).found == wanted);
            found_some += wanted != nullptr;
        }
    CHECK(found_some > 30);
    CHECK(index.look_up(t.n_a, hsm::target_spec(pose::idle)).found == &t.m_idle);
    CHECK(index.look_up(*t.root, hsm::target_spec(pose::run)).ambiguous == hsm::detail::look_up(*t.root, hsm::target_spec(pose::run)).ambiguous);
    CHECK(index.look_up(t.x, hsm::target_spec(t.far)).found == &t.far);
}

namespace {
std::string guess(std::string_view written, const std::vector<std::string_view>& names) {
    hsm::detail::guess_budget budget;
    return std::string(hsm::detail::closest_name(written, names, budget));
}
/// The edit distance, as it is defined.
std::size_t distance_of(std::string_view a, std::string_view b) {
    if (a.empty() || b.empty()) return a.size() + b.size();
    const auto a_rest = a.substr(1), b_rest = b.substr(1);
    if (a[0] == b[0]) return distance_of(a_rest, b_rest);
    return 1 + std::min({distance_of(a_rest, b_rest), distance_of(a_rest, b), distance_of(a, b_rest)});
}
} // namespace

TEST_CASE("the closest name is the first one with the least edit distance, up to one more than a third of the name") {
    std::vector<std::string> words{""};
    for (std::size_t i = 0; words.size() < 121; ++i) // all words of up to four letters out of three
        for (const char* c : {"a", "b", "c"}) words.push_back(words[i] + c);
    const std::vector<std::string_view> names(words.begin(), words.end());
    std::size_t tried = 0;
    for (const auto& written : words)
        for (std::size_t first = 0; first < names.size(); first += 17) {
            const std::vector<std::string_view> some(names.begin() + static_cast<std::ptrdiff_t>(first),
                                                     names.begin() + static_cast<std::ptrdiff_t>(std::min(first + 5, names.size())));
            const auto* best = &some.front();
            for (const auto& name : some)
                if (distance_of(written, name) < distance_of(written, *best)) best = &name;
            const bool near = distance_of(written, *best) <= 1 + written.size() / 3;
            CHECK(guess(written, some) == (near ? *best : std::string_view()));
            ++tried;
        }
    CHECK(tried > 900);
}

TEST_CASE("no similar name is suggested for a name that is too long") {
    const std::string longest(hsm::detail::longest_guessed, 'a'), longer(hsm::detail::longest_guessed + 1, 'a');
    CHECK(guess(longest, {longest.substr(1)}) == longest.substr(1));
    CHECK(guess(longer, {longest}) == "");
    CHECK(hsm::detail::suggestion(longer, {longest}).starts_with("known names: \"aaa"));
    CHECK(hsm::detail::suggestion(longer, {longest}).size() < 100);
    CHECK(guess("a", {std::string(100'000, 'a')}) == "");
}

TEST_CASE("a hint lists only the first of many names") {
    std::vector<std::string> words;
    for (int i = 0; i < 1000; ++i) words.push_back("name " + std::to_string(i));
    const std::vector<std::string_view> names(words.begin(), words.end());
    CHECK(hsm::detail::suggestion("completely different", {"a", "b"}) == "known names: \"a\", \"b\"");
    CHECK(hsm::detail::suggestion("completely different", names).ends_with("\"name 11\", and 988 more"));
    auto root = hsm::make_fsm<recorder>("R");
    for (const auto& word : words) root->add(word);
    CHECK(hsm::detail::suggestion(*root, hsm::target_spec("completely different")).ends_with("\"name 11\", and 988 more"));
    CHECK(hsm::detail::suggestion(*root, hsm::target_spec("nome 987")) == "did you mean \"R/name 987\"?");
}

TEST_CASE("guesses that share a budget end when it is used up") {
    std::vector<std::string> words;
    for (int i = 0; i < 1000; ++i) words.push_back(std::string(190, i % 2 ? 'b' : 'a') + std::to_string(i));
    const std::vector<std::string_view> names(words.begin(), words.end());
    hsm::detail::guess_budget budget;
    const auto whole = budget.left;
    CHECK(hsm::detail::closest_name(words[7] + "x", names, budget) == words[7]); // the budget is large enough for that
    CHECK(budget.left < whole);
    CHECK(budget.left > whole / 20); // and one guess uses only a part of it
    int guesses = 0;
    while (!hsm::detail::closest_name(words[7] + "x", names, budget).empty() && guesses < 10'000) ++guesses;
    CHECK(guesses > 10);
    CHECK(guesses < 10'000);
    CHECK(budget.left == 0);
    CHECK(hsm::detail::closest_name("a", {"b"}, budget).empty());
}

TEST_CASE("in random trees with repeated names, an index and a look-up find the same state") {
    std::uint32_t random = 1;
    const auto next = [&](std::uint32_t below) {
        random = random * 1664525 + 1013904223;
        return (random >> 8) % below;
    };
    const auto name = [&] { return std::string(1, static_cast<char>('a' + next(3))); };
    int found_some = 0, tried = 0;
    for (int trees = 0; trees < 50; ++trees) {
        auto root = hsm::make_fsm<recorder>(name());
        std::vector<hsm::fsm<recorder>*> machines{root.get()};
        for (int i = 0; i < 40; ++i) machines.push_back(&machines[next(static_cast<std::uint32_t>(machines.size()))]->add_fsm(name()));
        const hsm::detail::state_index index(*root);
        for (int i = 0; i < 200; ++i, ++tried) {
            std::string path = name();
            for (auto more = next(6); more > 0; --more) path += '/' + name();
            const auto& from = *machines[next(static_cast<std::uint32_t>(machines.size()))];
            const auto* const wanted = hsm::detail::look_up(from, hsm::target_spec(hsm::state_key(path))).found;
            CHECK(index.find(from, path) == wanted);
            found_some += wanted != nullptr;
        }
    }
    CHECK(found_some > tried / 10);
    CHECK(found_some < tried);
}
