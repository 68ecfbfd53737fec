// The main function of every test program. A filter that matches no test case is an error: a misspelt one would pass otherwise.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <string_view>

namespace {

constexpr std::string_view file_option = "--source-file=*";
std::string_view chosen_file; ///< the end of its path; empty: all files
unsigned chosen_cases = 0;

/// Counts for tests/summary.py: doctest itself counts the cases of other files as skipped.
struct counts final : doctest::IReporter {
    explicit counts(const doctest::ContextOptions& options) : out_(options.cout) {}

    void test_run_end(const doctest::TestRunStats& run) override {
        chosen_cases = run.numTestCasesPassingFilters + skipped_;
        *out_ << "cases: " << run.numTestCasesPassingFilters - run.numTestCasesFailed << " passed, " << run.numTestCasesFailed << " failed, "
              << skipped_ << " skipped\n";
    }
    void test_case_skipped(const doctest::TestCaseData& test) override {
        skipped_ += test.m_skip && std::string_view(test.m_file.c_str()).ends_with(chosen_file);
    }

    void report_query(const doctest::QueryData&) override { chosen_cases = 1; }
    void test_run_start() override {}
    void test_case_start(const doctest::TestCaseData&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}

private:
    std::ostream* out_;
    unsigned skipped_ = 0;
};

} // namespace

REGISTER_LISTENER("counts", 1, counts);

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i)
        if (const std::string_view word = argv[i]; word.starts_with(file_option)) chosen_file = word.substr(file_option.size());
    doctest::Context context(argc, argv);
    const int result = context.run();
    if (result == 0 && chosen_cases == 0) {
        std::fprintf(stderr, "no test case matches the filter\n");
        return 2;
    }
    return result;
}
