#include "report/page/stored_artifacts.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <set>

#include "report/layout/shown_text.hpp"
#include "results/provenance.hpp"
#include "results/run_log.hpp"
#include "results/set_files.hpp"
#include "results/trajectory_store.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest = 200;  // names of files: of most file systems 255, with what is added

// Ids become names of files.
template <class T>
void check_ids(const std::vector<T>& list, const std::string& where) {
  std::set<std::string> stems;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = fmt::format("{}/{}/id", where, i), stem = file_stem(list[i].id);
    if (list[i].id.empty() || stem.size() > longest)
      throw InputError(place, fmt::format("names a file: it must have 1 to {} bytes", longest));
    if (!stems.insert(stem).second)
      throw InputError(place, fmt::format("'{}' stands twice: both would be the file {}", list[i].id, stem));
  }
}

// The files of curves, each looked at once.
class CurveFiles {
 public:
  explicit CurveFiles(const std::string& folder) : folder_(folder) {}

  void check(const std::string& file, const std::string& where) {
    if (!checked_.insert(file).second) return;
    const fs::path path = fs::path(folder_) / file;
    check_place(file, path, where);
    if (!read_trajectory(path.string()))
      throw InputError(where, fmt::format("there is no file {}; daelab run makes it again", path.string()));
    check_content(path, where);
  }

 private:
  void check_place(const std::string& file, const fs::path& path, const std::string& where) const {
    const fs::path inside = fs::path(file).lexically_normal();
    const bool named_inside = !inside.is_absolute() && *inside.begin() != "..";
    const fs::path relative = fs::weakly_canonical(path).lexically_relative(fs::weakly_canonical(folder_));
    if (named_inside && !relative.empty() && *relative.begin() != "..") return;
    throw InputError(where, fmt::format("'{}' is not inside the results folder; allowed: files in {}", file, folder_));
  }

  // A trajectory has the checksum that the record of its run holds. Folders without runs are made by other means.
  void check_content(const fs::path& path, const std::string& where) {
    const std::string runs = folder_ + "/runs.jsonl";
    if (!fs::exists(runs)) return;
    if (!log_) {
      runs_file_ = OpenFile(runs, O_RDONLY);
      log_.emplace(runs_file_.fd());
    }
    const std::string line = log_->line(path.stem().string());
    if (line.empty())
      throw InputError(where, fmt::format("{} has no run whose trajectory {} is; daelab run computes it again", runs,
                                          path.string()));
    const std::string content = read_trajectory(path.string()).value_or("");
    if (text_at_end(line, trajectory_checksum) != content_hash(content))
      throw InputError(where, fmt::format("{} is not as it was written: its checksum does not match; daelab run "
                                          "computes it again",
                                          path.string()));
  }

  std::string folder_;
  std::set<std::string> checked_;
  OpenFile runs_file_;
  std::optional<RunLog> log_;  // of the file, which must stay open
};

void check_files(const Artifacts& artifacts, const std::string& folder) {
  CurveFiles files(folder);
  for (std::size_t f = 0; f < artifacts.figures.size(); ++f)
    for (std::size_t p = 0; p < artifacts.figures[f].panels.size(); ++p) {
      const std::vector<Series>& series = artifacts.figures[f].panels[p].series;
      for (std::size_t s = 0; s < series.size(); ++s)
        if (!series[s].file.empty())
          files.check(series[s].file, fmt::format("/figures/{}/panels/{}/series/{}/file", f, p, s));
    }
}

}  // namespace

Artifacts read_artifacts(const std::string& result_dir) {
  const fs::path path = fs::path(result_dir) / "result.json";
  if (!fs::exists(path))
    throw InputError(
        fmt::format("{}: no result.json here; make it with: daelab run CONFIG.json --out DIR", result_dir));
  try {
    Artifacts artifacts = read_checked_file(path.string()).get<Artifacts>();
    if (file_stem(artifacts.name).size() > longest)
      throw InputError("/name", fmt::format("names a folder: it must have at most {} bytes", longest));
    check_ids(artifacts.tables, "/tables");
    check_ids(artifacts.figures, "/figures");
    check_files(artifacts, result_dir);
    return artifacts;
  } catch (const DamagedFile& error) {
    throw InputError(fmt::format("{}; daelab run evaluates its runs again", error.what()));
  } catch (const InputError& error) {
    throw error.in(path.string());
  }
}

}  // namespace daelab
