// References: every source of a component names a work that results/references.bib has.
#include "report/tables/bibliography.hpp"

#include <gmock/gmock.h>

#include "core/equations/formulation.hpp"
#include "core/integration/method.hpp"
#include "core/mechanism/problem.hpp"
#include "core/solvers/multiplier_solver.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Sources that are no works: problems of our own, and rules that were measured.
bool is_our_own(const std::string& source) {
  for (const char* words : {"own", "measured", "model problem"})
    if (source.starts_with(words)) return true;
  return source.empty();
}

template <class Kind>
std::vector<std::string> without_reference() {
  std::vector<std::string> missing;
  for (const std::string& name : Registry<Kind>::instance().names()) {
    const RegistryEntry* entry = Registry<Kind>::instance().look_up(name);
    if (!is_our_own(entry->source) && !has_reference(entry->source)) missing.push_back(name + ": " + entry->source);
  }
  return missing;
}

TEST(Bibliography, HasTheSourceOfEveryComponent) {
  EXPECT_THAT(without_reference<Problem>(), IsEmpty());
  EXPECT_THAT(without_reference<Formulation>(), IsEmpty());
  EXPECT_THAT(without_reference<Method>(), IsEmpty());
  EXPECT_THAT(without_reference<MultiplierSolver>(), IsEmpty());
}

TEST(Bibliography, HasWhatTheRunsRestOnAndNoMore) {
  const std::vector<std::string> sources = sources_of(
      {{"problem", {{"name", "seven-body"}}}, {"formulation", "ggl"}, {"method", {{"name", "radau-iia"}, {"s", 3}}}});
  EXPECT_EQ(sources.size(), 3u);
  const std::string text = bibliography_of(sources);
  for (const char* key : {"@book{hairer1996,", "@article{gear1985,", "@misc{testset2008,", "@article{ren2020,"})
    EXPECT_THAT(text, HasSubstr(key));
  EXPECT_THAT(text, Not(HasSubstr("newmark1959")));
  EXPECT_THAT(text, Not(HasSubstr("cited")));
}

TEST(Bibliography, ATableauStatesItsOwnSource) {
  const Json own = {{"name", "mine"}, {"A", Json::array()}, {"source", "Kutta 1901"}};
  EXPECT_THAT(bibliography_of(sources_of({{"method", own}})), HasSubstr("@article{kutta1901,"));
}

}  // namespace TEST_FILE
}  // namespace daelab
