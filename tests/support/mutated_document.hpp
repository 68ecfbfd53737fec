/// Documents with random changes that are still well-formed: a reader must reject or understand them after parsing.
#pragma once

#include <hsm/save/detail/json_value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace test {

/// `Random` is a generator such as std::minstd_rand. Equal random numbers result in equal changes.
template <class Random> class document_mutator {
public:
    using json_value = hsm::detail::json_value;

    document_mutator(json_value& root, Random& random) : random_(random) { collect(root); }

    /// Call it once for each mutator, because it stores the nodes of the original document.
    void mutate() {
        json_value& at = *nodes_[below(nodes_.size())];
        switch (below(8)) {
        case 0: at = json_value(*nodes_[below(nodes_.size())]); break; // a copy, because one may be inside the other
        case 1: at = of_another_kind(); break;
        default: change(at);
        }
    }

private:
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_()) % std::max<std::size_t>(count, 1); }

    void collect(json_value& d) {
        nodes_.push_back(&d);
        if (d.kind == json_value::text) texts_.push_back(d.string);
        for (auto& each : d.items) collect(each);
        for (auto& [name, value] : d.fields) {
            texts_.push_back(name);
            collect(value);
        }
    }
    std::string some_text() { return texts_.empty() ? std::string() : texts_[below(texts_.size())]; }

    json_value of_another_kind() {
        const json_value kinds[] = {{},
                                    json_value::of(true),
                                    json_value::of(std::int64_t(0)),
                                    json_value::of(0.5),
                                    json_value::of("x"),
                                    json_value::empty_list(),
                                    json_value::empty_object()};
        return kinds[below(std::size(kinds))];
    }

    void change(json_value& at) {
        switch (at.kind) {
        case json_value::nothing: at = of_another_kind(); break;
        case json_value::boolean: at.number = !at.number; break;
        case json_value::integer:
        case json_value::natural:
        case json_value::real: at = another_number(at); break;
        case json_value::text: at.string = below(4) == 0 ? at.string + "x" : some_text(); break;
        case json_value::list: change_list(at.items); break;
        case json_value::object: change_fields(at.fields); break;
        }
    }
    json_value another_number(const json_value& was) {
        const auto near = static_cast<std::uint64_t>(was.number) + below(5) - 2;
        const json_value numbers[] = {json_value::of(static_cast<std::int64_t>(near)),
                                      json_value::of(std::int64_t(0)),
                                      json_value::of(std::int64_t(-1)),
                                      json_value::of(INT64_MIN),
                                      json_value::of(INT64_MAX),
                                      json_value::of(INT64_MAX - 1),
                                      json_value::of(UINT64_MAX),
                                      json_value::of(1e308),
                                      json_value::of(-was.fraction),
                                      json_value::of(std::int64_t(1) << below(63))};
        return numbers[below(std::size(numbers))];
    }
    void change_list(std::vector<json_value>& items) {
        if (items.empty()) return items.push_back(json_value(*nodes_[below(nodes_.size())]));
        const auto one = below(items.size()), other = below(items.size());
        switch (below(3)) {
        case 0: items.erase(items.begin() + static_cast<std::ptrdiff_t>(one)); break;
        case 1: items.push_back(json_value(items[one])); break;
        default: std::swap(items[one], items[other]);
        }
    }
    void change_fields(std::vector<json_value::field>& fields) {
        const auto is_there = [&](const std::string& name) { return std::ranges::find(fields, name, &json_value::field::first) != fields.end(); };
        auto name = some_text();
        while (is_there(name)) name += 'x';
        if (fields.empty()) return fields.push_back({name, of_another_kind()});
        const auto one = below(fields.size()), other = below(fields.size());
        switch (below(4)) {
        case 0: fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(one)); break;
        case 1: fields[one].first = name; break;
        case 2: fields.push_back({name, json_value(fields[one].second)}); break;
        default: std::swap(fields[one].second, fields[other].second);
        }
    }

    Random& random_;
    std::vector<json_value*> nodes_;
    std::vector<std::string> texts_;
};

/// Returns `document`, changed in one to three places.
template <class Random> hsm::detail::json_value mutated(hsm::detail::json_value document, Random& random) {
    for (auto n = 1 + random() % 3; n > 0; --n) document_mutator(document, random).mutate();
    return document;
}

} // namespace test
