/// The exceptions that saving and restoring throw. Exceptions of your `serialize` functions and constructors are passed on unchanged.
#pragma once

#include <hsm/chart/finding.hpp>

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace hsm {

/// The errors HSM-351 to HSM-363. They are thrown before anything has changed.
class save_error : public std::exception {
public:
    explicit save_error(std::vector<finding> findings) : findings_(std::move(findings)), text_(describe(findings_)) {
        while (!text_.empty() && text_.back() == '\n') text_.pop_back();
    }
    explicit save_error(finding f) : save_error(std::vector{std::move(f)}) {}

    const char* what() const noexcept override { return text_.c_str(); }
    hsm::code number() const { return findings_.front().code; } ///< the code of the first finding
    const std::vector<finding>& findings() const { return findings_; }

private:
    std::vector<finding> findings_;
    std::string text_;
};

} // namespace hsm
