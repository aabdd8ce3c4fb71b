// Sets c + A [-r, r] and the frames that keep them narrow.
//
// The image of a set under a linear map is enclosed in a frame of its own: the orthogonal factor of the image of the
// frame, columns in the order of their lengths, so that rounding up to a parallelepiped costs little. [Lohner 1987]
#pragma once

#include <string>
#include <vector>

#include "modules/enclosures/balls.hpp"

namespace daelab {

/// Numbers of the text, which is exact.
struct DecimalFrame {
  std::vector<std::vector<std::string>> text;
  Balls entries, inverse;  // row by row
  std::size_t size() const { return text.size(); }
};

DecimalFrame unit_frame(std::size_t n);
/// For the image B [-r, r] of a set, B row by row. Throws Refusal where no regular frame is found.
DecimalFrame fitting_frame(const Balls& B, const std::vector<double>& r, slong precision);

/// The growth of vectors that are multiplied with a matrix without negative entries again and again, roughly.
double largest_growth(const std::vector<double>& A, std::vector<double> x);

/// |A| r
std::vector<double> hull(const DecimalFrame& frame, const std::vector<double>& r);

}  // namespace daelab
