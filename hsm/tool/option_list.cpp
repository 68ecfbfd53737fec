#include <hsm/tool/detail/option_list.hpp>

namespace hsm::detail::tool {

option& option_list::choice(std::string names, std::string value, std::string& to, std::vector<std::string> choices, std::string help) {
    auto& o = add({std::move(names), std::move(value), std::move(help), &to});
    o.choices = std::move(choices);
    o.offers = completion::choices;
    return o;
}

option& option_list::format(bool& json) {
    json_ = &json;
    return choice("--format", "FORMAT", format_, {"text", "json"}, "text for people, or json for programs.");
}

void option_list::settle() {
    if (json_) *json_ = format_ == "json";
}

} // namespace hsm::detail::tool
