// Runs the conformance suites and the corpus in a folder: conformance <folder>. Fails if a document fails. With the program qt_player as second
// argument, runs only the corpus, and compares it with Qt.

#include <tests/scxml/suites.hpp>

#include <cstdio>
#include <filesystem>

namespace {

using suites::verdict;

std::size_t report(const char* name, const std::vector<verdict>& all) {
    const auto failed = suites::count(all, verdict::kind::failed);
    std::printf("%s %zu passed, %zu failed, %zu skipped\n", name, suites::count(all, verdict::kind::passed), failed,
                suites::count(all, verdict::kind::skipped));
    return failed;
}

void list(const char* name, const std::vector<verdict>& all) {
    for (const auto what : {verdict::kind::failed, verdict::kind::skipped})
        for (const auto& v : all)
            if (v.what == what)
                std::printf("%s %s: %s: %s\n", name, v.id.c_str(), what == verdict::kind::failed ? "failed" : "skipped", v.reason.c_str());
}

int beside_qt(const std::filesystem::path& folder, const char* player) {
    const auto all = suites::run_beside_qt(folder / "corpus", player);
    const auto failed = report("beside Qt", all);
    list("beside Qt", all);
    return failed > 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 3) return beside_qt(argv[1], argv[2]);
    if (argc != 2 || !std::filesystem::is_directory(argv[1])) {
        std::fprintf(stderr, "usage: conformance <folder with irp/manifest.json, scion/manifest.json, corpus/manifest.json> [qt_player]\n");
        return 2;
    }
    const std::filesystem::path folder(argv[1]);
    const auto mandatory = suites::run_irp(folder / "irp", suites::part::mandatory);
    const auto optional = suites::run_irp(folder / "irp", suites::part::optional);
    const auto scion = suites::run_scion(folder / "scion");
    const auto corpus = suites::run_corpus(folder / "corpus");
    auto failed = report("IRP mandatory", mandatory);
    failed += report("IRP optional", optional);
    failed += report("SCION", scion);
    failed += suites::count(corpus, verdict::kind::failed);
    std::printf("corpus %zu loaded, %zu refused, %zu failed\n", suites::count(corpus, verdict::kind::passed),
                suites::count(corpus, verdict::kind::skipped), suites::count(corpus, verdict::kind::failed));
    list("IRP", mandatory);
    list("IRP", optional);
    list("SCION", scion);
    for (const auto& v : corpus)
        if (v.what != verdict::kind::passed)
            std::printf("corpus %s: %s: %s\n", v.id.c_str(), v.what == verdict::kind::failed ? "failed" : "refused", v.reason.c_str());
    return failed > 0;
}
