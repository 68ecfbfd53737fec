/// Loads a machine from an XML file again whenever the file changes, and gives attached machines the new chart.
///
///     hsm::reloader<monster> file(names, "monster.xml");
///     hsm::instance agent{file.chart(), body};
///     file.attach(agent);
///     ...
///     const auto seen = file.poll(); // once per frame, or less often
///     if (seen.status == hsm::reload_status::failed) std::puts(seen.errors.c_str());
///
/// A file with errors changes nothing. The registry must outlive the reloader. Attached machines can be moved and destroyed. Attach all machines of
/// the chart: the reloader does not keep old charts alive. Use a reloader and its machines in one thread. Available only if hsm was built with
/// pugixml.
#pragma once

#include <hsm/compile/compile.hpp>
#include <hsm/compile/definition_error.hpp>
#include <hsm/define/owned.hpp>
#include <hsm/load/xml.hpp>
#include <hsm/reload/reload_error.hpp>
#include <hsm/reload/reload_plan.hpp>
#include <hsm/run/actor.hpp>
#include <hsm/run/detail/first_exception.hpp>
#include <hsm/run/instance.hpp>

#include <string>
#include <utility>

namespace hsm {

template <class Context> class crowd;

enum class reload_status {
    unchanged, ///< the file has the same content
    reloaded,
    failed, ///< the file has errors, or the plan cannot be applied; poll tries again when the file changes
    busy,   ///< a hook of an attached machine runs; the next poll tries again
};

struct reload_result {
    reload_status status = reload_status::unchanged;
    std::string errors{};   ///< if the status is `failed`
    reload_report report{}; ///< if the status is `reloaded`
};

namespace detail {

/// The file and the machines of a reloader.
class watched_file {
public:
    explicit watched_file(std::string path);
    watched_file(watched_file&& other) noexcept;
    ~watched_file();

    const std::string& path() const { return path_; }
    /// Compares size and time of the file, then its content. If the content has changed, stores it in `text` and returns true. Throws load_error.
    bool read_changed(std::string& text, const load_options& limits);
    void forget(); ///< lets the next read_changed return true

    // These functions throw reload_error if the object has another chart.
    void attach(instance_base& machine, const chart_base& chart);
    void attach(crowd_base& crowd, const chart_base& chart);
    /// Applies the plan to all attached machines. Stores exceptions of observers and enter hooks in `first`.
    reload_report apply(const reload_plan& plan, first_exception& first);

private:
    struct state;
    std::string path_;
    owned<state> state_;
};

} // namespace detail

template <class Context> class reloader {
public:
    /// Loads the file. Throws load_error and definition_error.
    reloader(const registry<Context>& names, std::string path, const load_options& limits = {})
        : names_(std::addressof(names)), limits_(limits), file_(std::move(path)), chart_(load()) {}

    const hsm::chart<Context>& chart() const { return chart_; } ///< the chart of the latest content without errors
    // These functions throw reload_error: HSM-420 if the object has another chart; HSM-423 for an agent of a crowd.
    void attach(instance<Context>& machine) { file_.attach(machine, chart_); }
    void attach(actor<Context>& machine) { file_.attach(machine.machine(), chart_); }
    void attach(crowd<Context>& crowd) { file_.attach(static_cast<crowd_base&>(crowd), chart_); } ///< include <hsm/crowd/crowd.hpp>

    /// Loads the file again if it has changed, and applies a plan to all attached machines. All of them change, or none. `edit(plan)` can change the
    /// plan first. If poll throws, for example std::bad_alloc, the next poll tries again. Exceptions of observers and enter hooks are rethrown at the
    /// end.
    template <class Edit> reload_result poll(Edit edit) {
        detail::first_exception first;
        reload_result done{reload_status::reloaded};
        try {
            std::string text;
            if (!file_.read_changed(text, limits_)) return {};
            auto next = compile(load_xml_text(std::move(text), *names_, file_.path(), limits_));
            reload_plan plan(chart_, next);
            edit(plan);
            done.report = file_.apply(plan, first);
            if (done.report.outcome == result::busy) return file_.forget(), reload_result{reload_status::busy};
            chart_ = std::move(next);
        } catch (const load_error& e) {
            return {reload_status::failed, e.what()};
        } catch (const definition_error& e) {
            return {reload_status::failed, e.what()};
        } catch (const save_error& e) {
            return {reload_status::failed, e.what()};
        } catch (...) {
            file_.forget();
            throw;
        }
        first.rethrow();
        return done;
    }
    reload_result poll() {
        return poll([](reload_plan&) {});
    }

private:
    hsm::chart<Context> load() {
        std::string text;
        file_.read_changed(text, limits_);
        return compile(load_xml_text(std::move(text), *names_, file_.path(), limits_));
    }

    const registry<Context>* names_;
    load_options limits_;
    detail::watched_file file_;
    hsm::chart<Context> chart_;
};

} // namespace hsm
