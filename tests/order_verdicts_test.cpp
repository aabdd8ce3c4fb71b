// What verdicts of orders are worth: methods on problems, over windows of steps that are halved. A window's "differs"
// is false where a finer window of the same runs agrees with theory, or has orders that rise on towards it.
//
// DAELAB_ORDER_VERDICTS=all takes all methods, formulations and problems below: some 130 000 verdicts, five minutes.
#include <gmock/gmock.h>

#include <cstdlib>
#include <ostream>

#include "experiments/measures/observed_orders.hpp"
#include "lab/lab.hpp"
#include "lab/runs/run.hpp"

namespace daelab {
namespace TEST_FILE {

// Steps of t_end/coarsest, and so many times half of it.
struct StepSizes {
  std::string problem, t_end, formulation, method;
  int coarsest, halvings;
};

std::string text_of(const StepSizes& l) {
  return fmt::format("{} {} {} to {} from 1/{}", l.problem, l.formulation, l.method, l.t_end, l.coarsest);
}

// With the tableaus among the methods.
class OrderVerdicts : public testing::Test {
 protected:
  static void SetUpTestSuite() { load_project(); }
};

// Without runs where a method refuses the problem.
OrderSeries series_of(const StepSizes& grid) {
  OrderSeries series;
  for (int k = 0; k <= grid.halvings; ++k) {
    const Exact h(fmt::format("{}/{}", grid.t_end, static_cast<long>(grid.coarsest) << k));
    RunSpec spec;
    spec.problem = grid.problem, spec.formulation = grid.formulation, spec.method = grid.method;
    spec.h = h, spec.t_end = grid.t_end;
    const auto run = Run::of(spec);
    const RunRecord record = run->integrate().record;
    if (record.status == StatusCode::not_applicable) return {};
    const ReferenceSolution reference = reference_solution(*run, nullptr);
    ErrorPoint point{h, record.status, record.cause, "", {}};
    series.run = run, series.t_end = run->t_end(), series.classes = run->classes();
    series.log10_floor = reference.log10_floor;
    if (record.ok()) {
      series.end = record.state;
      for (const std::string& kind : series.classes) point.error[kind] = error_of(record, reference, kind);
    }
    series.points.push_back(std::move(point));
  }
  series.expected = expected_orders(*series.run);
  return series;
}

// The points [first, last) alone.
OrderSeries window(const OrderSeries& all, std::size_t first, std::size_t last) {
  OrderSeries series = all;
  series.points.assign(all.points.begin() + static_cast<std::ptrdiff_t>(first),
                       all.points.begin() + static_cast<std::ptrdiff_t>(last));
  fit_orders(series);
  return series;
}

struct Verdict {
  std::string kind;  // of components
  std::size_t first, last;
  OrderEstimate estimate;
};

struct Tally {
  int verdicts = 0, differs = 0, stiff = 0;
  std::vector<std::string> wrong;  // "differs" that finer windows take back

  void add(const StepSizes& grid) {
    const OrderSeries all = series_of(grid);
    std::vector<Verdict> list;
    constexpr std::size_t shortest = 4;
    for (std::size_t last = shortest; last <= all.points.size(); ++last)
      for (std::size_t first = 0; first + shortest <= last; ++first)
        for (const auto& [kind, estimate] : window(all, first, last).orders)
          if (!estimate.agreement.empty()) list.push_back({kind, first, last, estimate});
    for (const Verdict& verdict : list) judge(grid, verdict, list);
  }

 private:
  static bool takes_back(const Verdict& finer, const Verdict& verdict) {
    if (finer.kind != verdict.kind || finer.last <= verdict.last || finer.first < verdict.first) return false;
    if (finer.estimate.agreement == agreement::agrees || finer.estimate.agreement == agreement::above) return true;
    return finer.estimate.decided && finer.estimate.order > verdict.estimate.order + 0.25;
  }
  void judge(const StepSizes& grid, const Verdict& verdict, const std::vector<Verdict>& list) {
    ++verdicts;
    stiff += verdict.estimate.agreement == agreement::stiff_window;
    if (!contradicts_theory(verdict.estimate)) return;
    ++differs;
    for (const Verdict& finer : list)
      if (takes_back(finer, verdict)) {
        wrong.push_back(fmt::format("{}, {}, points {} to {}: {}; points {} to {}: {}", text_of(grid), verdict.kind,
                                    verdict.first, verdict.last, verdict.estimate.statement, finer.first, finer.last,
                                    finer.estimate.statement));
        return;
      }
  }
};

OrderEstimate estimate_of(const StepSizes& grid, const std::string& kind) {
  const OrderSeries all = series_of(grid);
  return window(all, 0, all.points.size()).orders.at(kind);
}

// Modes that steps of the window do not follow: the slopes were taken for settled.
TEST_F(OrderVerdicts, FastModesThatAreNotFollowedSettleNothing) {
  for (const StepSizes& grid : {StepSizes{"oscillator-chain", "1", "index-1", "ndf:k=1", 50, 3},
                                {"oscillator-chain", "1", "index-1", "implicit-euler", 34, 4},
                                {"oscillator-chain", "1", "index-1", "generalized-alpha:rho=0", 46, 3}}) {
    const OrderEstimate estimate = estimate_of(grid, "q");
    EXPECT_FALSE(contradicts_theory(estimate)) << text_of(grid) << ": " << estimate.statement;
  }
}

// Reduced orders of stiff windows are true in the window, and not of the method.
TEST_F(OrderVerdicts, StiffWindowsAreNamed) {
  for (const auto& [method, theory] :
       {std::pair("sdirk-4", 4), {"kvaerno-5", 5}, {"alexander", 3}, {"kennedy-carpenter-6", 6}}) {
    const OrderEstimate estimate = estimate_of({"prothero-robinson", "1", "ode", method, 10, 4}, "y");
    EXPECT_EQ(estimate.agreement, "not settled (stiff window)") << method;
    EXPECT_THAT(estimate.statement, testing::EndsWith(fmt::format("theory {}: {}", theory, estimate.agreement)));
  }
  const OrderEstimate arms = estimate_of({"leader-follower", "1", "maggi", "crouzeix-2", 50, 4}, "a");
  EXPECT_FALSE(contradicts_theory(arms)) << arms.statement;
  const OrderEstimate governor = estimate_of({"flyball-governor", "1", "index-3", "radau-iia:s=3", 50, 3}, "v");
  EXPECT_FALSE(contradicts_theory(governor)) << governor.statement;
}

// In double, on steps that are fine enough.
TEST_F(OrderVerdicts, MethodsThatLackTheirOrderStillDiffer) {
  OrderSeries series = series_of({"pendulum", "1", "index-1", "explicit-euler", 100, 5});
  series.expected.of = {{"q", 2}, {"v", 2}};
  fit_orders(series);
  EXPECT_EQ(series.orders.at("q").agreement, "differs") << series.orders.at("q").statement;
  series = series_of({"two-link-manipulator", "1", "index-1", "heun", 100, 5});
  series.expected.of = {{"q", 3}, {"v", 3}};
  fit_orders(series);
  EXPECT_EQ(series.orders.at("v").agreement, "differs") << series.orders.at("v").statement;
}

bool takes_all() {
  const char* text = std::getenv("DAELAB_ORDER_VERDICTS");
  return text != nullptr && std::string_view(text) == "all";
}

std::vector<StepSizes> campaign() {
  struct Subject {
    const char *problem, *t_end;
    int coarsest, halvings;
  };
  std::vector<Subject> of_mechanisms{{"oscillator-chain", "1", 34, 8}, {"leader-follower", "1", 20, 9}},
      of_states{{"prothero-robinson:rate=-100", "1", 5, 10}, {"linear-test", "1", 4, 8}};
  std::vector<std::string> implicit{"implicit-euler",          "ndf:k=1", "crouzeix-2", "radau-iia:s=3",
                                    "generalized-alpha:rho=0", "sdirk-4", "alexander"},
      explicit_{"heun", "dormand-prince"}, formulations{"index-1", "maggi"};
  if (takes_all()) {
    for (const Subject& subject : {Subject{"oscillator-chain", "1", 46, 6},
                                   {"pendulum", "1", 20, 7},
                                   {"pendulum", "2", 16, 7},
                                   {"two-link-manipulator", "1", 20, 7},
                                   {"flyball-governor", "1", 25, 6},
                                   {"slider-crank", "0.1", 40, 5},
                                   {"heavy-top", "1/2", 20, 6},
                                   {"n-four-bar", "1", 20, 6},
                                   {"driven-crank", "1", 10, 6},
                                   {"driven-mass", "1", 10, 6},
                                   {"knife-edge", "1", 10, 6},
                                   {"rolling-disc", "1", 10, 6},
                                   {"rowing-boat", "1", 20, 6},
                                   {"car-axis", "1", 20, 6},
                                   {"motor-crank", "1/2", 50, 5},
                                   {"two-link-arm", "1", 20, 6},
                                   {"bricard", "1", 20, 5}})
      of_mechanisms.push_back(subject);
    for (const Subject& subject : {Subject{"pleiades", "3", 100, 6},
                                   {"hires", "321.8122", 200, 6},
                                   {"pollution", "60", 50, 6},
                                   {"linear-test", "10", 10, 8},
                                   {"heat-conduction", "1/5", 10, 6},
                                   {"prothero-robinson", "1", 10, 6}})
      of_states.push_back(subject);
    for (const char* method : {"kvaerno-4",
                               "kvaerno-5",
                               "kennedy-carpenter-4",
                               "kennedy-carpenter-6",
                               "crouzeix-3",
                               "skvortsov-4",
                               "tr-bdf2",
                               "gauss:s=2",
                               "gauss:s=3",
                               "lobatto-iiic",
                               "bdf:k=2",
                               "bdf:k=3",
                               "bdf:k=4",
                               "ndf:k=2",
                               "trapezoidal",
                               "implicit-midpoint",
                               "generalized-alpha:rho=1/2",
                               "hht",
                               "pade-block",
                               "newmark"})
      implicit.push_back(method);
    for (const char* method : {"explicit-euler", "rk4-classical", "bogacki-shampine", "fehlberg-45", "verner-87",
                               "adams-bashforth", "adams-pece", "half-explicit"})
      explicit_.push_back(method);
    for (const char* formulation : {"index-2", "index-3", "ggl", "baumgarte", "null-space", "projected"})
      formulations.push_back(formulation);
  }
  std::vector<StepSizes> grids;
  const auto add = [&](const Subject& s, const std::string& formulation, const std::string& method) {
    grids.push_back({s.problem, s.t_end, formulation, method, s.coarsest, s.halvings});
  };
  std::vector<std::string> all = implicit;
  all.insert(all.end(), explicit_.begin(), explicit_.end());
  for (const std::string& method : all) {
    for (const Subject& subject : of_states) add(subject, "ode", method);
    for (const Subject& subject : of_mechanisms)
      for (const std::string& formulation : formulations) add(subject, formulation, method);
  }
  return grids;
}

TEST_F(OrderVerdicts, NoFinerWindowTakesBackADifference) {
  Tally tally;
  for (const StepSizes& grid : campaign()) {
    try {
      tally.add(grid);
    } catch (const InputError&) {
      // The problem does not have the formulation, or no reference at that time.
    }
  }
  for (const std::string& text : tally.wrong) ADD_FAILURE() << text;
  std::cout << tally.verdicts << " verdicts, " << tally.differs << " differ, " << tally.stiff << " in stiff windows, "
            << tally.wrong.size() << " taken back\n";
  EXPECT_GT(tally.verdicts, takes_all() ? 4000 : 300);
}

}  // namespace TEST_FILE
}  // namespace daelab
