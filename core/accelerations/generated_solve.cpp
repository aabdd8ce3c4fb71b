#include "core/accelerations/generated_solve.hpp"

#include <algorithm>
#include <type_traits>

namespace daelab {
namespace {

// The program of lanes costs what 50 to 170 solves by it gain, and twice that where three of four lanes are used.
constexpr long solves_that_pay = 100;

// As GeneratedAccelerations::are_above_thresholds(), of all pivots (lanes, pivots) without branches: no size is below
// its least, and none is NaN or infinite, whose product with zero is NaN.
template <bool signs_count>
bool all_above_threshold(const std::vector<double>& least, const double* pivots) {
  using Four = Eigen::Array4d;
  Four margin = Four::Zero(), zero = Four::Zero();
  for (std::size_t i = 0; i < least.size(); ++i) {
    Four size = Eigen::Map<const Four>(pivots + 4 * i);
    if (!signs_count) size = size.abs();
    margin = margin.min(size - least[i]);
    zero += 0 * size;
  }
  return margin.minCoeff() >= 0 && zero.sum() == 0;
}

}  // namespace

template <class T>
void GeneratedSolve<T>::enter_mode() {
  forms_ = &evaluator_.forms();
  eliminations_ = form_ == FormKind::accelerations ? &forms_->generated_accelerations()
                                                   : &forms_->generated_accelerations_between();
  ingredients_ = forms_->recording().mass_inverse ? FormKind::force : FormKind::data;
  programs_.clear(), program_of_lanes_ = nullptr;
  std::size_t most_pivots = 0, most_work = 0;
  for (std::size_t k = 0; k < eliminations_->size(); ++k) {
    programs_.push_back(&forms_->template program<T>({form_, static_cast<int>(k)}));
    most_work = std::max(most_work, programs_.back()->work_size());
    most_pivots = std::max(most_pivots, (*eliminations_)[k].pivots.size());
  }
  pivots_.resize(most_pivots), work_.resize(most_work);
  has_lanes_ = !programs_.empty() && FormLanes::fit(*forms_);
}

template <class T>
GeneratedOutcome GeneratedSolve<T>::operator()(const T& t, const T* q, const T* v, T* a, T* lambda, const T* other) {
  if (forms_ != &evaluator_.forms()) enter_mode();
  const T* const inputs[] = {&t,      q,       v,    v + forms_->facts().coordinates, evaluator_.held.data(),
                             nullptr, nullptr, other};
  const bool has_multipliers = form_ == FormKind::accelerations;
  T* const outputs[] = {a, has_multipliers ? lambda : pivots_.data(), pivots_.data()};
  for (std::size_t k = 0; k < programs_.size(); ++k) {
    programs_[k]->run(inputs, outputs, work_.data());
    if (evaluator_.seeks_domain_error()) evaluator_.look_for_domain_error({ingredients_}, inputs);
    if ((*eliminations_)[k].are_above_thresholds(pivots_.data())) return GeneratedOutcome::solved;
  }
  return programs_.empty() ? GeneratedOutcome::absent : GeneratedOutcome::weak_pivot;
}

template <class T>
bool GeneratedSolve<T>::at_lanes(const T* t, const T* q, const T* v, T* a, T* lambda) {
  if constexpr (std::is_same_v<T, double>) {
    if (evaluator_.seeks_domain_error() || !finds_program_of_lanes()) return false;
    const double* const inputs[] = {t, q, v, v + lane_count * forms_->facts().coordinates, nullptr, nullptr, nullptr};
    double* const outputs[] = {a, lambda, pivots_of_lanes_.data()};
    program_of_lanes_->run(inputs, outputs, work_of_lanes_.data());
    return are_above_threshold_at_lanes();
  }
  return false;
}

template <class T>
bool GeneratedSolve<T>::finds_program_of_lanes() {
  if (forms_ != &evaluator_.forms()) enter_mode();
  if (program_of_lanes_ != nullptr) return true;
  if (!has_lanes_) return false;
  if (!forms_->has_program_of_lanes({form_}) && ++without_program_of_lanes_ <= solves_that_pay) return false;
  program_of_lanes_ = &forms_->program_of_lanes({form_});
  work_of_lanes_.resize(program_of_lanes_->work_size());
  pivots_of_lanes_.assign(static_cast<std::size_t>(lane_count) * eliminations_->front().pivots.size(), 0);
  return true;
}

template <class T>
bool GeneratedSolve<T>::are_above_threshold_at_lanes() const {
  const GeneratedAccelerations& first = eliminations_->front();
  return first.rule == PivotRule::definite ? all_above_threshold<true>(first.least, pivots_of_lanes_.data())
                                           : all_above_threshold<false>(first.least, pivots_of_lanes_.data());
}

template <class T>
std::string GeneratedSolve<T>::weak_pivot() const {
  if (forms_ != &evaluator_.forms() || eliminations_->empty()) return "";
  const GeneratedAccelerations& last = eliminations_->back();
  for (std::size_t i = 0; i < last.least.size(); ++i)
    if (!last.is_above_threshold(i, pivots_[i]))
      return "the pivot of " + last.rows[i] + ", " + to_text(static_cast<double>(pivots_[i])) +
             " and below its threshold of " + to_text(last.least[i]);
  return "";
}

#define DAELAB_INSTANTIATE(T) template class GeneratedSolve<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
