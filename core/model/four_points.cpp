#include "core/model/four_points.hpp"

#include <limits>

namespace daelab {

bool FourPoints::fit(const Forms& forms) {
  return forms.has_linear_balance() && forms.recording().start_held.empty() && evaluates_by_machine_code();
}

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

FourAccelerations::FourAccelerations(Forms& forms)
    : FourPoints(forms, form,
                 {forms.extended(), forms.multipliers(), static_cast<Index>(forms.written_out().front().least.size())}),
      elimination_(forms.written_out().front()) {}

namespace {

// As WrittenOutAccelerations::trusts(), of all pivots (4, pivots) without branches: no size is below its least, and
// none is NaN or infinite, whose product with zero is NaN.
template <bool signs_count>
bool all_trusted(const std::vector<double>& least, const FourPoints::Numbers& pivots) {
  using Four = Eigen::Array4d;
  Four margin = Four::Zero(), zero = Four::Zero();
  for (std::size_t i = 0; i < least.size(); ++i) {
    Four size = pivots.col(static_cast<Index>(i)).template head<4>();
    if (!signs_count) size = size.abs();
    margin = margin.min(size - least[i]);
    zero += 0 * size;
  }
  return margin.minCoeff() >= 0 && zero.sum() == 0;
}

}  // namespace

bool FourAccelerations::are_trusted() const {
  const bool signs_count = elimination_.rule == PivotRule::definite;
  return signs_count ? all_trusted<true>(elimination_.least, part(2)) : all_trusted<false>(elimination_.least, part(2));
}

}  // namespace daelab
