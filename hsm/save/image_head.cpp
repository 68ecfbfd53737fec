// The values of a machine in the head of its image: taken from a machine, checked, set in a machine, and in documents.

#include <hsm/run/detail/conditions.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/save/detail/image_format.hpp>

#include <cmath>

namespace hsm::detail {

image_head head_of(const machine& m, const chart_core& core) {
    image_head head;
    head.now = m.now;
    head.leaf = m.leaf;
    head.work = m.work & lasting_work;
    head.state = m.state & lasting_state;
    if (m.state & state_scaled) head.scale = queues_of(m, core)->time_scale;
    return head;
}

const char* problem_of_values(const image_head& head) {
    if ((head.work & ~lasting_work) || (head.state & ~lasting_state) || head.now < 0 || head.reserved != 0)
        return "the header of the image is invalid";
    if (!(head.scale >= 0 && head.scale < HUGE_VAL) || (head.scale != 1.0) != ((head.state & state_scaled) != 0))
        return "the time scale of the image is invalid";
    return nullptr;
}

bool needs_queues(const image_head& head) { return head.internal + head.posted + head.mailed > 0 || (head.state & state_scaled); }

void set_values(machine& m, const chart_core& core, const image_head& head) {
    m.now = head.now;
    m.work = static_cast<std::uint8_t>(m.work | head.work | (head.internal > 0 ? work_internal : 0));
    m.shallowest_change = core.by_regions || m.leaf == no_index ? 0 : no_index;
    auto* const queues = queues_of(m, core);
    if (queues) queues->time_scale = head.scale;
    const bool posted = (queues && (queues->mail || queues->posted.size() > 0)) || has_pulses(m, core);
    m.state = static_cast<std::uint8_t>((m.state & ~(lasting_state | state_watched | state_fired | state_posted)) | head.state |
                                        (posted ? state_posted : 0));
}

namespace {
struct named_bit {
    const char* name;
    std::uint8_t image_head::*bits;
    std::uint8_t bit;
};
// In documents, the active states are between these two groups.
constexpr named_bit first_bits[] = {{"initialized", &image_head::state, state_ready}, {"paused", &image_head::state, state_paused}};
constexpr named_bit last_bits[] = {{"over", &image_head::work, work_over}, {"completing", &image_head::work, work_completion}};
} // namespace

void describe_values(json_value& to, const image_head& head, json_value active) {
    const auto add = [&](const named_bit& b) {
        if (head.*b.bits & b.bit) to.add(b.name, json_value::of(true));
    };
    for (const auto& b : first_bits) add(b);
    if (head.scale != 1.0) to.add("time_scale", json_value::of(head.scale));
    to.add("active", std::move(active));
    for (const auto& b : last_bits) add(b);
}

std::vector<std::string_view> names_of_values() { return {"initialized", "paused", "time_scale", "over", "completing"}; }

void decode_values(image_head& head, const document_node& from) {
    const auto read = [&](const named_bit& b) {
        if (from.flag(b.name)) head.*b.bits = static_cast<std::uint8_t>(head.*b.bits | b.bit);
    };
    for (const auto& b : first_bits) read(b);
    if (from.has("time_scale")) {
        const auto scale = from["time_scale"];
        head.scale = scale.real();
        if (!(head.scale >= 0 && std::isfinite(head.scale))) scale.refuse("it is not a factor");
        if (head.scale != 1.0) head.state |= state_scaled;
    }
    for (const auto& b : last_bits) read(b);
}

} // namespace hsm::detail
