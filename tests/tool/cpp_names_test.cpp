#include <hsm/tool/detail/cpp_text.hpp>

#include <doctest/doctest.h>

using namespace hsm::detail::tool;

TEST_CASE("a name that is an identifier is unchanged") {
    CHECK(cpp_identifier("hasTarget") == "hasTarget");
    CHECK(cpp_identifier("timeUp_2") == "timeUp_2");
}

TEST_CASE("invalid characters become underscores, and other letters their code points") {
    CHECK(cpp_identifier("is grounded?") == "is_grounded");
    CHECK(cpp_identifier("a--b  c") == "a_b_c");
    CHECK(cpp_identifier("a/b.c") == "a_b_c");
    CHECK(cpp_identifier("gr\xc3\xb6\xc3\x9f"
                         "e") == "gr_uf6_udf_e");
    CHECK(cpp_identifier("\xe6\x97\xa5\xe6\x9c\xac") == "u65e5_u672c");
    CHECK(cpp_identifier("\xff") == "uff"); // not UTF-8
}

TEST_CASE("reserved and invalid identifiers are avoided") {
    CHECK(cpp_identifier("1up") == "n_1up");
    CHECK(cpp_identifier("class") == "class_");
    CHECK(cpp_identifier("not") == "not_");
    CHECK(cpp_identifier("linux") == "linux_"); // a macro of g++
    CHECK(cpp_identifier("__x") == "x");
    CHECK(cpp_identifier("_Upper") == "Upper");
    CHECK(cpp_identifier("a__b") == "a_b");
    CHECK(cpp_identifier("???") == "unnamed");
    CHECK(cpp_identifier("") == "unnamed");
}

TEST_CASE("names that would be equal contain the codes of their invalid characters") {
    cpp_scope scope;
    for (const auto* name : {"ready?", "ready!", "other"}) scope.add(name);
    scope.settle();
    CHECK(scope.of("ready!") == "ready_x21");
    CHECK(scope.of("ready?") == "ready_x3f");
    CHECK(scope.of("other") == "other");
    CHECK(scope.alike() == std::vector<std::vector<std::string>>{{"ready!", "ready?"}});
}

TEST_CASE("a name that is an identifier is unchanged if other names would become equal to it") {
    cpp_scope scope;
    for (const auto* name : {"ready!", "ready", "ready_x21"}) scope.add(name);
    scope.settle();
    CHECK(scope.of("ready") == "ready");
    CHECK(scope.of("ready_x21") == "ready_x21");
    CHECK(scope.of("ready!") == "ready_x21_2");
}

TEST_CASE("a used identifier is not assigned again") {
    cpp_scope scope({"context"});
    scope.add("context");
    scope.settle();
    CHECK(scope.of("context") == "context_2");
    CHECK(scope.alike().empty());
}

TEST_CASE("literals and comments contain no characters with a special meaning for a compiler") {
    CHECK(cpp_string("a\"b\\c\n\x01"
                     "1") == R"("a\"b\\c\012\0011")");
    CHECK(cpp_string("what?"
                     "?!") == R"("what?\?!")");
    CHECK(cpp_string("\xe2\x80\xae"
                     "x") == R"("\342\200\256x")"); // it changes the direction of text
    CHECK(cpp_string("gr\xc3\xbcn") == "\"gr\xc3\xbcn\"");
    CHECK(cpp_comment("a\\") == "a?");
    CHECK(cpp_comment("a\nb") == "a?b");
}
