/// The fields of a class as consecutive bytes without names, for images, which the same program reads. Numbers take eight bytes, a bool takes one.
/// Texts and lists are preceded by their length in eight bytes.
#pragma once

#include <hsm/save/archive.hpp>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

namespace hsm::detail {

/// Invalid bytes. Not visible to users.
struct broken_bytes : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class byte_writer final : public archive {
public:
    explicit byte_writer(std::vector<std::byte>& to) : archive(false), to_(to) {}

private:
    void begin_field(std::string_view) override {}
    void boolean(bool& value) override { add(&value, 1); }
    void integer(std::int64_t& value, std::int64_t, std::int64_t) override { add(&value, sizeof value); }
    void natural(std::uint64_t& value, std::uint64_t) override { add(&value, sizeof value); }
    void real(double& value, bool) override { add(&value, sizeof value); }
    void text(std::string& value) override;
    void begin_object() override {}
    void end_object() override {}
    void begin_list(std::size_t& count) override;
    void end_list() override;
    bool skips() override { return false; }
    [[noreturn]] void refuse(std::string problem) override { throw broken_bytes(problem); }

    void add(const void* bytes, std::size_t size);

    struct open_list {
        std::size_t begin, count;
    };
    std::vector<std::byte>& to_;
    std::vector<open_list> lists_;
};

class byte_reader final : public archive {
public:
    explicit byte_reader(std::span<const std::byte> from) : archive(true), from_(from) {}
    bool at_end() const { return at_ == from_.size(); }

private:
    void begin_field(std::string_view) override {}
    void boolean(bool& value) override;
    void integer(std::int64_t& value, std::int64_t least, std::int64_t most) override;
    void natural(std::uint64_t& value, std::uint64_t most) override;
    void real(double& value, bool) override { take(&value, sizeof value); }
    void text(std::string& value) override;
    void begin_object() override {}
    void end_object() override {}
    void begin_list(std::size_t& count) override;
    void end_list() override;
    bool skips() override { return false; }
    [[noreturn]] void refuse(std::string problem) override { throw broken_bytes(problem); }

    void take(void* bytes, std::size_t size);
    std::size_t take_length();

    struct open_list {
        std::size_t begin, count;
    };
    std::span<const std::byte> from_;
    std::size_t at_ = 0;
    std::vector<open_list> lists_;
};

} // namespace hsm::detail
