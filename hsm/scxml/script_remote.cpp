#include <hsm/scxml/detail/ecmascript_model.hpp>
#include <hsm/scxml/detail/script_process.hpp>
#include <hsm/scxml/detail/script_wire.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace hsm::detail::scxml {

namespace {

/// The process's memory and code in addition to the scripts' heap.
constexpr std::size_t slack = std::size_t(64) << 20;
/// The size limit of a message for small heaps.
constexpr std::size_t smallest = std::size_t(1) << 20;

process_limits process_limits_of(const script_setting& setting, std::int64_t cpu_milliseconds) {
    const auto memory = setting.limits.memory;
    return {2 * memory + slack, 8 * memory + smallest, cpu_milliseconds, 20 * cpu_milliseconds + 10'000};
}

/// The model of a session whose scripts run in another process. After the process has ended, all calls fail.
class process_model final : public data_model {
public:
    process_model(const script_setting& setting, std::int64_t cpu_milliseconds, owned<model_callbacks> callbacks)
        : callbacks_(std::move(callbacks)),
          process_(process_limits_of(setting, cpu_milliseconds), [&](int connection) { serve_scripts(connection, setting); }) {}

    void set_system(const system_variables& all) override { (void)answer<bool>(wire_writer(message::set_system) << all); }
    failure declare(const data_element& d) override { return done(wire_writer(message::declare) << d); }
    failure initialise(const data_element& d) override { return done(wire_writer(message::initialise) << d); }
    failure initialise(const data_element& d, const value& given) override { return done(wire_writer(message::initialise_with) << d << given); }
    /// Sent with the next request, if there is one.
    void set_event(const event_info& event) override { event_ = event; }
    outcome<bool> test(const expression& condition) override { return found<bool>(wire_writer(message::test) << condition); }
    outcome<value> evaluate(const expression& e) override { return found<value>(wire_writer(message::evaluate) << e); }
    outcome<std::string> text(const expression& e) override { return found<std::string>(wire_writer(message::text) << e); }
    outcome<value> parse(std::string_view content) override { return found<value>(wire_writer(message::parse) << content); }
    failure assign(const expression& l, const expression& e) override { return done(wire_writer(message::assign) << l << e); }
    failure assign(const expression& l, std::string_view content) override { return done(wire_writer(message::assign_content) << l << content); }
    failure assign(const expression& l, const value& v) override { return done(wire_writer(message::assign_value) << l << v); }
    failure run(const expression& script) override { return done(wire_writer(message::run) << script); }
    failure iterate(const iteration& loop, iterated& body) override {
        struct running {
            running(iterated*& in, iterated& now) : where(in), outer(std::exchange(in, &now)) {}
            running(const running&) = delete;
            ~running() { where = outer; }
            iterated*& where;
            iterated* const outer;
        };
        const running this_body(body_, body);
        auto wrong = done(wire_writer(message::iterate) << loop);
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
        return wrong;
    }
    outcome<saved_data> save(const std::vector<std::string>& without) override { return found<saved_data>(wire_writer(message::save) << without); }
    failure restore(std::string_view json) override { return done(wire_writer(message::restore) << json); }

private:
    failure done(const wire_writer& out) {
        auto got = answer<failure>(out);
        return got.wrong ? got.wrong : got.result;
    }
    template <class T> outcome<T> found(const wire_writer& out) {
        auto got = answer<outcome<T>>(out);
        return got.wrong ? outcome<T>{{}, got.wrong} : got.result;
    }
    template <class T> outcome<T> answer(const wire_writer& out) {
        outcome<T> got;
        try {
            exchange(out) >> got.result;
        } catch (const wire_error& e) {
            process_.end();
            if (!ended_) ended_ = e; // otherwise it ended within a loop
            got = {{}, {ended_->what()}};
        } catch (...) { // usually out of memory; the two sides are no longer synchronized
            process_.end();
            if (!ended_) ended_ = interrupted_;
            throw;
        }
        return got;
    }

    wire_reader exchange(const wire_writer& out) {
        if (ended_) throw wire_error(*ended_);
        const script_process::turn turn(process_);
        if (event_) send(wire_writer(message::set_event) << *std::exchange(event_, {}));
        send(out);
        for (;;) {
            wire_reader in(process_.receive());
            if (auto* const left = callbacks_->steps()) *left = std::min(*left, in.steps_left()); // the process can only decrease the steps
            if (in.kind() == message::reply) return in;
            send(serve(in));
        }
    }

    void send(const wire_writer& out) {
        const auto* const left = callbacks_->steps();
        process_.send(out.bytes(left ? *left : INT64_MAX));
    }

    wire_writer serve(wire_reader& in) {
        wire_writer reply(message::reply);
        if (in.kind() == message::is_active) {
            std::string id;
            in >> id;
            return reply << callbacks_->is_active(id);
        }
        if (in.kind() == message::call) {
            std::string name;
            std::vector<value> arguments;
            in >> name >> arguments;
            return reply << callbacks_->call(name, arguments);
        }
        if (in.kind() == message::run_body && body_) {
            bool ends = true;
            try {
                ends = body_->run();
            } catch (...) { // the process must end its loop first
                thrown_ = std::current_exception();
            }
            return reply << ends;
        }
        throw wire_error("the process for scripts sent a forbidden request");
    }

    owned<model_callbacks> callbacks_;
    script_process process_;
    std::optional<event_info> event_; ///< not yet sent to the process
    iterated* body_ = nullptr;
    std::exception_ptr thrown_; ///< thrown by the body of a loop
    const wire_error interrupted_{"an exception in this program interrupted the exchange with the process for scripts; the process was ended"};
    std::optional<wire_error> ended_;
};

} // namespace

owned<data_model> make_process_model(const script_setting& setting, std::int64_t cpu_milliseconds, owned<model_callbacks> callbacks) {
    return owned<data_model>(new process_model(setting, cpu_milliseconds, std::move(callbacks)));
}

} // namespace hsm::detail::scxml
