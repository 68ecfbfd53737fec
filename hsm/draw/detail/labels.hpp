/// What stands in the boxes and at the arrows of a drawing, as words.
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
    /// What a state does itself: hooks, locals, holds, deferrals and reactions.
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
    std::vector<std::vector<std::uint32_t>> rows_; ///< of a transition for several events: all of them, at the first
    std::vector<std::string> event_names_;
    std::vector<std::uint32_t> places_; ///< of a choice among those of its source, from 1; 0: it is the only one
};

/// "133.3 ms", for people.
std::string short_time(time_span time);

} // namespace hsm::detail
