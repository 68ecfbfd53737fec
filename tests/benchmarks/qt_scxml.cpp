// The document of samek_scxml.hpp, without counters, played by Qt SCXML and by a session of ours: the same random events, each until the
// machine has come to rest. After each event of the first round both are asked where they are.

#include "bench.hpp"
#include "samek_scxml.hpp"

#include <hsm/compile/compile.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>

#include <QBuffer>
#include <QCoreApplication>
#include <QScxmlStateMachine>

#include <memory>

namespace {

constexpr std::size_t played = 4096;
constexpr int rounds = 8;

class by_qt {
public:
    by_qt() {
        auto text = QByteArray::fromStdString(samek::scxml_document(false));
        QBuffer buffer(&text);
        buffer.open(QIODevice::ReadOnly);
        machine_.reset(QScxmlStateMachine::fromData(&buffer, QStringLiteral("samek.scxml")));
        for (char c = 'A'; c <= 'I'; ++c) names_.push_back(QString(QLatin1Char(c)));
        QObject::connect(machine_.get(), &QScxmlStateMachine::reachedStableState, [this] { stable_ = true; });
    }
    bool start() {
        if (!machine_->parseErrors().isEmpty() || !machine_->init()) return false;
        machine_->start();
        return settle(), machine_->isRunning();
    }
    void process(std::uint8_t event) {
        machine_->submitEvent(names_[event]);
        settle();
    }
    bool is_in(const char* state) const { return machine_->isActive(QLatin1String(state)); }

private:
    void settle() {
        do {
            stable_ = false;
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
        } while (!stable_);
    }

    std::unique_ptr<QScxmlStateMachine> machine_;
    std::vector<QString> names_;
    bool stable_ = false;
};

class by_session {
public:
    bool start() {
        session_.start();
        return !session_.finished();
    }
    void process(std::uint8_t event) { session_.process(std::string_view("ABCDEFGHI").substr(event, 1)); }
    bool is_in(const char* state) { return session_.instance().is_in(state); }

private:
    hsm::chart<hsm::scxml::context> chart_ = hsm::compile(hsm::load_scxml_text(samek::scxml_document(false)));
    hsm::scxml::context context_;
    hsm::scxml::session<> session_{chart_, context_};
};

/// Seconds, the least of all rounds.
template <class Machine> double play(Machine& machine, double best) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < played; ++i) machine.process(bench::events[i]);
    return std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

} // namespace

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    bench::random_events<9>();
    by_qt qt;
    by_session ours;
    bool same = qt.start() && ours.start();
    for (std::size_t i = 0; same && i < played; ++i) {
        qt.process(bench::events[i]);
        ours.process(bench::events[i]);
        for (const auto* const state : {"s11", "s211", "foo"}) same = same && qt.is_in(state) == ours.is_in(state);
    }
    double qt_seconds = 1e9, our_seconds = 1e9;
    for (int i = 0; same && i < rounds; ++i) {
        qt_seconds = play(qt, qt_seconds);
        our_seconds = play(ours, our_seconds);
    }
    std::printf("BENCH qt_scxml param=samek ours_per_second=%.0f qt_per_second=%.0f times=%.0f checksum=%s\n", played / our_seconds,
                played / qt_seconds, qt_seconds / our_seconds, same ? "ok" : "wrong");
    return same ? 0 : 1;
}
