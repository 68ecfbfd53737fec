#include <hsm/save/detail/named_event_codec.hpp>

#include <hsm/save/archive.hpp>

#include <new>
#include <string>

namespace hsm::detail {

namespace {

/// The name, unless it is in the chart, and the data as JSON.
struct written_name {
    std::string name;
    std::string data;
};

void serialize_name(archive& a, void* value) {
    auto& event = *static_cast<named_event*>(value);
    written_name written{std::string(event.name()), to_string(event.data())};
    a("name", written.name)("data", written.data);
    if (!a.reading()) return;
    event_data data;
    if (!read_json(written.data, data)) a.reject("the data of an event is not JSON");
    const name_node read{written.name, std::move(data)};
    const named_event view(read);
    event = read.name.empty() && !read.data ? named_event() : view; // a copy with its own memory
}

void move_name(void* to, void* from) noexcept { *new (to) named_event() = static_cast<named_event&&>(*static_cast<named_event*>(from)); }

} // namespace

const value_codec codec_of_names{&local_type_of<named_event>,
                                 &event_type_of<named_event>,
                                 &serialize_name,
                                 [](void* memory) { new (memory) named_event(); },
                                 &move_name,
                                 [](void* value) noexcept { static_cast<named_event*>(value)->~named_event(); }};

} // namespace hsm::detail
