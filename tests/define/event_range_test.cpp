// Ranges, lists and all other values of bytes and enumerations, in charts that are compiled when the program runs.

#include <hsm/load/registry.hpp>
#include <tests/support/findings.hpp>
#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

using namespace test;

namespace {

enum class pad : short { left = -2, none = 0, right = 3, far = 30'000 };

struct byte_reader : recorder {
    void add(char c) { note(std::string(1, c)); }
};
auto reader_root() { return hsm::make_fsm<byte_reader>("R"); }

constexpr auto add = [](byte_reader& r, char c) { r.add(c); };

template <class Agent, class E> std::string answers(Agent& agent, std::initializer_list<E> events) {
    std::string all;
    for (const auto e : events) all += (all.empty() ? "" : " ") + std::string(to_string(agent.process(e)));
    return all;
}

} // namespace

TEST_CASE("byte events of all character types are distinguished by their values 0 to 255") {
    auto root = reader_root();
    root->on('a').then([](byte_reader& r) { r.note("a"); });
    root->on('\xff').then([](byte_reader& r, unsigned char c) { r.note(std::to_string(c)); });
    root->add("A");
    const auto chart = hsm::compile(std::move(root));
    byte_reader r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(agent.process('a') == hsm::result::internal);
    CHECK(agent.process(static_cast<unsigned char>('a')) == hsm::result::internal);
    CHECK(agent.process(u8'a') == hsm::result::internal);
    CHECK(agent.process(std::uint8_t(255)) == hsm::result::internal);
    CHECK(agent.process(static_cast<signed char>(-1)) == hsm::result::internal);
    CHECK(agent.process('b') == hsm::result::unhandled);
    CHECK(agent.process(char8_t(127)) == hsm::result::unhandled);
    CHECK(r.take() == "a, a, a, 255, 255");
}

TEST_CASE("a range includes both of its ends, and its hook receives the value") {
    auto root = reader_root();
    auto& word = root->add("word");
    auto& number = root->add("number");
    word.on(hsm::range('a', 'z')).then(add);
    word.to(number).on(hsm::range('0', '9')).then(add);
    number.on(hsm::range('0', '9')).when([](const byte_reader&, char c) { return c != '5'; }).then(add);
    number.to(word).on(hsm::any('\r', '\n', hsm::range(' ', '!')));
    const auto chart = hsm::compile(std::move(root));
    byte_reader r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(answers(agent, {'a', 'z', '`', '{', '0'}) == "internal internal unhandled unhandled taken");
    CHECK(answers(agent, {'9', '5', 'a', '\r', 'q'}) == "internal guarded unhandled taken internal");
    CHECK(answers(agent, {'1', '!', '2', '\n', '\t'}) == "taken taken taken taken unhandled");
    CHECK(r.take() == "a, z, 0, 9, q, 1, 2");
    CHECK(agent.can('7').outcome == hsm::result::taken);
    CHECK(agent.can('%').outcome == hsm::result::unhandled);
}

TEST_CASE("ranges of a state are tried by priority, then definition") {
    auto root = reader_root();
    auto& a = root->add("A");
    a.on(hsm::range('a', 'f')).then([](byte_reader& r) { r.note("a..f"); });
    a.on('c').then([](byte_reader& r) { r.note("c"); });
    a.on('e').then([](byte_reader& r) { r.note("e"); }).priority(1);
    a.on(hsm::range('d', 'k')).then([](byte_reader& r) { r.note("d..k"); });
    const auto chart = hsm::compile(std::move(root));
    byte_reader r;
    hsm::instance agent{chart, r};
    agent.start();
    answers(agent, {'a', 'c', 'e', 'f', 'g', 'k'});
    CHECK(r.take() == "a..f, a..f, e, a..f, d..k, d..k");
}

TEST_CASE("otherwise is tried after all others of its state, whatever their priority, and takes events that their guards refuse") {
    auto root = reader_root();
    root->on('x').then([](byte_reader& r) { r.note("root x"); });
    auto& a = root->add("A");
    a.on(hsm::otherwise<char>())
        .then([](byte_reader& r, char c) { r.note("otherwise " + std::to_string(static_cast<unsigned char>(c))); })
        .priority(9);
    a.on('a').then([](byte_reader& r) { r.note("a"); }).priority(-9);
    a.on('b').when(&byte_reader::go).then([](byte_reader& r) { r.note("b"); });
    const auto chart = hsm::compile(std::move(root));
    byte_reader r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(answers(agent, {'a', 'b', 'x', '\0', '\xff'}) == "internal internal internal internal internal");
    CHECK(r.take() == "a, otherwise 98, root x, otherwise 0, otherwise 255");
    r.go = true;
    agent.process('b');
    CHECK(r.take() == "b");
}

TEST_CASE("otherwise of an enumeration takes all values that no other transition names") {
    auto root = reader_root();
    auto& a = root->add("A");
    const auto noting = [](const char* what) { return [what](byte_reader& r, pad p) { r.note(what + std::to_string(static_cast<int>(p))); }; };
    a.on(hsm::range(pad::left, pad::right)).then(noting("range "));
    a.on(pad::far).then(noting("far "));
    a.on(hsm::otherwise<pad>()).then(noting("other "));
    const auto chart = hsm::compile(std::move(root));
    byte_reader r;
    hsm::instance agent{chart, r};
    agent.start();
    answers(agent, {pad::left, pad(-1), pad::right, pad::far, pad(-3), pad(4), pad(29'999), pad(30'001), pad(-32'768)});
    CHECK(r.take() == "range -2, range -1, range 3, far 30000, other -3, other 4, other 29999, other 30001, other -32768");
}

TEST_CASE("a range that is too long for a table matches all of its values") {
    enum class id : int {};
    auto root = reader_root();
    root->add("A").on(hsm::range(id(10), id(1'000'000))).then([](byte_reader& r, id i) { r.note(std::to_string(static_cast<int>(i))); });
    const auto chart = hsm::compile(std::move(root));
    byte_reader r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(answers(agent, {id(9), id(10), id(500'000), id(1'000'000), id(1'000'001)}) == "unhandled internal internal internal unhandled");
    CHECK(r.take() == "10, 500000, 1000000");
}

TEST_CASE("step.event returns the value, also of a queued event") {
    auto root = reader_root();
    auto& a = root->add("A");
    a.on(hsm::range('0', '9')).then([](byte_reader& r, hsm::step<byte_reader>& s, char c) {
        r.add(*s.event<char>());
        if (c == '1') s.process('7');
    });
    const auto chart = hsm::compile(std::move(root));
    byte_reader r;
    hsm::instance agent{chart, r, {.internal_queue = 2, .posted_queue = 2}};
    agent.start();
    agent.process('1');
    CHECK(r.take() == "1, 7");
    CHECK(agent.post('8') == hsm::result::queued);
    CHECK(agent.post('a') == hsm::result::unhandled);
    agent.drain();
    CHECK(r.take() == "8");
}

TEST_CASE("each region has its own ranges, also if programs serve pairs of leaves") {
    auto root = reader_root();
    auto& both = root->add_parallel("both");
    auto& letters = both.add_fsm("letters");
    auto& digits = both.add_fsm("digits");
    auto& all = both.add_fsm("all");
    const auto switches = [](auto& machine, auto from, const char* name) {
        auto& off = machine.add("off");
        auto& on = machine.add("on");
        off.to(on).on(from).then([name](byte_reader& r) { r.note(std::string(name) + " on"); });
        on.to(off).on(from).then([name](byte_reader& r) { r.note(std::string(name) + " off"); });
    };
    switches(letters, hsm::any(hsm::range('a', 'f'), hsm::range('x', 'z')), "letters");
    switches(digits, hsm::any(hsm::range('0', '9'), hsm::range('a', 'c')), "digits");
    SUBCASE("two regions react") { switches(all, '!', "all"); }
    SUBCASE("three regions react") { switches(all, hsm::otherwise<char>(), "all"); }
    const auto chart = hsm::compile(std::move(root));
    byte_reader r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.process('b');
    CHECK(r.take().substr(0, 21) == "letters on, digits on");
    agent.process('f');
    CHECK(r.take().substr(0, 11) == "letters off");
    agent.process('5');
    CHECK(r.take().substr(0, 10) == "digits off");
}

TEST_CASE("events have the same results with and without row_memory") {
    for (const std::size_t row_memory : {std::size_t(0), std::size_t(1) << 20}) {
        auto root = reader_root();
        auto& a = root->add("A");
        a.on(hsm::range('a', 'c')).then(add);
        a.on(hsm::otherwise<char>()).then([](byte_reader& r) { r.note("other"); });
        const auto chart = hsm::compile(std::move(root), {.row_memory = row_memory});
        byte_reader r;
        hsm::instance agent{chart, r};
        agent.start();
        answers(agent, {'a', 'b', 'c', 'd'});
        CHECK(r.take() == "a, b, c, other");
        CHECK(chart.dump().find("'a'..'c'") != std::string::npos);
        CHECK(chart.dump().find("otherwise of bytes") != std::string::npos);
    }
}

TEST_CASE("HSM-031: a range that ends before it begins is an error") {
    auto root = reader_root();
    root->add("A").on(hsm::range('z', 'a')).then([] {});
    const auto f = only(hsm::check(root, {}));
    CHECK(f.code == hsm::code::empty_range);
    CHECK(f.problem == "a transition waits for the events 'z'..'a', an empty range");
}

TEST_CASE("HSM-102: a second range of the same values is shadowed") {
    auto root = reader_root();
    auto& a = root->add("A");
    a.on(hsm::range('a', 'c')).then([] {});
    a.on(hsm::range('a', 'c')).then([] {});
    const auto f = only(hsm::check(root, {}));
    CHECK(f.code == hsm::code::shadowed);
}
