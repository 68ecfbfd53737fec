/// What the benchmarked machines of this library have in common.
#pragma once

#include "bench.hpp"

#include <hsm/constant/constant_instance.hpp>
#include <hsm/hsm.hpp>

namespace bench {

inline constexpr hsm::instance_options without_queues{.internal_queue = 0, .posted_queue = 0};
inline constexpr hsm::compile_options without_times{.entry_times = false};

/// An instance, its chart and its context; `Event` is the enumeration of its events.
template <class Context, class Event> class machine {
public:
    explicit machine(hsm::chart<Context> chart, const hsm::instance_options& options = without_queues)
        : chart_(std::move(chart)), options_(options), agent_(chart_, context_, options) {}
    machine(const machine&) = delete;

    void start() { agent_.start(); }
    void process(std::uint8_t event) { agent_.process(static_cast<Event>(event)); }
    /// What it takes when it is made.
    std::size_t bytes() const {
        const bool queues_come_later = options_ == hsm::instance_options();
        return sizeof(agent_) +
               (queues_come_later ? hsm::instance_memory(chart_, without_queues).size + sizeof(void*) : hsm::instance_memory(chart_, options_).size);
    }

protected:
    hsm::instance<Context>& agent() { return agent_; }
    Context& context() { return context_; }

private:
    Context context_;
    hsm::chart<Context> chart_;
    hsm::instance_options options_;
    hsm::instance<Context> agent_;
};

/// "state7", for both kinds of charts.
class numbered {
public:
    constexpr numbered(std::string_view name, unsigned number) {
        for (const char c : name) text_[size_++] = c;
        unsigned place = 1;
        while (number / place >= 10) place *= 10;
        for (; place > 0; place /= 10) text_[size_++] = static_cast<char>('0' + number / place % 10);
    }
    constexpr operator std::string_view() const { return {text_, size_}; }
    operator std::string() const { return std::string(text_, size_); }

private:
    char text_[24] = {};
    std::size_t size_ = 0;
};

/// The same of a constant chart.
template <auto Chart, class Event> class constant_machine {
public:
    constant_machine() : agent_(context_) {}
    constant_machine(const constant_machine&) = delete;

    void start() { agent_.start(); }
    void process(std::uint8_t event) { agent_.process(static_cast<Event>(event)); }
    std::size_t bytes() const { return sizeof(agent_); }

protected:
    auto& agent() { return agent_; }
    auto& context() { return context_; }

private:
    typename decltype(Chart)::context_type context_;
    hsm::constant_instance<Chart> agent_;
};

} // namespace bench
