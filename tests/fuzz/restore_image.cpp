// For libFuzzer: whatever bytes are restored, they are refused, or the machine is something that its chart can be, which is saved and restored the
// same, and goes on. The first byte says what of: an instance, a crowd, a manager. What says that it is such an image at all is put right first.

#include <tests/fuzz/fighters.hpp>

#include <hsm/save/crowd_image.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/image.hpp>
#include <hsm/save/manager_image.hpp>

#include <algorithm>
#include <cstring>

using namespace fuzz;

namespace {

struct saved_ones {
    std::vector<std::byte> instance, crowd, manager;

    saved_ones() {
        one_fighter one;
        one.begin();
        instance = hsm::save(one.agent);
        many_fighters many;
        many.begin();
        crowd = hsm::save(many.herd);
        named_fighters named;
        named.begin();
        manager = hsm::save(named.machines, named.kinds);
        write_seed("instance", 0, instance);
        write_seed("crowd", 1, crowd);
        write_seed("manager", 2, manager);
        tick_to_end(one.agent);
        tick_to_end(many.herd);
        tick_to_end(*named.machines.get("a"));
        write_seed("late_instance", 0, hsm::save(one.agent));
        write_seed("late_crowd", 1, hsm::save(many.herd));
        write_seed("late_manager", 2, hsm::save(named.machines, named.kinds));
    }
};
const saved_ones& saved() {
    static const saved_ones made;
    return made;
}

/// Magic, version, and of what chart; of how many bytes.
void put_right(std::vector<std::byte>& bytes, const std::vector<std::byte>& of, std::size_t prefix, std::size_t size_at) {
    std::copy_n(of.begin(), std::min(prefix, bytes.size()), bytes.begin());
    const std::uint64_t size = bytes.size();
    if (bytes.size() >= size_at + sizeof size) std::memcpy(bytes.data() + size_at, &size, sizeof size);
}

constexpr std::size_t prefix = 4 + 2 + 2 + 16 + 16; ///< image_prefix

void restore_instance(std::vector<std::byte> bytes) {
    put_right(bytes, saved().instance, prefix, 56);
    one_fighter one, other;
    hsm::restore(one.agent, bytes);
    const auto image = hsm::save(one.agent);
    hsm::restore(other.agent, image);
    require(hsm::save(other.agent) == image);
    require(hsm::hash(other.agent) == hsm::hash(one.agent));
    play(one.agent);
}
void restore_crowd(std::vector<std::byte> bytes) {
    put_right(bytes, saved().crowd, prefix, 40);
    many_fighters many, other;
    hsm::restore(many.herd, bytes);
    hsm::restore(other.herd, hsm::save(many.herd));
    require(hsm::hash(other.herd) == hsm::hash(many.herd));
    try {
        many.herd.tick(10ms);
        many.herd.process_all(test::hit{1});
        many.herd.clear();
    } catch (const std::exception&) {
    }
}
void restore_manager(std::vector<std::byte> bytes) {
    put_right(bytes, saved().manager, 8, 8);
    // Each machine's image has its own head.
    const std::uint32_t magic = 0x696d'7368;
    for (std::size_t at = 0; at + prefix <= bytes.size(); ++at)
        if (std::memcmp(bytes.data() + at, &magic, sizeof magic) == 0)
            std::copy_n(saved().instance.begin(), prefix, bytes.begin() + static_cast<std::ptrdiff_t>(at));
    named_fighters named, other;
    named.begin();
    hsm::restore(named.machines, named.kinds, bytes);
    hsm::restore(other.machines, other.kinds, hsm::save(named.machines, named.kinds));
    require(hsm::hash(other.machines, named.kinds) == hsm::hash(named.machines, named.kinds));
    try {
        named.machines.update(10ms);
        named.machines.broadcast(test::hit{1});
        named.machines.shutdown();
    } catch (const std::exception&) {
    }
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    saved();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto* const begin = reinterpret_cast<const std::byte*>(data + 1);
    const std::vector<std::byte> bytes(begin, begin + size - 1);
    try {
        if (data[0] % 3 == 0) restore_instance(bytes);
        if (data[0] % 3 == 1) restore_crowd(bytes);
        if (data[0] % 3 == 2) restore_manager(bytes);
    } catch (const hsm::save_error& e) {
        require(!e.findings().empty());
    } catch (const hsm::chain_error&) {
    }
    return 0;
}
