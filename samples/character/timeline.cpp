#include <samples/character/timeline.hpp>

#include <string_view>

void timeline::watch(hsm::fsm<character>& root) {
    watch_tree(root);
    root.on_change([this](hsm::state_ref from, hsm::state_ref to, hsm::reason why) { changed(from, to, why); });
}

/// Each context in the definition has its own type of states.
void timeline::watch_tree(hsm::state_base& node) {
    const auto number = accounts_.size(); // preorder, as in the chart
    accounts_.push_back({&node});
    if (auto* state = dynamic_cast<hsm::state<character>*>(&node)) watch_state(*state, number);
    if (auto* state = dynamic_cast<hsm::state<bow>*>(&node)) watch_state(*state, number);
    for (const auto& substate : node.substates()) watch_tree(*substate);
}

template <class Context> void timeline::watch_state(hsm::state<Context>& state, std::size_t number) {
    state.on_enter([this, number] {
        auto& a = accounts_[number];
        ++a.entries;
        a.entered_at = frame_;
    });
    state.on_exit([this, number] {
        auto& a = accounts_[number];
        ++a.exits;
        a.frames += frame_ - a.entered_at;
    });
}

void timeline::changed(hsm::state_ref from, hsm::state_ref to, hsm::reason why) {
    if (from != leaf_) ++gaps_;
    add_leaf_time();
    leaf_ = to;
    changes_.push_back({frame_, from, to, why});
}

void timeline::add_leaf_time() {
    if (leaf_) accounts_[leaf_.get()->number()].frames_as_leaf += frame_ - leaf_since_;
    leaf_since_ = frame_;
}

std::vector<std::string> timeline::never_visited() const {
    std::vector<std::string> paths;
    for (const auto& a : accounts_)
        if (a.entries == 0 && a.state->kind() != hsm::state_kind::history) paths.push_back(short_path(*a.state));
    return paths;
}

std::vector<std::string> timeline::contradictions() const {
    std::vector<std::string> found;
    if (gaps_ > 0)
        found.push_back(std::to_string(gaps_) +
                        " changes do not begin in the state in which the previous change ended");
    for (const auto& a : accounts_) {
        const auto says = [&](std::string_view what, std::size_t one, std::size_t other) {
            if (one == other) return;
            found.push_back(a.state->path() + ": " + std::string(what) + ": " + std::to_string(one) + " and " +
                            std::to_string(other));
        };
        says("entries and exits", a.entries, a.exits);
        says("frames in the state, and frames in its leaves", a.frames, leaf_frames_below(*a.state));
    }
    if (accounts_.front().frames != frame_) found.push_back("the root was not active all the time");
    return found;
}

std::size_t timeline::leaf_frames_below(const hsm::state_base& state) const {
    auto sum = accounts_[state.number()].frames_as_leaf;
    for (const auto& substate : state.substates()) sum += leaf_frames_below(*substate);
    return sum;
}

std::string short_path(hsm::state_ref state) {
    const auto path = state.path();
    const auto slash = path.find('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}
