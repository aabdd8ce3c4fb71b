// What every registered ordinary differential equation must satisfy. A new one is tested by existing.
#include <gtest/gtest.h>

#include "lab/runs/run.hpp"
#include "results/record_values.hpp"
#include "results/reference.hpp"
#include "tests/numeric_support.hpp"

#ifndef DAELAB_DOUBLE_ONLY  // its models are in 50 digits
namespace daelab {
namespace TEST_FILE {

using T = Real50;

class EveryOde : public testing::TestWithParam<std::string> {
 protected:
  EveryOde()
      : problem(Registry<Problem>::instance().make(GetParam(), "")),
        model(problem->ordinary_model(As<T>{})),
        k(model->states()),
        differential(k - model->algebraic_states()) {
    RandomNumbers random(4711);
    t = T(random.next() + 2) / 4;
    s = model->initial_y();
    for (T& entry : s) {  // concentrations stay positive
      const T change = T(random.next()) / 8;
      entry = entry == 0 ? T(abs(change)) : T(entry * (1 + change));
    }
  }
  Vector<T> rates(const T& time, const Vector<T>& at) const {
    Vector<T> r(k);
    model->rates(time, at, r);
    return r;
  }

  std::shared_ptr<Problem> problem;
  std::unique_ptr<OrdinaryModel<T>> model;
  Index k, differential;
  T t;
  Vector<T> s;
};

TEST_P(EveryOde, JacobianMatchesDifferences) {
  Matrix<T> R_s(k, k);
  model->rates_s(t, s, R_s);
  const Matrix<T> differences = difference(s, [&](const Vector<T>& x) { return rates(t, x); });
  EXPECT_LT(largest(R_s - differences), difference_tolerance * (1 + largest(R_s)));
}

TEST_P(EveryOde, StartSatisfiesTheAlgebraicEquations) {
  const Vector<T> s0 = model->initial_y();
  ASSERT_EQ(s0.size(), k);
  ASSERT_GT(differential, 0);
  EXPECT_LT(largest(rates(T(0), s0).tail(k - differential)), 1e-45);  // rounding of 50 digits
}

TEST_P(EveryOde, ModelsOfBothScalarsAgree) {
  const auto narrow = problem->ordinary_model(As<double>{});
  const Vector<double> s0 = model->initial_y().cast<double>();
  EXPECT_EQ(narrow->states(), k);
  EXPECT_EQ(narrow->algebraic_states(), model->algebraic_states());
  EXPECT_LT(largest(narrow->initial_y() - s0), 1e-15 * (1 + largest(s0)));  // conversion to double: four eps
  Vector<double> r(k);
  Matrix<T> R_s(k, k);
  narrow->rates(0, s0, r);
  const Vector<T> wide = rates(T(0), model->initial_y());
  model->rates_s(T(0), model->initial_y(), R_s);
  // Of round-off in s, and of sums that cancel.
  EXPECT_LT(largest(r - wide.cast<double>()), 1e-14 * (1 + largest(wide) + largest(R_s) * (1 + largest(s0))));
}

// Bounds are rounding of 50 digits, and what the difference leaves.
TEST_P(EveryOde, ClosedFormSolvesTheEquations) {
  const auto at = [&](const T& time) { return problem->independent_solution(time, 50)->s; };
  if (!problem->independent_solution(T(0), 50)) return;
  EXPECT_LT(largest(at(T(0)) - model->initial_y()), 1e-48);
  Vector<T> slope = derivative(t, at);
  const Vector<T> r = rates(t, at(t));
  if (model->is_linearly_implicit()) {
    SparseMatrix<T> M;
    model->rates_mass(t, at(t), M);
    const Vector<T> derivatives = std::exchange(slope, Vector<T>::Zero(k));
    M.add_product(derivatives, slope, T(1));
  }
  Matrix<T> R_s(k, k);
  model->rates_s(t, at(t), R_s);
  EXPECT_LT(largest((slope - r).head(differential)), difference_tolerance + 1e-47 * largest(R_s));
  EXPECT_LT(largest(r.tail(k - differential)), 1e-45);
}

TEST_P(EveryOde, EndIsKnown) {
  const std::optional<ReferenceState> reference = find_reference(problem->spec(), problem->end_time());
  ASSERT_TRUE(reference) << "store one: daelab reference " << GetParam() << " --t " << problem->end_time().text()
                         << " --store";
  EXPECT_EQ(reference->y.size(), k);
  const double size = largest(reference->y);
  // For the ring modulator, which oscillates at 3e7 Hz, more take an hour; the wheelset's 200 kinks cost every method.
  const double least = GetParam() == "ring-modulator" ? 10 : GetParam() == "wheelset" ? 9 : 18;
  EXPECT_GE(reference->digits_trusted + std::log10(size), least) << "significant digits of the largest component";
}

// Two stiff methods that share no coefficients, in double. (E5: round-off in what is conserved leaves 2 digits.)
TEST_P(EveryOde, TwoMethodsReachTheEnd) {
  if (GetParam() == "ring-modulator") return;  // seconds: ode_problems_test.cpp has it
  const std::optional<ReferenceState> reference = find_reference(problem->spec(), problem->end_time());
  ASSERT_TRUE(reference);
  for (const char* method : {"radau-iia:s=5", "lobatto-iiic:s=4"}) {
    SCOPED_TRACE(method);
    const Json record =
        Run::bind({{"problem", problem->spec()}, {"method", method}, {"rtol", "1e-8"}, {"atol", "1e-20"}}, "")
            ->execute()
            .record;
    ASSERT_EQ(record["status"], "ok") << record["cause"];
    const Vector<T> y = record_vector(record["y"]);
    for (Index i = 0; i < k; ++i)
      // 1000 tolerances: a margin.
      EXPECT_LT(abs(y[i] - reference->y[i]), T("1e-5") * abs(reference->y[i]) + T("1e-14")) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryOde, testing::ValuesIn(problem_names(false)),
                         [](const auto& info) { return test_name_of(info.param); });

}  // namespace TEST_FILE
}  // namespace daelab
#endif
