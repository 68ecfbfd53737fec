/// Reads the live page of another program, as a browser does.
#pragma once

#include <hsm/define/owned.hpp>

#include <chrono>
#include <string>

namespace hsm::detail::tool {

/// An event of the page's stream. The data is JSON from another program: it is untrusted.
struct page_event {
    std::string name;
    std::string data;
};

/// The functions throw inspect_error: HSM-406 if the page does not answer, HSM-407 if it refuses the request.
class page_source {
public:
    page_source() = default;
    page_source(const page_source&) = delete;
    page_source& operator=(const page_source&) = delete;
    virtual ~page_source() = default;

    enum class arrival { event, nothing, end };
    /// Waits for the next event of the stream. Returns `nothing` if none arrived in that time, and `end` after the last one.
    virtual arrival next(page_event& to, std::chrono::milliseconds wait) = 0;
    /// Returns the body of the answer.
    virtual std::string get(const std::string& path) = 0;
    virtual void post(const std::string& path, const std::string& body) = 0;
};

/// A separate thread reads the stream.
class page_client final : public page_source {
public:
    /// `url` is the URL that the program printed, with the token after `#`.
    explicit page_client(const std::string& url);
    ~page_client() override;

    arrival next(page_event& to, std::chrono::milliseconds wait) override;
    std::string get(const std::string& path) override;
    void post(const std::string& path, const std::string& body) override;

private:
    struct parts;
    const owned<parts> parts_;
};

} // namespace hsm::detail::tool
