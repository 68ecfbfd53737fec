#include <hsm/define/event_data.hpp>

#include <hsm/define/named_event.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/escape.hpp>
#include <hsm/text/detail/json_parser.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <utility>

namespace hsm {

namespace detail {

/// At most one of text, items and members is not empty.
struct shared_data {
    mutable std::atomic<std::uint32_t> users = 1;
    std::string text = {};
    std::vector<event_data> items = {};
    std::vector<data_member> members = {};
};

} // namespace detail

namespace {

const event_data none{};

void write(std::string& to, const event_data& data) {
    std::string_view between;
    switch (data.kind()) {
    case data_kind::nothing:
    case data_kind::null: to += "null"; break;
    case data_kind::boolean: to += data.boolean() ? "true" : "false"; break;
    case data_kind::number: to += std::isfinite(data.number()) ? fmt::format("{}", data.number()) : "null"; break;
    case data_kind::text: detail::append_json(to, data.text(), detail::json_escapes::names); break;
    case data_kind::list:
        to += '[';
        for (const auto& item : data.items()) write(to += std::exchange(between, ","), item);
        to += ']';
        break;
    case data_kind::object:
        to += '{';
        for (const auto& m : data.members()) {
            detail::append_json(to += std::exchange(between, ","), m.name, detail::json_escapes::names);
            write(to += ':', m.value);
        }
        to += '}';
        break;
    }
}

} // namespace

std::string_view to_string(data_kind value) {
    static constexpr std::string_view names[] = {"nothing", "null", "boolean", "number", "text", "list", "object"};
    return names[static_cast<std::size_t>(value)];
}

std::string to_string(const event_data& data) {
    std::string text;
    if (data) write(text, data);
    return text;
}

namespace {

struct build_event_data {
    using value = event_data;
    using member = data_member;
    template <class T> static value of(const T& part) { return event_data(part); }
    static value list(std::vector<event_data> items) { return event_data::list(std::move(items)); }
    static value object(std::vector<data_member> members) { return event_data::object(std::move(members)); }
};

} // namespace

bool read_json(std::string_view text, event_data& to) {
    event_data made;
    if (!text.empty() && !detail::json_parser<build_event_data>(text).read_all(made)) return false;
    to = std::move(made);
    return true;
}

event_data event_data::of_text(std::string_view text) {
    event_data d;
    d.shared_ = new detail::shared_data{.text = std::string(text)};
    d.kind_ = data_kind::text;
    return d;
}

event_data event_data::list(std::vector<event_data> items) {
    event_data d;
    d.shared_ = new detail::shared_data{.items = std::move(items)};
    d.kind_ = data_kind::list;
    return d;
}

event_data event_data::object(std::vector<data_member> members) {
    event_data d;
    d.shared_ = new detail::shared_data{.members = std::move(members)};
    d.kind_ = data_kind::object;
    return d;
}

event_data::event_data(const event_data& other) noexcept : kind_(other.kind_) {
    if (kind_ == data_kind::boolean)
        boolean_ = other.boolean_;
    else if (!is_shared())
        number_ = other.number_;
    else
        (shared_ = other.shared_)->users.fetch_add(1, std::memory_order_relaxed);
}

void event_data::swap(event_data& other) noexcept {
    static_assert(sizeof(double) == sizeof(std::uint64_t) && sizeof(shared_) <= sizeof(double));
    std::swap(kind_, other.kind_);
    std::byte bytes[sizeof(number_)]; // of the active member of the union
    std::copy_n(reinterpret_cast<const std::byte*>(&number_), sizeof bytes, bytes);
    std::copy_n(reinterpret_cast<const std::byte*>(&other.number_), sizeof bytes, reinterpret_cast<std::byte*>(&number_));
    std::copy_n(bytes, sizeof bytes, reinterpret_cast<std::byte*>(&other.number_));
}

void event_data::release() noexcept {
    if (shared_->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shared_;
}

std::string_view event_data::text() const { return kind_ == data_kind::text ? std::string_view(shared_->text) : std::string_view(); }

std::span<const event_data> event_data::items() const {
    if (kind_ == data_kind::list) return shared_->items;
    return {};
}

std::span<const data_member> event_data::members() const {
    if (kind_ == data_kind::object) return shared_->members;
    return {};
}

const event_data& event_data::operator[](std::size_t i) const { return i < items().size() ? items()[i] : none; }

const event_data& event_data::operator[](std::string_view name) const {
    const auto all = members();
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const auto& m) { return m.name == name; });
    return found == all.rend() ? none : found->value;
}

bool event_data::equals(const event_data& other) const {
    if (kind_ != other.kind_) return false;
    switch (kind_) {
    case data_kind::nothing:
    case data_kind::null: return true;
    case data_kind::boolean: return boolean_ == other.boolean_;
    case data_kind::number: return number_ == other.number_;
    case data_kind::text: return shared_ == other.shared_ || shared_->text == other.shared_->text;
    case data_kind::list: return shared_ == other.shared_ || shared_->items == other.shared_->items;
    case data_kind::object: return shared_ == other.shared_ || shared_->members == other.shared_->members;
    }
    return false;
}

namespace {
struct owned_name : detail::name_node {
    explicit owned_name(const detail::name_node& n) : name_node{{}, n.data, 1}, text(n.name) { name = text; }
    std::string text;
};
} // namespace

const detail::name_node* named_event::share(const detail::name_node* n) {
    if (!n) return nullptr;
    if (!is_shared(*n)) return new owned_name(*n);
    detail::atomic_view(n->users).fetch_add<detail::order::relaxed>(1);
    return n;
}

const detail::name_node* named_event::taken_from(named_event& other) {
    const bool is_own = other.node_ && is_shared(*other.node_); // a node with another owner may be in memory that must not be written
    return is_own ? std::exchange(other.node_, nullptr) : share(other.node_);
}

void named_event::release(const detail::name_node& n) noexcept {
    if (detail::atomic_view(n.users).fetch_sub<detail::order::acquire_release>(1) == 1) delete static_cast<const owned_name*>(&n);
}

const event_data& named_event::no_data() {
    static const event_data none{};
    return none;
}

} // namespace hsm
