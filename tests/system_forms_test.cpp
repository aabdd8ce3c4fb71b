// The recorded forms behind a system: what a method can make of its graph that no one thought of before.
#include <gtest/gtest.h>

#include <array>

#include "core/documents/json_problem.hpp"
#include "core/equations/formulation.hpp"
#include "core/expressions/derivative.hpp"
#include "core/expressions/program.hpp"
#include "core/mechanism/forms.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace TEST_FILE {

// A problem as the equations of a formulation.
struct Bound {
  Bound(const Json& problem_spec, const char* formulation_spec)
      : problem(Registry<Problem>::instance().make(problem_spec, "/problem")), model(problem->model(As<double>{})) {
    const MechanicalModel<double>* const mechanism = model->mechanical();
    multipliers =
        Registry<MultiplierSolver>::instance()
            .make("schur-cholesky", "")
            ->bind(As<double>{}, mechanism ? mechanism->coordinates() : 0, mechanism ? mechanism->constraints() : 0);
    system = Registry<Formulation>::instance().make(formulation_spec, "")->system(*model, *multipliers);
  }
  std::shared_ptr<Problem> problem;
  std::unique_ptr<Model<double>> model;
  std::unique_ptr<Multipliers<double>> multipliers;
  std::unique_ptr<System<double>> system;
};

// In the order of InputBlock.
using Inputs = std::array<const double*, 7>;

Vector<double> values_of(const Graph& graph, const Expressions& list, const Inputs& inputs) {
  std::vector<Output> outputs;
  for (const Expression& x : list) outputs.push_back({x, 0, static_cast<int>(outputs.size())});
  const auto program = make_interpreter<double>(make_tape(graph, outputs));
  std::vector<double> work(program->work_size());
  Vector<double> values = Vector<double>::Zero(static_cast<Index>(list.size()));
  double* const block = values.data();
  program->run(inputs.data(), &block, work.data());
  return values;
}

Expressions by_time(const Recording& r, const FormPart& part) {
  Expressions list;
  for (const auto& entry : part.entries) list.push_back(gradient(entry.value, std::vector{r.t}).front());
  return list;
}

// dF/dt by central differences: with this step 1e-10 of third derivatives and of round-off.
Vector<double> difference(System<double>& system, double t, const Vector<double>& y, const Vector<double>& ydot) {
  constexpr double step = 1e-5;
  Vector<double> up(system.size()), down(system.size());
  system.residual(t + step, y, ydot, up), system.residual(t - step, y, ydot, down);
  return (up - down) / (2 * step);
}

// F = (s' - f, g): F_t = (-f_t, g_t).
TEST(SystemForms, GiveTheTimeDerivativeOfStates) {
  Bound bound("ascher-petzold", "ode");
  Forms& forms = *bound.system->forms();
  const FormPart rates = forms.parts({FormKind::rates}).front();
  const double t = 0.3;
  const Vector<double> y{{1.1, 0.9, -0.4}}, ydot{{0.2, 0.3, 0}};
  Vector<double> F_t = forms.derive([&](const Recording& r) {
    return values_of(r.graph(), by_time(r, rates), {&t, nullptr, nullptr, y.data(), nullptr, nullptr, nullptr});
  });
  F_t.head(2) *= -1;
  // 100 times the error of differences: measured 2e-10.
  EXPECT_LT((F_t - difference(*bound.system, t, y, ydot)).cwiseAbs().maxCoeff(), 1e-8);
}

// Its constraints move: F = (q' - v, balance, C).
TEST(SystemForms, GiveTheTimeDerivativeOfAMechanism) {
  Bound bound("car-axis", "index-3");
  Forms& forms = *bound.system->forms();
  const FormParts residual = forms.parts({FormKind::residual, static_cast<int>(Level::position)});
  const double t = 0.3;
  const Index n = bound.model->mechanical()->coordinates();
  const Vector<double> start = bound.model->initial_y(), q = start.head(n), v = start.tail(n),
                       a = Vector<double>::LinSpaced(n, -1, 1),
                       lambda = Vector<double>::LinSpaced(bound.model->mechanical()->constraints(), 1, 2);
  const Inputs inputs{&t, q.data(), v.data(), nullptr, nullptr, a.data(), lambda.data()};
  Vector<double> F_t = Vector<double>::Zero(bound.system->size());
  forms.derive([&](const Recording& r) {
    F_t.segment(n, n) = values_of(r.graph(), by_time(r, residual[0]), inputs);
    F_t.tail(lambda.size()) = values_of(r.graph(), by_time(r, residual[1]), inputs);
  });
  Vector<double> y(bound.system->size()), ydot = Vector<double>::Zero(bound.system->size());
  y << q, v, lambda;
  ydot.head(2 * n) << v, a;
  EXPECT_GT(F_t.cwiseAbs().maxCoeff(), 0.1);  // the road moves by 0.1 sin(10 t)
  EXPECT_LT((F_t - difference(*bound.system, t, y, ydot)).cwiseAbs().maxCoeff(), 1e-8);
}

// y1' = y2, y2' = -y1 from (1, 0): the series of cos and -sin, to h^8.
TEST(SystemForms, GiveTaylorSeries) {
  Bound bound(Json::parse(R"json({"name": "circle", "states": {"y1": "y2", "y2": "-y1"}, "start": {"y1": "1"},
                                 "end_time": "1"})json"),
              "ode");
  const double t = 0, h = 0.1;
  const Vector<double> y = bound.model->initial_y();
  Vector<double> sum = y;
  bound.system->forms()->derive([&](const Recording& r) {
    Expressions derivative = r.rates;
    double weight = h;
    for (int order = 1; order <= 8; ++order) {
      sum += weight * values_of(r.graph(), derivative, {&t, nullptr, nullptr, y.data(), nullptr, nullptr, nullptr});
      derivative = along(derivative, r.s, r.rates);
      weight *= h / (order + 1);
    }
  });
  EXPECT_NEAR(sum[0], std::cos(h), 1e-15);   // h^10 / 10! = 3e-17, and round-off
  EXPECT_NEAR(sum[1], -std::sin(h), 1e-14);  // h^9 / 9! = 3e-15
}

}  // namespace TEST_FILE
}  // namespace daelab
