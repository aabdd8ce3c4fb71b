// Codes in Fortran from inside their modules: what they do where equations fail, and side by side. Skipped where those
// are not built.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <thread>

#include "core/base/module.hpp"
#include "lab/runs/run.hpp"
#include "methods/peers/peer_stepper.hpp"

namespace daelab {
namespace TEST_FILE {

// x_i' = -x_i^2, x_i(0) = 1: x_i = 1/(1 + t). In both forms.
class Hyperbola final : public PeerEquations {
 public:
  double last_t = INFINITY;  // beyond that they cannot be evaluated
  bool throws = false;       // instead of saying so
  bool has_jacobian = true;
  explicit Hyperbola(std::size_t size) : size_(size) {}

  bool rates(double t, const double* x, double* xdot) override {
    if (t > last_t && throws) throw std::runtime_error("beyond the end");
    for (std::size_t i = 0; i < size_; ++i) xdot[i] = -x[i] * x[i];
    return t <= last_t;
  }
  bool residual(double t, const double* y, const double* ydot, double* F) override {
    const bool is_good = rates(t, y, F);
    for (std::size_t i = 0; i < size_; ++i) F[i] = ydot[i] - F[i];
    return is_good;
  }
  bool jacobian(double, const double* x, double* J) override {
    return diagonal([x](auto i) { return -2 * x[i]; }, J);
  }
  bool jacobians(double, const double* y, const double*, double* F_y, double* F_ydot) override {
    return diagonal([](auto) { return 1.0; }, F_ydot) && diagonal([y](auto i) { return 2 * y[i]; }, F_y);
  }
  bool sparse_jacobian(double, const double*, const double*, double, PeerSparseMatrix&) override { return false; }
  bool linearize(double, const double*, const double*) override { return false; }
  bool factorize(double) override { return false; }
  void solve(double*) override {}

 private:
  bool diagonal(auto value, double* J) const {
    for (std::size_t i = 0; i < size_ * size_; ++i) J[i] = i % (size_ + 1) == 0 ? value(i / (size_ + 1)) : 0.0;
    return has_jacobian;
  }
  std::size_t size_;
};

struct Form {
  const char *module, *code;
  bool is_residual;
};
void PrintTo(const Form& form, std::ostream* out) { *out << form.code << (form.is_residual ? " residual" : " rates"); }

class FortranCode : public testing::TestWithParam<Form> {
 protected:
  void SetUp() override {
    if (!missing_module(GetParam().module, "").empty()) GTEST_SKIP() << "its module is not in this build";
  }
  // At x = 1.
  std::unique_ptr<PeerIntegrator> start(double tolerance = 1e-8) {
    auto code = integrator_of(equations, 1, tolerance, &y, &ydot);
    y = 1, ydot = -1;
    EXPECT_TRUE(code->restart(0, 1e-3).ok());
    return code;
  }
  static std::unique_ptr<PeerIntegrator> integrator_of(Hyperbola& equations, std::size_t size, double tolerance,
                                                       double* y, double* ydot) {
    const PeerTask task{.code = GetParam().code,
                        .variant = "",
                        .size = size,
                        .differential = size,
                        .is_residual = GetParam().is_residual,
                        .relative = tolerance,
                        .absolute = std::vector<double>(size, tolerance)};
    return peer_library(GetParam().module, "").integrator(task, equations, y, ydot);
  }
  // To t = 2, or until a step fails.
  Status run(PeerIntegrator& code) {
    Status status;
    for (PeerStep step; status.ok() && step.t < 2;) {
      status = code.step(2, step);
      if (!status.ok()) return status;
      reached = step.t;
      EXPECT_NEAR(y, 1 / (1 + reached), 1e-6) << "at " << reached;
    }
    return status;
  }

  Hyperbola equations{1};
  double y = 1, ydot = -1, reached = 0;
};

TEST_P(FortranCode, GoesWhereItCan) {
  const auto code = start();
  EXPECT_TRUE(run(*code).ok());
  EXPECT_NEAR(reached, 2, 1e-14);  // round-off of the time that steps add up
}

// 1e-6 is what a cubic makes of steps of a tenth.
TEST_P(FortranCode, InterpolatesItsLastStep) {
  const auto code = start();
  double before = 0;
  for (PeerStep step; step.t < 1;) {
    ASSERT_TRUE(code->step(2, step).ok());
    for (const double part : {0.0, 0.3, 1.0}) {
      const double t = before + part * (step.t - before);
      double x = 0;
      ASSERT_TRUE(code->interpolate(t, &x));
      EXPECT_NEAR(x, 1 / (1 + t), 1e-6) << t;
    }
    before = step.t;
  }
}

TEST_P(FortranCode, StopsWhereTheEquationsCannotBeEvaluated) {
  equations.last_t = 1;
  const auto code = start();
  const Status status = run(*code);
  EXPECT_NE(status.code, StatusCode::ok);
  EXPECT_NE(status.code, StatusCode::not_applicable);
  EXPECT_GT(reached, 0.5) << "smaller steps must be tried";
  EXPECT_LE(reached, 1);
}

TEST_P(FortranCode, MakesNoStepWithoutAJacobian) {
  equations.has_jacobian = false;
  const auto code = start();
  EXPECT_NE(run(*code).code, StatusCode::ok);
  EXPECT_EQ(reached, 0);
}

TEST_P(FortranCode, LetsExceptionsThrough) {
  equations.last_t = 0.5, equations.throws = true;
  const auto code = start();
  EXPECT_THROW(run(*code), std::runtime_error);
  equations.last_t = INFINITY;
  y = 1, ydot = -1;
  ASSERT_TRUE(code->restart(0, 1e-3).ok());
  EXPECT_TRUE(run(*code).ok()) << "it can be started anew";
}

long mappings() {
  std::ifstream maps("/proc/self/maps");
  return std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
}

// A stack of its own is two mappings.
TEST_P(FortranCode, LeavesNothingWhereItIsDroppedOnTheWay) {
  const auto drop = [this] {
    const auto code = start();
    PeerStep step;
    EXPECT_TRUE(code->step(2, step).ok() && code->step(2, step).ok());
    EXPECT_TRUE(code->restart(0, 1e-3).ok());
    EXPECT_TRUE(code->step(2, step).ok());
  };
  drop();
  const long before = mappings();
  for (int k = 0; k < 50; ++k) drop();
  EXPECT_LT(mappings(), before + 10);
}

// Again and again from t = 0 to 2, with what it passed through.
struct Motion {
  Motion(std::size_t size, double tolerance, auto make) : equations(size), y(size), ydot(size) {
    code = make(equations, size, tolerance, y.data(), ydot.data());
  }
  void step() {
    if (last.t == 0 || last.t >= 2) start();
    EXPECT_TRUE(code->step(2, last).ok());
    passed.push_back(last.t);
    passed.insert(passed.end(), y.begin(), y.end());
  }
  void start() {
    y.assign(y.size(), 1), ydot.assign(y.size(), -1);
    EXPECT_TRUE(code->restart(0, 1e-3).ok());
  }
  Hyperbola equations;
  std::vector<double> y, ydot, passed;
  std::unique_ptr<PeerIntegrator> code;
  PeerStep last;
};

// What the codes keep between calls is not another one's, of another size and order.
TEST_P(FortranCode, TakesTurnsWithAnotherOfItsKind) {
  constexpr int steps = 200;
  Motion alone(3, 1e-11, integrator_of), first(3, 1e-11, integrator_of), second(5, 1e-3, integrator_of);
  for (int k = 0; k < steps; ++k) alone.step();
  for (int k = 0; k < steps; ++k) first.step(), second.step();
  EXPECT_EQ(first.passed, alone.passed);
}

const std::vector<Form> forms = {{"desolve", "radau5", false},
                                 {"desolve", "radau5", true},
                                 {"desolve", "daspk", true},
                                 {"siconos", "radau", false},
                                 {"siconos", "radau", true}};
INSTANTIATE_TEST_SUITE_P(Codes, FortranCode, testing::ValuesIn(forms), [](const auto& info) {
  return std::string(info.param.code) + (info.param.is_residual ? "_residual" : "_rates");
});

// Equations of different sizes and forms, so that what the codes keep in common would show.
TEST(FortranCodes, RunsHaveTheSameBitsOnManyThreads) {
  std::vector<Json> specs = {
      Json{{"problem", "seven-body"}, {"method", "radau5"}, {"formulation", "index-2"}, {"t_end", "3/100"}},
      Json{{"problem", "seven-body"}, {"method", "radau5"}, {"formulation", "ggl"}, {"t_end", "3/100"}},
      Json{{"problem", "pendulum"}, {"method", "radau5"}, {"formulation", "index-1"}, {"t_end", "2"}},
      Json{{"problem", "hires"}, {"method", "radau5"}, {"formulation", "ode"}},
      Json{{"problem", "seven-body"}, {"method", "daspk"}, {"formulation", "index-2"}, {"t_end", "3/100"}},
      Json{{"problem", "hires"}, {"method", "daspk"}, {"formulation", "ode"}},
      Json{{"problem", "seven-body"}, {"method", "radau"}, {"formulation", "index-1"}, {"t_end", "3/100"}},
      Json{{"problem", "pendulum"}, {"method", "radau"}, {"formulation", "index-2"}, {"t_end", "2"}},
      Json{{"problem", "hires"}, {"method", "radau"}, {"formulation", "ode"}}};
  const auto missing = Registry<Method>::instance().missing();
  std::erase_if(specs, [&](const Json& spec) { return missing.contains(spec["method"].get<std::string>()); });
  if (specs.empty()) GTEST_SKIP() << "their modules are not in this build";
  const auto results = [](Json spec) {
    spec["rtol"] = "1e-8";
    Json record = Run::bind(spec, "")->execute().record;
    EXPECT_EQ(record["status"], "ok") << record["cause"].dump();
    for (const char* time : {"cpu_seconds", "wall_seconds"}) record["stats"].erase(time);
    return record.dump();
  };
  std::vector<std::string> alone(specs.size());
  for (std::size_t k = 0; k < specs.size(); ++k) alone[k] = results(specs[k]);
  std::vector<std::jthread> threads;
  for (std::size_t k = 0; k < specs.size(); ++k)
    threads.emplace_back([&, k] {
      for (int i = 0; i < 10; ++i) EXPECT_EQ(results(specs[k]), alone[k]) << specs[k].dump();
    });
}

}  // namespace TEST_FILE
}  // namespace daelab
