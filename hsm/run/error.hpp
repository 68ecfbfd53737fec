/// What a running machine throws by itself. (What a user's hook throws passes through unchanged.)
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

/// HSM-201: transitions that follow from each other did not come to an end. The instance rests in one of the states of
/// the cycle; queues are kept.
class chain_error : public run_error {
public:
    using run_error::run_error;
};

/// HSM-202: a call named a state that the chart does not have. Nothing has changed.
class state_error : public run_error {
public:
    using run_error::run_error;
};

/// HSM-203: an event out of a queue was to be deferred, and there was no room for it. It is lost; everything else goes on.
class queue_error : public run_error {
public:
    using run_error::run_error;
};

/// HSM-205 to HSM-207: a call for something that was not asked for when the machine was made, or a machine that cannot be made so. Nothing
/// has changed.
class usage_error : public run_error {
public:
    using run_error::run_error;
};

/// HSM-204: a call named a condition that the chart does not have, or bit 0, which is not to be set. Nothing has changed.
class condition_error : public run_error {
public:
    using run_error::run_error;
};

} // namespace hsm
