#include "cluster/slurm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "cluster/run_as_array.hpp"
#include "core/base/input_error.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

// Programs of these names that say these things, in place of Slurm's.
class Slurm : public testing::Test {
 protected:
  Slurm() { ::setenv("PATH", (folder_.path() + ":" + path_).c_str(), 1); }
  ~Slurm() override { ::setenv("PATH", path_.c_str(), 1); }

  void stand_in(const std::string& name, const std::string& body) const {
    const std::string file = folder_.path() + "/" + name;
    std::ofstream(file) << "#!/bin/sh\n" << body << "\n";
    ::chmod(file.c_str(), 0755);
  }
  SlurmArray array() const { return {"job", folder_.path() + "/shards", 3, 2, {"daelab"}, 1, {"--time=10"}}; }

  std::string path_ = std::getenv("PATH");
  TemporaryFolder folder_;
};

TEST_F(Slurm, ScriptSaysAllThatSbatchNeeds) {
  SlurmArray array = this->array();
  array.command = {"daelab", "shard", "it's a.json", "--out", "o p"}, array.part = 3;
  const std::string script = slurm_script(array);
  EXPECT_THAT(script, HasSubstr("#SBATCH --array=1-3\n"));
  EXPECT_THAT(script, HasSubstr("#SBATCH --cpus-per-task=2\n"));
  EXPECT_THAT(script, HasSubstr("#SBATCH --time=10\n"));
  EXPECT_THAT(script,
              HasSubstr("exec 'daelab' 'shard' 'it'\\''s a.json' ''\"$SLURM_ARRAY_TASK_ID\"'/3' '--out' 'o p'\n"));
}

// A path may hold any text, also that which once stood for the number of a task.
TEST_F(Slurm, PathsOfAnyTextAreLeftAlone) {
  SlurmArray array = this->array();
  array.command = {"daelab", "shard", "{task}/{}.json", "--out", "{task}"}, array.part = 3;
  EXPECT_THAT(slurm_script(array),
              HasSubstr("exec 'daelab' 'shard' '{task}/{}.json' ''\"$SLURM_ARRAY_TASK_ID\"'/3' '--out' '{task}'\n"));
}

// sbatch reads quotes as a shell does; %x in a name is the name of the job, %% a percent sign.
TEST_F(Slurm, FolderOfAnyNameHoldsTheLogs) {
  SlurmArray array = this->array();
  array.folder = "/a b/it's 5 %/shards";
  EXPECT_THAT(slurm_script(array), HasSubstr("#SBATCH --output='/a b/it'\\''s 5 %%/shards/log/'%A_%a.txt\n"));
  for (const char* folder : {"/a\\b", "/a\nb"}) {
    array.folder = folder;
    EXPECT_THROW(slurm_script(array), InputError);
  }
}

// Before anything is looked at or written.
TEST_F(Slurm, MoreTasksThanAnArrayCanHaveAreRefused) {
  ArrayOptions array;
  array.shards = 2147483647;
  EXPECT_THAT([&] { run_as_array({}, {}, array); },
              testing::ThrowsMessage<InputError>(HasSubstr("2147483647 is out of range; allowed: 0 to 4000000")));
}

TEST_F(Slurm, OptionsCannotAddLinesToTheScript) {
  SlurmArray array = this->array();
  array.options = {"--time=10\nrm x"};
  EXPECT_THROW(slurm_script(array), InputError);
  array.options = {"time=10"};
  EXPECT_THROW(slurm_script(array), InputError);
}

TEST_F(Slurm, TheJobIsNoted) {
  EXPECT_EQ(submitted_job(folder_.path() + "/shards"), "");
  stand_in("sbatch", "echo '4711;cluster'");
  EXPECT_EQ(submit_array(array()), "4711");
  EXPECT_EQ(submitted_job(folder_.path() + "/shards"), "4711");
}

TEST_F(Slurm, WarningsAreNoRefusal) {
  for (const char* words : {"echo 'sbatch: warning: 3 of 4' >&2; echo 4711", "echo 4711; echo 'sbatch: warning' >&2"}) {
    stand_in("sbatch", words);
    testing::internal::CaptureStderr();
    EXPECT_EQ(submit_array(array()), "4711") << words;
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("sbatch: warning"));
  }
}

TEST_F(Slurm, WhatSbatchRefusesIsSaidInItsWords) {
  stand_in("sbatch", "echo 'invalid partition specified: x' >&2; exit 1");
  try {
    submit_array(array());
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("invalid partition"));
  }
}

TEST_F(Slurm, StatesAreCounted) {
  stand_in("squeue", "printf 'RUNNING\\nPENDING\\nPENDING\\nCOMPLETED\\nFAILED\\n'");
  const SlurmState state = slurm_state("1");
  EXPECT_EQ(state.running, 1);
  EXPECT_EQ(state.waiting, 2);
  EXPECT_FALSE(state.ended());
  stand_in("squeue", "echo COMPLETED");
  EXPECT_TRUE(slurm_state("1").ended());
  stand_in("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
  EXPECT_TRUE(slurm_state("1").ended());
}

// A controller that does not answer for a while ends nothing.
TEST_F(Slurm, WatchingOutlastsASilentController) {
  stand_in("squeue", "cd " + folder_.path() + "; [ -e asked ] || { : >asked; echo 'Unable to contact' >&2; exit 1; }");
  int looks = 0;
  EXPECT_TRUE(watch_job(
      "1", [&](const SlurmState&) { ++looks; }, [] { return false; }));
  EXPECT_EQ(looks, 1);
}

TEST_F(Slurm, WatchingEndsWhenInterrupted) {
  stand_in("squeue", "echo RUNNING");
  EXPECT_FALSE(watch_job(
      "1", [](const SlurmState&) {}, [] { return true; }));
}

}  // namespace TEST_FILE
}  // namespace daelab
