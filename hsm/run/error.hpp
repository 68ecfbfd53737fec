/// The exceptions that a running machine throws itself. Exceptions of your hooks pass through unchanged.
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

/// HSM-201: a chain of transitions exceeded the chain limit. The instance rests in one of the states of the cycle; queued events stay.
class chain_error : public run_error {
public:
    using run_error::run_error;
};

/// HSM-202: a call named a state that the chart does not have. The instance is unchanged.
class state_error : public run_error {
public:
    using run_error::run_error;
};

/// HSM-203: there was no room to defer an event from a queue. The event is lost; everything else continues.
class queue_error : public run_error {
public:
    using run_error::run_error;
};

/// HSM-205 to HSM-207: a call needs an option that the machine was not created with, or a machine cannot be created with these arguments.
/// Nothing has changed.
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
