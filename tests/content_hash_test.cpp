// Hashes of contents and sources, and where a result comes from.
#include "results/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "results/provenance.hpp"
#include "results/run_log.hpp"
#include "results/run_record.hpp"
#include "tests/build_paths.hpp"
#include "tests/input_error_support.hpp"
#include "tests/store_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

TEST(ContentHash, IsXxh3With128Bit) {
  EXPECT_EQ(content_hash(std::string()), "99aa06d3014798d86001c324468d497f");  // XXH3 reference
  EXPECT_NE(content_hash(std::string("a")), content_hash(std::string("b")));
}

TEST(ContentHash, OrderOfKeysNeverMatters) {
  const Json a = Json::parse(R"({"h": "0.01", "method": {"r": 4, "nodes": ["1/2", "1"]}})");
  const Json b = Json::parse(R"({"method": {"nodes": ["1/2", "1"], "r": 4}, "h": "0.01"})");
  EXPECT_EQ(content_hash(a), content_hash(b));
  EXPECT_EQ(make_run_key(a), make_run_key(b));
}

TEST(ContentHash, OrderOfElementsAndValuesMatter) {
  EXPECT_NE(content_hash(Json::parse("[1, 2]")), content_hash(Json::parse("[2, 1]")));
  EXPECT_NE(make_run_key({{"h", "0.01"}}), make_run_key({{"h", "0.02"}}));
  EXPECT_NE(make_run_key({}, {{"engines", "1"}}), make_run_key({}, {{"engines", "2"}}));
  EXPECT_NE(make_run_key({}, {}, "one reference"), make_run_key({}, {}, "another"));
}

TEST(SourceHash, IsOfThePartThatTheSourceBelongsTo) {
  const SourceHashes hashes{{"engines", "1"}, {"core/a.cpp", "1"}, {"methods/b.cpp", "2"}};
  EXPECT_EQ(source_hash("engines", hashes), "1");
  EXPECT_EQ(source_hash(source_name(source_path("/methods/b.cpp")), hashes), "2");
  // For a source unknown to the build: everything.
  EXPECT_EQ(source_hash("methods/new.cpp", hashes).size(), 32u);
  EXPECT_EQ(source_hash("methods/new.cpp", hashes), source_hash("engines", {}));
}

// Every component is of some part: its runs survive changes of others.
TEST(SourceHash, TheBuildKnowsItsSources) {
  for (const char* source : {"engines", "core/base/exact.cpp", "methods/runge_kutta/gauss.cpp", "problems/pendulum.cpp",
                             "docs/examples/my_method.cpp", "lab/runs/run_spec.cpp"})
    EXPECT_TRUE(source_hashes().contains(source)) << source;
  EXPECT_NE(source_hash("problems/pendulum.cpp"), source_hash("engines"));
  EXPECT_EQ(source_hash("core/base/exact.cpp"), source_hash("engines"));
}

TEST(Provenance, KnowsWhereItRuns) {
  const Json json = current_provenance();
  EXPECT_EQ(json["date"].get<std::string>().back(), 'Z');
  EXPECT_THAT(json["system"].get<std::string>(), HasSubstr(" "));
  EXPECT_EQ(json["cores"].get<unsigned>(), std::thread::hardware_concurrency());
  EXPECT_FALSE(json["code"].get<std::string>().empty());
  EXPECT_EQ(json["code"], code_hash());
}

}  // namespace TEST_FILE
}  // namespace daelab
