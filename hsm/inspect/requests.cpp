#include <hsm/inspect/detail/requests.hpp>

#include <hsm/inspect/detail/texts.hpp>
#include <hsm/op/detail/format.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <concepts>
#include <limits>

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

    template <std::unsigned_integral N> void read(const char* name, N& to, bool is_required = true) {
        if (!has(name)) {
            if (is_required) fail(name, "a number");
            return;
        }
        const auto& value = object_[name];
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<N>::max())
            return fail(name, "a number that is not negative");
        to = value.get<N>();
    }
    void read(const char* name, double& to) {
        if (!has(name) || !object_[name].is_number()) return fail(name, "a number");
        to = object_[name].get<double>();
    }
    void read(const char* name, bool& to) {
        if (!has(name) || !object_[name].is_boolean()) return fail(name, "true or false");
        to = object_[name].get<bool>();
    }
    void read(const char* name, std::string& to) {
        if (!has(name) || !object_[name].is_string()) return fail(name, "a text");
        to = object_[name].get<std::string>();
    }
    void read(const char* name, std::optional<std::string>& to) {
        if (!has(name)) return;
        read(name, to.emplace());
    }
    void read(const char* name, std::optional<std::uint32_t>& to) {
        if (!has(name)) return;
        read(name, to.emplace());
    }
    /// Reads one of several names as an enumerator.
    template <class Enum, std::size_t N> void read(const char* name, Enum& to, const std::array<std::string_view, N>& names) {
        std::string text;
        read(name, text);
        const auto at = std::find(names.begin(), names.end(), text);
        if (at == names.end()) return fail(name, fmt::format("one of: {}", fmt::join(names, ", ")));
        to = static_cast<Enum>(at - names.begin());
    }

private:
    const json& object_;
    std::string& problem_;
};

json parsed(std::string_view body, std::string& problem) {
    auto out = json::parse(body, nullptr, false);
    if (!out.is_object()) problem = "the body must be a JSON object";
    return out;
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
    case verb::close: from.fail("verb", "a command; /api/open and /api/close open and close machines"); break;
    }
}

} // namespace

std::optional<command> read_command(std::string_view body, std::string& problem) {
    problem.clear();
    const auto object = parsed(body, problem);
    if (!problem.empty()) return {};
    command out;
    members from(object, problem);
    from.read("id", out.machine);
    from.read("viewer", out.viewer, false);
    from.read("verb", out.verb, verb_names);
    if (from.good()) read_fields(from, out);
    return from.good() ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<viewer_request> read_viewer_request(std::string_view body, std::string& problem) {
    problem.clear();
    const auto object = parsed(body, problem);
    if (!problem.empty()) return {};
    viewer_request out;
    members from(object, problem);
    from.read("viewer", out.viewer);
    from.read("id", out.machine);
    return from.good() ? std::optional(out) : std::nullopt;
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
