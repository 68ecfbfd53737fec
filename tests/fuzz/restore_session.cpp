// For libFuzzer: whatever text a session of an SCXML document is restored from, it is refused, with nothing changed, or the session is one whose
// text is restored the same, and which goes on. The first byte says what of: a document without data, or one with scripts. Texts bring documents
// along, of sessions that were invoked.

#include <tests/fuzz/fighters.hpp>
#include <tests/fuzz/mutate_document.hpp>

#include <hsm/scxml/detail/session_json.hpp>
#include <hsm/scxml/ecmascript.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>
#include <hsm/scxml/session_document.hpp>

#include <array>

using fuzz::require;

namespace {

constexpr auto plain = R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null" initial="on">
  <parallel id="on">
    <state id="a" initial="a1">
      <history id="h" type="deep"><transition target="a1"/></history>
      <state id="a1"><onentry><send event="e1" id="t" delay="30ms"/></onentry><transition event="e1 e2" target="a2"/></state>
      <state id="a2"><transition event="e3" target="a1"/>
        <invoke id="inner" autoforward="true"><content><scxml version="1.0" datamodel="null">
          <state id="i1"><onentry><send event="up" target="#_parent" delay="20ms"/><send event="own" delay="50ms"/></onentry>
            <transition event="own" target="i2"/></state>
          <state id="i2"><transition event="e3" target="i3"/>
            <invoke id="deep"><content><scxml version="1.0" datamodel="null"><state id="d1"><onentry><send event="d" delay="35ms"/></onentry>
              <transition event="d" target="d2"/></state><final id="d2"/></scxml></content></invoke></state>
          <final id="i3"/>
        </scxml></content></invoke></state>
    </state>
    <state id="b"><transition event="e2" target="c"/></state>
    <transition event="e4" target="c"><cancel sendid="t"/></transition>
  </parallel>
  <state id="c"><transition event="e3" target="h"/><transition event="e2" target="end"/></state>
  <final id="end"><donedata><content>x</content></donedata></final>
</scxml>)xml";

constexpr auto scripted = R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript" initial="a">
  <datamodel><data id="x" expr="[1, {k: 'v'}, null]"/><data id="n" expr="0"/></datamodel>
  <script>function twice(a) { return 2 * a; }</script>
  <state id="a"><onentry><send event="e1" delayexpr="'20ms'"><param name="p" expr="x"/></send></onentry>
    <transition event="e1 e2" target="b"><assign location="n" expr="twice(n + 1)"/></transition></state>
  <state id="b"><invoke id="inner" namelist="n"><content><scxml version="1.0" datamodel="ecmascript">
      <datamodel><data id="n" expr="1"/><data id="own" expr="'text'"/></datamodel>
      <state id="i1"><onentry><send event="d" delay="30ms"/></onentry><transition event="d" target="i2"><assign location="own" expr="n"/></transition></state>
      <final id="i2"><donedata><param name="n" expr="n"/></donedata></final></scxml></content>
      <finalize><assign location="x" expr="_event.data"/></finalize></invoke>
    <transition event="done.invoke.inner e3" target="a"/><transition event="e4" target="end"/></state>
  <final id="end"><donedata><content expr="x"/></donedata></final>
</scxml>)xml";

using chart = hsm::chart<hsm::scxml::context>;

chart made(const char* document) {
    // A sanitizer takes more of the stack.
    static const hsm::scxml::ecmascript scripts({.memory = 400'000, .steps = 30'000, .stack = std::size_t(1) << 20});
    hsm::scxml_options how;
    how.data_models = {&scripts};
    return hsm::compile(hsm::load_scxml_text(document, "d", how));
}
const chart& chart_of(std::uint8_t kind) {
    static const std::array charts{made(plain), made(scripted)};
    return charts[kind % charts.size()];
}

struct playing {
    explicit playing(const chart& c)
        : session(c, data, {.instance = {.internal_queue = 20, .posted_queue = 20, .chain_limit = 20}, .max_macrosteps = 20}) {}
    hsm::scxml::context data{{.max_delayed = 20}};
    hsm::scxml::session<hsm::scxml::context> session;

    void play_to_end() {
        try {
            session.tick(hsm::time_span::from_nanoseconds(INT64_MAX));
        } catch (const hsm::run_error&) {
        }
    }
    /// Whatever it is now, it goes on.
    void play(int steps) {
        try {
            for (int i = 0; i < steps; ++i) {
                session.process(std::array{"e1", "e2", "e3", "e4", "e1"}[static_cast<std::size_t>(i % 5)]);
                session.tick(hsm::time_span::from_nanoseconds(15'000'000));
            }
        } catch (const hsm::run_error&) {
        }
    }
};

void write_seeds() {
    for (const auto kind : {std::uint8_t{0}, std::uint8_t{1}}) {
        playing p(chart_of(kind));
        p.session.start();
        for (int steps = 0; steps < 7; ++steps) {
            const auto text = hsm::scxml::save_session(p.session);
            fuzz::write_seed(std::to_string(kind) + '_' + std::to_string(steps), kind, std::as_bytes(std::span(text)));
            p.play(1);
            p.session.process("e2");
        }
        p.play_to_end();
        const auto text = hsm::scxml::save_session(p.session);
        fuzz::write_seed(std::to_string(kind) + "_late", kind, std::as_bytes(std::span(text)));
    }
}

void restore(const chart& c, const std::string& text) {
    playing p(c);
    p.session.start();
    p.play(1);
    const auto before = hsm::scxml::save_session(p.session);
    try {
        hsm::scxml::restore_session(p.session, text, {.most_bytes = 1u << 16});
    } catch (...) {
        require(hsm::scxml::save_session(p.session) == before);
        throw;
    }
    const auto saved = hsm::scxml::save_session(p.session);
    playing other(c);
    require(hsm::scxml::restore_session(other.session, saved) == hsm::result::taken);
    require(hsm::scxml::save_session(other.session) == saved);
    p.play(5);
    p.session.stop();
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    write_seeds();
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    const auto read = [](const std::string& text) { return hsm::detail::scxml::read_session_json(text, 1u << 16); };
    return fuzz::mutate_document(data, size, most, seed, read, hsm::detail::scxml::write_session_json);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    try {
        restore(chart_of(data[0]), std::string(reinterpret_cast<const char*>(data + 1), size - 1));
    } catch (const hsm::save_error& e) {
        for (const auto& f : e.findings()) require(!f.problem.empty() && f.to_string().size() < 100'000);
    }
    return 0;
}
