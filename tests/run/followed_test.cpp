#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/run/detail/followed.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <utility>
#include <vector>

namespace {

struct nothing {};

hsm::chart<nothing> make_chart() {
    auto root = hsm::make_fsm<nothing>("mob");
    root->add("idle");
    return hsm::compile(std::move(root));
}

/// Follows an object, and counts the calls of `gone`.
struct watcher {
    template <class T>
    explicit watcher(T& object)
        : follower(
              &object, [](void* self) noexcept { ++static_cast<watcher*>(self)->ends; }, this) {}
    int ends = 0;
    hsm::detail::follower follower;
};

TEST_CASE("a follower finds an instance that was moved, until the instance is destroyed") {
    const auto chart = make_chart();
    nothing context;
    std::optional<hsm::instance<nothing>> first(std::in_place, chart, context);
    const watcher seen(static_cast<hsm::instance_base&>(*first));
    hsm::instance second(std::move(*first));
    CHECK(seen.follower.get() == &second);
    first.reset();
    CHECK(seen.follower.get() == &second);
    CHECK(seen.ends == 0);
    { const auto third = std::move(second); }
    CHECK(seen.follower.get() == nullptr);
    CHECK(seen.ends == 1);
}

TEST_CASE("erasing an actor from a vector ends its followers; followers of later actors still find them") {
    const auto chart = make_chart();
    std::vector<hsm::actor<nothing>> wave;
    for (int i = 0; i < 3; ++i) wave.emplace_back(chart);
    const watcher first(wave[0].machine()), last(wave[2].machine());
    wave.erase(wave.begin());
    CHECK(first.follower.get() == nullptr);
    CHECK(last.follower.get() == &wave[1].machine());
}

TEST_CASE("a follower finds a crowd and a manager that were moved, until they are destroyed or replaced") {
    const auto chart = make_chart();
    const auto check = [](auto make) {
        auto object = make();
        const watcher seen(object);
        auto other = std::move(object);
        CHECK(seen.follower.get() == &other);
        other = make();
        CHECK(seen.follower.get() == nullptr);
        CHECK(seen.ends == 1);
    };
    check([&] { return hsm::crowd<nothing>(chart); });
    check([] { return hsm::manager(); });
}

TEST_CASE("two followers of one object are independent") {
    const auto chart = make_chart();
    nothing context;
    hsm::instance<nothing> agent(chart, context);
    const watcher one(agent);
    {
        const watcher two(agent);
        auto moved = std::move(agent);
        CHECK(two.follower.get() == &moved);
    }
    CHECK(one.ends == 1);
}

} // namespace
