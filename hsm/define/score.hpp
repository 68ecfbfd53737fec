/// Functions for scores: response curves, which map a measured value to a score from 0 to 1, and functions that combine scores.
///
///     double flee_score(const enemy& e) {
///         return hsm::product_of(hsm::curve::linear(e.health, 100, 0), hsm::curve::inverse(e.distance, 5));
///     }
///
/// These functions are compiled once, in the library, and use only the four basic operations of IEEE 754, without fused multiply-add. Compilers and
/// processors therefore agree on every bit. If an argument is NaN, the result is NaN.
#pragma once

#include <initializer_list>

namespace hsm {

namespace curve {

/// Returns 0 at `from`, 1 at `to`, and values on a straight line between them. Beyond `from`, returns 0; beyond `to`, returns 1. If `from` > `to`,
/// the line falls.
double linear(double x, double from, double to);

/// Returns half / (half + x): 1 for x <= 0, 0.5 for x == half, and values that approach 0 for larger x. If half <= 0, returns 1 for x <= 0, else 0.
double inverse(double x, double half);

/// Returns `x`, limited to the range from 0 to 1, to the power of `exponent`.
double power(double x, unsigned exponent);

/// Returns 0.5 at `middle` and rises in the form of an S: 0.25 at `middle - width`, 0.75 at `middle + width`. If `width` < 0, the curve falls. It is
/// a rational function, because results of `exp` differ between libraries.
double logistic(double x, double middle, double width);

/// Returns 1 if x >= from, otherwise 0.
double step(double x, double from);

} // namespace curve

namespace detail {
double min_of(std::initializer_list<double> scores);
double max_of(std::initializer_list<double> scores);
double product_of(std::initializer_list<double> scores);
} // namespace detail

/// Returns the smallest of one or more scores.
template <class... Score> double min_of(double first, Score... others) { return detail::min_of({first, static_cast<double>(others)...}); }

/// Returns the largest of one or more scores.
template <class... Score> double max_of(double first, Score... others) { return detail::max_of({first, static_cast<double>(others)...}); }

/// Returns the product of one or more scores, multiplied in their order.
template <class... Score> double product_of(double first, Score... others) { return detail::product_of({first, static_cast<double>(others)...}); }

} // namespace hsm
