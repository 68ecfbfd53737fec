// Runs the program hsm in this process: with arguments and stdin, and captures its output.
#pragma once

#include <hsm/tool/detail/command_line.hpp>

#include <cstdio>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

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

inline outcome hsm_with(std::span<const hsm::tool::known_machine* const> machines, const std::vector<std::string>& words,
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

/// Replaces every occurrence.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
    return text;
}

} // namespace tool_run
