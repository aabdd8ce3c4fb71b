// Recordings and the models that run them: what is shared between threads, what is refused, what is derived.
#include <gmock/gmock.h>

#include <thread>

#include "core/accelerations/generated_solve.hpp"
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace TEST_FILE {

Matrix<double> blocks_of(MechanicalModel<double>& model, Level level) {
  const Index n = model.coordinates(), m = model.constraints();
  const Vector<double> q = model.initial_q(), v = Vector<double>::Constant(n, 0.5), lambda = Vector<double>::Ones(m);
  MechanicalBlocks<double> x;
  for (Matrix<double>* block : {&x.M, &x.K, &x.D}) block->setZero(n, n);
  for (Matrix<double>* block : {&x.J, &x.R_q, &x.R_v, &x.R_a}) block->setZero(m, n);
  model.blocks(level, 0.25, q, v, v, lambda, x);
  Matrix<double> all(3 * n + 4 * m, n);
  all << x.M, x.K, x.D, x.J, x.R_q, x.R_v, x.R_a;
  return all;
}

// Every thread asks for forms that others are deriving.
TEST(RecordedProblem, IsSharedByThreads) {
  const auto problem = Registry<Problem>::instance().make("seven-body", "");
  constexpr int threads = 8;
  const std::array levels{Level::position, Level::velocity, Level::acceleration};
  for (int repetition = 0; repetition < 10; ++repetition) {
    const auto shared = record_problem(problem->recorder(), 0);
    std::vector<std::vector<Matrix<double>>> found(threads);
    {
      std::vector<std::jthread> all;
      for (int k = 0; k < threads; ++k)
        all.emplace_back([&, k] {
          for (int i = 0; i < 3; ++i) {
            const auto model = as_mechanical(make_model<double>(shared));
            Vector<double> a(7), lambda(6);
            const Vector<double> q = model->initial_q(), v = model->initial_v();
            GeneratedSolve<double> solve(*model, FormKind::accelerations);
            EXPECT_EQ(solve(0, q.data(), v.data(), a.data(), lambda.data()), GeneratedOutcome::solved);
            found[k].push_back(blocks_of(*model, levels[(k + i) % 3]));
          }
        });
    }
    for (int k = 0; k < threads; ++k)
      for (int i = 0; i < 3; ++i) EXPECT_EQ(found[k][i], found[0][(k + i) % 3]) << "thread " << k;
  }
}

TEST(RecordedProblem, OfTheSameSpecIsRecordedOnce) {
  const auto make = [](const char* spec) { return Registry<Problem>::instance().make(spec, "")->recorded(); };
  EXPECT_EQ(make("pendulum:length=2"), make("pendulum:length=2"));
  EXPECT_NE(make("pendulum:length=2"), make("pendulum:length=3"));
}

TEST(RecordedProblem, RefusesWhatDoesNotFitTogether) {
  const auto recorded = [](auto change) {
    record_problem([=](Recording& r) {
      r.coordinates({"x"});
      r.mass(0, 0) = 1;
      change(r);
    });
  };
  EXPECT_NO_THROW(recorded([](Recording&) {}));
  EXPECT_THROW(recorded([](Recording& r) { r.start_q = {1, 2}; }), std::logic_error);
  EXPECT_THROW(recorded([](Recording& r) { r.start_v = {r.t}; }), std::logic_error);
  EXPECT_THROW(recorded([](Recording& r) { r.force = {}; }), std::logic_error);
  EXPECT_THROW(recorded([](Recording& r) { r.states(1), r.rates = {}; }), std::logic_error);
  EXPECT_THROW(recorded([](Recording& r) { r.event({"wall"}, r.q[0]).v = {}; }), std::logic_error);
}

TEST(RecordedModel, IsOfTheKindThatItsCoordinatesSay) {
  const auto decay = [] {
    return make_model<double>(record_problem([](Recording& r) {
      r.states(1);
      r.rates = {-r.s[0]};
    }));
  };
  EXPECT_EQ(decay()->mechanical(), nullptr);
  EXPECT_NE(decay()->ordinary(), nullptr);
  EXPECT_EQ(as_ordinary(decay())->states(), 1);
  EXPECT_THROW(as_mechanical(decay()), std::logic_error);
  EXPECT_THROW(MechanicalModel<double>(record_problem([](Recording& r) {
                 r.states(1);
                 r.rates = {-r.s[0]};
               })),
               std::logic_error);
  const auto pendulum = Registry<Problem>::instance().make("pendulum", "");
  EXPECT_EQ(pendulum->model(As<double>{})->ordinary(), nullptr);
  EXPECT_THROW(pendulum->ordinary_model(As<double>{}), std::logic_error);
}

TEST(RecordedModel, OffersOnlyWhatItHas) {
  const auto model = [](const Json& spec) { return Registry<Problem>::instance().make(spec, "")->model(As<double>{}); };
  EXPECT_EQ(model("pendulum")->charted(), nullptr);
  EXPECT_EQ(model("pendulum")->sampling_period(), 0);
  EXPECT_EQ(model("heavy-top")->charted()->charts(), 2);
  EXPECT_GT(model({{"name", "motor-crank"}, {"controller", "sampled"}})->sampling_period(), 0);
}

// A bead on a rotating hoop, by its energies and by hand: M = R^2, Q = R^2 w^2 sin(x) cos(x) - g R sin(x).
TEST(RecordedModel, DerivesMassAndForceFromEnergies) {
  const auto bead = [](bool by_energies) {
    return as_mechanical(make_model<double>(record_problem([=](Recording& r) {
      r.coordinates({"x"});
      r.start_q = {1};
      const Expression R = 2, w = 3, g = Exact("9.81"), &x = r.q[0], &rate = r.v[0];
      r.kinetic_energy = R * R * (rate * rate + square(w * sin(x))) / 2;
      r.potential_energy = -g * R * cos(x);
      r.force[0] = -rate;
      if (by_energies) return;
      r.mass(0, 0) = R * R;
      r.force[0] += square(R * w) * sin(x) * cos(x) - g * R * sin(x);
    })));
  };
  const auto derived = bead(true), given = bead(false);
  EXPECT_TRUE(derived->constant_mass());
  Matrix<double> M(1, 1), M_given(1, 1);
  Vector<double> Q(1), Q_given(1);
  for (const double x : {0.1, 1.0, 2.5}) {
    const Vector<double> q = Vector<double>::Constant(1, x), v = Vector<double>::Constant(1, 0.7 * x);
    derived->mass(0, q, M), given->mass(0, q, M_given);
    derived->force(0, q, v, Q), given->force(0, q, v, Q_given);
    EXPECT_EQ(M, M_given);
    EXPECT_NEAR(Q[0], Q_given[0], 1e-14);  // round-off of 10: measured 4e-15
  }
}

}  // namespace TEST_FILE
}  // namespace daelab
