#include "experiments/measures/rotating_bodies.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

#include "core/mechanism/lie_group.hpp"
#include "core/solvers/linear_solver.hpp"

namespace daelab {

std::vector<std::string> names_of(ConstraintShape) { return {"DP1", "DP2", "D", "CD"}; }
std::vector<std::string> names_of(BodyScheme) { return {"half-implicit", "fully-implicit"}; }
std::vector<std::string> names_of(GyroscopicPredictor) { return {"right", "reversed"}; }

double Driver::value(double t) const { return std::cos(rate * t + phase); }

namespace {

using lie::skew;
using Row = Eigen::Matrix<double, 1, 3>;

// exp(skew(w)) by Rodrigues' formula.
Matrix3d rotation(const Vector3d& w) {
  const double angle = w.norm();
  const Matrix3d S = skew(w);
  if (angle < 1e-8) return Matrix3d::Identity() + S + 0.5 * S * S;
  return Matrix3d::Identity() + std::sin(angle) / angle * S + (1 - std::cos(angle)) / (angle * angle) * S * S;
}

// One side of a constraint: a body, or the ground.
struct Side {
  Vector3d r = Vector3d::Zero(), v = Vector3d::Zero(), omega = Vector3d::Zero();
  Matrix3d A = Matrix3d::Identity();
};

// A vector of a body in global axes, with its derivatives without angular acceleration.
struct Turned {
  Turned(const Side& side, const Vector3d& a)
      : x(side.A * a), first(side.A * side.omega.cross(a)), second(side.A * side.omega.cross(side.omega.cross(a))) {}
  Vector3d x, first, second;
};

struct Blocks {
  Row r_i = Row::Zero(), r_j = Row::Zero(), pi_i = Row::Zero(), pi_j = Row::Zero();
};

class ConstraintAt {
 public:
  ConstraintAt(const BodyConstraint& constraint, const Driver* driver, const Side& i, const Side& j)
      : c_(constraint), i_(i), j_(j) {
    a_i_ = driver ? driver->a_i : c_.a_i, a_j_ = driver ? driver->a_j : c_.a_j;
    d_ = j.r + j.A * c_.s_j - i.r - i.A * c_.s_i;
  }

  double value(double f) const {
    switch (c_.shape) {
      case ConstraintShape::dp1:
        return (i_.A * a_i_).dot(j_.A * a_j_) - f;
      case ConstraintShape::dp2:
        return (i_.A * a_i_).dot(d_) - f;
      case ConstraintShape::d:
        return d_.squaredNorm() - f;
      case ConstraintShape::cd:
        return c_.c.dot(d_) - f;
    }
    return 0;
  }

  Blocks blocks() const {
    if (c_.shape == ConstraintShape::dp1)
      return {Row::Zero(), Row::Zero(), turning(i_, a_i_, j_.A * a_j_), turning(j_, a_j_, i_.A * a_i_)};
    const Vector3d n = direction();
    Blocks blocks{-n.transpose(), n.transpose(), -turning(i_, c_.s_i, n), turning(j_, c_.s_j, n)};
    if (c_.shape == ConstraintShape::dp2) blocks.pi_i += turning(i_, a_i_, d_);
    return blocks;
  }

  // Of value(0), without accelerations.
  double second_derivative() const {
    const Turned s_i(i_, c_.s_i), s_j(j_, c_.s_j), x(i_, a_i_), y(j_, a_j_);
    const Vector3d first = j_.v + s_j.first - i_.v - s_i.first, second = s_j.second - s_i.second;
    switch (c_.shape) {
      case ConstraintShape::dp1:
        return x.second.dot(y.x) + 2 * x.first.dot(y.first) + x.x.dot(y.second);
      case ConstraintShape::dp2:
        return x.second.dot(d_) + 2 * x.first.dot(first) + x.x.dot(second);
      case ConstraintShape::d:
        return 2 * (first.squaredNorm() + d_.dot(second));
      case ConstraintShape::cd:
        return c_.c.dot(second);
    }
    return 0;
  }

 private:
  // Of n.(A s) by the rotation: -n^T A skew(s).
  static Row turning(const Side& side, const Vector3d& s, const Vector3d& n) {
    return -n.transpose() * side.A * skew(s);
  }
  // The derivative of the constraint by d.
  Vector3d direction() const {
    if (c_.shape == ConstraintShape::dp2) return i_.A * a_i_;
    return c_.shape == ConstraintShape::d ? Vector3d(2 * d_) : c_.c;
  }

  const BodyConstraint& c_;
  const Side &i_, &j_;
  Vector3d a_i_, a_j_, d_;
};

// [M 0 Phi_r^T; 0 J Pi^T; Phi_r Pi 0], factorised as a whole, as the programs of the paper do: numbers of corrections
// depend on the order of operations if a tolerance is at round-off level.
class SaddlePoint {
 public:
  SaddlePoint(Index n, Index m)
      : R(Matrix<double>::Zero(m, n)), P(R), n_(n), m_(m), lu_(2 * n + m), all_(Vector<double>::Zero(2 * n + m)) {}

  Matrix<double> R, P;  // Phi_r, Pi

  Status factorize(const std::vector<RotatingBody>& bodies, const std::vector<Matrix3d>& inertias) {
    Matrix<double>& A = lu_.matrix();
    A.setZero();
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const auto at = static_cast<Index>(3 * b);
      A.block<3, 3>(at, at) = bodies[b].mass * Matrix3d::Identity();
      A.block<3, 3>(n_ + at, n_ + at) = inertias[b];
    }
    A.bottomLeftCorner(m_, n_) = R, A.topRightCorner(2 * n_, m_).topRows(n_) = R.transpose();
    A.block(2 * n_, n_, m_, n_) = P, A.block(n_, 2 * n_, n_, m_) = P.transpose();
    return lu_.factorize();
  }

  // (x, y, z) := matrix^-1 (x, y, z)
  void solve(Vector<double>& x, Vector<double>& y, Vector<double>& z) {
    all_ << x, y, z;
    lu_.solve(all_);
    x = all_.head(n_), y = all_.segment(n_, n_), z = all_.tail(m_);
  }

 private:
  const Index n_, m_;
  DenseLu<double> lu_;
  Vector<double> all_;
};

class Stepping {
 public:
  Stepping(const BodySystem& system, const BodySteps& settings)
      : system_(system),
        settings_(settings),
        n_(static_cast<Index>(3 * system.bodies.size())),
        m_(static_cast<Index>(system.constraints.size())),
        old_(system.bodies),
        now_(system.bodies),
        drivers_(system.constraints.size(), 0),
        matrix_(n_, m_),
        R_(Matrix<double>::Zero(m_, n_)),
        P_(R_) {
    for (Vector<double>* x : {&a_, &alpha_, &dr_, &dw_, &force_}) x->setZero(n_);
    for (Vector<double>* x : {&lambda_, &dl_, &phi_}) x->setZero(m_);
    for (std::size_t b = 0; b < system.bodies.size(); ++b) of(force_, b) = system.bodies[b].mass * system.gravity;
  }

  BodyStepsResult run() {
    result_.status = start();
    for (long k = 1; k <= settings_.steps && result_.status.ok(); ++k) {
      const double t = static_cast<double>(k + settings_.lead) * settings_.h;
      change_drivers(t);
      old_ = now_;
      result_.status = settings_.scheme == BodyScheme::half_implicit ? half_implicit_step(t) : fully_implicit_step(t);
      evaluate_constraints(t);
      result_.largest_violation = std::max(result_.largest_violation, phi_.cwiseAbs().maxCoeff());
    }
    result_.bodies = now_;
    return std::move(result_);
  }

 private:
  static Eigen::VectorBlock<Vector<double>, 3> of(Vector<double>& x, std::size_t b) {
    return x.segment<3>(static_cast<Index>(3 * b));
  }

  Side side(int body) const {
    if (body == BodyConstraint::ground) return {};
    const RotatingBody& b = now_[static_cast<std::size_t>(body)];
    return {b.r, b.v, b.omega, b.A};
  }
  const Driver* driver(std::size_t k) const {
    const auto& list = system_.constraints[k].drivers;
    return list.empty() ? nullptr : &list[drivers_[k]];
  }
  // `visit` gets each constraint at the present state, with its place.
  void for_each_constraint(const auto& visit) const {
    for (std::size_t k = 0; k < system_.constraints.size(); ++k) {
      const BodyConstraint& c = system_.constraints[k];
      const Side i = side(c.i), j = side(c.j);
      visit(ConstraintAt(c, driver(k), i, j), k);
    }
  }
  void evaluate_constraints(double t) {
    for_each_constraint([&](const ConstraintAt& c, std::size_t k) {
      phi_[static_cast<Index>(k)] = c.value(driver(k) ? driver(k)->value(t) : system_.constraints[k].f);
    });
  }
  void evaluate_directions(Matrix<double>& R, Matrix<double>& P) const {
    for_each_constraint([&](const ConstraintAt& at, std::size_t k) {
      const BodyConstraint& c = system_.constraints[k];
      const Blocks blocks = at.blocks();
      const auto row = static_cast<Index>(k);
      const auto put = [&](int body, const Row& of_r, const Row& of_pi) {
        if (body == BodyConstraint::ground) return;
        R.block<1, 3>(row, 3 * body) = of_r, P.block<1, 3>(row, 3 * body) = of_pi;
      };
      put(c.i, blocks.r_i, blocks.pi_i), put(c.j, blocks.r_j, blocks.pi_j);
    });
  }

  static Vector3d momentum(const RotatingBody& b) { return b.inertia.cwiseProduct(b.omega); }
  static Vector3d gyroscopic(const RotatingBody& b) { return b.omega.cross(momentum(b)); }

  // J, for backward Euler with what omega' adds at the old point.
  Status factorize(bool with_gyroscopic) {
    std::vector<Matrix3d>& inertias = inertias_;
    inertias.clear();
    for (const RotatingBody& b : now_) {
      Matrix3d J = b.inertia.asDiagonal();
      if (with_gyroscopic) J -= settings_.h * (skew(momentum(b)) - skew(b.omega) * Matrix3d(b.inertia.asDiagonal()));
      inertias.push_back(J);
    }
    evaluate_directions(matrix_.R, matrix_.P);
    return matrix_.factorize(now_, inertias);
  }

  // Accelerations and multipliers of the initial values.
  Status start() {
    if (Status status = factorize(true); !status.ok()) return status;
    a_ = force_;
    for (std::size_t b = 0; b < now_.size(); ++b) of(alpha_, b) = -gyroscopic(now_[b]);
    for_each_constraint([&](const ConstraintAt& c, std::size_t k) {
      const double given = driver(k) ? driver(k)->second_derivative(0) : 0;
      lambda_[static_cast<Index>(k)] = given - c.second_derivative();
    });
    matrix_.solve(a_, alpha_, lambda_);
    return {};
  }

  void change_drivers(double t) {
    constexpr double near = 0.1;
    for (std::size_t k = 0; k < drivers_.size(); ++k) {
      const std::size_t count = system_.constraints[k].drivers.size();
      if (count < 2 || std::abs(std::abs(driver(k)->value(t)) - 1) >= near) continue;
      drivers_[k] = (drivers_[k] + 1) % count;
      ++result_.driver_changes;
    }
  }

  bool is_converged() {
    ++result_.iterations;
    return std::sqrt(dr_.squaredNorm() + dw_.squaredNorm() + dl_.squaredNorm()) < settings_.tolerance;
  }
  Status not_converged(double t) const {
    return {StatusCode::newton_diverged,
            fmt::format("{} corrections do not reach the tolerance at t = {:g}", settings_.max_iterations, t)};
  }

  Status half_implicit_step(double t) {
    const double h = settings_.h;
    if (Status status = factorize(false); !status.ok()) return status;
    Vector<double>&th = theta_, &lh = scaled_lambda_;
    th.resize(n_);
    lh = h * h * lambda_;
    for (std::size_t b = 0; b < now_.size(); ++b) {
      of(th, b) = h * (old_[b].omega + h * of(alpha_, b));
      now_[b].r = old_[b].r + h * old_[b].v + h * h * of(a_, b);
    }
    bool done = false;
    for (int i = 0; i < settings_.max_iterations && !done; ++i) {
      for (std::size_t b = 0; b < now_.size(); ++b) now_[b].A = old_[b].A * rotation(of(th, b));
      evaluate_constraints(t);
      dr_.noalias() = matrix_.R.transpose() * lh, dw_.noalias() = matrix_.P.transpose() * lh;
      for (std::size_t b = 0; b < now_.size(); ++b) {
        const RotatingBody &from = old_[b], &to = now_[b];
        of(dr_, b) += from.mass * to.r - (from.mass * from.r + h * from.mass * from.v + h * h * of(force_, b));
        of(dw_, b) += from.inertia.cwiseProduct(of(th, b)) + h * h * gyroscopic(from) - h * momentum(from);
      }
      dr_ = -dr_, dw_ = -dw_, dl_ = -phi_;
      matrix_.solve(dr_, dw_, dl_);
      for (std::size_t b = 0; b < now_.size(); ++b) now_[b].r += of(dr_, b);
      th += dw_, lh += dl_;
      done = is_converged();
    }
    take_half_implicit(th, lh);
    return done ? Status{} : not_converged(t);
  }
  void take_half_implicit(Vector<double>& th, const Vector<double>& lh) {
    const double h = settings_.h, sign = settings_.predictor == GyroscopicPredictor::right ? -1 : 1;
    lambda_ = lh / (h * h);
    dr_.noalias() = matrix_.R.transpose() * lambda_, dw_.noalias() = matrix_.P.transpose() * lambda_;
    for (std::size_t b = 0; b < now_.size(); ++b) {
      RotatingBody& body = now_[b];
      body.omega = of(th, b) / h, body.A = old_[b].A * rotation(of(th, b));
      of(a_, b) = (of(force_, b) - of(dr_, b)) / body.mass;
      body.v = old_[b].v + h * of(a_, b);
      of(alpha_, b) = (-of(dw_, b) + sign * gyroscopic(body)).cwiseQuotient(body.predictor_inertia);
    }
  }

  Status fully_implicit_step(double t) {
    const double h = settings_.h;
    if (Status status = factorize(true); !status.ok()) return status;
    for (int i = 0; i < settings_.max_iterations; ++i) {
      move_fully_implicit();
      evaluate_constraints(t);
      evaluate_directions(R_, P_);
      dr_.noalias() = R_.transpose() * lambda_, dw_.noalias() = P_.transpose() * lambda_;
      for (std::size_t b = 0; b < now_.size(); ++b) {
        of(dr_, b) += now_[b].mass * of(a_, b) - of(force_, b);
        of(dw_, b) += now_[b].inertia.cwiseProduct(of(alpha_, b)) + gyroscopic(now_[b]);
      }
      dr_ = -dr_, dw_ = -dw_, dl_ = -phi_ / (h * h);
      matrix_.solve(dr_, dw_, dl_);
      a_ += dr_, alpha_ += dw_, lambda_ += dl_;
      if (!is_converged()) continue;
      move_fully_implicit();
      return {};
    }
    return not_converged(t);
  }
  void move_fully_implicit() {
    const double h = settings_.h;
    for (std::size_t b = 0; b < now_.size(); ++b) {
      const RotatingBody& from = old_[b];
      RotatingBody& to = now_[b];
      to.v = from.v + h * of(a_, b), to.omega = from.omega + h * of(alpha_, b);
      to.r = from.r + h * to.v, to.A = from.A * rotation(h * to.omega);
    }
  }

  const BodySystem& system_;
  const BodySteps& settings_;
  const Index n_, m_;
  std::vector<RotatingBody> old_, now_;
  std::vector<std::size_t> drivers_;  // in force, by constraint
  SaddlePoint matrix_;
  Matrix<double> R_, P_;  // at the new point
  Vector<double> a_, alpha_, lambda_, theta_, scaled_lambda_, force_;
  Vector<double> dr_, dw_, dl_, phi_;
  std::vector<Matrix3d> inertias_;
  BodyStepsResult result_;
};

}  // namespace

BodyStepsResult make_body_steps(const BodySystem& system, const BodySteps& settings) {
  return Stepping(system, settings).run();
}

}  // namespace daelab
