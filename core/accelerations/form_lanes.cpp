#include "core/accelerations/form_lanes.hpp"

namespace daelab {

void gather(const std::array<const double*, lane_count>& columns, Lanes& x) {
  const auto [first, second, third, fourth] = columns;
  double* __restrict to = x.data();
  for (Index i = 0; i < x.cols(); ++i, to += lane_count)
    to[0] = first[i], to[1] = second[i], to[2] = third[i], to[3] = fourth[i];
}

bool FormLanes::fit(const Forms& forms) {
  return forms.has_expressions() && forms.facts().has_linear_equations && forms.recording().start_held.empty() &&
         evaluates_by_machine_code();
}

FormLanes::FormLanes(Forms& forms, const FormKey& key, const std::vector<Index>& sizes)
    : program_(forms.program_of_lanes(key)), work_(program_.work_size()), coordinates_(forms.facts().coordinates) {
  for (const Index size : sizes) parts_.push_back(Lanes::Zero(lane_count, size));
  for (Lanes& part : parts_) outputs_.push_back(part.data());
}

void FormLanes::run(const double* t, const Lanes& q, const Lanes& v, const Lanes& a, const Lanes& lambda) {
  // As InputBlock has them; states are at the end of velocities.
  const double* const inputs[] = {t,       q.data(), v.data(),     v.data() + lane_count * coordinates_,
                                  nullptr, a.data(), lambda.data()};
  program_.run(inputs, outputs_.data(), work_.data());
}

}  // namespace daelab
