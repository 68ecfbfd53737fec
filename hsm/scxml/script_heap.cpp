#include <hsm/scxml/detail/script_context.hpp>

#include <hsm/op/detail/compiler.hpp>

#include <cstdlib>
#include <cstring>

namespace hsm::detail::scxml {

namespace {

/// A size is stored before each allocation, so that freed memory is counted exactly.
constexpr std::size_t header = alignof(std::max_align_t);
static_assert(header >= sizeof(std::size_t));

constexpr std::size_t bytes_in_step = 64;

/// The lower limit of the stack pointer. The stack grows downwards on all platforms of Debian.
thread_local const char* lowest = nullptr;

std::size_t size_of(const char* block) {
    std::size_t size;
    std::memcpy(&size, block, sizeof size);
    return size;
}

/// Returns whether `more` bytes may be allocated.
bool grant(script_heap& h, std::size_t more) {
    h.steps -= static_cast<std::int64_t>(1 + more / bytes_in_step);
    return more <= h.memory && h.used <= h.memory - more;
}

void* enter_in(script_heap& h, char* block, std::size_t whole) {
    std::memcpy(block, &whole, sizeof whole);
    h.used += whole;
    return block + header;
}

} // namespace

void* script_heap::allocate(void* heap, std::size_t size) {
    auto& h = *static_cast<script_heap*>(heap);
    if (!size) return nullptr;
    const auto whole = size + header;
    if (whole < size || !grant(h, whole)) return nullptr;
    auto* block = static_cast<char*>(std::malloc(whole));
    return block ? enter_in(h, block, whole) : nullptr;
}

void* script_heap::reallocate(void* heap, void* memory, std::size_t size) {
    auto& h = *static_cast<script_heap*>(heap);
    if (!memory) return allocate(heap, size);
    if (!size) return release(heap, memory), nullptr;
    auto* block = static_cast<char*>(memory) - header;
    const auto old = size_of(block), whole = size + header;
    h.steps -= static_cast<std::int64_t>(whole / bytes_in_step); // it may be copied
    if (whole < size || (whole > old && !grant(h, whole - old))) return nullptr;
    auto* moved = static_cast<char*>(std::realloc(block, whole));
    if (!moved) return nullptr;
    h.used -= old;
    return enter_in(h, moved, whole);
}

void script_heap::release(void* heap, void* memory) {
    if (!memory) return;
    auto* block = static_cast<char*>(memory) - header;
    static_cast<script_heap*>(heap)->used -= size_of(block);
    std::free(block);
}

stack_guard::stack_guard(std::size_t bytes) : before_(lowest) {
    const char here = 0;
    if (!lowest) lowest = HSM_STACK_ADDRESS(here) - bytes;
}
stack_guard::~stack_guard() { lowest = before_; }

} // namespace hsm::detail::scxml

extern "C" {

int hsm_script_stack_is_full();
double hsm_script_random(void* udata);
void hsm_script_searched(void* udata);

int hsm_script_stack_is_full() {
    const char here = 0;
    return HSM_STACK_ADDRESS(here) < hsm::detail::scxml::lowest;
}

void hsm_script_searched(void* udata) {
    auto& h = *static_cast<hsm::detail::scxml::script_heap*>(udata);
    h.steps -= static_cast<std::int64_t>(h.used / hsm::detail::scxml::bytes_in_step);
}

/// splitmix64 (Steele, Lea, Flood, 2014). Uses the upper 53 bits.
double hsm_script_random(void* udata) {
    auto& state = static_cast<hsm::detail::scxml::script_heap*>(udata)->random;
    auto x = state += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}
}
