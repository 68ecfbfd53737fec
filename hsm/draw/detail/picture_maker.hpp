/// Converts a chart to boxes and arrows.
#pragma once

#include <hsm/draw/detail/labels.hpp>
#include <hsm/draw/detail/picture.hpp>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm::detail {

class picture_maker {
public:
    picture_maker(const chart_view& chart, const draw::options& how);

    picture run(const state_view& top);

private:
    /// An end of an arrow. If the box belongs to a superstate of the meant state, `within` is the meant state.
    struct end {
        std::uint32_t shape;
        state_view within;
    };

    shape& at(std::uint32_t s) { return picture_.shapes[s]; }
    std::uint32_t add(shape_kind kind, std::uint32_t within, std::string_view id);
    void add_state(const state_view& s);
    void add_begin(const state_view& s);
    void fold(const state_view& s, std::uint32_t into);
    std::string new_id(std::string_view from);

    void add_transition(const transition_view& t);
    bool is_hidden(const transition_view& t) const;
    void add_loop(const transition_view& t, std::uint32_t box, label l);
    void add_arrows(const transition_view& t, std::vector<end> sources, std::vector<end> targets, label l);
    void add_arrow(arrow a);
    void add_default(const state_view& s, std::uint32_t begin);
    end end_of(const state_view& s);
    std::uint32_t small(shape_kind kind, const state_view& s, std::uint32_t within, std::string_view word);
    std::uint32_t elsewhere(const state_view& s);
    std::uint32_t any(std::uint32_t box);
    std::uint32_t rechoose(std::uint32_t box);
    std::uint32_t common(std::uint32_t a, std::uint32_t b) const;
    std::uint32_t depth(std::uint32_t s) const;

    const chart_view chart_;
    const draw::options& how_;
    label_writer labels_;
    light_reader light_;
    picture picture_;
    std::vector<std::uint32_t> shape_of_;                                 ///< by state; its own, or the closed box around it; no_shape: not drawn
    std::vector<std::uint32_t> begin_;                                    ///< by state: the shape at which it begins, after the one of its history
    std::map<std::pair<std::uint32_t, shape_kind>, std::uint32_t> small_; ///< `any` and `rechoose` of a box, `elsewhere` of a state
    std::set<std::string> ids_;
    std::map<std::string, int> times_; ///< how often an id was requested again
};

} // namespace hsm::detail
