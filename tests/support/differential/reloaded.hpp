/// An instance that changes its chart before most inputs, and must continue in the same way: to a chart in which all states have other names and
/// back, or to an equal chart.
#pragma once

#include <hsm/reload/reload_plan.hpp>
#include <hsm/run/instance.hpp>
#include <hsm/save/image.hpp>
#include <tests/support/differential/build.hpp>
#include <tests/support/differential/test_context.hpp>

#include <memory>
#include <stdexcept>
#include <utility>

namespace differential {

/// Charts of a plan, and plans between them. Their prototypes do not count as living objects.
struct reload_charts {
    static plan renamed_of(plan p) {
        p.prefix = "t";
        return p;
    }
    struct uncounted {
        test_context* const call = std::exchange(in_call, nullptr);
        ~uncounted() { in_call = call; }
    };
    struct members {
        members(const hsm::chart<test_context>& chart, const plan& p)
            : renamed_plan(renamed_of(p)), first(chart), second(build(p)),
              renamed(build(renamed_plan)), exchange{hsm::reload_plan(first, second), hsm::reload_plan(second, first)},
              rename{hsm::reload_plan(first, renamed), hsm::reload_plan(second, renamed)}, rename_back{hsm::reload_plan(renamed, first),
                                                                                                       hsm::reload_plan(renamed, second)} {
            for (std::size_t s = 0; s < first.state_count(); ++s)
                for (int i = 0; i < 2; ++i) {
                    rename[i].map(first.state(s).path(), renamed.state(s).path());
                    rename_back[i].map(renamed.state(s).path(), first.state(s).path());
                }
        }

        const plan renamed_plan;
        const hsm::chart<test_context> first, second, renamed;
        hsm::reload_plan exchange[2], rename[2], rename_back[2];
    };

    reload_charts(const hsm::chart<test_context>& chart, const plan& p) {
        const uncounted all;
        charts_ = std::make_unique<members>(chart, p);
    }
    reload_charts(reload_charts&&) = default;
    ~reload_charts() {
        const uncounted all;
        charts_.reset();
    }

    std::unique_ptr<const members> charts_;
};

class reloaded_often : private reload_charts, public hsm::instance<test_context> {
public:
    reloaded_often(const hsm::chart<test_context>& chart, test_context& w, const hsm::instance_options& options)
        : reload_charts(chart, w.made_from), hsm::instance<test_context>(chart, w, options), test_context_(w),
          turn_(static_cast<int>(chart.state_count())) {}

    void next_input() {
        if (++turn_ % 4 == 0 || busy()) return;
        const auto image = hsm::save(*this);
        if (turn_ % 2 == 0) {
            apply(charts_->rename[is_second_]);
            apply(charts_->rename_back[is_second_]);
        } else {
            apply(charts_->exchange[is_second_]);
            is_second_ = !is_second_;
        }
        if (hsm::save(*this) != image) throw std::logic_error("a reload changes the image");
    }
    const hsm::chart_base& present_chart() const { return is_second_ ? charts_->second : charts_->first; }

private:
    void apply(const hsm::reload_plan& plan) {
        const auto was_alive = test_context_.alive;
        const auto report = [&] {
            try {
                return plan.apply(*this);
            } catch (const fault&) { // of a local's copy: nothing has changed
                if (test_context_.alive != was_alive) throw std::logic_error("half reloaded");
                const auto bits = std::exchange(test_context_.bits, 0);
                auto again = plan.apply(*this);
                test_context_.bits = bits;
                return again;
            }
        }();
        if (!report.changes.empty()) throw std::logic_error("a reload drops something: " + report.changes.front().to_string());
    }

    test_context& test_context_;
    int turn_;
    bool is_second_ = false;
};

} // namespace differential
