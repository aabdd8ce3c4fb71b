// Packs of a user's own experiments: made, checked and put into one file.
#pragma once

#include <string>
#include <vector>

#include "lab/reproduce.hpp"
#include "results/pack_check.hpp"

namespace daelab {

/// What a new pack is made of.
struct NewPack {
  std::string folder;  // does not exist; its last part is the name
  std::vector<std::string>
      configs;        // files; or result sets, whose configs are taken. Empty: all result sets in out_dir
  std::string title;  // "": that of the first config
  std::vector<std::string> authors;
  std::string licence;
  std::string out_dir = "out";
};

/// Makes the folder: the configs, the files that they name, and a pack.json that claims nothing. Results of these
/// configs in out_dir are taken over by those of the pack. Throws InputError, with nothing made, for a folder that
/// exists, configs that are wrong or of one name, and files that are not in the folder of the config that names them.
Pack lay_out_pack(const NewPack& made);

/// Fills a pack.json that claims nothing with entries for the tables, figures and verdicts of its results in `out_dir`
/// (results/table_entries.hpp). Returns how many numbers of tables were left out.
int claim_results(const Pack& pack, const std::string& out_dir);

/// All remarks of results/pack_check.hpp, configs that are wrong among them; those on values where there are results in
/// `out_dir`.
std::vector<PackRemark> check_pack(const Pack& pack, const std::string& out_dir);

/// The results in `out_dir` are those of the pack as it is now, by this program, with verdicts and a report.
bool has_current_results(const Pack& pack, const std::string& out_dir);

/// The pack as one .zip file: the pack, its results with their inputs, verdicts, report, versions, and what it says of
/// itself (results/crate.hpp). The same results give the same bytes. The results must be current. Throws InputError.
std::string artifact_of(const Pack& pack, const std::string& out_dir);

}  // namespace daelab
