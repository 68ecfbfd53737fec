#include <hsm/define/score.hpp>

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <algorithm>
#include <limits>

namespace hsm {

namespace curve {

namespace {

// A NaN stays a NaN.
double limited(double x) {
    if (x < 0) return 0;
    return x > 1 ? 1 : x;
}

} // namespace

// No product in these functions is an operand of a sum, so no compiler can fuse them.

double linear(double x, double from, double to) {
    if (from == to) return step(x, from);
    return limited((x - from) / (to - from));
}

double inverse(double x, double half) {
    if (!(half > 0)) return half != half || x != x ? half + x : x <= 0;
    return x <= 0 ? 1 : half / (half + x);
}

double power(double x, unsigned exponent) {
    double square = limited(x);
    double result = square == square ? 1 : square;
    for (; exponent != 0; exponent /= 2) {
        if (exponent % 2 != 0) result *= square;
        square *= square;
    }
    return result;
}

double logistic(double x, double middle, double width) {
    if (width == 0) return step(x, middle);
    const double t = (x - middle) / width;
    const double size = t < 0 ? -t : t;
    const double part = size > 1e300 ? (t < 0 ? -1 : 1) : t / (1 + size); // infinity is not divided by infinity
    return (1 + part) / 2;
}

double step(double x, double from) {
    if (x >= from) return 1;
    return x < from ? 0 : x - from; // NaN
}

} // namespace curve

namespace detail {

double min_of(std::initializer_list<double> scores) {
    double result = *scores.begin();
    for (const double score : scores)
        if (score < result || score != score) result = score;
    return result;
}

double max_of(std::initializer_list<double> scores) {
    double result = *scores.begin();
    for (const double score : scores)
        if (score > result || score != score) result = score;
    return result;
}

double product_of(std::initializer_list<double> scores) {
    double result = 1;
    for (const double score : scores) result *= score;
    return result;
}

namespace {
/// Stores the value of the candidate instead of its bonus, which is negated.
double value_with_bonus(hook_context& hooks, std::uint32_t candidate) {
    auto& value = reinterpret_cast<double*>(&hooks + 1)[candidate];
    return value = std::min(hooks.score - value, std::numeric_limits<double>::max());
}
} // namespace

const op* take_offer(const op* at, machine& m) {
    auto& hooks = m.hook_context();
    auto& choice = hooks.choice;
    const auto score = hooks.score; // above the bar, which is 0 if the choice lists values, and the highest one otherwise
    if (score <= std::numeric_limits<double>::max()) [[likely]] {
        const auto picked = static_cast<std::uint32_t>(at[1].number >> 32);
        if (!choice.lists) {
            choice.highest = choice.bar = score;
            choice.picked = picked;
        } else if (const auto value = value_with_bonus(hooks, static_cast<std::uint32_t>(at[1].number)); value > choice.highest) {
            choice.highest = value;
            choice.picked = picked;
        }
    }
    at = next(at + 1);
    HSM_PROCEED(at);
}

} // namespace detail

} // namespace hsm
