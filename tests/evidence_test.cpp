// The runs that entries rest on.
#include "results/evidence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daelab {
namespace TEST_FILE {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Evidence, IsEveryRunThatTheValuesOfAnEntrySelect) {
  const std::vector<RunHead> runs = {{"a", {{"h", "0.01"}, {"scalar", "double"}}, ""},
                                     {"b", {{"h", "1/200"}, {"scalar", "double"}}, ""}};
  const std::vector<RunHead> none;
  const Json entries = Json::parse(R"({
    "claims": [
      {"id": "one", "value": {"set": "s", "run": {"/h": "1/100"}, "pointer": "/x"}},
      {"id": "ratio", "value": {"set": "s", "run": {"/h": "0.005"}, "pointer": "/x",
                                "over": {"set": "s", "run": {"/h": "0.01"}, "pointer": "/x"}}},
      {"id": "series", "values": [{"set": "s", "series": {"/scalar": "double"}, "pointer": "/x"}]},
      {"id": "missing", "value": {"set": "never run", "run": {"/h": "1"}, "pointer": "/x"}}],
    "findings": [{"id": "whole", "value": {"set": "s", "result": "/x"}}]})");
  const auto found = evidence_of(
      entries, [&](const std::string& set) -> const std::vector<RunHead>& { return set == "s" ? runs : none; });
  EXPECT_THAT(found.at("one").keys, ElementsAre("a")) << "numbers match by value";
  EXPECT_THAT(found.at("ratio").keys, ElementsAre("a", "b"));
  EXPECT_THAT(found.at("series").keys, ElementsAre("a", "b"));
  EXPECT_THAT(found.at("missing").keys, IsEmpty());
  EXPECT_EQ(found.at("whole").set, "s");
  EXPECT_THAT(found.at("whole").keys, IsEmpty()) << "the evaluation as a whole";
}

TEST(Evidence, NamesSetsInTheOrderOfTheEntries) {
  const Json entries = Json::parse(R"({
    "claims": [
      {"id": "text", "statement": "the \"set\":\"c\" of the paper"},
      {"id": "one", "value": {"set": "b", "run": {"/h": "1"}, "pointer": "/x",
                              "over": {"set": "d", "run": {"/h": "1"}, "pointer": "/x"}}}],
    "findings": [{"id": "two", "values": [{"set": "a", "result": "/x"}, {"set": "b", "result": "/x"}]}],
    "checks": [{"id": "three", "value": {"set": "c", "result": "/x"}}]})");
  EXPECT_THAT(sets_in_order(entries), ElementsAre("b", "d", "a", "c"));
}

}  // namespace TEST_FILE
}  // namespace daelab
