// Nothing that happened to be in memory gets into what is written: it is the same whatever fresh memory and the stack contain.

#include <hsm/observe/trace_writer.hpp>
#include <hsm/replay/input_log.hpp>
#include <hsm/save/crowd_document.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/save/detail/manager_format.hpp>
#include <hsm/save/image.hpp>
#include <hsm/save/manager_document.hpp>
#include <hsm/save/manager_image.hpp>
#include <tests/fuzz/fighters.hpp>
#include <tests/save/meadow.hpp>
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>

namespace {

constexpr int no_pattern = -1;

[[gnu::noinline]] void fill_stack(int with) {
    volatile unsigned char room[1 << 17];
    for (auto& byte : room) byte = static_cast<unsigned char>(with);
}

using bytes = std::vector<std::byte>;

bytes bytes_of(const std::string& text) {
    const auto all = std::as_bytes(std::span(text));
    return {all.begin(), all.end()};
}

/// What write() returns where all memory contains that before something is written to it.
template <class Write> bytes written_over(int pattern, const Write& write) {
    test::memory::filler = pattern;
    fill_stack(pattern);
    auto all = write([&] { fill_stack(pattern); });
    test::memory::filler = no_pattern;
    return all;
}

/// write(refill): calls refill() again before each step that writes, as calls use the stack.
template <class Write> void check_same(const std::string& what, const Write& write) {
    CAPTURE(what);
    const auto one = written_over(0x55, write), other = written_over(0xaa, write);
    REQUIRE_FALSE(one.empty());
    const auto [at, in_other] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
    CHECK(at - one.begin() == static_cast<std::ptrdiff_t>(one.size())); // where the first difference is
    CHECK(one.size() == other.size());
}

/// As the machine `Life` gives it, after it has begun.
template <class Life, class Save> void check_saved(const char* what, const Save& save) {
    check_same(what, [&](const auto& refill) {
        Life life;
        life.begin();
        refill();
        return save(life);
    });
}

/// An image of a manager says which manager it is of, which is another one each time.
bytes without_origin(bytes all) {
    const auto magic = std::as_bytes(std::span(&hsm::detail::manager_image_magic, 1));
    for (auto at = all.begin(); (at = std::search(at, all.end(), magic.begin(), magic.end())) != all.end(); ++at)
        std::fill_n(at + offsetof(hsm::detail::manager_image_head, origin), sizeof(std::uint64_t), std::byte());
    return all;
}

struct sheep_of_meadow : test::meadow {
    sheep_of_meadow() : meadow(true, 100) {}
    void begin() {
        for (int i = 0; i < 20; ++i) frame();
        for (std::size_t i = 0; i < 10; ++i) herd.remove(ids[i * 7]);
    }
};

} // namespace

TEST_CASE("images do not depend on old content of memory") {
    check_saved<fuzz::one_fighter>("instance", [](auto& life) { return hsm::save(life.agent); });
    check_saved<fuzz::many_fighters>("crowd", [](auto& life) { return hsm::save(life.herd); });
    check_saved<sheep_of_meadow>("columns", [](auto& life) { return hsm::save(life.herd); });
    check_saved<fuzz::named_fighters>("manager", [](auto& life) { return without_origin(hsm::save(life.machines, life.kinds)); });
}

TEST_CASE("documents do not depend on old content of memory") {
    check_saved<fuzz::one_fighter>("instance", [](auto& life) { return bytes_of(hsm::save_document(life.agent)); });
    check_saved<fuzz::many_fighters>("crowd", [](auto& life) { return bytes_of(hsm::save_document(life.herd)); });
    check_saved<sheep_of_meadow>("columns", [](auto& life) { return bytes_of(hsm::save_document(life.herd)); });
    check_saved<fuzz::named_fighters>("manager", [](auto& life) { return bytes_of(hsm::save_document(life.machines, life.kinds)); });
}

TEST_CASE("a crowd that is restored from a document has the same image as the saved crowd") {
    check_saved<fuzz::many_fighters>("crowd", [](auto& life) {
        fuzz::many_fighters other;
        hsm::restore_document(other.herd, hsm::save_document(life.herd));
        return hsm::save(other.herd);
    });
}

namespace {

template <class Life, class Attach> void check_logged(const char* what, const Attach& attach) {
    check_same(what, [&](const auto& refill) {
        Life life;
        hsm::input_log log;
        attach(log, life);
        refill();
        life.begin();
        log.note(7);
        refill();
        const auto all = log.bytes();
        return without_origin({all.begin(), all.end()});
    });
}

template <class Life, class Attach> void check_traced(const char* what, const Attach& attach) {
    check_same(what, [&](const auto& refill) {
        std::string all;
        hsm::string_sink sink(all);
        {
            Life life;
            hsm::trace_writer writer(sink, {.describe_events = true});
            const auto attached = attach(writer, life);
            refill();
            life.begin();
        }
        return bytes_of(all);
    });
}

} // namespace

TEST_CASE("logs do not depend on old content of memory") {
    check_logged<fuzz::one_fighter>("instance", [](auto& log, auto& life) { log.attach(life.agent); });
    check_logged<sheep_of_meadow>("crowd", [](auto& log, auto& life) { log.attach(life.herd); });
    check_logged<fuzz::named_fighters>("manager", [](auto& log, auto& life) { log.attach(life.machines, life.kinds); });
}

TEST_CASE("traces do not depend on old content of memory") {
    check_traced<fuzz::one_fighter>("instance", [](auto& writer, auto& life) { return life.agent.attach(writer); });
    check_traced<fuzz::many_fighters>("crowd", [](auto& writer, auto& life) { return life.herd.attach(writer); });
    check_traced<fuzz::named_fighters>("manager", [](auto& writer, auto& life) { return life.machines.attach(writer); });
}

TEST_CASE("an older image of a crowd with arbitrary padding in its mailbox can be restored") {
    fuzz::many_fighters many, other;
    many.begin();
    auto image = hsm::save(many.herd);
    std::fill_n(image.end() - 16, 4, std::byte(0xaa)); // in front of the last handle and its value
    CHECK(hsm::restore(other.herd, image) == hsm::result::taken);
    CHECK(hsm::save(other.herd) == hsm::save(many.herd));
}
