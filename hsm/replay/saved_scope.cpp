#include <hsm/replay/detail/saved_scope.hpp>

#include <hsm/replay/replay_error.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/json_archive.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {
template <class Step> void unless_broken(const Step& step) {
    try {
        step();
    } catch (const broken_bytes& e) {
        throw replay_error({code::broken_log, "", "a context of the log is broken: " + std::string(e.what()), "replay a log that input_log wrote"});
    }
}

/// Returns whether the bytes can be compared. Padding between the fields of a class cannot.
bool is_compared(const value_layout& context) {
    return context.form == value_layout::fields || (context.form == value_layout::bytes && (context.type->traits & value_is_bytes));
}
} // namespace

logged_contexts::logged_contexts(void* contexts, std::size_t how_many, const saved_context& kind)
    : first(contexts), count(how_many), stride(kind.type.size), layout(layout_of_users_context(kind)) {}

saved_scope::member saved_scope::make(std::unique_ptr<logged> of, const logged_contexts& contexts) {
    if (contexts.first && of->core()) require_saveable_context(*of->core(), contexts.layout);
    auto made_as = of->made_as();
    made_as.context_form = contexts.layout.form;
    made_as.context_size = contexts.layout.size;
    return {std::move(of), contexts, made_as};
}

bool saved_scope::has_equal_contexts(std::size_t i, const section& a, const section& b) const {
    return !is_compared(members_[i].contexts.layout) ||
           std::ranges::equal(a.contexts, b.contexts, [](auto x, auto y) { return std::ranges::equal(x, y); });
}

void saved_scope::take_mail() const {
    for (const auto& m : members_) m.of->take_mail();
}

void saved_scope::save(std::vector<std::byte>& to) const {
    to.clear();
    for (const auto& m : members_) {
        const auto begin = to.size();
        std::uint64_t size = m.of->object().save({}, false);
        to.resize(begin + sizeof size + size);
        std::memcpy(to.data() + begin, &size, sizeof size);
        m.of->object().save(std::span(to).subspan(begin + sizeof size), false);
        for (std::size_t i = 0; i < m.contexts.count; ++i) append_value(to, m.contexts.layout, m.contexts.at(i));
    }
}

std::vector<saved_scope::section> saved_scope::sections_of(std::span<const std::byte> state) const {
    std::vector<section> sections;
    image_reader in(state);
    for (const auto& m : members_) {
        const auto size = in.take<std::uint64_t>();
        const auto* const image = in.take_bytes(static_cast<std::size_t>(size));
        auto& made = sections.emplace_back();
        made.image = {image, image ? static_cast<std::size_t>(size) : 0};
        for (std::size_t i = 0; i < m.contexts.count && !in.ends_early(); ++i) made.contexts.push_back(in.take_value(m.contexts.layout));
    }
    if (in.ends_early() || in.left() > 0)
        throw replay_error({code::broken_log, "", "a keyframe of the log is broken", "replay a log that input_log wrote"});
    return sections;
}

void saved_scope::restore(std::span<const std::byte> from) const {
    const auto sections = sections_of(from);
    for (std::size_t i = 0; i < members_.size(); ++i) { // check as much as possible before any change
        const auto& layout = members_[i].contexts.layout;
        if (layout.form != value_layout::fields || !layout.codec->construct) continue;
        for (const auto& context : sections[i].contexts) unless_broken([&] { built_value(layout, nullptr, context); });
    }
    for (std::size_t i = 0; i < members_.size(); ++i) members_[i].of->object().restore(sections[i].image);
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const auto& all = members_[i].contexts;
        for (std::size_t n = 0; n < all.count; ++n) unless_broken([&] { read_value(all.layout, sections[i].contexts[n], all.at(n)); });
    }
}

std::uint32_t saved_scope::check(std::vector<std::byte>& scratch) const {
    save(scratch);
    std::uint64_t whole = 0;
    const auto sections = sections_of(scratch);
    for (std::size_t i = 0; i < sections.size(); ++i) {
        whole = whole * 31 + members_[i].of->hash(sections[i].image);
        if (!is_compared(members_[i].contexts.layout)) continue;
        for (const auto& context : sections[i].contexts) whole = whole * 31 + checksum_of_bytes({}, context);
    }
    return static_cast<std::uint32_t>(whole ^ whole >> 32) | 1;
}

std::vector<field_difference> saved_scope::context_difference(std::size_t i, const section& a, const section& b) const {
    const auto& contexts = members_[i].contexts;
    const auto& layout = contexts.layout;
    if (layout.codec && !layout.codec->construct) return {};
    comparing all(100);
    for (std::size_t n = 0; n < contexts.count; ++n)
        unless_broken([&] {
            all.compare(contexts.count > 1 ? std::to_string(n) : "", value_to_json(layout, nullptr, a.contexts[n]),
                        value_to_json(layout, nullptr, b.contexts[n]));
        });
    return all.take();
}

} // namespace hsm::detail
