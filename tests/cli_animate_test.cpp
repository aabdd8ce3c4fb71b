// animate: a mechanism in motion as one file for a talk. What a browser makes of it is tested by tests/page.
#include "tests/cli_support.hpp"
#include "tests/packed_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CliAnimate : public Cli {};

TEST_F(CliAnimate, WritesEveryMethodOnEveryFormulation) {
  const Outcome outcome =
      daelab_ok({"animate", "pendulum", "--method", "gauss:s=2", "--method", "radau-iia:s=2", "--formulation",
                 "index-3", "--formulation", "index-1", "--h", "1/20", "--t-end", "1", "--out", "m.html"});
  EXPECT_THAT(outcome.out, HasSubstr("m.html ("));
  const std::string html = read(folder / "m.html");
  EXPECT_THAT(html, AllOf(HasSubstr("Content-Security-Policy"), HasSubstr("Errors are against radau-iia:s=5"),
                          HasSubstr("<noscript>"), HasSubstr("data:image/svg+xml")));
  const Json set = data_of_page(html)["sets"][0];
  EXPECT_EQ(set["motions"].size(), 4u);
  EXPECT_EQ(set["runs"]["list"].size(), 4u);
  for (const Json& motion : set["motions"]) {
    EXPECT_EQ(motion["curveTimes"].size(), 21u);  // of 20 steps
    for (const char* value : {"q_error", "energy_error", "position_constraint"})
      EXPECT_EQ(motion["values"][value].size(), 21u) << value;
    // gauss, s = 2, of order 4 with h = 1/20, has 4e-5 at the end: wrong times or coordinates would give 0.1 and more.
    EXPECT_LT(motion["values"]["q_error"][20].get<double>(), 0.05);
    EXPECT_GT(motion["values"]["q_error"][20].get<double>(), 0);
  }
}

TEST_F(CliAnimate, ShowsHowFarAFailedRunCame) {
  const Outcome outcome =
      daelab({"animate", "pendulum", "--method", "gauss", "--method", "runge-kutta", "--formulation", "index-3", "--h",
              "1/20", "--t-end", "1", "--reference", "none", "--out", "m.html"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("runge-kutta"));
  const std::string html = read(folder / "m.html");
  EXPECT_THAT(html, AllOf(HasSubstr("not-applicable"), Not(HasSubstr("Errors are against"))));
  EXPECT_EQ(data_of_page(html)["sets"][0]["motions"].size(), 1u);
  EXPECT_THAT(html, AllOf(HasSubstr(">2 runs, 1 of them in motion: status"), HasSubstr("<h1>pendulum in motion</h1>")));
}

TEST_F(CliAnimate, RefusesWhatCannotMoveOrBeWritten) {
  const auto refused = [&](const Arguments& more, const std::vector<std::string>& parts) {
    expect_refused(with({"animate"}, more), parts);
    EXPECT_FALSE(fs::exists(folder / "m.html"));
  };
  refused({"robertson", "-m", "bdf", "--rtol", "1e-4", "--out", "m.html"}, {"problem: 'robertson' has no outline"});
  refused({"pendulun", "-m", "bdf", "--rtol", "1e-4", "--out", "m.html"}, {"no problem", "did you mean 'pendulum'?"});
  refused({"pendulum", "-m", "gaus", "--h", "0.1", "--out", "m.html"}, {"--method", "did you mean 'gauss'?"});
  refused({"pendulum", "-m", "gauss", "--h", "0.1", "--reference", "radau-ii", "--out", "m.html"},
          {"--reference", "did you mean 'radau-iia'?"});
  refused({"pendulum", "-m", "gauss", "-f", "index-4", "--h", "0.1", "--out", "m.html"}, {"--formulation", "index-3"});
  refused({"pendulum", "-m", "gauss", "--out", "m.html"}, {"--h is missing"});
  refused({"pendulum", "-m", "gauss", "--h", "0.1", "--out", "none/m.html"}, {"--out: no folder 'none'"});
  refused({"pendulum", "-m", "gauss", "--h", "0.1", "--out", "."}, {"--out: '.' is a directory"});
  refused({"pendulum", "-m", "gauss", "--h", "0.1", "--every", "0", "--out", "m.html"}, {"--every"});
}

}  // namespace TEST_FILE
}  // namespace daelab
