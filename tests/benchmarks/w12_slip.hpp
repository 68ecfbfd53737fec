/// W12: SLIP (RFC 1055), a byte at a time: what is written, and what is counted.
#pragma once

#include "machine.hpp"

namespace w12 {

enum slip_byte : unsigned char { slip_end = 0xc0, slip_esc = 0xdb, slip_esc_end = 0xdc, slip_esc_esc = 0xdd };

struct packet {
    void add(unsigned char byte) { bytes[size++ % sizeof(bytes)] = byte; }
    void end() {
        bench::count(0);
        bench::count(1, size);
        bench::count(2, bytes[(size - 1) % sizeof(bytes)]);
        size = 0;
    }
    unsigned size = 0;
    unsigned char bytes[512] = {};
};

/// Packets of up to 300 random bytes. What is special among them is escaped.
inline void make_packets() {
    std::uint32_t x = 2463534242;
    const auto random = [&] {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        return x >> 8;
    };
    for (std::size_t at = 0, left = 200; at < bench::event_count; left = left == 0 ? 1 + random() % 300 : left - 1) {
        const auto put = [&](unsigned char byte) {
            if (at < bench::event_count) bench::events[at++] = byte;
        };
        const auto byte = static_cast<unsigned char>(random() % 16 == 0 ? slip_end + random() % 2 * (slip_esc - slip_end) : random());
        if (left == 0)
            put(slip_end);
        else if (byte == slip_end || byte == slip_esc)
            put(slip_esc), put(byte == slip_end ? slip_esc_end : slip_esc_esc);
        else
            put(byte);
    }
}

inline constexpr auto define_slip = [](auto& root) {
    auto& data = root.named("slip").add("data");
    auto& escaped = root.add("escaped");
    constexpr auto add = [](packet& p, unsigned char byte) { p.add(byte); };
    data.on(hsm::otherwise<unsigned char>()).then(add);
    data.on(static_cast<unsigned char>(slip_end)).then([](packet& p) { p.end(); });
    data.to(escaped).on(static_cast<unsigned char>(slip_esc));
    escaped.to(data).on(static_cast<unsigned char>(slip_esc_end)).then([](packet& p) { p.add(slip_end); });
    escaped.to(data).on(static_cast<unsigned char>(slip_esc_esc)).then([](packet& p) { p.add(slip_esc); });
    escaped.to(data).on(hsm::otherwise<unsigned char>()).then(add);
};
inline constexpr auto slip_chart = hsm::constant_chart<packet>(define_slip);

class slip_by_hand {
public:
    void start() {}
    void process(unsigned char byte) {
        switch (state_) {
        case data:
            switch (byte) {
            case slip_end: packet_.end(); break;
            case slip_esc: state_ = escaped; break;
            default: packet_.add(byte);
            }
            break;
        case escaped:
            switch (byte) {
            case slip_esc_end: packet_.add(slip_end); break;
            case slip_esc_esc: packet_.add(slip_esc); break;
            default: packet_.add(byte);
            }
            state_ = data;
        }
    }
    static std::size_t bytes() { return sizeof(state_); }

private:
    enum : unsigned char { data, escaped } state_ = data;
    packet packet_;
};

} // namespace w12
