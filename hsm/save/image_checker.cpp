#include <hsm/save/detail/image_checker.hpp>

#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/save_error.hpp>
#include <hsm/vm/detail/active.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

built_value::built_value(const value_layout& layout, const void* prototype)
    : codec_(layout.codec), memory_(static_cast<std::byte*>(::operator new(layout.size, std::align_val_t(layout.type->alignment))),
                                    free_aligned{std::align_val_t(layout.type->alignment)}) {
    if (codec_ && prototype)
        codec_->local->copy(memory_.get(), prototype);
    else if (codec_ && codec_->construct)
        codec_->construct(memory_.get());
    else
        std::memset(memory_.get(), 0, layout.size);
}

built_value::~built_value() {
    if (memory_ && codec_) codec_->destroy(memory_.get());
}

void read_value(const value_layout& layout, std::span<const std::byte> value, void* object) {
    if (layout.form == value_layout::bytes) std::memcpy(object, value.data(), value.size());
    if (layout.form != value_layout::fields) return;
    byte_reader fields(value);
    layout.codec->serialize(fields, object);
    if (!fields.at_end()) throw broken_bytes("the serialize function does not read all data of the value");
}

const char* text_of(image_damage damage) {
    constexpr const char* texts[] = {nullptr, "it is cut off", "it has unknown flags", "its checksum is wrong"};
    return texts[static_cast<int>(damage)];
}

image_checker::image_checker(const chart_core& core, const image_head& head) : core_(core), head_(head) {
    if (core.by_regions) leaves_.assign(core.regions.size(), no_index);
}

bool image_checker::fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return false;
}

bool image_checker::is_active(index s) const {
    if (s >= core_.states.size()) return false;
    const auto leaf = leaf_of(core_.by_regions ? core_.states[s].region : 0u);
    return leaf != no_index && core_.contains(s, leaf);
}

bool image_checker::leaf(std::size_t region, index leaf) {
    if (leaf != no_index && !may_rest_in(core_, leaf, outermost_of(core_, region))) return fail("a region is in a state of another region");
    leaves_[region] = leaf;
    return true;
}

bool image_checker::leaves_complete() {
    if (head_.leaf != no_index && !may_rest_in(core_, head_.leaf, 0)) return fail("the state that it stores as the leaf is not a leaf");
    if (!leaves_.empty() && leaves_[0] != head_.leaf) return fail("it has two different leaves");
    if (core_.by_regions && !regions_agree(core_, 1, core_.regions.size() - 1, [&](std::size_t r) { return leaves_[r]; }))
        return fail("not all regions of a parallel are active, or a region is active without its parallel");
    const auto in_it = head_.due + head_.waiting + head_.pending + head_.deferred + head_.internal + head_.posted;
    if (head_.leaf == no_index && (head_.work != 0 || in_it > 0)) return fail("the machine is inactive, but has waiting work");
    return true;
}

bool image_checker::condition_word(std::size_t w, const hsm::detail::condition_word& word) {
    const auto count = core_.conditions.size();
    auto unknown = (w + 1) * 64 <= count ? std::uint64_t(0) : ~std::uint64_t(0) << count % 64;
    if (w == 0) unknown |= 1;
    if ((word.bits | word.pulsed) & unknown) return fail("a condition that is set is not in the chart");
    if (word.pulsed & ~word.bits) return fail("a pulsed condition is not set");
    return true;
}

bool image_checker::entered_by(index, std::uint32_t by) {
    return by <= core_.transitions.size() || fail("a state was entered by a transition that the chart does not have");
}

bool image_checker::marks(index s, std::uint8_t marks) {
    const auto& row = core_.states[s];
    const int possible = (row.marked && s != 0 ? mark_over_bit | mark_due_bit : 0) | (row.holds ? mark_released_bit : 0);
    if (marks & ~possible) return fail("a state has invalid marks");
    if ((marks & mark_due_bit) && !(marks & mark_over_bit)) return fail("a state that is not finished is marked as waiting for its completion");
    if (marks & mark_due_bit) due_.push_back(s);
    return true;
}

bool image_checker::timer(std::uint32_t, std::int64_t, std::int64_t period) { return period > 0 || fail("a timer has no period"); }

bool image_checker::local(const value_layout& layout, std::uint32_t local, std::span<const std::byte> value) {
    return build(layout, core_.locals[local].prototype->object(), value);
}

bool image_checker::payload(const value_layout& layout, std::span<const std::byte> value) {
    return (layout.codec == &codec_of_names && value.empty()) || build(layout, nullptr, value);
}

bool image_checker::build(const value_layout& layout, const void* prototype, std::span<const std::byte> value) {
    if (layout.form != value_layout::fields) return true;
    try {
        built_.emplace_back(layout, prototype, value);
    } catch (const broken_bytes& e) {
        return fail("the fields of a class do not match: " + std::string(e.what()));
    }
    return true;
}

bool image_checker::due_count(std::size_t count) {
    return count == (core_.by_regions ? due_.size() : 0) || fail("the list of due states is not complete");
}

bool image_checker::due_state(std::size_t, index s) {
    const auto found = std::ranges::find(due_, s);
    if (found == due_.end()) return fail("the list of due states contains a state twice, or a state that is not due");
    *found = no_index;
    return true;
}

bool image_checker::record(std::size_t owner, index recorded) {
    recorded_ = recorded;
    regions_.clear();
    const auto s = core_.history_owners[owner];
    return recorded == 0 || may_be_recorded(core_, s, recorded) || fail("a history state names a state that it cannot record");
}

bool image_checker::region_record(std::size_t owner, std::uint32_t region, index recorded) {
    const auto r = core_.states[core_.history_owners[owner]].regions.first + region;
    regions_.push_back(recorded);
    return recorded == no_index || may_be_remembered(core_, recorded, core_.regions[r]) ||
           fail("a history state names a state that it cannot record");
}

bool image_checker::record_complete(std::size_t owner) {
    return record_agrees(core_, core_.history_owners[owner], recorded_, regions_) || fail("a history state records only some regions of a parallel");
}

bool image_checker::waiting(const waiting_entry& w) {
    if (w.transition == 0 || w.transition > core_.transitions.size() || !core_.has_holds) return fail("a waiting transition is not in the chart");
    const auto& t = core_.transitions[w.transition - 1];
    const bool polled = t.event == no_index && t.target != no_index && is_active(t.source);
    if (!polled || w.slot != slot_of(core_, t.level) || w.slot <= last_waiting_) return fail("a transition that cannot wait is waiting");
    if (w.holder == no_index || !is_active(w.holder) || !core_.states[w.holder].holds) // none: only within a call
        return fail("a transition waits for a state that does not hold");
    last_waiting_ = w.slot;
    return true;
}

bool image_checker::pending(const pending_entry& p) {
    if (!core_.has_holds || p.slot >= slot_count(core_) || p.is_request > 1 || p.slot <= last_pending_)
        return fail("a pending transition has an invalid position");
    last_pending_ = p.slot;
    pending_.push_back(p.slot);
    if (p.is_request) {
        if (!is_active(p.source) || p.transition != 0 || p.target >= core_.states.size()) return fail("an invalid request is pending");
        const bool stays = is_request_to_region(core_, p.source, p.target) && p.slot == slot_of(core_, p.target);
        if (!stays && p.slot != slot_of(core_, level_between(core_.states, p.source, p.target, false)))
            return fail("a request is pending at the wrong level");
        return true;
    }
    if (p.transition >= core_.transitions.size()) return fail("the transition of a pending event is not in the chart");
    const auto& t = core_.transitions[p.transition];
    if (t.event == no_index || p.source != 0 || p.target != 0 || !is_active(t.source) || p.slot != slot_of(core_, t.level))
        return fail("an invalid event is pending");
    return true;
}

bool image_checker::leave_request_word(std::size_t w, std::uint64_t made) {
    const auto count = core_.leave_requests.size();
    if ((w + 1) * 64 > count && made >> count % 64) return fail("a request to leave is not in the chart");
    for (std::size_t i = 0; i < 64; ++i) {
        if ((made >> i & 1) == 0) continue;
        const auto& r = core_.leave_requests[w * 64 + i];
        const bool is_pending = r.transition == no_transition && std::ranges::find(pending_, index(r.slot)) != pending_.end();
        const bool is_polled = r.transition != no_transition && is_active(core_.transitions[r.transition].source);
        if (!is_active(r.state) || !(is_pending || is_polled))
            return fail("a state has a request to leave, but the transition of this request is not held");
    }
    return true;
}

bool image_checker::deferred(std::uint16_t, const value_layout& layout, std::span<const std::byte> value) {
    return core_.has_defers ? payload(layout, value) : fail("an event is deferred, but the chart defers no events");
}

bool image_checker::queued(std::size_t, const queue_entry& q) {
    if (q.column == 0) {
        const bool fits = q.target < core_.states.size() && !q.has_payload && q.force <= 1;
        return fits || fail("a request leads to a state that the chart does not have");
    }
    if (q.column >= core_.column_events.size() || core_.column_events[q.column] == no_index) return fail("a waiting event is not in the chart");
    const bool is_name = core_.event_refs[core_.column_events[q.column]].type->is_name; // it may have a payload
    return ((q.has_payload == 1 || (is_name && q.has_payload == 0)) && q.force == 0 && q.target == no_index) ||
           fail("a waiting event has an invalid form");
}

void refuse_image(const chart_core& core, code number, std::string problem, std::string hint) {
    throw save_error({number, core.root->path(), std::move(problem), std::move(hint)});
}

namespace {

[[noreturn]] void refuse_other(const chart_core& core, bool is_same_chart) {
    if (is_same_chart)
        refuse_image(core, code::other_image, "the image belongs to another build of this chart",
                     "use a document: it can be restored into another build");
    refuse_image(core, code::other_image, "the image belongs to another chart", "use a document: it can be restored into another chart");
}

/// Reads the head and checks everything that does not need the other parts.
image_head check_head(const chart_core& core, const image_layout& layout, std::span<const std::byte> from) {
    const auto head = head_of_image<image_head>(from);
    if (head.magic != image_magic || head.version != image_version)
        refuse_image(core, code::not_an_image, "this is not an image from this version of the library", "restore an image that save wrote");
    if (head.chart != layout.chart || head.layout != layout.layout) refuse_other(core, head.chart == layout.chart);
    const auto broken = [&](const char* what) { refuse_image(core, code::broken_image, what, "restore an image that save wrote"); };
    constexpr const char* problems[] = {nullptr, "the image is cut off", "the image has unknown flags", "the checksum of the image is wrong"};
    if (const auto* const problem = problems[static_cast<int>(damage_of(head, from))]) broken(problem);
    if (const auto* const problem = problem_of_values(head)) broken(problem);
    return head;
}

} // namespace

checked_image check_image(const chart_core& core, const image_layout& layout, std::span<const std::byte> from) {
    checked_image image{check_head(core, layout, from), {}, {}};
    image.parts = from.subspan(sizeof(image_head), image.head.size - sizeof(image_head));
    image_checker checker(core, image.head);
    image_reader reader(image.parts);
    if (!read_sections(reader, core, layout, image.head, checker) || reader.left() > 0) {
        const auto problem = !checker.problem().empty() ? checker.problem() : reader.ends_early() ? "it ends too early" : "it has data after its end";
        refuse_image(core, code::broken_image, "the image is broken: " + problem, "restore an image that save wrote");
    }
    image.built = std::move(checker.built());
    return image;
}

} // namespace hsm::detail
