// Malicious files: loading and checking take time and memory in proportion to their size. Error messages have limits, too.

#include <tests/support/hostile_files.hpp>
#include <tests/support/memory_use.hpp>

#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>

#include <doctest/doctest.h>
#include <pugixml.hpp>

#include <algorithm>
#include <ctime>
#include <string>

namespace {

struct agent {};
struct item {
    int left = 1;
    void enter(agent&) {}
    void update(agent&) {}
    bool finished() const { return left == 0; }
};

struct agent_registry : hsm::registry<agent> {
    agent_registry() {
        guard("g", [](const agent&) { return true; });
        hook("f", [](agent&) {});
        hook("needy", [](agent&, item&) {});
        update("needy", [](agent&, item&) {});
        action("needy", [](agent&, item&) {});
        local<item>("l");
    }
};

// Smaller files are enough where code runs slowly.
#if defined(__OPTIMIZE__) && !defined(HSM_TEST_ADDRESS_SANITIZER)
constexpr std::size_t part = 1;
#else
constexpr std::size_t part = 4;
#endif

double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The cost of loading a file.
struct costs {
    double load = 0, check = 0; ///< seconds of this thread
    std::size_t memory = 0;     ///< peak of the load, in bytes
    std::size_t reports = 0;    ///< problems or findings
    std::size_t longest = 0;    ///< bytes of the longest message
};

costs costs_of(const std::string& text) {
    static const agent_registry names;
    costs c;
    const auto begin = seconds();
    const test::peak_of_memory peak;
    auto loaded = hsm::try_load_xml_text(text, names);
    c.memory = peak.bytes();
    const auto between = seconds();
    c.load = between - begin;
    c.reports = loaded.problems.size();
    for (const auto& p : loaded.problems) c.longest = std::max(c.longest, p.to_string().size());
    if (!loaded) return c;
    const auto findings = hsm::check(loaded.root);
    c.check = seconds() - between;
    c.reports = findings.size();
    for (const auto& f : findings) c.longest = std::max(c.longest, f.to_string().size());
    return c;
}

/// Returns whether twice the input takes twice the time. Short times do not count, because they are noisy.
bool grows_linearly(double once, double twice) { return twice < 0.4 || twice < 3.2 * once; }

} // namespace

TEST_CASE("time and memory are proportional to the size of a file, whatever its content") {
    pugi::set_memory_management_functions(test::counted_malloc, test::counted_free);
    for (const auto& form : test::hostile_forms()) {
        CAPTURE(std::string(form.name));
        const auto half = form.write(form.size / part / 2), whole = form.write(form.size / part);
        bool linear = false;
        for (int attempt = 0; attempt < 3 && !linear; ++attempt) {
            const auto once = costs_of(half), twice = costs_of(whole);
            linear = grows_linearly(once.load, twice.load) && grows_linearly(once.check, twice.check);
            CHECK(once.memory <= 64 * half.size() + (std::size_t(1) << 20));
            CHECK(twice.memory <= 64 * whole.size() + (std::size_t(1) << 20));
            CHECK(twice.reports <= 1001);
            CHECK(twice.longest <= 2500);
        }
        CHECK(linear);
    }
}

TEST_CASE("a small file uses little memory") {
    pugi::set_memory_management_functions(test::counted_malloc, test::counted_free);
    for (const auto& form : test::hostile_forms()) {
        CAPTURE(std::string(form.name));
        const auto text = form.write(std::min<std::size_t>(form.size, 10));
        CHECK(costs_of(text).memory <= 64 * text.size() + (std::size_t(1) << 20));
    }
}

TEST_CASE("a hundred errors about two thousand characters each are shortened") {
    const auto& forms = test::hostile_forms();
    const auto found = std::ranges::find(forms, "wrong_events", &test::hostile_form::name);
    REQUIRE(found != forms.end());
    const agent_registry names;
    hsm::load_options options;
    options.max_name = 3000;
    const auto loaded = hsm::try_load_xml_text(found->write(100), names, "m.xml", options);
    REQUIRE(loaded.problems.size() == 100);
    for (const auto& p : loaded.problems) CHECK(p.to_string().size() < 400);
}
