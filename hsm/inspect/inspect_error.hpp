/// The exception that pages throw.
#pragma once

#include <hsm/chart/finding.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace hsm::inspect {

/// The errors HSM-401 to HSM-407. The program can continue without the page, or without the machine that could not be listed.
class inspect_error : public std::runtime_error {
public:
    inspect_error(hsm::code what, std::string problem, std::string hint) : inspect_error(finding{what, {}, std::move(problem), std::move(hint)}) {}

    hsm::code number() const { return finding_.code; }
    const std::string& problem() const { return finding_.problem; }
    const std::string& hint() const { return finding_.hint; }
    const finding& report() const { return finding_; }

private:
    explicit inspect_error(finding f) : std::runtime_error(f.to_string()), finding_(std::move(f)) {}

    finding finding_;
};

} // namespace hsm::inspect
