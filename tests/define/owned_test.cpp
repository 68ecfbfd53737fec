// A move-only owner of one heap object.

#include <hsm/define/owned.hpp>

#include <doctest/doctest.h>

#include <type_traits>
#include <utility>

namespace {

struct base {
    explicit base(int n) : value(n) { ++alive; }
    virtual ~base() { --alive; }
    base(const base&) = delete;
    int value;
    static inline int alive = 0;
};
struct derived : base {
    derived(int a, int b) : base(a + b) {}
};

} // namespace

TEST_CASE("owned deletes its object once") {
    {
        const auto one = hsm::make_owned<base>(3);
        CHECK(one);
        CHECK(one->value == 3);
        CHECK((*one).value == 3);
        CHECK(one.get()->value == 3);
        CHECK(base::alive == 1);
    }
    CHECK(base::alive == 0);
    const hsm::owned<base> none;
    CHECK_FALSE(none);
    CHECK(none.get() == nullptr);
}

TEST_CASE("owned can be moved but not copied; a moved-from owned is empty") {
    static_assert(!std::is_copy_constructible_v<hsm::owned<base>> && !std::is_copy_assignable_v<hsm::owned<base>>);
    static_assert(std::is_nothrow_move_constructible_v<hsm::owned<base>> && std::is_nothrow_move_assignable_v<hsm::owned<base>>);
    auto one = hsm::make_owned<base>(1);
    auto two = std::move(one);
    CHECK_FALSE(one);
    CHECK(two->value == 1);
    one = hsm::make_owned<base>(2);
    two = std::move(one);
    CHECK(two->value == 2);
    CHECK(base::alive == 1);
    auto& same = two;
    two = std::move(same);
    CHECK(two);
    CHECK(two->value == 2);
    two = {};
    CHECK(base::alive == 0);
}

TEST_CASE("an owner of a derived object converts to an owner of its base, but not the reverse") {
    static_assert(std::is_convertible_v<hsm::owned<derived>, hsm::owned<base>>);
    static_assert(!std::is_convertible_v<hsm::owned<base>, hsm::owned<derived>>);
    hsm::owned<base> one = hsm::make_owned<derived>(1, 2);
    CHECK(one->value == 3);
}

TEST_CASE("release gives up the object, and swap exchanges two objects") {
    auto one = hsm::make_owned<base>(1);
    auto two = hsm::make_owned<base>(2);
    one.swap(two);
    CHECK(one->value == 2);
    base* raw = one.release();
    CHECK_FALSE(one);
    CHECK(base::alive == 2);
    delete raw;
    CHECK(base::alive == 1);
}
