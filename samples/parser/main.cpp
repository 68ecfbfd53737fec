// Parsers of bytes as constant charts: packets of SLIP, and the head of an HTTP/1 request, fed from buffers that end
// anywhere. Each is compared with a handwritten parser on the same inputs.

#include "by_hand.hpp"
#include "request_head.hpp"
#include "slip.hpp"

#include "../expect.hpp"

#include <cstdint>
#include <string>

struct parsed {
    request_head head;
    std::size_t length = 0;
    const char* state = "";
    friend bool operator==(const parsed& a, const parsed& b) {
        return a.head == b.head && a.length == b.length && std::string(a.state) == b.state;
    }
};

// [feed]
/// Parses the text in two parts.
parsed parse(const std::string& text, std::size_t first_part) {
    parsed p;
    hsm::constant_instance<request_chart> parser(p.head);
    parser.start();
    p.length = parser.feed(text.data(), first_part);
    if (!parser.finished()) p.length += parser.feed(text.data() + p.length, text.size() - p.length);
    p.state = parser.is_in("complete") ? "complete" : parser.is_in("bad") ? "bad" : "reading";
    return p;
}
// [/feed]
parsed parse_by_hand(const std::string& text) {
    parsed p;
    request_by_hand parser(p.head);
    p.length = parser.feed(text.data(), text.size());
    p.state = parser.is_complete() ? "complete" : parser.is_bad() ? "bad" : "reading";
    return p;
}

std::uint32_t random_number() {
    static std::uint32_t x = 2463534242;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x >> 8;
}

void show_slip() {
    packets received, by_hand;
    hsm::constant_instance<slip_chart> decoder(received);
    slip_by_hand twin(by_hand);
    decoder.start();
    const unsigned char stream[] = {END, 'h', 'i', END, 'a', ESC, ESC_END, 'b', ESC, ESC_ESC, END, 'c'};
    decoder.feed(stream, sizeof(stream));
    expect("packets", std::to_string(received.complete.size()), "2");
    expect("the first", received.complete[0], "hi");
    expect("the second", received.complete[1],
           "a\xc0"
           "b\xdb");
    expect("incomplete packet", received.open, "c");
    for (const auto byte : stream) twin.process(byte);
    for (int i = 0; i < 100'000; ++i) {
        const auto byte =
            static_cast<unsigned char>(random_number() % 4 ? 0xc0 + random_number() % 32 : random_number());
        decoder.process(byte);
        twin.process(byte);
    }
    expect("equals parser by hand",
           received.complete == by_hand.complete && received.open == by_hand.open ? "yes" : "no", "yes");
}

int main() {
    show_slip();

    const std::string request = "GET /index.html HTTP/1.1\r\nHost: example.com\r\nAccept: */* \r\nX-Empty:\r\n\r\nbody";
    const auto p = parse(request, 30);
    expect("a request is", p.state, "complete");
    expect("method", p.head.method, "GET");
    expect("target", p.head.target, "/index.html");
    expect("version", p.head.version, "HTTP/1.1");
    expect("first field", p.head.fields[0].first + '=' + p.head.fields[0].second, "Host=example.com");
    expect("second field", p.head.fields[1].first + '=' + p.head.fields[1].second, "Accept=*/*");
    expect("third field", p.head.fields[2].first + '=' + p.head.fields[2].second, "X-Empty=");
    expect("remaining bytes", request.substr(p.length), "body");
    expect("no request", parse("GET\r\n\r\n", 2).state, "bad");

    bool same = true;
    for (std::size_t split = 0; split <= request.size(); ++split) same = same && parse(request, split) == p;
    expect("split at each byte", same ? "the same" : "another", "the same");

    bool alike = true;
    for (int i = 0; i < 20'000; ++i) { // with a few random errors
        auto text = request.substr(0, 1 + random_number() % request.size());
        for (auto wrong = random_number() % 3; wrong > 0; --wrong)
            text[random_number() % text.size()] = static_cast<char>(random_number());
        alike = alike && parse(text, random_number() % (text.size() + 1)) == parse_by_hand(text);
    }
    expect("equals parser by hand", alike ? "yes" : "no", "yes");
}
