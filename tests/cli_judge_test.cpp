// judge: tables that other programs could have made, against the references of problems.
// Bounds of 1e-12 and less are round-off.
#include "tests/cli_support.hpp"
#include "tests/numpy_samples.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

class Judged : public Cli {
 protected:
  // What the terminal shows, without the ends of lines that fit its width.
  static std::string flat(const std::string& text) {
    std::istringstream words(text);
    std::string all;
    for (std::string word; words >> word;) all += (all.empty() ? "" : " ") + word;
    return all;
  }
  Json analysis(const std::string& name) const { return Json::parse(read(folder / "out" / name / "analysis.json")); }
};

// y(10) = sin 10 with an error of 3 h^2: the order is 2 to all digits, and rows may come in any order.
TEST_F(Judged, FindsTheOrderOfEndValues) {
  std::string table = "# made by hand\nh y1\n";
  for (const int n : {40, 10, 20, 80}) table += fmt::format("{:.17g} {:.17g}\n", 1.0 / n, std::sin(10.0) + 3.0 / n / n);
  write(folder / "mine.txt", table);
  const Outcome outcome = daelab_ok({"judge", "mine.txt", "--problem", "prothero-robinson", "--order", "2"});
  EXPECT_THAT(outcome.out, HasSubstr("report: out/mine/report/index.html"));
  const Json result = analysis("mine");
  const Json& series = result["series"][0];
  EXPECT_EQ(series["label"], "mine");
  EXPECT_NEAR(series["orders"]["y"]["order"].get<double>(), 2, 1e-10);  // 17 digits of errors down to 5e-4
  EXPECT_EQ(series["orders"]["y"]["agreement"], "agrees");
  EXPECT_EQ(series["points"][0]["h"], "0.1");
  EXPECT_NEAR(series["points"][0]["y"].get<double>(), 0.03, 1e-14);
  EXPECT_EQ(result["series"].size(), 2u) << "ours beside it";
  EXPECT_THAT(read(folder / "out/mine/report/mine/mine-orders.md"), HasSubstr("2.00"));
}

// Our own trajectory as if it were another program's has the errors and the drift that the run itself has.
TEST_F(Judged, AgreesWithTheRunThatMadeTheTrajectory) {
  const Json run = json_of({"solve", "--problem", "pendulum", "--formulation", "index-1", "--method", "radau-iia:s=2",
                            "--h", "1/50", "--trajectory", "own.csv", "--json"});
  daelab_ok({"judge", "own.csv", "--problem", "pendulum", "--h", "1/50", "--beside", "bdf:k=2"});
  const Json result = analysis("own");
  const Json& judged = result["runs"][0];
  EXPECT_EQ(judged["states"].get<long>(), run["stats"]["steps"].get<long>() + 1);
  for (const char* kind : {"q", "v", "a", "lambda"})
    EXPECT_NEAR(judged["error"][kind].get<double>(), run["error"][kind].get<double>(), 1e-14) << kind;
  for (const char* what : {"energy_error", "position_constraint", "velocity_constraint"})
    EXPECT_NEAR(judged["drift"][what].get<double>(), run["max"][what].get<double>(), 1e-13) << what;
  EXPECT_EQ(result["runs"][1]["h"], "1/50") << "ours takes their step";
}

// A trajectory of each step size is a method in several files.
TEST_F(Judged, TakesAFileForEachStep) {
  for (const char* steps : {"50", "100", "200", "400"})
    daelab_ok({"solve", "--problem", "pendulum", "--formulation", "index-1", "--method", "radau-iia:s=2", "--h",
               std::string("1/") + steps, "--t-end", "10", "--trajectory", std::string("n") + steps + ".csv"});
  daelab_ok({"judge", "n50.csv", "n400.csv", "n100.csv", "n200.csv", "--problem", "pendulum", "--h",
             "1/50,1/400,1/100,1/200", "--label", "Radau", "--order", "3"});
  const Json result = analysis("n50-and-3-more");
  EXPECT_EQ(result["series"][0]["label"], "Radau");
  EXPECT_EQ(result["series"][0]["points"].size(), 4u);
  EXPECT_NEAR(result["series"][0]["orders"]["q"]["order"].get<double>(), 3, 0.01);  // measured 1e-4 off
  expect_refused({"judge", "n50.csv", "n400.csv", "n100.csv", "--problem", "pendulum", "--h", "1/50,1/400"},
                 {"--h: 2 values for 3 files", "one for each file"});
}

// A set of several tables is not called after one of them.
TEST_F(Judged, NamesASetAfterItsTables) {
  for (const char* name : {"a", "b", "c", "d"}) write(folder / (name + std::string(".csv")), "h,y1\n0.1,-0.54\n");
  const auto title = [&](const Arguments& files, const std::string& set) {
    Arguments arguments{"judge", "--problem", "prothero-robinson"};
    arguments.insert(arguments.end(), files.begin(), files.end());
    daelab_ok(arguments);
    return Json::parse(read(folder / "out" / set / "result.json"))["title"].get<std::string>();
  };
  EXPECT_EQ(title({"a.csv"}, "a"), "a.csv judged on prothero-robinson");
  EXPECT_EQ(title({"b.csv", "a.csv"}, "b-a"), "b.csv, a.csv judged on prothero-robinson");
  EXPECT_EQ(title({"a.csv", "b.csv", "c.csv", "d.csv"}, "a-and-3-more"),
            "a.csv and 3 more judged on prothero-robinson");
}

// Tolerances in place of steps, names of the problem, Fortran's exponents, columns that mean nothing.
TEST_F(Judged, ReadsWhatOtherProgramsWrite) {
  write(folder / "radau.csv", "tol;t;angle;nfev\n1.D-4;1.0D+1;-5.4403D-1;100\n1d-6;10;-5.440211D-1;200\n");
  const Outcome outcome =
      daelab_ok({"judge", "radau.csv", "--problem", "prothero-robinson", "--columns", "angle=y1,tol=rtol"});
  const Json result = analysis("radau");
  EXPECT_EQ(result["runs"][0]["rtol"], "1e-04");
  EXPECT_NEAR(result["runs"][0]["error"]["y"].get<double>(), std::abs(std::sin(10.0) + 0.54403), 1e-14);
  EXPECT_EQ(result["runs"].size(), 4u);
  EXPECT_THAT(read(folder / "out/radau/report/index.html"), HasSubstr("columns that name nothing of the problem"));
}

// Fields are columns by their names; an array without names has columns 1, 2, ...; row by row or column by column.
TEST_F(Judged, ReadsArraysOfNumPy) {
  struct Row {
    float h;
    double y;
  } __attribute__((packed));
  write(folder / "fields.npy",
        npy("[('h', '<f4'), ('y1', '<f8')]", false, "(2,)", bytes_of<Row>({{0.125F, -0.5}, {0.0625F, -0.53}})));
  write(folder / "plain.npy", npy("'<f8'", false, "(2, 2)", bytes_of<double>({0.125, -0.5, 0.0625, -0.53})));
  write(folder / "fortran.npy", npy("'<f8'", true, "(2, 2)", bytes_of<double>({0.125, 0.0625, -0.5, -0.53})));
  for (const char* name : {"fields", "plain", "fortran"}) {
    SCOPED_TRACE(name);
    Arguments arguments{"judge", std::string(name) + ".npy", "--problem", "prothero-robinson"};
    if (name != std::string("fields")) arguments.insert(arguments.end(), {"--columns", "1=h,2=y1"});
    daelab_ok(arguments);
    const Json runs = analysis(name)["runs"];
    EXPECT_EQ(runs[0]["h"], "0.125");
    EXPECT_NEAR(runs[0]["error"]["y"].get<double>(), std::abs(std::sin(10.0) + 0.5), 1e-14);
    EXPECT_NEAR(runs[1]["error"]["y"].get<double>(), std::abs(std::sin(10.0) + 0.53), 1e-14);
  }
}

// A file of trajectories that we packed is a table, too.
TEST_F(Judged, ReadsHdf5) {
  write(folder / "c.json", R"({"name": "c", "experiment": "convergence", "title": "t",
    "common": {"problem": "pendulum", "formulation": "index-1", "method": "radau-iia:s=2", "trajectory": 1},
    "runs": [{"h": "1/50"}]})");
  daelab_ok({"run", "c.json", "--out", "packed", "--trajectories", "hdf5"});
  for (const auto& file : fs::directory_iterator(folder / "packed/c/trajectories"))
    if (file.path().extension() == ".h5") fs::copy(file.path(), folder / "own.h5");  // an index is beside it
  daelab_ok({"judge", "own.h5", "--problem", "pendulum", "--h", "1/50"});
  const Json packed = Json::parse(read(folder / "packed/c/analysis.json"));
  EXPECT_NEAR(analysis("own")["runs"][0]["error"]["q"].get<double>(),
              packed["series"][0]["points"][0]["q"].get<double>(), 1e-14);
}

TEST_F(Judged, RefusesArraysThatCannotBeRead) {
  const auto refused = [&](const std::string& name, const std::string& content, const std::string& part) {
    SCOPED_TRACE(name);
    write(folder / name, content);
    expect_refused({"judge", name, "--problem", "prothero-robinson"}, {name, part});
  };
  const std::string whole = npy("'<f8'", false, "(2, 2)", bytes_of<double>({0.125, -0.5, 0.0625, NAN}));
  refused("a.npy", "no array", "is no array of NumPy");
  refused("a.npy", whole.substr(0, 60), "is cut off in its header");
  refused("a.npy", whole.substr(0, whole.size() - 8), "shorter than its shape says");
  refused("a.npy", npy("'<c16'", false, "(2,)", std::string(32, '\0')), "no array of numbers");
  refused("a.npy", npy("'<f8'", false, "(2", ""), "header that is none of NumPy");
  refused("a.npy", whole, "no column is named after an entry");
  refused("a.npz", "PK and no more", "is no archive that can be read");
  refused("a.h5", "no file of HDF5", "cannot read");
  write(folder / "n.npy", whole);
  expect_refused({"judge", "n.npy", "--problem", "prothero-robinson", "--columns", "1=h,2=y1"},
                 {"n.npy: row 2: column 2: 'nan' is not a finite number"});
}

TEST_F(Judged, SaysWhatAFileLacks) {
  write(folder / "half.csv", "h,q1\n0.1,1\n0.05,1\n");
  daelab_ok({"judge", "half.csv", "--problem", "pendulum"});
  EXPECT_THAT(read(folder / "out/half/report/index.html"), HasSubstr("half lacks a1"));
  EXPECT_TRUE(analysis("half")["runs"][0]["error"]["v"].is_null());
}

TEST_F(Judged, DoubtsUnits) {
  const double degrees = std::sin(10.0) * 180 / M_PI;
  write(folder / "degrees.csv", fmt::format("y1\n{:.17g}\n", degrees));
  const Outcome outcome = daelab({"judge", "degrees.csv", "--problem", "prothero-robinson"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(flat(outcome.out),
              HasSubstr("wrong: degrees: y1 is 57.3 times the reference: degrees where radians are meant?"));
  EXPECT_THAT(read(folder / "out/degrees/report/index.html"), HasSubstr("degrees where radians are meant"));
}

// The end state of the pendulum by us, as a table that another program could have made.
class JudgedPendulum : public Judged {
 protected:
  JudgedPendulum() {
    daelab_ok({"solve", "--problem", "pendulum", "--formulation", "index-1", "--method", "gauss:s=6", "--h", "1/100",
               "--trajectory", "exact.csv"});
    std::string last;
    std::istringstream lines(read(folder / "exact.csv"));
    std::getline(lines, header_);
    header_ = "t,q1,q2,v1,v2,a1,a2,lambda1" + header_.substr(header_.find(",kinetic_energy"));
    for (std::string line; std::getline(lines, line);) last = line;
    std::istringstream cells(header_ + "," + last);
    std::vector<std::string> all;
    for (std::string cell; std::getline(cells, cell, ',');) all.push_back(cell);
    for (std::size_t i = 0; i < all.size() / 2; ++i)
      if (all[i] != "t") end_[all[i]] = std::stod(all[all.size() / 2 + i]);
  }
  // A row each of h = 0.1 and 0.05, entries by name times a factor.
  void table(const std::string& name, const std::vector<std::string>& entries,
             const std::map<std::string, double>& times, const std::string& more = "",
             const std::string& cell = "") const {
    std::string text = "h";
    for (const std::string& entry : entries) text += "," + entry;
    text += more + "\n";
    for (const char* h : {"0.1", "0.05"}) {
      text += h;
      for (const std::string& entry : entries)
        text += fmt::format(",{:.17g}", end_.at(entry) * (times.contains(entry) ? times.at(entry) : 1));
      text += cell + "\n";
    }
    write(folder / name, text);
  }
  Outcome judge(const std::string& name) const {
    return daelab({"judge", name, "--problem", "pendulum", "--formulation", "index-1"});
  }
  const std::vector<std::string> states{"q1", "q2", "v1", "v2"}, all{"q1", "q2", "v1", "v2", "lambda1"};

 private:
  std::string header_;
  std::map<std::string, double> end_;
};

TEST_F(JudgedPendulum, SaysThatUnitsAreWrong) {
  table("mm.csv", states, {{"q1", 1e3}, {"q2", 1e3}, {"v1", 1e3}, {"v2", 1e3}});
  const Outcome outcome = judge("mm.csv");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(flat(outcome.out), HasSubstr("times the reference: in other units?"));
  EXPECT_THAT(flat(outcome.out), HasSubstr("wrong: mm: "));
  EXPECT_EQ(analysis("mm")["faults"].size(), 1u) << "one sentence, not one for each entry and run";
}

TEST_F(JudgedPendulum, SaysThatASignIsWrong) {
  table("sign.csv", all, {{"lambda1", -1}});
  const Outcome outcome = judge("sign.csv");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(flat(outcome.out), HasSubstr("wrong: sign: lambda1 is the reference with the other sign"));
  table("right.csv", all, {});
  EXPECT_EQ(judge("right.csv").code, 0);
  EXPECT_THAT(analysis("right")["faults"], testing::IsEmpty());
}

TEST_F(JudgedPendulum, SaysWhichColumnsAreLeftOut) {
  table("names.csv", {"q1", "q2"}, {}, ",vx,vy", ",0.5,0.25");
  const Outcome wrong = judge("names.csv");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(flat(wrong.out), HasSubstr("wrong: names: columns that name nothing of the problem: vx, vy"));
  table("slip.csv", states, {}, ",lambda_1", ",0.5");
  EXPECT_EQ(judge("slip.csv").code, 1);
  table("counts.csv", states, {}, ",nfev,seconds", ",17,0.25");
  const Outcome right = judge("counts.csv");
  EXPECT_EQ(right.code, 0) << right.out;
  EXPECT_THAT(flat(right.out),
              HasSubstr("note: counts: columns that name nothing of the problem are left out: nfev, seconds"));
  EXPECT_THAT(flat(right.out), HasSubstr("counts lacks a1, a2, lambda1"));
}

// The table has no accelerations, so the terminal says nothing of their order. It shows errors and orders.
TEST_F(JudgedPendulum, SaysErrorsAndOrdersOfWhatThereIs) {
  std::string text = "h,q1\n";
  for (const int n : {10, 20, 40, 80}) text += fmt::format("{},{}\n", 1.0 / n, 0.5 + 1.0 / n / n);
  write(folder / "four.csv", text);
  const Outcome outcome = judge("four.csv");
  EXPECT_THAT(outcome.out, Not(HasSubstr("undecided: 0")));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("theory"), HasSubstr("Status"))) << "both tables";
  EXPECT_FALSE(analysis("four")["series"][0]["orders"].contains("a"));
  EXPECT_THAT(read(folder / "out/four/report/index.html"), Not(HasSubstr("0 of 4 points (4 failed)")));
}

TEST_F(JudgedPendulum, ComparesTimesWithTheStepSize) {
  daelab_ok({"solve", "--problem", "pendulum", "--formulation", "index-1", "--method", "radau-iia:s=2", "--h", "1/100",
             "--trajectory", "half.csv"});
  const auto judged = [&](const char* step) {
    return flat(daelab_ok({"judge", "half.csv", "--problem", "pendulum", "--h", step, "--formulation", "index-1"}).out);
  };
  EXPECT_THAT(judged("1/50"), HasSubstr("rows are 0.01 s apart at t = 0.01 s under the step size h = 1/50"));
  EXPECT_THAT(judged("1/100"), Not(HasSubstr("apart")));
  EXPECT_THAT(judged("1/200"), Not(HasSubstr("apart"))) << "every second step may be written";
}

TEST_F(Judged, KeepsEarlierJudgements) {
  const Arguments arguments{"judge", "mine.csv", "--problem", "prothero-robinson"};
  write(folder / "mine.csv", "h,y1\n0.1,-0.5\n0.05,-0.53\n");
  daelab_ok(arguments);
  const std::string first = read(folder / "out/mine/analysis.json");
  daelab_ok(arguments);
  EXPECT_FALSE(fs::exists(folder / "out/mine-2")) << "the same again";
  write(folder / "mine.csv", "h,y1\n0.1,-0.52\n0.05,-0.54\n");
  EXPECT_THAT(flat(daelab_ok(arguments).err),
              HasSubstr("out/mine is another judgement and stays; this one is out/mine-2"));
  EXPECT_EQ(read(folder / "out/mine/analysis.json"), first);
  EXPECT_NEAR(analysis("mine-2")["runs"][0]["error"]["y"].get<double>(), std::abs(std::sin(10.0) + 0.52), 1e-14);
  daelab_ok(with(arguments, {"--beside", "bdf:k=2"}));
  EXPECT_TRUE(fs::exists(folder / "out/mine-3")) << "beside other methods";
}

TEST_F(Judged, RefusesWhatCannotBeJudged) {
  const auto refused = [&](const std::string& table, const std::vector<std::string>& parts, Arguments more = {}) {
    SCOPED_TRACE(table);
    write(folder / "x.csv", table);
    Arguments arguments{"judge", "x.csv", "--problem", "prothero-robinson"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_refused(arguments, parts);
    EXPECT_FALSE(fs::exists(folder / "out"));
  };
  refused("h,y1\n0.1,nan\n", {"x.csv:2", "column 2", "'nan' is not a finite number"});
  refused("h,y1\n0.1,\n", {"x.csv:2", "'' is not a finite number"});
  refused("h,y1\n0.1\n", {"x.csv:2", "1 cells in a table of 2 columns"});
  refused("t,y1\n11,0\n", {"x.csv:2", "t = 11 is beyond the end, t = 10 s"});
  refused("t,y1\n0,0\n5,0\n", {"last state is of t = 5 s", "--t-end"});
  refused("t,y1\n5,0\n1,0\n", {"x.csv:3", "go forward in time"});
  refused("h,z1\n0.1,0\n", {"x.csv:1", "no column is named after an entry", "known: h, rtol, t, y, y1"});
  refused("y1,y\n0,0\n", {"x.csv:1", "there twice"});
  refused("h,y1\n-1,0\n", {"h = -1 must be positive"});
  refused("h,y1\n", {"no rows"});
  refused("", {"no header line"});
  refused("a,b\n1,2\n", {"no column 'angle'"}, {"--columns", "angle=y1"});
  refused("a,b\n1,2\n", {"expected THEIRS=OURS", "y1"}, {"--columns", "a=z1"});
  expect_refused({"judge", "none.csv", "--problem", "prothero-robinson"}, {"none.csv: cannot be read"});
}

#ifndef DAELAB_DOUBLE_ONLY
// Nothing is stored of a problem of one's own: its reference is computed by two routes on the way.
TEST_F(Judged, ComputesWhatIsNotStored) {
  write(folder / "decay.json", R"({"name": "decay", "states": {"x": "-2*x"}, "start": {"x": 1}, "end_time": 1})");
  write(folder / "mine.csv", "h,x\n0.1,0.1353\n");
  daelab_ok({"judge", "mine.csv", "--problem", "@decay.json"});
  EXPECT_NEAR(analysis("mine")["runs"][0]["error"]["y"].get<double>(), std::exp(-2.0) - 0.1353, 1e-12);
  EXPECT_THAT(analysis("mine")["reference"].get<std::string>(),
              testing::ContainsRegex("agreed by two routes to [2-4][0-9] digits$"));
}
#endif

// A set of judged results is self-contained: it can be carried out again without the files.
TEST_F(Judged, CanBeCarriedOutAgain) {
  write(folder / "mine.csv", "h,y1\n0.1,-0.5\n0.05,-0.53\n");
  daelab_ok({"judge", "mine.csv", "--problem", "prothero-robinson"});
  fs::remove(folder / "mine.csv");
  daelab_ok({"rerun", "out/mine"});
}

}  // namespace TEST_FILE
}  // namespace daelab
