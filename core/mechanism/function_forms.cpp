#include "core/mechanism/function_forms.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/mechanism/level.hpp"

namespace daelab {
namespace {

using Derivatives = std::shared_ptr<const FunctionDerivatives>;

// One evaluation of a form: where it is, and where its parts go.
class FormValues {
 public:
  FormValues(const FunctionDerivatives& derivatives, const double* const* inputs, double* const* outputs)
      : d_(derivatives), t_(*input(inputs, InputBlock::time)), outputs_(outputs) {
    q_ = vector(inputs, InputBlock::q, d_.n()), v_ = vector(inputs, InputBlock::v, d_.n());
    a_ = vector(inputs, InputBlock::a, d_.n()), lambda_ = vector(inputs, InputBlock::lambda, d_.m());
  }

  void write(FormKind kind, Level level) const {
    switch (kind) {
      case FormKind::mass:
        return put(0, d_.mass(t_, q_));
      case FormKind::force:
        return put(0, d_.forces(t_, q_, v_));
      case FormKind::constraint:
        return put(0, d_.constraints(t_, q_)), put(1, d_.jacobian(t_, q_));
      case FormKind::level:
        return put(0, constraints_at(level));
      case FormKind::curvature:
        return put(0, d_.curvature(t_, q_, v_));
      case FormKind::jacobian:
        return put(0, d_.jacobian(t_, q_));
      case FormKind::level_q:
        return put(0, level_q(level));
      case FormKind::acceleration_level_v:
        return put(0, Matrix<double>(2 * d_.velocity_level_q(t_, q_, v_)));
      case FormKind::data:
        return put(0, d_.mass(t_, q_)), put(1, d_.forces(t_, q_, v_)), put(2, d_.jacobian(t_, q_)),
               put(3, d_.curvature(t_, q_, v_));
      case FormKind::energy:
        return write_energy();
      default:
        return write_together(kind, level);
    }
  }

 private:
  static const double* input(const double* const* inputs, InputBlock block) {
    return inputs[static_cast<std::size_t>(block)];
  }
  // Zeros where a block is null.
  static Vector<double> vector(const double* const* inputs, InputBlock block, Index size) {
    const double* const numbers = input(inputs, block);
    if (numbers == nullptr) return Vector<double>::Zero(size);
    return Eigen::Map<const Vector<double>>(numbers, size);
  }

  void put(std::size_t part, const Vector<double>& x) const {
    if (x.size() > 0) Eigen::Map<Vector<double>>(outputs_[part], x.size()) = x;
  }
  void put(std::size_t part, const Matrix<double>& x) const {
    if (x.size() > 0) Eigen::Map<Matrix<double>>(outputs_[part], x.rows(), x.cols()) = x;
  }

  Vector<double> constraints_at(Level level) const {
    switch (level) {
      case Level::position:
        return d_.constraints(t_, q_);
      case Level::velocity:
        return d_.velocity_level(t_, q_, v_);
      case Level::acceleration:
        return d_.jacobian(t_, q_) * a_ + d_.curvature(t_, q_, v_);
    }
    return {};
  }
  Matrix<double> level_q(Level level) const {
    switch (level) {
      case Level::position:
        return d_.jacobian(t_, q_);
      case Level::velocity:
        return d_.velocity_level_q(t_, q_, v_);
      case Level::acceleration:
        return d_.acceleration_level_q(t_, q_, v_, a_);
    }
    return {};
  }
  Vector<double> motion(const Matrix<double>& J) const {
    Vector<double> r = d_.mass(t_, q_) * a_ - d_.forces(t_, q_, v_);
    if (d_.m() > 0) r += J.transpose() * lambda_;
    return r;
  }

  void write_energy() const {
    if (d_.functions().energy) d_.functions().energy(t_, q_.data(), v_.data(), outputs_[0]);
  }
  void write_together(FormKind kind, Level level) const {
    switch (kind) {
      case FormKind::motion_jacobians:
        return write_motion_jacobians(0);
      case FormKind::residual:
        return put(0, motion(d_.jacobian(t_, q_))), put(1, constraints_at(level));
      case FormKind::levels:
        return write_levels(level);
      case FormKind::blocks:
        return write_blocks(level);
      case FormKind::invariants:
        write_energy();
        return put(1, constraints_at(Level::position)), put(2, constraints_at(Level::velocity)),
               put(3, constraints_at(Level::acceleration));
      default:
        return;  // without entries
    }
  }
  void write_motion_jacobians(std::size_t first) const {
    Matrix<double> K, D;
    d_.motion_jacobians(t_, q_, v_, a_, lambda_, K, D);
    put(first, K), put(first + 1, D);
  }
  void write_levels(Level highest) const {
    const Matrix<double> J = d_.jacobian(t_, q_);
    put(0, motion(J)), put(1, constraints_at(Level::position)), put(2, constraints_at(Level::velocity));
    if (highest == Level::acceleration) put(3, constraints_at(Level::acceleration));
    put(4, J);
  }
  void write_blocks(Level level) const {
    const Matrix<double> J = d_.jacobian(t_, q_);
    put(0, d_.mass(t_, q_)), write_motion_jacobians(1), put(3, J), put(4, level_q(level));
    if (level == Level::velocity) put(5, J);
    if (level == Level::acceleration) put(5, Matrix<double>(2 * d_.velocity_level_q(t_, q_, v_))), put(6, J);
  }

  const FunctionDerivatives& d_;
  double t_;
  double* const* outputs_;
  Vector<double> q_, v_, a_, lambda_;
};

class FunctionProgram final : public Program<double> {
 public:
  FunctionProgram(Derivatives derivatives, FormKind kind, int detail)
      : derivatives_(std::move(derivatives)), kind_(kind), level_(static_cast<Level>(detail)) {}
  void run(const double* const* inputs, double* const* outputs, double* /*work*/) const override {
    FormValues(*derivatives_, inputs, outputs).write(kind_, level_);
  }
  std::size_t work_size() const override { return 0; }

 private:
  Derivatives derivatives_;
  FormKind kind_;
  Level level_;
};

FormPart full(Index rows, Index columns = 1) {
  FormPart part{static_cast<int>(rows), static_cast<int>(columns), {}};
  for (int j = 0; j < part.columns; ++j)
    for (int i = 0; i < part.rows; ++i)
      part.entries.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), Expression(1)});
  return part;
}

FormPart empty(Index rows, Index columns) { return {static_cast<int>(rows), static_cast<int>(columns), {}}; }

FormParts parts_of_blocks(Index n, Index m, Level level) {
  const FormPart square = full(n, n), rows = full(m, n), none = empty(m, n), below = empty(0, n);
  return {square,
          square,
          square,
          rows,
          rows,
          level == Level::position ? none : rows,
          level == Level::acceleration ? rows : none,
          empty(n, m),
          below,
          below,
          empty(0, m)};
}

// The first entry that is not finite: "forces(t, q, v) is nan in entry 2"; "": none.
template <class Numbers>
std::string fault_in(const Numbers& x, const char* function) {
  for (Index i = 0; i < x.size(); ++i)
    if (!std::isfinite(x.data()[i])) {
      const Index row = i % x.rows() + 1, column = i / x.rows() + 1;
      const std::string place = x.cols() == 1 ? fmt::format("{}", row) : fmt::format("({}, {})", row, column);
      return fmt::format("{} is {} in entry {}", function, std::isnan(x.data()[i]) ? "nan" : "infinite", place);
    }
  return "";
}

class FunctionForms final : public GivenForms {
 public:
  explicit FunctionForms(MechanismFunctions functions)
      : derivatives_(std::make_shared<const FunctionDerivatives>(std::move(functions))) {}

  FormParts parts(FormKind kind, int detail) const override {
    const Index n = derivatives_->n(), m = derivatives_->m();
    const auto level = static_cast<Level>(detail);
    switch (kind) {
      case FormKind::mass:
        return {full(n, n)};
      case FormKind::force:
        return {full(n)};
      case FormKind::constraint:
        return {full(m), full(m, n)};
      case FormKind::level:
      case FormKind::curvature:
        return {full(m)};
      case FormKind::jacobian:
      case FormKind::level_q:
      case FormKind::acceleration_level_v:
        return {full(m, n)};
      case FormKind::motion_jacobians:
        return {full(n, n), full(n, n)};
      case FormKind::data:
        return {full(n, n), full(n), full(m, n), full(m)};
      case FormKind::residual:
        return {full(n), full(m)};
      case FormKind::levels:
        return {full(n), full(m), full(m), full(level == Level::acceleration ? m : 0), full(m, n)};
      case FormKind::blocks:
        return parts_of_blocks(n, m, level);
      case FormKind::energy:
        return {full(2)};
      case FormKind::invariants:
        return {full(derivatives_->functions().energy ? 2 : 0), full(m), full(m), full(m)};
      default:
        return {};
    }
  }
  std::unique_ptr<Program<double>> program(FormKind kind, int detail) const override {
    return std::make_unique<FunctionProgram>(derivatives_, kind, detail);
  }
  std::string domain_error(const double* const* inputs) const override {
    const FunctionDerivatives& d = *derivatives_;
    const double t = *inputs[static_cast<std::size_t>(InputBlock::time)];
    const Eigen::Map<const Vector<double>> q(inputs[static_cast<std::size_t>(InputBlock::q)], d.n());
    const Eigen::Map<const Vector<double>> v(inputs[static_cast<std::size_t>(InputBlock::v)], d.n());
    if (!q.allFinite() || !v.allFinite()) return "";  // whatever made them was before
    for (const std::string& fault :
         {fault_in(d.mass(t, q), "mass(t, q)"), fault_in(d.forces(t, q, v), "forces(t, q, v)"),
          fault_in(d.constraints(t, q), "constraints(t, q)"),
          fault_in(d.jacobian(t, q), "the derivative of constraints"),
          fault_in(d.curvature(t, q, v), "the second derivative of constraints")})
      if (!fault.empty()) return fault;
    return "";
  }

 private:
  Derivatives derivatives_;
};

}  // namespace

std::shared_ptr<const GivenForms> forms_of_functions(MechanismFunctions functions) {
  return std::make_shared<FunctionForms>(std::move(functions));
}

}  // namespace daelab
