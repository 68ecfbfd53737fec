/// The exception that `hsm::compile` throws for a definition with errors. It contains all errors.
#pragma once

#include <hsm/chart/finding.hpp>

#include <exception>

namespace hsm {

class definition_error : public std::exception {
public:
    explicit definition_error(std::vector<finding> findings);
    const char* what() const noexcept override { return text_.c_str(); }
    const std::vector<finding>& findings() const { return findings_; }

private:
    std::vector<finding> findings_;
    std::string text_;
};

} // namespace hsm
