/// Interfaces for output and input of bytes, with implementations for files and memory. Only one thread at a time may use an object.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace hsm {

class byte_sink {
public:
    virtual ~byte_sink() = default;
    /// Writes all bytes. Returns false on failure; hsm does not use the sink afterwards.
    virtual bool write(const void* bytes, std::size_t count) = 0;
};

class byte_source {
public:
    virtual ~byte_source() = default;
    /// Reads at most `most` bytes and returns their number; 0 at the end.
    virtual std::size_t read(void* to, std::size_t most) = 0;
};

/// Creates or truncates a file. Throws trace_error (HSM-331) if the file cannot be opened.
class file_sink final : public byte_sink {
public:
    explicit file_sink(const std::string& path);
    file_sink(const file_sink&) = delete;
    file_sink& operator=(const file_sink&) = delete;
    ~file_sink() override;
    bool write(const void* bytes, std::size_t count) override;
    /// Closes the file. Returns false if closing the file, or an earlier write, failed.
    bool close();

private:
    std::FILE* file_;
    bool failed_ = false;
};

class string_sink final : public byte_sink {
public:
    explicit string_sink(std::string& to) : to_(to) {}
    bool write(const void* bytes, std::size_t count) override {
        to_.append(static_cast<const char*>(bytes), count);
        return true;
    }

private:
    std::string& to_;
};

/// Reads a file. Throws trace_error (HSM-331) if the file cannot be opened.
class file_source final : public byte_source {
public:
    explicit file_source(const std::string& path);
    file_source(const file_source&) = delete;
    file_source& operator=(const file_source&) = delete;
    ~file_source() override;
    std::size_t read(void* to, std::size_t most) override;

private:
    std::FILE* file_;
};

/// Reads memory that must outlive the source.
class memory_source final : public byte_source {
public:
    explicit memory_source(std::string_view bytes) : left_(bytes) {}
    template <class Text>
        requires std::is_same_v<Text, std::string>
    explicit memory_source(Text&& bytes) = delete; ///< a temporary string would be destroyed before it is read
    std::size_t read(void* to, std::size_t most) override;

private:
    std::string_view left_;
};

} // namespace hsm
