// W12: bytes. SLIP, and the heads of HTTP/1 requests, as constant charts with ranges of bytes, beside switches, and beside Ragel's goto-driven
// code (-G2) if that was installed. A byte at a time, and a whole buffer at once, where the machine's state need not be in memory in between.

#include "w12_request.hpp"
#include "w12_slip.hpp"

#ifdef HSM_BENCH_RAGEL
#include "w12_ragel.hpp"
#endif

namespace {

template <class Machine> class fed : public Machine {
public:
    void feed(const std::uint8_t* bytes, std::size_t count) { this->agent().feed(bytes, count); }
};
template <class Machine> class buffered : public Machine {
public:
    void feed(const std::uint8_t* bytes, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) this->process(bytes[i]);
    }
};

struct words {
    const char* name;
    std::uint64_t checksum;
    void (*prepare)();
};

template <class Ours, class Reference, class Ragel> void run(bench::program& program, const words& w) {
    program.compare(
        {"W12", w.name, w.checksum, w.prepare}, [] { return Ours(); }, [] { return Reference(); });
    program.compare(
        {"W12", std::string(w.name) + ",buffer", w.checksum, w.prepare}, [] { return fed<Ours>(); }, [] { return buffered<Reference>(); });
    if constexpr (!std::is_void_v<Ragel>)
        program.compare(
            {"W12", std::string(w.name) + ",ragel", w.checksum, w.prepare}, [] { return Ragel(); }, [] { return buffered<Reference>(); }, "ragel");
}

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    using namespace w12;
    using slip = bench::constant_machine<slip_chart, unsigned char>;
    using request = bench::constant_machine<request_chart, unsigned char>;
#ifdef HSM_BENCH_RAGEL
    run<slip, slip_by_hand, slip_by_ragel>(program, {"slip", 0x5698827540ed6830, make_packets});
    run<request, request_by_hand, request_by_ragel>(program, {"request", 0x52ed41bc2f29db6, make_requests});
#else
    run<slip, slip_by_hand, void>(program, {"slip", 0x5698827540ed6830, make_packets});
    run<request, request_by_hand, void>(program, {"request", 0x52ed41bc2f29db6, make_requests});
#endif
    return program.status();
}
