// The signatures of callables.

#include <hsm/define/detail/signature.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace {

using namespace hsm::detail;

struct thing {
    int method(float);
    void quick(int&) const noexcept;
    bool flag;
};

struct overloaded {
    void operator()(int) const;
    void operator()(float) const;
};

template <class F, class... A> constexpr bool takes = std::is_same_v<typename signature<F>::args, arguments<A...>>;
template <class F, class R> constexpr bool gives = std::is_same_v<typename signature<F>::result, R>;

} // namespace

TEST_CASE("signature returns parameters, result, class and constness of every callable that has one signature") {
    auto lambda = [](int, const float&) { return true; };
    auto changing = [n = 0](int most) mutable noexcept { n += n < most; };
    using constant = decltype(lambda);
    using mutating = decltype(changing);
    static_assert(takes<constant, int, const float&> && gives<constant, bool> && signature<constant>::is_const);
    static_assert(takes<mutating, int> && gives<mutating, void> && !signature<mutating>::is_const);
    static_assert(signature<constant>::kind == callable_kind::functor);
    static_assert(takes<void (*)(int&)> == false && takes<void (*)(int&), int&>);
    static_assert(takes<int (*)() noexcept> && gives<int (*)() noexcept, int>);
    static_assert(signature<void (*)()>::kind == callable_kind::function);
    static_assert(takes<decltype(&thing::method), float> && !signature<decltype(&thing::method)>::is_const);
    static_assert(takes<decltype(&thing::quick), int&> && signature<decltype(&thing::quick)>::is_const);
    static_assert(signature<decltype(&thing::quick)>::kind == callable_kind::member_function);
    static_assert(std::is_same_v<signature<decltype(&thing::method)>::object, thing>);
    static_assert(signature<decltype(&thing::flag)>::kind == callable_kind::member_data);
    static_assert(gives<decltype(&thing::flag), const bool&>);
    CHECK(lambda(1, 2));
    changing(1);
}

TEST_CASE("callables with the same parameters and result have the same signature, whatever their class is") {
    auto one = [](int&) { return 1; };
    auto other = [n = 2](int&) noexcept { return n; };
    auto changing = [n = 3](int&) mutable { return ++n; };
    static_assert(!std::is_same_v<decltype(one), decltype(other)>);
    static_assert(std::is_same_v<signature<decltype(one)>, signature<decltype(other)>>);
    static_assert(!std::is_same_v<signature<decltype(one)>, signature<decltype(changing)>>);
    static_assert(!std::is_same_v<signature<decltype(one)>, signature<int (*)(int&)>>);
    static_assert(std::is_void_v<signature<decltype(one)>::object>);
    int n = 0;
    CHECK(one(n) + other(n) + changing(n) == 7);
}

TEST_CASE("a const or data member takes its object as const") {
    static_assert(std::is_same_v<signature<decltype(&thing::method)>::object_reference, thing&>);
    static_assert(std::is_same_v<signature<decltype(&thing::quick)>::object_reference, const thing&>);
    static_assert(std::is_same_v<signature<decltype(&thing::flag)>::object_reference, const thing&>);
}

TEST_CASE("generic and overloaded callables have no signature") {
    auto generic = [](auto) {};
    static_assert(!has_signature<decltype(generic)> && !has_signature<overloaded> && !has_signature<int>);
    static_assert(has_signature<decltype([] {})> && has_signature<void (*)()>);
    static_assert(std::is_same_v<signature<overloaded>, unreadable<overloaded>>);
    generic(1);
}

TEST_CASE("a callable with an rvalue-qualified operator has no signature") {
    struct once {
        void operator()(int) && {}
    };
    CHECK_FALSE(has_signature<once>);
    CHECK_FALSE(has_signature<decltype(&once::operator())>);
    once{}(1);
}

TEST_CASE("member functions with an lvalue qualifier have a signature") {
    struct qualified {
        void lvalue() &;
        void constant() const&;
        void operator()(int) const& {}
    };
    CHECK(has_signature<decltype(&qualified::lvalue)>);
    CHECK(has_signature<decltype(&qualified::constant)>);
    CHECK(has_signature<qualified>);
}

namespace {
struct walker {
    int n = 0;
};
struct note {
    int d = 0;
};
template <class... F> struct these : F... { using F::operator()...; };
template <class... F> these(F...) -> these<F...>;
struct either {
    explicit either(int first) : n(first) {}
    void operator()(walker& c) const { c.n = n; }
    template <class T> void operator()(T) const {}
    int n;
};
struct copying {
    explicit copying(int first) : n(first) {}
    template <class T> void operator()(T c) const& { c.n = n; }
    int n;
};
/// Is a walker copied by a callable that is called with (walker&, const More&...)?
template <class... More, class F> constexpr bool copies(F) { return hsm::detail::takes_copy<F, walker, const More&...>(); }
} // namespace

TEST_CASE("a callable that takes the context by value is recognized, also if it is generic") {
    static_assert(copies([](walker) {}));
    static_assert(copies([](auto c) { return c.n = 5; }));
    static_assert(copies([](auto c) noexcept { return c.n = 5; }));
    static_assert(copies([](const auto c) { return c.n; }));
    static_assert(copies([]<class T>(T c) { return c.n; }));
    static_assert(copies<note>([](auto c, const auto& e) { return c.n + e.d; }));
    static_assert(copies<note>([](auto c, auto e) { return c.n + e.d; }));
    static_assert(copies<note>([](auto c, note e) { return c.n + e.d; }));
    static_assert(copies<note>([](auto c, const note& e) { return c.n + e.d; }));
    static_assert(hsm::detail::takes_copy<decltype([](auto c) { return c.n; }), const walker>());

    static_assert(copies([](auto c, int more = 1) { return c.n + more; }));
    static_assert(copies<note>([](auto c, auto e, int more = 1) { return c.n + e.d + more; }));
    static_assert(copies<note>([](auto c, const note& e, int more = 1) { return c.n + e.d + more; }));

    static_assert(!copies([](auto& c, int more = 1) { c.n = more; }));
    static_assert(!copies([](const auto& c, int more = 1) { return c.n + more; }));
    static_assert(!copies([](auto&& c, int more = 1) { c.n = more; }));
    static_assert(!copies<note>([](auto& c, auto e, int more = 1) { return c.n + e.d + more; }));

    static_assert(!copies([](walker&) {}));
    static_assert(!copies([](auto& c) { c.n = 5; }));
    static_assert(!copies([](const auto& c) { return c.n; }));
    static_assert(!copies([](auto&& c) { c.n = 5; }));
    static_assert(!copies<note>([](auto& c, note e) { return c.n + e.d; }));
    static_assert(!copies<note>([](const auto& c, auto e) { return c.n + e.d; }));
    static_assert(!copies<note>([](auto&&... all) { return sizeof...(all); }));
}

TEST_CASE("the overload that is called determines whether the context is copied") {
    static_assert(!copies(these{[](const walker&) { return true; }, [](auto) { return false; }}));
    static_assert(!copies<note>(these{[](walker&, const note&) {}, [](auto, auto) {}}));
    static_assert(!copies(these{[](walker&) {}, [](auto other) { other.nothing(); }}));
    static_assert(!hsm::detail::takes_copy<either, walker>());
    static_assert(hsm::detail::takes_copy<copying, walker>());
}
