/// The texts in boxes and at arrows.
#pragma once

#include <hsm/draw/detail/picture.hpp>

#include <map>
#include <string>
#include <vector>

namespace hsm::detail {

class label_writer {
public:
    label_writer(const chart_view& chart, const draw::options& how);

    label of(const transition_view& t) const;
    /// Returns the lines in the box of a state: hooks, locals, holds, deferrals and reactions.
    std::vector<std::string> lines(const state_view& s) const;
    draw::options const& how() const { return how_; }

private:
    std::string events(const transition_view& t) const;
    std::string trigger(const transition_view& t) const;
    std::string guard(const transition_view& t) const;
    std::string action(const transition_view& t) const;
    std::string more(const transition_view& t) const;
    std::string reaction(const transition_view& t) const;
    void add_hooks(const state_view& s, std::vector<std::string>& to) const;
    void add_holds(const state_view& s, std::vector<std::string>& to) const;
    std::string located(std::string_view text, const file_position& where) const;
    template <class Hook> std::string hook_text(const Hook& h) const;

    const draw::options& how_;
    std::vector<std::vector<std::uint32_t>> rows_; ///< for a transition with several events: all of its rows, at the first one
    std::vector<std::string> event_names_;
    std::vector<std::uint32_t> places_; ///< the place of a choice among those of its source, from 1; 0: there are no others
};

/// Returns a readable time: "133.3 ms".
std::string short_time(time_span time);

} // namespace hsm::detail
