// The same machine as in request_head.hpp, as a handwritten switch.
#pragma once

#include "request_head.hpp"

#include <cstddef>
#include <string_view>

class request_by_hand {
public:
    explicit request_by_hand(request_head& r) : r_(r) {}

    /// Returns the number of bytes that belong to the head.
    std::size_t feed(const char* bytes, std::size_t count) {
        std::size_t n = 0;
        while (n < count && state_ < complete) process(bytes[n++]);
        return n;
    }
    bool is_complete() const { return state_ == complete; }
    bool is_bad() const { return state_ == bad; }

private:
    enum state { method, target, version, end_of_line, begin, name, blank, value, end_of_head, complete, bad };

    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
    static bool is_visible(char c) { return c >= '!' && c <= '~'; }
    static bool is_of_token(char c) {
        return is_digit(c) || is_capital(c) || (c >= 'a' && c <= 'z') ||
               (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
    }

    void process(char c) {
        switch (state_) {
        case method: return is_of_token(c) ? void(r_.method += c) : go_on(c == ' ', target);
        case target: return is_visible(c) ? void(r_.target += c) : go_on(c == ' ', version);
        case version:
            if (is_digit(c) || is_capital(c) || c == '/' || c == '.') return void(r_.version += c);
            return go_on(c == '\r', end_of_line);
        case end_of_line: return go_on(c == '\n', begin);
        case begin:
            if (is_of_token(c)) r_.add_name(c);
            return is_of_token(c) ? go_on(true, name) : go_on(c == '\r', end_of_head);
        case name: return is_of_token(c) ? void(r_.fields.back().first += c) : go_on(c == ':', blank);
        case blank:
            if (c == ' ' || c == '\t') return;
            if (is_visible(c)) r_.fields.back().second = c, state_ = value;
            return is_visible(c) ? void() : end_value(c);
        case value: return is_visible(c) || c == ' ' || c == '\t' ? void(r_.fields.back().second += c) : end_value(c);
        case end_of_head: return go_on(c == '\n', complete);
        case complete:
        case bad: return;
        }
    }
    void go_on(bool fits, state to) { state_ = fits ? to : bad; }
    void end_value(char c) {
        if (c == '\r') r_.trim();
        go_on(c == '\r', end_of_line);
    }

    request_head& r_;
    state state_ = method;
};
