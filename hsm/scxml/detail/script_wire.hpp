/// Messages between a session and its script process: frames of bytes, each a message of fields, followed by the remaining steps of the session's
/// call. All input is untrusted.
#pragma once

#include <hsm/scxml/detail/ecmascript_model.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace hsm::detail::scxml {

enum class message : std::uint8_t {
    reply,
    // To the process; named like the functions of data_model.
    set_system,
    declare,
    initialise,
    initialise_with,
    set_event,
    test,
    evaluate,
    text,
    parse,
    assign,
    assign_content,
    assign_value,
    run,
    iterate,
    save,
    restore,
    // From the process.
    is_active,
    call,
    run_body,
};

struct wire_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Returns references to the fields of a structure, in the order in which a message contains them.
template <class T> auto fields_of(T& of) {
    using type = std::remove_const_t<T>;
    if constexpr (std::is_same_v<type, value>)
        return std::tie(of.json);
    else if constexpr (std::is_same_v<type, failure>)
        return std::tie(of.what);
    else if constexpr (std::is_same_v<type, saved_data>)
        return std::tie(of.json, of.functions);
    else if constexpr (std::is_same_v<type, expression>)
        return std::tie(of.text, of.at.line, of.at.column, of.number);
    else if constexpr (std::is_same_v<type, data_element>)
        return std::tie(of.id, of.init, of.content, of.has_content, of.at.line);
    else if constexpr (std::is_same_v<type, system_variables::io_processor>)
        return std::tie(of.type, of.location);
    else if constexpr (std::is_same_v<type, system_variables>)
        return std::tie(of.session_id, of.name, of.io_processors);
    else if constexpr (std::is_same_v<type, iteration>)
        return std::tie(of.array, of.item, of.index);
    else
        return std::tie(of.result, of.wrong); // outcome
}

class wire_writer {
public:
    explicit wire_writer(message m) : bytes_(1, static_cast<char>(m)) {}

    wire_writer& operator<<(std::uint32_t number) {
        for (int shift = 0; shift < 32; shift += 8) bytes_ += static_cast<char>(number >> shift);
        return *this;
    }
    wire_writer& operator<<(bool flag) { return *this << std::uint32_t(flag); }
    wire_writer& operator<<(std::string_view text) {
        *this << static_cast<std::uint32_t>(text.size());
        bytes_ += text;
        return *this;
    }
    wire_writer& operator<<(const std::string& text) { return *this << std::string_view(text); }
    wire_writer& operator<<(const event_info& e) { return *this << e.name << e.type << e.sendid << e.origin << e.origintype << e.invokeid << e.data; }
    template <class T> wire_writer& operator<<(const std::vector<T>& list) {
        *this << static_cast<std::uint32_t>(list.size());
        for (const auto& one : list) *this << one;
        return *this;
    }
    template <class T> wire_writer& operator<<(const T& structure) {
        std::apply([&](const auto&... field) { (*this << ... << field); }, fields_of(structure));
        return *this;
    }

    std::string bytes(std::int64_t steps_left = 0) const {
        auto all = bytes_;
        for (int shift = 0; shift < 64; shift += 8) all += static_cast<char>(static_cast<std::uint64_t>(steps_left) >> shift);
        return all;
    }

private:
    std::string bytes_;
};

/// Throws wire_error if the data ends early.
class wire_reader {
public:
    explicit wire_reader(std::string bytes) : bytes_(std::move(bytes)) {
        if (bytes_.size() < 9) throw wire_error("a message of the process for scripts ends too early");
        std::uint64_t left = 0;
        for (std::size_t i = 0; i < 8; ++i) left |= std::uint64_t(static_cast<unsigned char>(bytes_[bytes_.size() - 8 + i])) << 8 * i;
        left_ = static_cast<std::int64_t>(left);
        bytes_.resize(bytes_.size() - 8);
    }

    message kind() const { return static_cast<message>(bytes_[0]); }
    std::int64_t steps_left() const { return left_; }

    wire_reader& operator>>(std::uint32_t& number) {
        need(4);
        number = 0;
        for (int shift = 0; shift < 32; shift += 8) number |= std::uint32_t(static_cast<unsigned char>(bytes_[at_++])) << shift;
        return *this;
    }
    wire_reader& operator>>(bool& flag) {
        std::uint32_t number = 0;
        *this >> number;
        flag = number != 0;
        return *this;
    }
    wire_reader& operator>>(std::string& text) {
        std::uint32_t size = 0;
        *this >> size;
        need(size);
        text = bytes_.substr(at_, size);
        at_ += size;
        return *this;
    }
    wire_reader& operator>>(event_info& e) {
        std::string type;
        *this >> e.name >> type >> e.sendid >> e.origin >> e.origintype >> e.invokeid >> e.data;
        e.type = type == "platform" ? "platform" : type == "internal" ? "internal" : "external";
        return *this;
    }
    template <class T> wire_reader& operator>>(std::vector<T>& list) {
        std::uint32_t size = 0;
        *this >> size;
        list.clear(); // grows only as elements are read
        for (std::uint32_t i = 0; i < size; ++i) *this >> list.emplace_back();
        return *this;
    }
    template <class T> wire_reader& operator>>(T& structure) {
        std::apply([&](auto&... field) { (*this >> ... >> field); }, fields_of(structure));
        return *this;
    }

private:
    void need(std::size_t size) const {
        if (bytes_.size() - at_ < size) throw wire_error("a message of the process for scripts ends too early");
    }

    std::string bytes_;
    std::size_t at_ = 1;
    std::int64_t left_ = 0;
};

/// A frame is the length of a message in four bytes, and the message.
constexpr std::size_t size_of_head = 4;
std::string framed(std::string_view message);
std::uint32_t size_in(const char (&head)[size_of_head]);

/// For the script process, which trusts the other side. They return false if the connection is closed.
bool send_frame(int socket, std::string_view message);
bool receive_frame(int socket, std::string& message);

/// The main loop of the script process. Returns when the connection is closed.
void serve_scripts(int socket, const script_setting& setting);

} // namespace hsm::detail::scxml
