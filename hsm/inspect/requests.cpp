#include <hsm/inspect/detail/requests.hpp>

#include <hsm/op/detail/format.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>

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
    template <class T> void read(const char* name, std::optional<T>& to) {
        if (has(name)) read(name, to.emplace());
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

void read_place(members& from, command& to) {
    break_place place;
    from.read("at", place.at, break_kind_names);
    if (place.at != break_kind::error) from.read("number", place.number);
    to.place = place;
}

void read_fields(members& from, command& to) {
    switch (to.verb) {
    case verb::explain:
        from.read("of", to.of, explained_names);
        if (to.of == explained::event) from.read("event", to.event), from.read("data", to.data);
        if (to.of == explained::state) from.read("state", to.state.emplace());
        break;
    case verb::agents:
        from.read("state", to.state);
        from.read("most", to.most, false);
        to.most = std::min(to.most, std::uint32_t(1000));
        break;
    case verb::agent:
        from.read("index", to.index);
        from.read("generation", to.generation);
        break;
    case verb::process:
    case verb::post:
        from.read("event", to.event);
        from.read("data", to.data);
        break;
    case verb::set:
    case verb::clear:
    case verb::pulse: from.read("condition", to.condition); break;
    case verb::change_to:
    case verb::force_to: from.read("state", to.state.emplace()); break;
    case verb::step: from.read("ticks", to.ticks, false); break;
    case verb::scale: from.read("factor", to.factor); break;
    case verb::break_: read_place(from, to); break;
    case verb::unbreak:
        if (!from.has("all")) read_place(from, to);
        break;
    case verb::load: from.read("document", to.document); break;
    case verb::record: from.read("on", to.on); break;
    case verb::save:
    case verb::start:
    case verb::stop:
    case verb::restart:
    case verb::pause:
    case verb::continue_:
    case verb::close_agent: break;
    case verb::open:
    case verb::close: from.fail("verb", "a command; to open or close a machine, post to /api/open or /api/close"); break;
    }
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

} // namespace hsm::inspect::detail
