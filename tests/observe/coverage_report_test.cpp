// Coverage reports as text and as a page.

#include <hsm/observe/coverage_report.hpp>

#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/coverage_error.hpp>
#include <hsm/observe/trace_error.hpp>
#include <tests/observe/hero.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

struct fought {
    fought() {
        attached = seen.watch(agent);
        agent.start();
        agent.process(test::hit{0});
        agent.process(test::hit{0});
        agent.tick(0.01);
    }
    /// Returns "hero.hpp:42: ", with the folders.
    template <class Handle> static std::string at(const Handle& h) {
        const auto place = h.where().to_string();
        return place.empty() ? place : place + ": ";
    }

    hsm::chart<test::hero> chart = test::hero_chart();
    hsm::coverage seen{chart};
    test::hero context;
    hsm::instance<test::hero> agent{chart, context};
    hsm::attachment attached;
};

std::string page_of(const hsm::coverage& seen) {
    std::string text;
    hsm::string_sink to(text);
    hsm::write_coverage_html(seen, to);
    return text;
}

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t n = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
    return n;
}

class full_sink final : public hsm::byte_sink {
public:
    bool write(const void*, std::size_t) override { return false; }
};

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("the text has a table, and a line with the place of each missing item") {
    fought f;
    const auto view = f.chart.view();
    const auto t = [&](std::size_t n) { return view.transition(n).text(); };
    const auto pair = [&](std::size_t a, std::size_t b) {
        return f.at(view.transition(b)) + "never one after the other: " + t(a) + ", then " + t(b) + "\n";
    };
    CHECK(hsm::coverage_text(f.seen) ==
          "coverage of hero\n\n"
          "                 seen      of\n"
          "states              5       6    83.3 %\n"
          "transitions         2       5    40.0 %\n"
          "guards              2       4    50.0 %\n"
          "together            9      15    60.0 %\n"
          "pairs               1      11     9.0 %\n"
          "events              1       3    33.3 %\n"
          "1 event arrived in states without a transition for it\n\n" +
              f.at(view.find("dead")) + "never entered: hero/dead\n\n" + f.at(view.transition(0)) + "never taken: " + t(0) + "\n" +
              f.at(view.transition(2)) + "never taken: " + t(2) + "\n" + f.at(view.transition(4)) + "never taken: " + t(4) + "\n\n" +
              f.at(view.guard(0)) + "never answered: " + view.guard(0).text() + " of " + t(0) + ": yes\n" + f.at(view.guard(1)) +
              "never answered: " + view.guard(1).text() + " of " + t(1) + ": no\n\n" + pair(1, 0) + pair(1, 2) + pair(2, 0) + pair(2, 1) +
              pair(3, 0) + pair(3, 2) + pair(3, 4) + pair(4, 0) + pair(4, 2) + pair(4, 3) + "\n" + f.at(view.find("slash")) +
              "never arrived: test::rest in hero/fight/slash\n" + f.at(view.find("block")) + "never arrived: test::rest in hero/fight/block\n");
}

TEST_CASE("the report lists twenty missing pairs, and the number of the others") {
    auto root = hsm::make_fsm<test::hero>("R");
    std::vector<hsm::state<test::hero>*> states;
    for (int i = 0; i < 5; ++i) states.push_back(&root->add("s" + std::to_string(i)));
    for (auto* state : states) root->to(*state).on<test::hit>().when([](const test::hero&) { return true; });
    const hsm::coverage seen(hsm::compile(std::move(root)));
    const auto text = hsm::coverage_text(seen);
    CHECK(seen.share(hsm::coverage_kind::pairs).all == 25);
    CHECK(count(text, "never one after the other") == 20);
    CHECK(text.find("\nand 5 more pairs\n") != text.npos);
}

TEST_CASE("a complete kind has no list") {
    auto root = hsm::make_fsm<test::hero>("R");
    root->add("a");
    const auto chart = hsm::compile(std::move(root));
    hsm::coverage seen(chart);
    test::hero h;
    hsm::instance agent{chart, h};
    const auto attached = seen.watch(agent);
    agent.start();
    CHECK(hsm::coverage_text(seen).ends_with("events              0       0   100.0 %\n"));
    CHECK(page_of(seen).find("class=\"count never\"") == std::string::npos);
}

TEST_CASE("the page shows each state, transition and result with its count, and marks missing items") {
    fought f;
    const auto page = page_of(f.seen);
    CHECK(page.starts_with("<!doctype html>\n"));
    CHECK(page.ends_with("</html>\n"));
    CHECK(page.find("<span class=\"name\">slash</span><span class=\"count\">1</span>") != page.npos);
    CHECK(page.find("<span class=\"name\">dead</span><span class=\"count never\">never</span>") != page.npos);
    CHECK(count(page, "<span class=\"name\">") == 6);
    CHECK(count(page, "<span class=\"place\"") == (f.at(f.chart.view().root()).empty() ? 0 : 11));
    CHECK(count(page, "✓ never") == 1);
    CHECK(count(page, "✗ never") == 1);
    CHECK(count(page, "<details") == count(page, "</details>"));
    CHECK(count(page, "<div") == count(page, "</div>"));
    CHECK(count(page, "<span") == count(page, "</span>"));
    CHECK(page.find("9 of 15") != page.npos);
    CHECK(page.find("One event arrived in states without a transition for it") != page.npos);
    CHECK(page.find("10 pairs are missing") != page.npos);
}

TEST_CASE("the page loads no other files, and contains no scripts") {
    fought f;
    const auto page = page_of(f.seen);
    for (const char* const word : {"http:", "https:", "src=", "href=", "url(", "@import", "<script", "<link"}) {
        CAPTURE(word);
        CHECK(page.find(word) == page.npos);
    }
}

TEST_CASE("the page escapes all characters of names") {
    auto root = hsm::make_fsm<test::hero>("<b>\"R\" & 'S'");
    auto& a = root->add("<script>alert(1)<\\script>");
    auto& b = root->add("b\xff\x01");
    a.to(b).on<test::hit>().when(hsm::named("\"><img onerror=x>", [](const test::hero&) { return true; }));
    const hsm::coverage seen(hsm::compile(std::move(root)));
    const auto page = page_of(seen);
    CHECK(page.find("<title>Coverage of &lt;b&gt;&quot;R&quot; &amp; &#39;S&#39;</title>") != page.npos);
    CHECK(page.find("&lt;script&gt;alert(1)") != page.npos);
    CHECK(page.find("&quot;&gt;&lt;img onerror=x&gt;") != page.npos);
    CHECK(page.find("b\xef\xbf\xbd ") != page.npos);
    for (const char* const word : {"<script", "<img", "<b>\"", "\xff", "\x01"}) CHECK(page.find(word) == page.npos);
}

TEST_CASE("the end of a file's name selects the report") {
    fought f;
    const auto stem = (std::filesystem::temp_directory_path() / "hsm_coverage_report_test").string();
    const auto written = [&](const std::string& end) {
        hsm::write_coverage(f.seen, stem + end);
        const auto text = content(stem + end);
        std::filesystem::remove(stem + end);
        return text;
    };
    CHECK(written(".html") == page_of(f.seen));
    CHECK(written(".txt") == hsm::coverage_text(f.seen));
    CHECK(written(".info").starts_with(f.at(f.chart.view().root()).empty() ? "" : "TN:hero\nSF:"));
    CHECK_THROWS_WITH_AS(hsm::write_coverage(f.seen, stem + "/no/such.html"),
                         doctest::Contains(("HSM-341 error: \"" + stem + "/no/such.html\" cannot be opened").c_str()), hsm::coverage_error);
}

TEST_CASE("a report that cannot be written is an error") {
    fought f;
    full_sink to;
    CHECK_THROWS_WITH_AS(hsm::write_coverage_text(f.seen, to), doctest::Contains("HSM-341"), hsm::coverage_error);
    CHECK_THROWS_WITH_AS(hsm::write_coverage_html(f.seen, to), doctest::Contains("HSM-341"), hsm::coverage_error);
    CHECK_THROWS_WITH_AS(hsm::write_coverage_lcov(f.seen, to), doctest::Contains("HSM-341"), hsm::coverage_error);
}
