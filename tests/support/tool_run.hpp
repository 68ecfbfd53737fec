// Runs the program hsm in this process: with arguments and stdin, and captures its output.
#pragma once

#include <hsm/tool/detail/command_line.hpp>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <poll.h>
#include <unistd.h>

namespace tool_run {

struct outcome {
    int code;
    std::string out, err;
};

inline std::string content_of(std::FILE* file) {
    std::string text;
    std::rewind(file);
    for (int c = 0; (c = std::getc(file)) != EOF;) text += static_cast<char>(c);
    return text;
}

/// Runs a program with these machines: `hsm_with({&door}, {"draw", "door"})`.
inline outcome hsm_with(const std::vector<const hsm::tool::known_machine*>& machines, const std::vector<std::string>& words,
                        const std::string& in = {}) {
    std::FILE *input = std::tmpfile(), *out = std::tmpfile(), *err = std::tmpfile();
    std::fwrite(in.data(), 1, in.size(), input);
    std::rewind(input);
    hsm::detail::tool::console terminal(input, out, err);
    hsm::detail::tool::environment here{terminal, "hsm", machines};
    const int code = hsm::detail::tool::run_tool(words, here);
    outcome made{code, content_of(out), content_of(err)};
    for (auto* file : {input, out, err}) std::fclose(file);
    return made;
}
inline outcome called(const std::vector<std::string>& words, const std::string& in = {}) { return hsm_with({}, words, in); }

/// A file of a test, which the destructor removes.
class file {
public:
    explicit file(const std::string& text, const std::string& end = ".txt") {
        static int number = 0;
        path_ = "/tmp/hsm_tool_" + std::to_string(getpid()) + '_' + std::to_string(++number) + end;
        std::ofstream(path_, std::ios::binary) << text;
    }
    file(const file&) = delete;
    ~file() { std::remove(path_.c_str()); }
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

inline std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

inline std::string text_of(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// Replaces every occurrence.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
    return text;
}

/// Runs the program in a thread, with pipes.
class conversation {
public:
    explicit conversation(const std::vector<std::string>& words) {
        REQUIRE((pipe(in_) == 0 && pipe(out_) == 0));
        thread_ = std::thread([=, this] {
            std::FILE *in = fdopen(in_[0], "r"), *to = fdopen(out_[1], "w");
            hsm::detail::tool::console terminal(in, to, to);
            hsm::detail::tool::environment here{terminal, "hsm", {}};
            code_ = hsm::detail::tool::run_tool(words, here);
            for (auto* each : {in, to}) std::fclose(each);
        });
    }
    /// Types a line, and returns the output up to and including `end`.
    std::string type(const std::string& line, const std::string& end) {
        REQUIRE(::write(in_[1], line.data(), line.size()) == static_cast<ssize_t>(line.size()));
        std::string text;
        pollfd output{out_[0], POLLIN, 0};
        for (char c = 0; !text.ends_with(end) && ::poll(&output, 1, 20'000) == 1 && ::read(out_[0], &c, 1) == 1;) text += c;
        return text;
    }
    int end() {
        ::close(in_[1]);
        thread_.join();
        ::close(out_[0]);
        return code_;
    }

private:
    int in_[2], out_[2];
    int code_ = -1;
    std::thread thread_;
};

} // namespace tool_run
