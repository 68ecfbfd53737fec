// SLIP (RFC 1055): packets in a stream of bytes, as a constant chart.
#pragma once

#include <hsm/constant/constant_instance.hpp>

#include <cstddef>
#include <string>
#include <vector>

struct packets {
    std::vector<std::string> complete;
    std::string open; ///< the packet being received

    void add(unsigned char byte) { open += static_cast<char>(byte); }
    void end() {
        if (!open.empty()) complete.push_back(open); // an END in front of a packet flushes noise
        open.clear();
    }
};

// [slip]
constexpr unsigned char END = 0xc0, ESC = 0xdb, ESC_END = 0xdc, ESC_ESC = 0xdd;

constexpr auto slip_chart = hsm::constant_chart<packets>([](auto& root) {
    auto& data = root.named("slip").add("data");
    auto& escaped = root.add("escaped");

    data.on(END).then([](packets& p) { p.end(); });
    data.to(escaped).on(ESC);
    data.on(hsm::otherwise<unsigned char>()).then([](packets& p, unsigned char byte) { p.add(byte); });

    escaped.to(data).on(ESC_END).then([](packets& p) { p.add(END); });
    escaped.to(data).on(ESC_ESC).then([](packets& p) { p.add(ESC); });
    escaped.to(data).on(hsm::otherwise<unsigned char>()).then([](packets& p, unsigned char byte) { p.add(byte); });
});
// [/slip]

// The same parser, handwritten.
class slip_by_hand {
public:
    explicit slip_by_hand(packets& p) : packets_(p) {}
    void process(unsigned char byte) {
        if (escaped_)
            packets_.add(byte == ESC_END ? END : byte == ESC_ESC ? ESC : byte), escaped_ = false;
        else if (byte == END)
            packets_.end();
        else if (byte == ESC)
            escaped_ = true;
        else
            packets_.add(byte);
    }

private:
    packets& packets_;
    bool escaped_ = false;
};
