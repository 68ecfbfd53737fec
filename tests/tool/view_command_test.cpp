// `hsm view`, and the machines of a trace on the page.

#include <tests/support/door.hpp>
#include <tests/support/tool_run.hpp>

#include <hsm/chart/fingerprint.hpp>
#include <hsm/inspect/detail/hub.hpp>
#include <hsm/observe/trace_writer.hpp>
#include <hsm/replay/input_log.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/tool/detail/live_view.hpp>
#include <hsm/tool/detail/page_client.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

#include <pthread.h>
#include <unistd.h>

using namespace std::chrono_literals;
using hsm::detail::tool::page_source;
using test::house;
using test::make_door;
using tool_run::called;
using tool_run::file;

namespace {

/// Returns the trace of a door that is pushed, then pulled, `times` times, and pushed once more.
std::string trace_of(const hsm::chart<house>& chart, int times) {
    std::string bytes;
    hsm::string_sink sink(bytes);
    hsm::trace_writer writer(sink);
    hsm::trace_writer::track front(writer, "front");
    house h;
    hsm::instance agent{chart, h};
    const auto traced = agent.attach(front, hsm::state_records);
    agent.start();
    for (int i = 0; i < times; ++i) {
        agent.process("push");
        agent.process("pull");
    }
    agent.process("push");
    writer.close();
    return bytes;
}

/// Returns the records of the page's machine 1 as a trace, when it has at least `size` bytes.
std::string wait_for_trace(const hsm::inspect::detail::hub& page, std::size_t size) {
    std::string text;
    for (const auto limit = std::chrono::steady_clock::now() + 30s; text.size() < size && std::chrono::steady_clock::now() < limit;
         std::this_thread::sleep_for(1ms))
        text = page.trace(1);
    return text;
}

std::vector<hsm::record> records_in(const std::string& trace) {
    hsm::memory_source source(trace);
    hsm::trace_reader reader(source);
    std::vector<hsm::record> all;
    while (const auto* const entry = reader.next()) all.push_back(entry->what);
    return all;
}

struct shown_trace {
    shown_trace(const std::string& trace, std::span<const hsm::chart_base> known, std::size_t ring) : page({.print = false, .most = {.ring = ring}}) {
        hsm::memory_source source(trace);
        hsm::trace_reader reader(source);
        hsm::detail::tool::send_trace(reader, page.new_feed(), known, [] { return true; });
    }
    hsm::inspect::detail::hub page;
};

/// Runs `hsm view` in a thread, with the client of a browser. SIGINT ends it.
class viewed_file {
public:
    viewed_file(const std::vector<std::string>& words, const std::string& lines) {
        REQUIRE(pipe(pipe_) == 0);
        thread_ = std::thread([=, this] { run(words, lines); });
        client.emplace(wait_for_line());
    }
    /// Returns the data of the next event of the stream that contains `text`.
    nlohmann::json wait_for(const std::string& text) {
        hsm::detail::tool::page_event e;
        for (const auto limit = std::chrono::steady_clock::now() + 30s; std::chrono::steady_clock::now() < limit;)
            if (client->next(e, 100ms) == page_source::arrival::event && e.data.find(text) != std::string::npos) return nlohmann::json::parse(e.data);
        return {};
    }
    std::string wait_for_line() {
        std::string line;
        for (char c = 0; ::read(pipe_[0], &c, 1) == 1 && c != '\n';) line += c;
        return line;
    }
    void command(const std::string& body) { client->post("/api/command", body); }
    /// Presses Ctrl-C. Returns the exit code, and sets `out` and `err`.
    int end() {
        client.reset();
        pthread_kill(thread_.native_handle(), SIGINT);
        thread_.join();
        for (char c = 0; ::read(pipe_[0], &c, 1) == 1;) out += c;
        ::close(pipe_[0]);
        return code_;
    }

    std::optional<hsm::detail::tool::page_client> client;
    std::string out, err;

private:
    void run(const std::vector<std::string>& words, const std::string& lines) {
        std::FILE *in = std::tmpfile(), *to = fdopen(pipe_[1], "w"), *errors = std::tmpfile();
        std::fwrite(lines.data(), 1, lines.size(), in);
        std::rewind(in);
        hsm::detail::tool::console terminal(in, to, errors);
        hsm::detail::tool::environment here{terminal, "hsm", {}};
        code_ = hsm::detail::tool::run_tool(words, here);
        err = tool_run::content_of(errors);
        for (auto* each : {in, to, errors}) std::fclose(each);
    }

    int pipe_[2];
    int code_ = -1;
    std::thread thread_;
};

constexpr const char* gate = R"(<Project name="gate">
  <bit ID="unlocked"/>
  <state ID="closed"><to ID="open" event="push"><bit ID="unlocked"/><condition ID="strong"/></to></state>
  <state ID="open"/>
</Project>)";

} // namespace

TEST_CASE("the page shows every record of a trace, also with a small ring") {
    const auto chart = make_door();
    const auto trace = trace_of(chart, 500);
    const auto written = records_in(trace);
    REQUIRE(written.size() > 2000);
    const shown_trace shown(trace, {}, 64);
    const auto stored = records_in(wait_for_trace(shown.page, trace.size()));
    REQUIRE(stored.size() > written.size());
    const auto same = [](const hsm::record& a, const hsm::record& b) {
        return a.kind == b.kind && a.what == b.what && a.state == b.state && a.number == b.number && a.value == b.value;
    };
    CHECK(std::equal(written.rbegin(), written.rend(), stored.rbegin(), same)); // before them: the state before the first record
}

TEST_CASE("the page knows the names of a trace, and the chart only if the program has it") {
    const auto chart = make_door();
    const auto key = chart.fingerprint().to_string();
    const auto trace = trace_of(chart, 0);
    shown_trace names_only(trace, {}, 64);
    wait_for_trace(names_only.page, 1);
    CHECK_FALSE(names_only.page.chart(key));
    const auto dictionary = nlohmann::json::parse(names_only.page.dictionary(key));
    CHECK(dictionary["name"] == "door");
    CHECK(dictionary["states"][2]["path"] == "door/open");
    CHECK(dictionary["states"][2]["parent"] == 0);

    const hsm::chart_base known[] = {chart};
    const shown_trace with_chart(trace, known, 64);
    wait_for_trace(with_chart.page, 1);
    CHECK(with_chart.page.chart(key));
}

TEST_CASE("view prints the URL of the page, and ends after the time of --seconds") {
    const file trace(trace_of(make_door(), 0), ".trace");
    const auto done = called({"view", trace.path(), "--seconds", "0"});
    CHECK(done.code == 0);
    CHECK(done.err == "");
    CHECK(done.out.starts_with("http://127.0.0.1:"));
    CHECK(done.out.find("/#") != std::string::npos);
    CHECK(done.out.ends_with('\n'));
}

TEST_CASE("view reloads a file that is saved, and the machine stays where it is") {
    const file xml(gate, ".xml");
    viewed_file viewed({"view", xml.path()}, "");
    CHECK(viewed.wait_for("\"gate\"")["all"][0]["name"] == "gate");
    const auto edited = tool_run::replaced(gate, "<state ID=\"closed\">", "<state ID=\"closed\"><to ID=\"open\" after=\"20ms\"/>");
    std::ofstream(xml.path(), std::ios::binary) << edited;
    CHECK(viewed.wait_for_line().ends_with(" was reloaded; active states: 2 with the same path, 0 with another path, 0 replaced"));
    CHECK(viewed.wait_for("[2,[2]]").contains("changes")); // the new timer
    CHECK(viewed.end() == 0);
}

TEST_CASE("view runs the machine of a file: the page sends events, and lines of stdin set guards") {
    const file xml(gate, ".xml");
    viewed_file viewed({"view", xml.path()}, "guard strong true\nnames\nundo\nguard weak true\n");
    CHECK(viewed.wait_for("\"gate\"")["all"][0]["name"] == "gate");
    viewed.command(R"({"id":1,"verb":"set","condition":1})");
    viewed.command(R"({"id":1,"verb":"process","event":"push"})");
    CHECK(viewed.wait_for("[1,[2]]").contains("changes"));
    viewed.client->post("/api/open", R"({"viewer":1,"id":1})");
    CHECK(viewed.wait_for("\"stoppable\":true")["machines"][0]["paused"] == false);
    viewed.command(R"({"id":1,"verb":"pause"})");
    CHECK(viewed.wait_for("\"paused\":true")["machines"][0]["stoppable"] == true);
    CHECK(viewed.end() == 0);
    CHECK(viewed.out == "guard  strong = true\nbit    unlocked = false\nevent  push\n");
    CHECK(viewed.err == "(stdin):3:1: error: `view` does not accept this line\n    write an input, `guard`, `delay` or `names`\n"
                        "(stdin):4:7: error: there is no guard \"weak\"\n    known names: \"strong\"\n");
}

TEST_CASE("view runs an SCXML document by its own rules") {
    const file scxml(R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="lamp" datamodel="null">
  <state id="dark"><transition event="press.*" target="lit"/></state>
  <state id="lit"><onentry><log label="lit"/></onentry><transition event="press" target="end"/></state>
  <final id="end"/>
</scxml>)",
                     ".scxml");
    viewed_file viewed({"view", scxml.path()}, "");
    CHECK(viewed.wait_for("\"lamp\"")["all"][0]["name"] == "lamp");
    viewed.command(R"({"id":1,"verb":"process","event":"press.twice","data":"{\"a\":1}"})");
    CHECK(viewed.wait_for("[1,[2]]").contains("changes"));
    viewed.command(R"({"id":1,"verb":"process","event":"press"})");
    CHECK(viewed.wait_for("\"finished\":true")["machines"][0]["id"] == 1);
    CHECK(viewed.end() == 0);
    CHECK(viewed.out == "lit\n");
    CHECK(viewed.err == "");
}

TEST_CASE("view reports files that it cannot show, and a port that is in use") {
    const file text("hello"), trace(trace_of(make_door(), 0), ".trace"), log("hsml", ".hsmlog");
    const auto garbage = called({"view", text.path(), "--seconds", "0"});
    CHECK(garbage.code == 2);
    CHECK(garbage.out == "");
    CHECK(garbage.err == text.path() + ": error: its extension is not that of a machine file\n    known extensions: .xml, .scxml\n");
    CHECK(called({"view", log.path()}).err.find("HSM-371") != std::string::npos);
    CHECK(called({"view", trace.path(), "--port", "65536"}).err == "hsm: error: --port takes a number up to 65535\n");

    const hsm::inspect::detail::hub other({.print = false});
    const auto url = other.url();
    const auto port = url.substr(17, url.find("/#") - 17);
    const auto used = called({"view", trace.path(), "--port", port, "--seconds", "0"});
    CHECK(used.code == 2);
    CHECK(used.err.find("HSM-401") != std::string::npos);
}

TEST_CASE("view shows the replay of a log, in a program that has the chart") {
    const auto chart = make_door();
    house h;
    hsm::instance agent{chart, h};
    hsm::input_log log;
    log.attach(agent, h);
    agent.start();
    agent.process("push");
    const file inputs(tool_run::text_of(log.bytes()), ".hsmlog");
    CHECK(called({"view", inputs.path(), "--seconds", "0"}).err.find("this program has no machines") != std::string::npos);

    const hsm::tool::machine door(make_door());
    const auto done = tool_run::hsm_with({&door}, {"view", inputs.path(), "--seconds", "0"});
    CHECK(done.code == 0);
    CHECK(done.err == "");
    CHECK(done.out.starts_with("http://127.0.0.1:"));
}
