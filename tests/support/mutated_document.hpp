/// Documents with random changes that are still well-formed: a reader must reject or understand them after parsing.
#pragma once

#include <hsm/save/detail/datum.hpp>

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
    using datum = hsm::detail::datum;

    document_mutator(datum& root, Random& random) : random_(random) { collect(root); }

    /// Call it once for each mutator, because it stores the nodes of the original document.
    void mutate() {
        datum& at = *nodes_[below(nodes_.size())];
        switch (below(8)) {
        case 0: at = datum(*nodes_[below(nodes_.size())]); break; // a copy, because one may be inside the other
        case 1: at = of_another_kind(); break;
        default: change(at);
        }
    }

private:
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_()) % std::max<std::size_t>(count, 1); }

    void collect(datum& d) {
        nodes_.push_back(&d);
        if (d.kind == datum::text) texts_.push_back(d.string);
        for (auto& each : d.items) collect(each);
        for (auto& [name, value] : d.fields) {
            texts_.push_back(name);
            collect(value);
        }
    }
    std::string some_text() { return texts_.empty() ? std::string() : texts_[below(texts_.size())]; }

    datum of_another_kind() {
        const datum kinds[] = {
            {}, datum::of(true), datum::of(std::int64_t(0)), datum::of(0.5), datum::of("x"), datum::empty_list(), datum::empty_object()};
        return kinds[below(std::size(kinds))];
    }

    void change(datum& at) {
        switch (at.kind) {
        case datum::nothing: at = of_another_kind(); break;
        case datum::boolean: at.number = !at.number; break;
        case datum::integer:
        case datum::natural:
        case datum::real: at = another_number(at); break;
        case datum::text: at.string = below(4) == 0 ? at.string + "x" : some_text(); break;
        case datum::list: change_list(at.items); break;
        case datum::object: change_fields(at.fields); break;
        }
    }
    datum another_number(const datum& was) {
        const auto near = static_cast<std::uint64_t>(was.number) + below(5) - 2;
        const datum numbers[] = {datum::of(static_cast<std::int64_t>(near)),
                                 datum::of(std::int64_t(0)),
                                 datum::of(std::int64_t(-1)),
                                 datum::of(INT64_MIN),
                                 datum::of(INT64_MAX),
                                 datum::of(INT64_MAX - 1),
                                 datum::of(UINT64_MAX),
                                 datum::of(1e308),
                                 datum::of(-was.fraction),
                                 datum::of(std::int64_t(1) << below(63))};
        return numbers[below(std::size(numbers))];
    }
    void change_list(std::vector<datum>& items) {
        if (items.empty()) return items.push_back(datum(*nodes_[below(nodes_.size())]));
        const auto one = below(items.size()), other = below(items.size());
        switch (below(3)) {
        case 0: items.erase(items.begin() + static_cast<std::ptrdiff_t>(one)); break;
        case 1: items.push_back(datum(items[one])); break;
        default: std::swap(items[one], items[other]);
        }
    }
    void change_fields(std::vector<datum::field>& fields) {
        const auto is_there = [&](const std::string& name) { return std::ranges::find(fields, name, &datum::field::first) != fields.end(); };
        auto name = some_text();
        while (is_there(name)) name += 'x';
        if (fields.empty()) return fields.push_back({name, of_another_kind()});
        const auto one = below(fields.size()), other = below(fields.size());
        switch (below(4)) {
        case 0: fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(one)); break;
        case 1: fields[one].first = name; break;
        case 2: fields.push_back({name, datum(fields[one].second)}); break;
        default: std::swap(fields[one].second, fields[other].second);
        }
    }

    Random& random_;
    std::vector<datum*> nodes_;
    std::vector<std::string> texts_;
};

/// Returns `document`, changed in one to three places.
template <class Random> hsm::detail::datum mutated(hsm::detail::datum document, Random& random) {
    for (auto n = 1 + random() % 3; n > 0; --n) document_mutator(document, random).mutate();
    return document;
}

} // namespace test
