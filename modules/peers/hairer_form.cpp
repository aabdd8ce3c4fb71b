#include "modules/peers/hairer_form.hpp"

#include <algorithm>

#include "modules/peers/free_multipliers.hpp"

namespace daelab {
namespace {

// n, where x = (q, v) with q' = v and nothing else.
std::size_t shift_of(const PeerTask& task) {
  if (task.has_plain_velocities && 2 * task.positions == task.differential) return task.positions;
  return task.is_residual ? task.differential : 0;
}

// Where multipliers enter q' = v they vanish on the solution and have no size to go by.
PeerTask with_sizes(const PeerTask& task) {
  return task.positions > 0 && !task.has_plain_velocities ? with_free_multipliers(task) : task;
}

}  // namespace

HairerForm::HairerForm(const PeerTask& task, PeerEquations& equations)
    : task_(with_sizes(task)),
      equations_(equations),
      shift_(shift_of(task)),
      shifted_(task.is_residual ? task.differential : shift_),
      size_(task.size + (task.is_residual ? shift_ : 0)),
      y_(task.size),
      F_(task.size),
      by_y_(task.size * task.size),
      by_ydot_(task.is_residual ? task.size * task.size : 0) {}

std::array<int, 3> HairerForm::of_index() const {
  if (!is_residual()) return {size(), 0, 0};
  const int n = static_cast<int>(task_.positions), d = static_cast<int>(task_.differential);
  if (task_.index == 3) return n > 0 ? std::array{n, d - n, size() - d} : std::array{d, 0, size() - d};
  // M y' = f with a singular M: derivatives of components that equations without derivatives determine are of index 2.
  const bool is_of_index_1 = task_.index < 2 && task_.size > task_.differential;
  return is_of_index_1 ? std::array{size(), 0, 0} : std::array{d, size() - d, 0};
}

std::vector<double> HairerForm::absolute_tolerances() const {
  std::vector<double> Y(size_);
  if (!is_residual()) return task_.absolute;
  pack(task_.absolute.data(), task_.absolute.data(), Y.data());
  return Y;
}

void HairerForm::pack(const double* y, const double* ydot, double* Y) const {
  const std::size_t d = task_.differential;
  std::copy_n(y, d, Y);
  if (!is_residual()) return;
  std::copy(ydot + d - shift_, ydot + d, Y + d);
  std::copy(y + d, y + task_.size, Y + d + shift_);
}

void HairerForm::unpack(const double* Y, double* y, double* ydot) const {
  const std::size_t d = task_.differential;
  std::copy_n(Y, d, y);
  if (!is_residual()) return;
  std::copy(Y + d + shift_, Y + size_, y + d);
  if (ydot != nullptr) std::copy_n(Y + shift_, d, ydot);
}

void HairerForm::right_side(double t, const double* Y, double* f) {
  is_good_ = has_jacobian_ && evaluate(t, Y, f);
  if (!is_good_) std::fill_n(f, size_, too_large_ = -too_large_);
}

bool HairerForm::evaluate(double t, const double* Y, double* f) {
  if (!is_residual()) return equations_.rates(t, Y, f);
  unpack(Y, y_.data(), nullptr);
  const double* const ydot = Y + shift_;
  if (!equations_.residual(t, y_.data(), ydot, F_.data())) return false;
  std::copy_n(ydot, shifted_, f);
  std::copy_n(F_.end() - rows(), rows(), f + shifted_);
  return true;
}

void HairerForm::jacobian(double t, const double* Y, double* J, int stride) {
  if (is_residual()) unpack(Y, y_.data(), nullptr);
  has_jacobian_ = is_residual() ? equations_.jacobians(t, y_.data(), Y + shift_, by_y_.data(), by_ydot_.data())
                                : equations_.jacobian(t, Y, by_y_.data());
  if (!has_jacobian_) return;
  if (is_residual())
    residual_jacobian(J, static_cast<std::size_t>(stride));
  else
    slope_jacobian(J, static_cast<std::size_t>(stride));
}

void HairerForm::slope_jacobian(double* J, std::size_t stride) const {
  for (std::size_t i = shifted_; i < size_; ++i)
    for (std::size_t j = 0; j < size_; ++j) J[i - shifted_ + j * stride] = by_y_[i * size_ + j];
}

// y = (x, z): x is at the start of Y and z at its end, x' is `shift` behind x.
void HairerForm::residual_jacobian(double* J, std::size_t stride) const {
  const std::size_t N = task_.size, d = task_.differential, first = N - (size_ - shifted_);
  for (std::size_t j = 0; j < size_; ++j) {
    const bool is_x = j < d, is_z = j >= d + shift_, is_xdot = j >= shift_ && !is_z;
    const double* const by_y = by_y_.data() + (is_z ? j - shift_ : j) * N;
    const double* const by_ydot = by_ydot_.data() + (is_xdot ? j - shift_ : 0) * N;
    for (std::size_t i = first; i < N; ++i)
      J[i - first + j * stride] = (is_x || is_z ? by_y[i] : 0) + (is_xdot ? by_ydot[i] : 0);
  }
}

}  // namespace daelab
