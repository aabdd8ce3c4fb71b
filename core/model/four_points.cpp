#include "core/model/four_points.hpp"

namespace daelab {

FourPoints::FourPoints(Forms& forms, const FormKey& key, const std::vector<Index>& sizes)
    : program_(forms.program_of_four(key)),
      work_(program_.work_size()),
      coordinates_(static_cast<std::size_t>(forms.coordinates())) {
  const Index n = forms.extended();
  for (Numbers* x : {&q, &v, &a}) x->setZero(lanes, n);
  lambda.setZero(lanes, forms.multipliers());
  for (const Index size : sizes) parts_.push_back(Numbers::Zero(lanes, size));
  for (Numbers& part : parts_) outputs_.push_back(part.data());
}

void FourPoints::put(const Columns& columns, Numbers& x) {
  const auto [first, second, third, fourth] = columns;
  double* __restrict to = x.data();
  for (Index i = 0; i < x.cols(); ++i, to += lanes)
    to[0] = first[i], to[1] = second[i], to[2] = third[i], to[3] = fourth[i];
}

void FourPoints::run() {
  // As InputBlock has them; states are at the end of velocities.
  const double* const inputs[] = {t.data(), q.data(), v.data(),     v.data() + lanes * coordinates_,
                                  nullptr,  a.data(), lambda.data()};
  program_.run(inputs, outputs_.data(), work_.data());
}

}  // namespace daelab
