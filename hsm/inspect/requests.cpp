#include <hsm/inspect/detail/requests.hpp>

#include <hsm/op/detail/format.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>

namespace hsm::inspect::detail {

namespace {

using json = nlohmann::json;

/// Reads the members of a JSON object, and reports the first one that has another type or range than expected.
class members {
public:
    members(const json& object, std::string& problem) : object_(object), problem_(problem) {}

    bool good() const { return problem_.empty(); }
    bool has(const char* name) const { return object_.contains(name) && !object_[name].is_null(); }
    void fail(const char* name, std::string_view expected) {
        if (problem_.empty()) problem_ = fmt::format("\"{}\" must be {}", name, expected);
    }

    template <class T> void read(const char* name, T& to, bool is_required = true) {
        if (!has(name)) return is_required ? fail(name, expected<T>()) : void();
        if (!fits<T>(object_[name])) return fail(name, expected<T>());
        object_[name].get_to(to);
    }
    template <class T> void read(const char* name, std::optional<T>& to, bool is_required = false) {
        if (is_required || has(name)) read(name, to.emplace());
    }
    /// Reads one of several names as an enumerator.
    template <class Enum, std::size_t N> void read(const char* name, Enum& to, const std::array<std::string_view, N>& names) {
        std::string text;
        read(name, text);
        const auto at = std::find(names.begin(), names.end(), text);
        if (at == names.end()) return fail(name, fmt::format("one of: {}", hsm::detail::joined(names, ", ")));
        to = static_cast<Enum>(at - names.begin());
    }

private:
    template <class T> static bool fits(const json& value) {
        if constexpr (std::is_same_v<T, std::string>)
            return value.is_string();
        else if constexpr (std::is_same_v<T, bool>)
            return value.is_boolean();
        else if constexpr (std::is_same_v<T, double>)
            return value.is_number();
        else
            return value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<T>::max();
    }
    template <class T> static std::string_view expected() {
        if (std::is_same_v<T, std::string>) return "a text";
        if (std::is_same_v<T, bool>) return "true or false";
        return std::is_same_v<T, double> ? "a number" : "a number that is not negative";
    }

    const json& object_;
    std::string& problem_;
};

/// Reads a body with read(members&). Returns nothing for an invalid body, and sets `problem`.
template <class Read> auto read_body(std::string_view body, std::string& problem, Read read) {
    problem.clear();
    const auto object = json::parse(body, nullptr, false);
    if (!object.is_object()) problem = "the body must be a JSON object";
    members from(object, problem);
    auto out = from.good() ? read(from) : decltype(read(from))();
    return from.good() ? std::optional(std::move(out)) : std::nullopt;
}

/// Reads the members that a command uses.
void read_fields(members& from, command& to) {
    const auto is = [&](auto... verbs) { return ((to.verb == verbs) || ...); };
    if (is(verb::open, verb::close)) from.fail("verb", "a command; to open or close a machine, post to /api/open or /api/close");
    if (is(verb::explain)) from.read("of", to.of, explained_names);
    from.read("event", to.event, is(verb::process, verb::post) || (is(verb::explain) && to.of == explained::event));
    from.read("data", to.data);
    from.read("state", to.state, is(verb::change_to, verb::force_to) || (is(verb::explain) && to.of == explained::state));
    from.read("condition", to.condition, is(verb::set, verb::clear, verb::pulse));
    from.read("most", to.most, false);
    to.most = std::min(to.most, std::uint32_t(1000));
    from.read("index", to.index, is(verb::agent));
    from.read("generation", to.generation, is(verb::agent));
    from.read("ticks", to.ticks, false);
    from.read("factor", to.factor, is(verb::scale));
    from.read("document", to.document, is(verb::load));
    from.read("on", to.on, is(verb::record));
    if (!is(verb::break_) && (!is(verb::unbreak) || from.has("all"))) return;
    auto& place = to.place.emplace();
    from.read("at", place.at, break_kind_names);
    if (place.at != break_kind::error) from.read("number", place.number);
}

} // namespace

std::optional<command> read_command(std::string_view body, std::string& problem) {
    return read_body(body, problem, [](members& from) {
        command out;
        from.read("id", out.machine);
        from.read("viewer", out.viewer, false);
        from.read("verb", out.verb, verb_names);
        if (from.good()) read_fields(from, out);
        return out;
    });
}

std::optional<viewer_request> read_viewer_request(std::string_view body, std::string& problem) {
    return read_body(body, problem, [](members& from) {
        viewer_request out;
        from.read("viewer", out.viewer);
        from.read("id", out.machine);
        return out;
    });
}

std::string text_of(std::uint64_t number, const command_result& result) {
    json out = {{"number", number}};
    if (!result.message.empty()) {
        out["error"] = {{"code", result.code}, {"message", result.message}, {"hint", result.hint}};
        return text_of(out);
    }
    out["outcome"] = result.outcome;
    if (!result.text.empty()) out["text"] = result.text;
    if (!result.candidates.empty()) {
        for (const auto& c : result.candidates)
            out["candidates"].push_back({{"transition", c.transition}, {"taken", c.taken}, {"obstacles", c.obstacles}});
    }
    if (result.agents) {
        out["agents"] = json::array();
        for (const auto& a : *result.agents) out["agents"].push_back({a.index, a.generation, a.leaf == record::no_state ? json() : json(a.leaf)});
    }
    if (result.document) out["document"] = *result.document;
    if (result.machine != no_machine) out["machine"] = result.machine;
    return text_of(out);
}

std::string error_text(std::string_view code, std::string_view message, std::string_view hint) {
    return text_of(json{{"error", {{"code", std::string(code)}, {"message", std::string(message)}, {"hint", std::string(hint)}}}});
}

gate::gate(std::string host, std::uint16_t port, std::string token, bool open_reading)
    : host_(std::move(host)), port_(fmt::format("{}", port)), token_(std::move(token)), open_reading_(open_reading) {}

bool rate_limit::admits(std::chrono::steady_clock::time_point now) {
    const std::lock_guard lock(mutex_);
    left_ = std::min(most, left_ + most * std::chrono::duration<double>(now - last_).count());
    last_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
}

refusal gate::admit(const request_head& request, std::chrono::steady_clock::time_point now) {
    const auto no = check(request);
    return (no ? refused_rate_ : rate_).admits(now) ? no : refusal{429, "too many requests", "wait for a second"};
}

bool gate::is_own_name(std::string_view host) const {
    const auto colon = host.rfind(':');
    if (colon == host.npos || host.substr(colon + 1) != port_) return false;
    const auto name = host.substr(0, colon);
    if (name == host_ || (is_loopback(host_) && is_loopback(name))) return true;
    // The server listens on all addresses. Attacks by DNS rebinding need a host name, not a numeric address. There are host names of only the letters
    // a to f, so letters are accepted only in brackets.
    const auto digits = name.starts_with('[') && name.ends_with(']') ? "0123456789.:abcdef[]" : "0123456789.";
    return (host_ == "0.0.0.0" || host_ == "[::]") && !name.empty() && name.find_first_not_of(digits) == name.npos;
}

bool gate::is_token(std::string_view given) const {
    if (given.size() != token_.size()) return false;
    unsigned different = 0;
    for (std::size_t i = 0; i < token_.size(); ++i) different |= static_cast<unsigned char>(given[i] ^ token_[i]);
    return different == 0;
}

refusal gate::check(const request_head& request) const {
    if (!is_own_name(request.host)) return {403, "the request names another server", "open the URL that the program printed"};
    constexpr std::string_view scheme = "http://";
    if (!request.origin.empty() && (!request.origin.starts_with(scheme) || !is_own_name(request.origin.substr(scheme.size()))))
        return {403, "the request comes from another web site", "open the URL that the program printed"};
    if (request.fetch_site == "cross-site") return {403, "the request comes from another web site", "open the URL that the program printed"};
    const bool reads = request.method == "GET" || request.path == "/api/open" || request.path == "/api/close";
    if (!reads && request.method != "POST") return {405, "only GET and POST are answered", ""};
    if (!request.path.starts_with("/api/")) return reads ? refusal() : refusal{405, "only paths in /api/ accept POST", ""};
    if (is_token(request.token)) return {};
    if (!request.token.empty()) return {401, "wrong token", "open the URL that the program printed; a new run has a new token"};
    // A command without a token is refused when its verb is known: some verbs only read.
    if (open_reading_) return {};
    return {401, "the token is missing", "open the URL that the program printed, with the part after #"};
}

bool is_loopback(std::string_view host) { return host == "127.0.0.1" || host == "localhost" || host == "::1" || host == "[::1]"; }

std::string random_token() {
    std::random_device source;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", source(), source(), source(), source());
}

} // namespace hsm::inspect::detail
