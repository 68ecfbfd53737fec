// The head of an HTTP/1 request, from its method to the empty line, as a constant chart.
#pragma once

#include <hsm/constant/constant_instance.hpp>

#include <string>
#include <utility>
#include <vector>

struct request_head {
    std::string method, target, version;
    std::vector<std::pair<std::string, std::string>> fields;

    void add_name(char c) {
        fields.emplace_back();
        fields.back().first = c;
    }
    void trim() { // removes blanks after a value
        auto& value = fields.back().second;
        while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.pop_back();
    }
    friend bool operator==(const request_head&, const request_head&) = default;
};

// [request]
constexpr auto of_version = hsm::any(hsm::range('A', 'Z'), hsm::range('0', '9'), '/', '.');
constexpr auto of_token = hsm::any(hsm::range('a', 'z'), hsm::range('A', 'Z'), hsm::range('0', '9'), '!', '#', '$', '%',
                                   '&', '\'', '*', '+', '-', '.', '^', '_', '`', '|', '~');

constexpr auto define_request = [](auto& root) {
    auto& reading = root.named("request").add_fsm("reading");
    auto& method = reading.add("method");
    auto& target = reading.add("target");
    auto& version = reading.add("version");
    auto& end_of_line = reading.add("end of line");
    auto& begin = reading.add("begin of field");
    auto& name = reading.add("name");
    auto& blank = reading.add("blank");
    auto& value = reading.add("value");
    auto& end_of_head = reading.add("end of head");
    auto& complete = root.add_final("complete");
    auto& bad = root.add_final("bad");

    // [several]
    method.on(of_token).then([](request_head& r, char c) { r.method += c; });
    method.to(target).on(' ');
    target.on(hsm::range('!', '~')).then([](request_head& r, char c) { r.target += c; });
    target.to(version).on(' ');
    // [/several]
    version.on(of_version).then([](request_head& r, char c) { r.version += c; });
    version.to(end_of_line).on('\r');
    end_of_line.to(begin).on('\n');

    begin.to(name).on(of_token).then([](request_head& r, char c) { r.add_name(c); });
    begin.to(end_of_head).on('\r');
    name.on(of_token).then([](request_head& r, char c) { r.fields.back().first += c; });
    name.to(blank).on(':');
    blank.on(hsm::any(' ', '\t'));
    blank.to(value).on(hsm::range('!', '~')).then([](request_head& r, char c) { r.fields.back().second = c; });
    value.on(hsm::any('\t', hsm::range(' ', '~'))).then([](request_head& r, char c) { r.fields.back().second += c; });
    for (auto* state : {&blank, &value}) state->to(end_of_line).on('\r').then([](request_head& r) { r.trim(); });
    end_of_head.to(complete).on('\n');

    for (auto* state : {&method, &target, &version, &end_of_line, &begin, &name, &blank, &value, &end_of_head})
        state->to(bad).on(hsm::otherwise<char>()); // all other characters
};
constexpr auto request_chart = hsm::constant_chart<request_head>(define_request);
// [/request]
