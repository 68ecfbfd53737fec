// `hsm watch`, with a page of the test, and with a page of a program.

#include <tests/support/door.hpp>
#include <tests/support/tool_run.hpp>

#include <hsm/inspect.hpp>
#include <hsm/observe/detail/trace_format.hpp>
#include <hsm/tool/detail/live_view.hpp>
#include <hsm/tool/detail/page_client.hpp>

#include <doctest/doctest.h>

#include <deque>
#include <map>

using hsm::detail::tool::page_event;
using hsm::detail::tool::page_source;
using test::house;
using test::make_door;
using tool_run::called;

namespace {

/// A page whose answers and events the test sets.
struct fixed_page final : page_source {
    explicit fixed_page(const std::string& machines)
        : events{{"hello", R"({"viewer":7,"t":1})"}, {"machines", R"({"all":[)" + machines + "]}"}},
          answers{{"/api/chart/0a", R"({"states":[{"path":"door"},{"path":"door/closed"},{"path":"door/open"}]})"}} {}

    arrival next(page_event& to, std::chrono::milliseconds) override {
        if (events.empty()) return arrival::end;
        to = std::move(events.front());
        events.pop_front();
        return to.name == "pause" ? arrival::nothing : arrival::event;
    }
    std::string get(const std::string& path) override { return answers.at(path); }
    void post(const std::string& path, const std::string& body) override { posted += path + ' ' + body + '\n'; }

    void pause() { events.push_back({"pause", ""}); }

    std::deque<page_event> events;
    std::map<std::string, std::string> answers;
    std::string posted;
};

/// Returns what `watch` prints, or the text of its error.
std::string watched(fixed_page& page, const hsm::detail::tool::watch_options& how = {}) {
    std::FILE *in = std::tmpfile(), *out = std::tmpfile(), *err = std::tmpfile();
    std::string text;
    {
        hsm::detail::tool::console terminal(in, out, err);
        hsm::detail::tool::environment here{terminal, "hsm", {}};
        try {
            hsm::detail::tool::watch(page, how, here);
        } catch (const hsm::detail::tool::command_error& e) {
            text = to_string(e.messages().front(), "hsm");
        }
        terminal.flush();
    }
    text = tool_run::content_of(out) + text;
    for (auto* file : {in, out, err}) std::fclose(file);
    return text;
}

constexpr const char* front = R"({"id":1,"name":"front","kind":"instance","parent":null,"chart":"0a","leaves":[1]})";

} // namespace

TEST_CASE("watch prints the list, then a line for each change") {
    fixed_page page(std::string(front) + R"(,{"id":2,"name":"guards","kind":"manager","chart":null,"count":1},)"
                                         R"({"id":3,"name":"wolf","kind":"managed","parent":2,"chart":"0a","leaves":[2]},)"
                                         R"({"id":4,"name":"herd","kind":"crowd","chart":"0a","count":2000})");
    page.pause();
    page.events.push_back({"states", R"({"t":12.5,"changes":[[1,[2]],[3,[]]]})"});
    page.events.push_back({"facts", R"({"machines":[{"id":1,"paused":true,"recording":true}]})"});
    page.events.push_back({"facts", R"({"machines":[{"id":1,"recording":false}]})"}); // not in the list: no line
    page.events.push_back({"added", R"({"machines":[{"id":5,"name":"back","kind":"instance","chart":"0a","leaves":[1],"finished":true}]})"});
    page.events.push_back({"removed", R"({"ids":[3]})"});
    CHECK(watched(page) == "front        door/closed\n"
                           "guards       1 machines\n"
                           "guards/wolf  door/open\n"
                           "herd         2000 agents\n"
                           "   12.500000  front        door/open\n"
                           "   12.500000  guards/wolf  not active\n"
                           "              front        door/open (paused)\n"
                           "              back         door/closed (finished)\n"
                           "              guards/wolf  removed\n");
}

TEST_CASE("watch with --once ends after the list") {
    fixed_page page(front);
    page.events.push_back({"states", R"({"t":12.5,"changes":[[1,[2]]]})"}); // the program has not looked at its machines before
    page.pause();
    page.events.push_back({"states", R"({"t":12.7,"changes":[[1,[1]]]})"});
    CHECK(watched(page, {.once = true}) == "front  door/open\n");
    CHECK(page.events.size() == 1);
}

TEST_CASE("names of another program cannot control the terminal, and invalid events change nothing") {
    fixed_page page(R"({"id":1,"name":"a\u001b[2J\nb","kind":"instance","chart":"0a","leaves":[9]})");
    page.pause();
    page.events.push_back({"states", R"({"changes":[[1],7,[8,[1]],{"a":1}]})"});
    page.events.push_back({"facts", R"({"machines":[3,{"id":"x"}]})"});
    CHECK(watched(page) == "a\\x1b[2J\\nb  ?\n");

    fixed_page broken(front);
    broken.pause();
    broken.events.push_back({"states", "{"});
    CHECK(watched(broken) == "front  door/closed\nhsm: error: the live page sends text that is not JSON [HSM-407]\n    use the version of hsm with "
                             "which the program was built\n");
}

TEST_CASE("watch prints the records of a machine as trace show does") {
    const auto chart = make_door();
    const auto names = hsm::names_of(chart);
    fixed_page page(front);
    page.pause();
    page.events.push_back({"open", R"({"id":1,"first":0,"clock":1500000000,"active":[0,1,99]})"});
    page.events.push_back({"records", R"({"id":2,"first":0,"r":[1,2,3,4,5]})"}); // another machine
    const auto number = [](hsm::record_kind kind) { return std::to_string(static_cast<int>(kind)); };
    page.events.push_back({"records", R"({"id":1,"first":0,"r":[)" + number(hsm::record_kind::exited) + ",0,1,4294967295,0," +
                                          number(hsm::record_kind::entered) + ",0,2,4294967295,0,7]}"});
    page.events.push_back({"removed", R"({"ids":[1]})"});
    page.events.push_back({"records", R"({"id":1,"first":0,"r":[]})"});
    const hsm::record begun[] = {{hsm::record_kind::configuration, 0, 1, 1, 0}};
    page.answers["/api/trace/1"] = hsm::detail::trace_head(names, "front") + hsm::detail::trace_chunk(begun);
    CHECK(watched(page, {.machine = "front"}) == "    1.500000  active (attached): door/closed\n"
                                                 "    1.500000  exited door/closed\n"
                                                 "    1.500000  entered door/open\n");
    CHECK(page.posted == "/api/open {\"viewer\":7,\"id\":1}\n");
    CHECK(page.events.size() == 1);
}

TEST_CASE("watch refuses an unknown machine, and a crowd") {
    fixed_page page(std::string(front) + R"(,{"id":4,"name":"herd","kind":"crowd","chart":"0a","count":2000})");
    CHECK(watched(page, {.machine = "back"}) == "hsm: error: the live page lists no machine \"back\" [HSM-404]\n    it lists front, herd\n");
    fixed_page again(R"({"id":4,"name":"herd","kind":"crowd","chart":"0a","count":2000})");
    CHECK(watched(again, {.machine = "4"}) ==
          "hsm: error: \"4\" is a crowd, which has no records\n    watch one of its machines, or open the URL in a browser\n");
}

TEST_CASE("watch reads the page of a running program") {
    const auto chart = make_door();
    house h;
    hsm::instance agent{chart, h};
    std::string url;
    {
        hsm::inspect::page page({.print = false});
        url = page.url();
        agent.start();
        page.add("front", agent);
        page.record(agent);
        const auto list = called({"watch", url, "--once"});
        CHECK(list.err == "");
        CHECK(list.out == "front  door/closed\n");
        agent.process("push");
        const auto log = called({"watch", "-", "front", "--once", "--kind", "transition"}, url + "\n");
        CHECK(log.err == "");
        CHECK(log.out == "    0.000000    transition closed -> open on push (event)\n");

        const auto wrong = called({"watch", url + "0", "--once"});
        CHECK(wrong.code == 2);
        CHECK(wrong.err.find("refuses the token [HSM-407]") != std::string::npos);
        CHECK(called({"watch", url, "back", "--once"}).err == "hsm: error: the live page lists no machine \"back\" [HSM-404]\n    it lists front\n");
    }
    const auto none = called({"watch", url, "--once"});
    CHECK(none.code == 2);
    CHECK(none.err.find("does not answer") != std::string::npos);
    CHECK(none.err.find("[HSM-406]") != std::string::npos);
    CHECK(called({"watch", "front"}).err == "hsm: error: \"front\" is not the URL of a live page [HSM-406]\n"
                                            "    pass the URL that the program printed: http://127.0.0.1:PORT/#TOKEN\n");
}
