// What is wrong with tables of other programs, by end states made by hand.
#include "experiments/measures/foreign_faults.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Vector<Real50> vector_of(const std::vector<double>& numbers) {
  Vector<Real50> vector(static_cast<Index>(numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) vector[static_cast<Index>(i)] = numbers[i];
  return vector;
}

const std::map<std::string, Vector<Real50>> reference{
    {"q", vector_of({2, -0.5, 1e-5})}, {"v", vector_of({3, 4, 0})}, {"lambda", vector_of({10, -20})}};

ForeignRun run_of(const std::map<std::string, std::vector<double>>& end) {
  ForeignRun run{Exact("1/10"), {}, {}};
  ForeignState state;
  for (const auto& [kind, numbers] : end) state.classes[kind] = vector_of(numbers);
  run.states.push_back(state);
  return run;
}

// Of runs that end so, coarse to fine.
ForeignFaults faults(const std::vector<std::map<std::string, std::vector<double>>>& ends) {
  ForeignResults table;
  for (const auto& end : ends) table.runs.push_back(run_of(end));
  return faults_of("a", table, reference);
}

TEST(ForeignFaults, ATableThatIsRightHasNone) {
  const ForeignFaults found = faults({{{"q", {2.1, -0.4, 1e-3}}, {"v", {3, 4, 1e-3}}}, {{"q", {2, -0.5, 1e-5}}}});
  EXPECT_THAT(found.wrong, IsEmpty());
  EXPECT_THAT(found.notes, IsEmpty());
}

// All entries of a factor in one sentence, of all runs.
TEST(ForeignFaults, UnitsAreToldByAllRuns) {
  const std::map<std::string, std::vector<double>> mm{{"q", {2100, -480, 0.01}}, {"v", {3000, 4000, 0}}};
  EXPECT_THAT(faults({mm, mm}).wrong,
              ElementsAre("a: q1, q2, v1, v2 are 1.05e+03 times the reference: in other units?"));
  const double degree = 57.29577951308232;
  EXPECT_THAT(faults({{{"q", {2, -0.5 * degree, 1e-5}}}}).wrong,
              ElementsAre("a: q2 is 57.3 times the reference: degrees where radians are meant?"));
  const ForeignFaults one_run = faults({mm, {{"q", {2, -0.5, 1e-5}}, {"v", {3, 4, 0}}}});
  EXPECT_THAT(one_run.wrong, IsEmpty()) << "a run that went astray";
  EXPECT_THAT(one_run.notes, IsEmpty()) << "the finest one counts";
}

// A hundred times 1e-5 is an error of a method, and no unit.
TEST(ForeignFaults, SmallEntriesAreDoubtfulAtMost) {
  const ForeignFaults found = faults({{{"q", {2, -0.5, 1e-3}}}});
  EXPECT_THAT(found.wrong, IsEmpty());
  EXPECT_THAT(found.notes, ElementsAre("a: far from the reference: q3 (100 times)"));
}

TEST(ForeignFaults, SignsAreToldByAllRuns) {
  EXPECT_THAT(faults({{{"lambda", {-10, 20}}}, {{"lambda", {-10.1, 20.2}}}}).wrong,
              ElementsAre(HasSubstr("lambda1, lambda2 are the reference with the other sign")));
  EXPECT_THAT(faults({{{"lambda", {-10, 20}}}, {{"lambda", {10, -20}}}}).wrong, IsEmpty());
  EXPECT_THAT(faults({{{"lambda", {-15, -20}}}}).wrong, IsEmpty()) << "wrong, but not by its sign";
}

TEST(ForeignFaults, ColumnsThatMayBeMeant) {
  ForeignResults table;
  table.runs.push_back(run_of({{"q", {2, -0.5, 1e-5}}}));
  table.lacking = {"a1", "lambda1", "lambda2", "v1", "v2"};
  table.unused = {"vx", "vy", "note"}, table.unused_numbers = {"vx", "vy"};
  ForeignFaults found = faults_of("a", table, reference);
  EXPECT_THAT(found.wrong, ElementsAre("a: columns that name nothing of the problem: vx, vy; entries without a column: "
                                       "v1, v2; --columns vx=v1 names one"));
  EXPECT_THAT(found.notes, ElementsAre("a: columns that name nothing of the problem are left out: note",
                                       "a lacks a1, lambda1, lambda2, v1, v2: errors are of what is there"));
  table.lacking = {"lambda1"};
  table.unused = {"seconds", "lambda_1"}, table.unused_numbers = table.unused;
  found = faults_of("a", table, reference);
  EXPECT_THAT(found.wrong,
              ElementsAre(HasSubstr("nothing of the problem: lambda_1; entries without a column: lambda1")));
}

TEST(ForeignFaults, RowsAreAsFarApartAsTheStepSizeSays) {
  const auto notes = [](const std::vector<double>& times) {
    ForeignResults table;
    table.runs.push_back({Exact("1/10"), {}, {}});
    for (const double t : times) table.runs[0].states.push_back({t, {}});
    return faults_of("a", table, reference).notes;
  };
  EXPECT_THAT(notes({0, 0.05, 0.1, 0.15}),
              ElementsAre(HasSubstr("rows are 0.05 s apart at t = 0.05 s under the step size h = 1/10")));
  EXPECT_THAT(notes({0, 0.1, 0.2, 0.25}), IsEmpty()) << "the last step may be shorter";
  EXPECT_THAT(notes({0, 0.30000000000000004, 0.6, 1}), IsEmpty()) << "every third was written";
  EXPECT_THAT(notes({0.25}), IsEmpty());
}

}  // namespace TEST_FILE
}  // namespace daelab
