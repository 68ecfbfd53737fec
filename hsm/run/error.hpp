/// The exceptions that a running machine itself throws. Exceptions of your hooks pass through unchanged.
#pragma once

#include <hsm/chart/finding.hpp>

#include <exception>
#include <string>

namespace hsm {

class run_error : public std::exception {
public:
    explicit run_error(hsm::finding f) : finding_(std::move(f)), text_(finding_.to_string()) {}
    const char* what() const noexcept override { return text_.c_str(); }
    hsm::code number() const { return finding_.code; }
    const hsm::finding& report() const { return finding_; }

private:
    hsm::finding finding_;
    std::string text_;
};

/// HSM-201: a chain of transitions exceeded the chain limit; the message names the cycle. The instance stays in one of the states of the cycle.
/// Queued events stay in their queues.
class chain_error : public run_error {
public:
    using run_error::run_error;
};

/// HSM-202: a call named a state that the chart does not have. The instance is unchanged.
class state_error : public run_error {
public:
    using run_error::run_error;
};

/// HSM-203: a queued event could not be deferred, or the internal queue had no room for an event that the machine raises. The event is lost.
class queue_error : public run_error {
public:
    using run_error::run_error;
};

/// HSM-205 to HSM-209: a call has invalid arguments, is made in a guard, or needs an option that the machine was not created with. Nothing has
/// changed.
class usage_error : public run_error {
public:
    using run_error::run_error;
};

/// HSM-204: a call named a condition that the chart does not have, or tried to change bit 0. The instance is unchanged.
class condition_error : public run_error {
public:
    using run_error::run_error;
};

} // namespace hsm
