// Where the project's own data live: *.json below methods/, results/reference, results/published, experiments.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace daelab {

/// The project's root folder: the environment variable DAELAB_ROOT, else the source folder of the build, unless another
/// one was set.
std::string project_root();
void set_project_root(const std::string& folder);

/// A path below the root.
inline std::string project_path(const std::string& relative) { return project_root() + "/" + relative; }

/// Copies to be read in place of files, by the absolute paths of these. Relative paths begin at `folder`.
struct FileCopies {
  std::string folder;
  std::map<std::string, std::string> copies;
};
/// For the rest of the process; to be called before there are threads.
void read_copies(FileCopies copies);
/// The path to read for this one: of its copy, or itself.
std::string path_to_read(const std::string& path);
/// Absolute and without dots; relative ones begin at the folder of read_copies(), else where the process stands.
std::string absolute_path(const std::string& path);

/// *.json of a folder and of the folders in it, sorted.
std::vector<std::string> json_files_below(const std::string& folder);

}  // namespace daelab
