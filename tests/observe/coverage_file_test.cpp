// Saving and loading counts. Errors in a file are reported, and then nothing is added.

#include <hsm/observe/coverage.hpp>

#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/coverage_error.hpp>
#include <tests/observe/hero.hpp>

#include <doctest/doctest.h>

#include <algorithm>

using hsm::coverage_kind;

namespace {

/// Runs one fight, and an event that no transition waits for.
hsm::attachment fight(hsm::coverage& seen, hsm::instance<test::hero>& agent) {
    auto attached = seen.watch(agent);
    agent.start();
    agent.process(test::hit{0});
    agent.process(test::rest{});
    agent.process(std::string_view("unheard"));
    return attached;
}

std::string saved(const hsm::coverage& seen) {
    std::string text;
    hsm::string_sink to(text);
    seen.save(to);
    return text;
}

void load(hsm::coverage& seen, std::string_view text) {
    hsm::memory_source from(text);
    seen.load(from);
}

struct fought {
    fought() { attached = fight(seen, agent); }
    hsm::chart<test::hero> chart = test::hero_chart();
    hsm::coverage seen{chart};
    test::hero context;
    hsm::instance<test::hero> agent{chart, context};
    hsm::attachment attached;
};

/// A sink that cannot write.
class full_sink final : public hsm::byte_sink {
public:
    bool write(const void*, std::size_t) override { return false; }
};

/// Returns the error of loading `text`, and checks that nothing was added.
std::string refusal(hsm::coverage& seen, std::string_view text) {
    try {
        load(seen, text);
    } catch (const hsm::coverage_error& e) {
        CHECK(seen.share().seen == 0);
        CHECK(seen.unexpected() == 0);
        return e.what();
    }
    return "nothing";
}

} // namespace

TEST_CASE("a coverage file lists the seen items as lines of numbers") {
    fought f;
    const auto text = saved(f.seen);
    CHECK(text == "hsm coverage 1\nchart " + f.chart.fingerprint().to_string() +
                      "\ns 0 0 1\ns 1 0 2\ns 2 0 1\ns 3 0 1\nt 1 0 1\nt 2 0 1\ng 1 1 1\np 1 2 1\n" + "e 1 1 1\ne 1 4294967295 1\ne 3 2 1\nend\n");
}

TEST_CASE("saved coverage can be added to that of another program") {
    fought f;
    const auto text = saved(f.seen);
    const auto equal = test::hero_chart();
    hsm::coverage later(equal);
    load(later, text);
    CHECK(saved(later) == text);
    load(later, text);
    CHECK(later.entered(equal.view().find("idle")) == 4);
    CHECK(later.unexpected() == 2);
    CHECK(later.share().seen == f.seen.share().seen);
}

TEST_CASE("counts do not overflow") {
    fought f;
    const auto print = "hsm coverage 1\nchart " + f.chart.fingerprint().to_string() + "\n";
    load(f.seen, print + "s 0 0 18446744073709551615\nend\n");
    CHECK(f.seen.entered(f.chart.view().root()) == 18'446'744'073'709'551'615u);
}

TEST_CASE("a truncated file is refused, and adds nothing") {
    fought f;
    const auto text = saved(f.seen);
    hsm::coverage empty(f.chart);
    for (std::size_t length = 0; length < text.size(); ++length) {
        CAPTURE(length);
        CHECK(refusal(empty, text.substr(0, length)).starts_with("HSM-341 error in line "));
    }
}

TEST_CASE("a file with any changed byte is refused or has another count") {
    fought f;
    const auto text = saved(f.seen);
    const auto lines = std::ranges::count(text, '\n');
    for (std::size_t at = 0; at < text.size(); ++at)
        for (const char byte : {'\0', '\n', ' ', '0', '9', 'x', '-', '\xff'}) {
            auto changed = text;
            changed[at] = byte;
            hsm::coverage other(f.chart);
            try {
                load(other, changed);
                CHECK(std::ranges::count(saved(other), '\n') == lines);
            } catch (const hsm::coverage_error& e) {
                CHECK((e.number() == hsm::code::broken_coverage || e.number() == hsm::code::other_coverage));
            }
        }
}

TEST_CASE("each error of a file is reported with its line") {
    const auto chart = test::hero_chart();
    hsm::coverage seen(chart);
    const auto head = "hsm coverage 1\nchart " + chart.fingerprint().to_string() + "\n";
    CHECK(refusal(seen, "TN:\n") ==
          "HSM-341 error in line 1: a coverage file must begin with \"hsm coverage 1\"; hint: save it again with coverage::save");
    CHECK(refusal(seen, "hsm coverage 1\nchart 12\n").starts_with("HSM-341 error in line 2: the fingerprint of a chart is missing"));
    CHECK(refusal(seen, "hsm coverage 1\nchart 0123456789abcdef0123456789abcdeg\n").starts_with("HSM-341 error in line 2: the fingerprint"));
    CHECK(refusal(seen, "hsm coverage 1\nchart 0123456789abcdef0123456789abcdef\nend\n")
              .starts_with("HSM-342 error in line 2: this is coverage of \"hero\""));
    CHECK(refusal(seen, head + "x 0 0 1\nend\n").starts_with("HSM-341 error in line 3: the line begins with an unknown letter"));
    CHECK(refusal(seen, head + "\nend\n").starts_with("HSM-341 error in line 3: the line begins with an unknown letter"));
    CHECK(refusal(seen, head + "s 0 0\nend\n").starts_with("HSM-341 error in line 3: a number is missing"));
    CHECK(refusal(seen, head + "s 0 0 -1\nend\n").starts_with("HSM-341 error in line 3: this is not a number"));
    CHECK(refusal(seen, head + "s 0 0 18446744073709551616\nend\n").starts_with("HSM-341 error in line 3: this is not a number"));
    CHECK(refusal(seen, head + "s 0 0 1 1\nend\n").starts_with("HSM-341 error in line 3: the line has more text after the numbers"));
    CHECK(refusal(seen, head + "s 6 0 1\nend\n").starts_with("HSM-341 error in line 3: the chart has no part"));
    CHECK(refusal(seen, head + "s 0 1 1\nend\n").starts_with("HSM-341 error in line 3: the chart has no part"));
    CHECK(refusal(seen, head + "t 5 0 1\nend\n").starts_with("HSM-341 error in line 3: the chart has no part"));
    CHECK(refusal(seen, head + "g 0 2 1\nend\n").starts_with("HSM-341 error in line 3: the chart has no part"));
    CHECK(refusal(seen, head + "p 0 1 1\nend\n").starts_with("HSM-341 error in line 3: the chart has no part"));
    CHECK(refusal(seen, head + "e 6 1 1\nend\n").starts_with("HSM-341 error in line 3: the chart has no part"));
    CHECK(refusal(seen, head + "e 0 0 1\nend\n").starts_with("HSM-341 error in line 3: the chart has no part"));
    CHECK(refusal(seen, head + "s 1 0 1\ns 0 0 0\nend\n").starts_with("HSM-341 error in line 4: a part appears twice, or its count is 0"));
    CHECK(refusal(seen, head + "s 0 0 1\ns 0 0 1\nend\n").starts_with("HSM-341 error in line 4: a part appears twice"));
    CHECK(refusal(seen, head + "end\nend\n").starts_with("HSM-341 error in line 3: the file has data after the line \"end\""));
    CHECK(refusal(seen, head + std::string(200, 's')).starts_with("HSM-341 error in line 3: the line is too long"));
    CHECK(refusal(seen, head + "s 0 0 1\n").starts_with("HSM-341 error in line 4: the file is cut off"));
}

TEST_CASE("a failed write is reported") {
    fought f;
    full_sink to;
    CHECK_THROWS_WITH_AS(f.seen.save(to), doctest::Contains("HSM-341 error: the coverage file cannot be written"), hsm::coverage_error);
}
