// For libFuzzer: whatever text is restored, it is refused, with nothing changed, or the machine is something that its chart can be, whose document is
// restored the same. The first byte says what of: an instance, a crowd, a manager.

#include <tests/fuzz/fighters.hpp>
#include <tests/fuzz/mutate_document.hpp>

#include <hsm/save/crowd_document.hpp>
#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/manager_document.hpp>
#include <hsm/save/manager_image.hpp>

using namespace fuzz;

namespace {

void write_seeds() {
    const auto seed = [](const char* name, std::uint8_t kind, const std::string& text) { write_seed(name, kind, std::as_bytes(std::span(text))); };
    one_fighter one;
    one.begin();
    seed("instance", 0, hsm::save_document(one.agent));
    many_fighters many;
    many.begin();
    seed("crowd", 1, hsm::save_document(many.herd));
    named_fighters named;
    named.begin();
    seed("manager", 2, hsm::save_document(named.machines, named.kinds));
    tick_to_end(one.agent);
    tick_to_end(many.herd);
    tick_to_end(*named.machines.get("a"));
    seed("late_instance", 0, hsm::save_document(one.agent));
    seed("late_crowd", 1, hsm::save_document(many.herd));
    seed("late_manager", 2, hsm::save_document(named.machines, named.kinds));
}

const hsm::document_options small{.most_bytes = 1u << 16, .most_depth = 32};

void restore_instance(const std::string& text) {
    one_fighter one, other;
    one.begin();
    const auto before = hsm::save(one.agent);
    try {
        hsm::restore_document(one.agent, text, small);
    } catch (...) {
        require(hsm::save(one.agent) == before);
        throw;
    }
    hsm::restore_document(other.agent, hsm::save_document(one.agent), {.strict = true});
    require(hsm::save(other.agent) == hsm::save(one.agent));
    play(one.agent);
}
void restore_crowd(const std::string& text) {
    many_fighters many, other;
    many.begin();
    const auto before = hsm::hash(many.herd);
    try {
        hsm::restore_document(many.herd, text, small);
    } catch (...) {
        require(hsm::hash(many.herd) == before);
        throw;
    }
    hsm::restore_document(other.herd, hsm::save_document(many.herd), {.strict = true});
    require(hsm::hash(other.herd) == hsm::hash(many.herd));
    try {
        many.herd.tick(10ms);
        many.herd.clear();
    } catch (const std::exception&) {
    }
}
void restore_manager(const std::string& text) {
    named_fighters named, other;
    named.begin();
    const auto before = hsm::save(named.machines, named.kinds);
    try {
        hsm::restore_document(named.machines, named.kinds, text, small);
    } catch (...) {
        require(hsm::save(named.machines, named.kinds) == before);
        throw;
    }
    hsm::restore_document(other.machines, other.kinds, hsm::save_document(named.machines, named.kinds), {.strict = true});
    require(hsm::hash(other.machines, other.kinds) == hsm::hash(named.machines, named.kinds));
    try {
        named.machines.update(10ms);
        named.machines.shutdown();
    } catch (const std::exception&) {
    }
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    write_seeds();
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    const auto read = [](const std::string& text) { return hsm::detail::read_json(text, small.most_bytes, small.most_depth); };
    return mutate_document(data, size, most, seed, read, hsm::detail::write_json);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
    try {
        if (data[0] % 3 == 0) restore_instance(text);
        if (data[0] % 3 == 1) restore_crowd(text);
        if (data[0] % 3 == 2) restore_manager(text);
    } catch (const hsm::save_error& e) {
        for (const auto& f : e.findings()) require(!f.problem.empty() && f.to_string().size() < 100'000);
    }
    return 0;
}
