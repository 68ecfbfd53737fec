#include <hsm/scxml/detail/ecmascript_model.hpp>
#include <hsm/scxml/detail/script_wire.hpp>

#if __has_include(<sys/socket.h>) // otherwise there is no script process: script_process.cpp
#include <sys/socket.h>

#include <cerrno>
#include <tuple>

namespace hsm::detail::scxml {

namespace {

bool receive_all(int socket, char* to, std::size_t size) {
    while (size > 0) {
        const auto got = ::recv(socket, to, size, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        to += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

bool send_all(int socket, const char* from, std::size_t size) {
    while (size > 0) {
        const auto put = ::send(socket, from, size, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        from += put;
        size -= static_cast<std::size_t>(put);
    }
    return true;
}

/// The connection was closed.
struct hung_up {};

class server {
public:
    server(int socket, const script_setting& setting) : socket_(socket), model_(setting, owned<model_callbacks>(new callbacks(*this))) {}

    /// Serves requests until a reply arrives.
    wire_reader next_reply() {
        for (;;) {
            std::string bytes;
            if (!receive_frame(socket_, bytes)) throw hung_up();
            wire_reader in(std::move(bytes));
            steps_left_ = in.steps_left();
            if (in.kind() == message::reply) return in;
            if (in.kind() == message::set_event)
                set_event(in); // has no reply
            else
                send(serve(in));
        }
    }

private:
    struct callbacks final : model_callbacks {
        explicit callbacks(server& s) : by(s) {}
        bool is_active(std::string_view state_id) override {
            bool active = false;
            by.ask(wire_writer(message::is_active) << state_id) >> active;
            return active;
        }
        outcome<value> call(std::string_view function, const std::vector<value>& arguments) override {
            outcome<value> answer;
            by.ask(wire_writer(message::call) << function << arguments) >> answer;
            return answer;
        }
        std::int64_t* steps() override { return &by.steps_left_; }
        server& by;
    };
    struct body final : iterated {
        explicit body(server& s) : by(s) {}
        bool run() override {
            bool ended = true;
            by.ask(wire_writer(message::run_body)) >> ended;
            return ended;
        }
        server& by;
    };

    void send(const wire_writer& out) {
        if (!send_frame(socket_, out.bytes(steps_left_))) throw hung_up();
    }
    wire_reader ask(const wire_writer& out) {
        send(out);
        return next_reply();
    }

    template <class... A> auto with(wire_reader& in, auto f) {
        std::tuple<A...> given;
        std::apply([&](auto&... each) { (in >> ... >> each); }, given);
        return wire_writer(message::reply) << std::apply(f, given);
    }

    void set_event(wire_reader& in) {
        event_info event;
        in >> event;
        model_.set_event(event);
    }

    wire_writer serve(wire_reader& in) {
        switch (in.kind()) {
        case message::set_system: return with<system_variables>(in, [&](auto& s) { return model_.set_system(s), true; });
        case message::declare: return with<data_element>(in, [&](auto& d) { return model_.declare(d); });
        case message::initialise: return with<data_element>(in, [&](auto& d) { return model_.initialise(d); });
        case message::initialise_with: return with<data_element, value>(in, [&](auto& d, auto& v) { return model_.initialise(d, v); });
        case message::test: return with<expression>(in, [&](auto& e) { return model_.test(e); });
        case message::evaluate: return with<expression>(in, [&](auto& e) { return model_.evaluate(e); });
        case message::text: return with<expression>(in, [&](auto& e) { return model_.text(e); });
        case message::parse: return with<std::string>(in, [&](auto& t) { return model_.parse(t); });
        case message::assign: return with<expression, expression>(in, [&](auto& l, auto& e) { return model_.assign(l, e); });
        case message::assign_content:
            return with<expression, std::string>(in, [&](auto& l, auto& t) { return model_.assign(l, std::string_view(t)); });
        case message::assign_value: return with<expression, value>(in, [&](auto& l, auto& v) { return model_.assign(l, v); });
        case message::run: return with<expression>(in, [&](auto& e) { return model_.run(e); });
        case message::iterate:
            return with<iteration>(in, [&](auto& i) {
                body each(*this);
                return model_.iterate(i, each);
            });
        case message::save: return with<std::vector<std::string>>(in, [&](auto& without) { return model_.save(without); });
        case message::restore: return with<std::string>(in, [&](auto& t) { return model_.restore(t); });
        default: throw wire_error("not a request");
        }
    }

    int socket_;
    std::int64_t steps_left_ = 0;
    ecmascript_model model_;
};

} // namespace

std::string framed(std::string_view message) {
    std::string frame;
    for (unsigned i = 0; i < size_of_head; ++i) frame += static_cast<char>(message.size() >> 8 * i);
    return frame.append(message);
}

std::uint32_t size_in(const char (&head)[size_of_head]) {
    std::uint32_t size = 0;
    for (unsigned i = 0; i < size_of_head; ++i) size |= std::uint32_t(static_cast<unsigned char>(head[i])) << 8 * i;
    return size;
}

bool send_frame(int socket, std::string_view message) {
    const auto frame = framed(message);
    return send_all(socket, frame.data(), frame.size());
}

bool receive_frame(int socket, std::string& message) {
    char head[size_of_head];
    if (!receive_all(socket, head, sizeof head)) return false;
    message.resize(size_in(head));
    return receive_all(socket, message.data(), message.size());
}

void serve_scripts(int socket, const script_setting& setting) {
    try {
        server s(socket, setting);
        for (;;) (void)s.next_reply(); // an unexpected reply
    } catch (const hung_up&) {
    } catch (const std::exception&) { // out of memory: the other side detects the closed connection
    }
}

} // namespace hsm::detail::scxml

#else

namespace hsm::detail::scxml {

void serve_scripts(int, const script_setting&) {} // never called, but must be linked

} // namespace hsm::detail::scxml

#endif
