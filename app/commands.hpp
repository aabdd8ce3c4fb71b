// The verbs of the command line. Each returns the exit code: 0 fine, 1 it ran but something it was asked
// to establish does not hold, 130 interrupted; bad input throws InputError (2).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab::app {

int list(const std::string& kind, bool json);
/// "problems", "methods", ...
std::vector<std::string> listed_kinds();
/// Of all components of a kind, in the singular or the plural; none of another one.
std::vector<std::string> names_of(const std::string& kind);
struct ShowArguments {
  std::string kind, spec;
  std::string equations;  // of a problem: a notation or a language; "": without
  std::string sketch;     // of a mechanism: the file to draw, .svg or .pdf; "": none
  bool data = false;      // of a problem: its options and constants with their values
  bool json = false;
};
int show(const ShowArguments& arguments);

struct SolveArguments {
  Json run = Json::object();                 // specification of the run, without "trajectory"
  std::map<std::string, std::string> start;  // values, weights and names of it, by their keys
  std::string trajectory;                    // CSV file to write; "": none
  int every = 1;                             // steps between its rows
  bool check_accuracy = false;               // by a second run
  bool json = false;
};
int solve(const SolveArguments& arguments);

struct ChooseArguments {
  std::string problem, t_end;  // t_end "": the problem's own
  int digits = 6;
  bool json = false;
};
int choose(const ChooseArguments& arguments);

struct AnimateArguments {
  Json run = Json::object();                 // what all runs share
  std::map<std::string, std::string> start;  // values, weights and names of it, by their keys
  std::string problem;
  std::vector<std::string> methods, formulations;  // each with each; no formulation: the natural ones
  std::string reference = "radau-iia:s=5";         // method whose run errors are against; "none": none
  std::string out;                                 // the page
  int every = 1;                                   // steps between the rows of trajectories
};
int animate(const AnimateArguments& arguments, const std::string& command);

struct StartArguments {
  std::string problem, rank_tolerance = "1e-9";
  std::map<std::string, std::string> start;  // values, weights and names, by their keys
  bool json = false;
};
int start(const StartArguments& arguments);

/// How the runs of `run` are carried out: on threads, on ranks of MPI, as an array of Slurm.
struct EngineArguments {
  std::string name = "local";
  int ranks = 0, shards = 0;               // 0: as many as fit
  std::vector<std::string> mpirun, slurm;  // further options of mpirun, of sbatch
  std::vector<std::string> inherited;      // options of this process that tasks elsewhere need: --limit, --evaluate
};
struct RunArguments {
  std::vector<std::string> configs, overrides;
  std::string out = "out";
  int jobs = 0;
  bool force = false;
  std::optional<int> repeat = {};  // of each run, for its times; none: as its config says
  EngineArguments engine;
  std::string trajectories = "automatic";
  bool no_report = false;          // runs are stored, and nothing is made of them
  bool quiet = false;              // prints what failed and what is not as expected, and nothing else
  std::vector<std::string> typed;  // the command line after the program
};
int run(const RunArguments& arguments, const std::string& command);

struct JudgeArguments {
  std::vector<std::string> files;                    // tables of states
  std::string problem, formulation, t_end;           // formulation, t_end: "", as the run's default
  std::vector<std::string> beside{"radau-iia:s=3"};  // methods of ours
  std::vector<std::string> columns;                  // names that are not ours, THEIRS=OURS
  std::vector<std::string> h, rtol;                  // of all files, or of each; empty: a column says it, or nothing
  std::string label, order;                          // of all files; "": their names, nothing
  std::string out = "out";
  bool quiet = false;
};
int judge(const JudgeArguments& arguments, const std::string& command);

struct AuditArguments {
  std::vector<std::string> what;  // specifications, files of tableaus, lists with claims
  bool all = false;               // every registered method
  bool measure = false;           // orders also of methods with coefficients
  bool json = false, csv = false, latex = false;
  std::string html;  // file of a page
};
/// 1 where a claim is refuted.
int audit(const AuditArguments& arguments);

struct ShardArguments {
  std::string config, part;  // "3/8": the third of eight
  std::vector<std::string> overrides;
  std::string out = "out";
  int jobs = 0;
};
int shard(const ShardArguments& arguments, const std::string& command);
/// Of these runs, of all that have trajectories where none are named.
int export_trajectories(const std::string& folder, std::vector<std::string> keys, const std::string& to);
int merge(const std::vector<std::string>& folders, const std::string& to);
int check(const std::vector<std::string>& configs, const std::vector<std::string>& overrides);

struct ReproduceArguments {
  std::vector<std::string> papers;  // names, folders, .zip files
  std::string out = "out";
  int jobs = 0;
  bool force = false;
  std::optional<int> repeat = {};
  bool verbose = false;                // prints every verdict, not only the ones that stand out
  bool quiet = false;                  // prints the unexpected ones, and nothing else
  bool allow_python = false;           // methods in Python that packs bring
  std::vector<std::string> only = {};  // result sets; none: all
};
int reproduce(const ReproduceArguments& arguments);

struct PackArguments {
  std::string action;  // new, check, build
  std::string pack;    // its folder; of check and build also a name or a .zip file
  std::vector<std::string> configs, authors;
  std::string title, licence;
  std::string out = "out", to;
  int jobs = 0;
  bool quiet = false;
};
/// new: a pack of the user's configs with a claim for each number of their tables, each order and each verdict. check:
/// prints what it lacks, 0 where nothing. build: writes it with its results into one file, once nothing is lacking.
int pack(const PackArguments& arguments);

struct RerunArguments {
  std::string folder;  // the result set, or a folder or .zip file of several
  std::string out;     // folder of the new one; "": a temporary one, kept only where results differ
  int jobs = 0;
};
/// Before the files of the project are loaded: the copies in the result set are read instead, and arithmetic is as
/// strict as it was.
void use_kept_inputs(const std::string& dir);
/// Carries the config of the manifest out again and compares all runs bit by bit: 0 equal, 1 not.
/// `inherited`: options that a process for each of several needs, too.
int rerun(const RerunArguments& arguments, const std::vector<std::string>& inherited);

struct ReportArguments {
  std::vector<std::string> folders;
  std::string to;  // folder; "": report/ in the first one
  std::string formats = "svg,pdf,tex,md,csv,html", width = "1";
  std::vector<std::string> only;  // tables and figures; none: all
  int columns = 1;
};
int report(const ReportArguments& arguments);
int compare(const std::string& a, const std::string& b, double rtol);
/// Runs of one or two result sets ("": one) that differ in this key alone, their errors and work as ratios.
int compare_by(const std::string& a, const std::string& b, const std::string& key);
struct ReferenceArguments {
  std::string problem, analysis;             // analysis of the start; "": the problem's own values
  std::map<std::string, std::string> start;  // values, weights and names of it, by their keys
  std::vector<std::string> times;
  bool store = false;
  std::string folder;  // where to; "": where runs look for it
};
int reference(const ReferenceArguments& arguments);
struct CertifyArguments {
  std::string problem, analysis;             // analysis of the start; "": the problem's own values
  std::map<std::string, std::string> start;  // values of it, by their keys
  std::string t;                             // "": the end of the problem
  int digits = 30;
  std::string to;  // file of the certificate; "": none
  bool json = false, store = false;
  std::string folder;  // where to; "": where runs look for references
};
/// 1 where the motion is not enclosed, or a stored number is refuted.
int certify(const CertifyArguments& arguments);
int schema();

}  // namespace daelab::app
