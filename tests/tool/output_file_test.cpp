#include <hsm/tool/detail/output_file.hpp>

#include <tests/support/tool_run.hpp>

#include <doctest/doctest.h>

#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

using hsm::detail::tool::command_error;
using hsm::detail::tool::output_file;
namespace fs = std::filesystem;

namespace {

/// A temporary folder, and the surroundings of a command.
struct place {
    place() {
        char name[] = "/tmp/hsm_output_XXXXXX";
        folder = mkdtemp(name);
    }
    ~place() {
        std::fclose(out);
        fs::permissions(folder, fs::perms::owner_all);
        fs::remove_all(folder);
    }
    std::string path(const std::string& name) const { return folder + '/' + name; }
    std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator())); }

    std::string folder;
    std::FILE* out = std::tmpfile();
    hsm::detail::tool::console terminal{stdin, out, stderr};
    hsm::detail::tool::environment here{terminal, "hsm", {}};
};

std::string refused(const std::string& path, place& p) {
    try {
        hsm::detail::tool::write_output(path, "new", p.here);
        return "written";
    } catch (const command_error& e) {
        CHECK(e.code() == hsm::detail::tool::exit_code::failed);
        return to_string(e.messages().front(), "hsm");
    }
}

} // namespace

TEST_CASE("an output file exists only after it is finished") {
    place p;
    {
        output_file file(p.path("a"), p.here);
        CHECK(file.write("whole", 5));
        CHECK_FALSE(fs::exists(p.path("a")));
        file.finish();
        CHECK(tool_run::read(p.path("a")) == "whole");
    }
    CHECK(p.files() == 1);
}

TEST_CASE("an unfinished output keeps the old file, and leaves no other file") {
    place p;
    hsm::detail::tool::write_output(p.path("a"), "old", p.here);
    {
        output_file file(p.path("a"), p.here);
        CHECK(file.write("new", 3));
    }
    CHECK(tool_run::read(p.path("a")) == "old");
    CHECK(p.files() == 1);
}

TEST_CASE("a signal that ends the program leaves no temporary file") {
    place p;
    const int folder = ::open(p.folder.c_str(), O_TMPFILE | O_WRONLY, 0600);
    if (folder < 0) {
        MESSAGE("skipped: this file system has no files without a name");
        return;
    }
    ::close(folder);
    hsm::detail::tool::write_output(p.path("a"), "old", p.here);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
        const auto child = fork();
        if (child == 0) {
            output_file file(p.path("a"), p.here), other(p.path("b"), p.here);
            file.write("new", 3);
            ::signal(signal, SIG_DFL);
            ::raise(signal);
            ::_exit(0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        CHECK((WIFSIGNALED(status) && WTERMSIG(status) == signal));
        CHECK(tool_run::read(p.path("a")) == "old");
        CHECK(p.files() == 1);
    }
}

TEST_CASE("the output file has the permissions of the old file, or the default permissions") {
    place p;
    const auto mask = umask(027);
    hsm::detail::tool::write_output(p.path("a"), "x", p.here);
    umask(mask);
    struct stat made {};
    stat(p.path("a").c_str(), &made);
    CHECK((made.st_mode & 0777) == 0640);
    chmod(p.path("a").c_str(), 0604);
    hsm::detail::tool::write_output(p.path("a"), "y", p.here);
    stat(p.path("a").c_str(), &made);
    CHECK((made.st_mode & 0777) == 0604);
}

TEST_CASE("an output through a link replaces the target of the link") {
    place p;
    hsm::detail::tool::write_output(p.path("a"), "old", p.here);
    fs::create_symlink(p.path("a"), p.path("link"));
    hsm::detail::tool::write_output(p.path("link"), "new", p.here);
    CHECK(fs::is_symlink(p.path("link")));
    CHECK(tool_run::read(p.path("a")) == "new");
}

TEST_CASE("a failed write is reported with its reason") {
    place p;
    CHECK(refused(p.folder, p) == p.folder + ": error: it cannot be written: it is a directory\n");
    CHECK(refused(p.path("no/file"), p) == p.path("no/file") + ": error: it cannot be written: no such file or directory\n");
    CHECK(refused("/dev/full", p) == "/dev/full: error: it cannot be written: the disk is full\n");
    CHECK(fs::exists("/dev/full"));
    CHECK(refused("/dev/null", p) == "written");
}

TEST_CASE("without permission the output is not written") {
    place p;
    hsm::detail::tool::write_output(p.path("a"), "old", p.here);
    chmod(p.path("a").c_str(), 0444);
    chmod(p.folder.c_str(), 0555);
    const bool was_root = geteuid() == 0;
    if (was_root) REQUIRE(seteuid(65534) == 0);
    const auto old = refused(p.path("a"), p), fresh = refused(p.path("b"), p);
    if (was_root) REQUIRE(seteuid(0) == 0);
    CHECK(old == p.path("a") + ": error: it cannot be written: permission denied\n");
    CHECK(fresh == p.path("b") + ": error: it cannot be written: permission denied\n");
    CHECK(tool_run::read(p.path("a")) == "old");
    CHECK(p.files() == 1);
}

TEST_CASE("- means stdout, and a full disk is an error there too") {
    place p;
    hsm::detail::tool::write_output("-", "text", p.here);
    CHECK(tool_run::content_of(p.out) == "text");

    std::FILE* const full = std::fopen("/dev/full", "w");
    hsm::detail::tool::console terminal(stdin, full, stderr);
    hsm::detail::tool::environment here{terminal, "hsm", {}};
    CHECK_THROWS_AS(hsm::detail::tool::write_output("-", "text", here), command_error);
    std::fclose(full);
}

TEST_CASE("a command fails if its output cannot be written") {
    std::FILE *const full = std::fopen("/dev/full", "w"), *const err = std::tmpfile();
    hsm::detail::tool::console terminal(stdin, full, err);
    hsm::detail::tool::environment here{terminal, "hsm", {}};
    CHECK(hsm::detail::tool::run_tool({"--help"}, here) == 2);
    CHECK(tool_run::content_of(err) == "hsm: error: the output cannot be written: the disk is full\n");
    std::fclose(full);
    std::fclose(err);
}
