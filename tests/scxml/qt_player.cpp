// Plays a document with Qt SCXML, for comparison: qt_player <document> <file with an event per line>.
//
// Writes the active atomic states after the start and after each event, one line each; "(end)" after the end of the document. Delayed events are not
// delivered, because their order relative to other events would be random.

#include <QCoreApplication>
#include <QEvent>
#include <QFile>
#include <QScxmlStateMachine>

#include <cstdio>

namespace {

struct no_time final : QObject {
    bool eventFilter(QObject*, QEvent* e) override { return e->type() == QEvent::Timer; }
};

} // namespace

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    if (argc != 3) return 2;
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
    auto* const machine = QScxmlStateMachine::fromFile(QString::fromUtf8(argv[1]));
    if (!machine || !machine->parseErrors().isEmpty()) {
        for (const auto& e : machine ? machine->parseErrors() : QList<QScxmlError>()) std::fprintf(stderr, "%s\n", qPrintable(e.toString()));
        return 3;
    }
    no_time filter;
    machine->installEventFilter(&filter);

    bool ended = false, stable = false;
    QObject::connect(machine, &QScxmlStateMachine::finished, [&] { ended = true; });
    QObject::connect(machine, &QScxmlStateMachine::reachedStableState, [&] { stable = true; });
    const auto settle = [&] {
        do {
            stable = false;
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
        } while (stable && !ended);
    };
    const auto report = [&] {
        auto names = machine->activeStateNames(true);
        names.sort();
        std::printf("%s%s\n", qPrintable(names.join(' ')), ended ? " (end)" : "");
        std::fflush(stdout);
    };
    if (!machine->init()) {
        std::fprintf(stderr, "the data cannot be initialised\n");
        return 4;
    }
    machine->start();
    settle();
    report();
    QFile events(QString::fromUtf8(argv[2]));
    if (!events.open(QIODevice::ReadOnly)) return 2;
    while (!ended && !events.atEnd()) {
        machine->submitEvent(QString::fromUtf8(events.readLine()).trimmed());
        settle();
        report();
    }
    return 0;
}
