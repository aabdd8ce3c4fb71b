// Paths of the project's own data: *.json below methods/, problems/, results/reference, experiments.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace daelab {

/// The project's root folder: that of the context of this thread, else the environment variable DAELAB_ROOT, else
/// share/daelab of the prefix that the program or the library is installed in, else the source folder of the build.
std::string project_root();

/// Folder of the sources that this code was built from, "" if it is installed.
std::string source_folder_of_build();

/// A path below the root.
inline std::string project_path(const std::string& relative) { return project_root() + "/" + relative; }

/// Another file of the same build: beside the program, or the library, that this code is in, or in lib/daelab of its
/// prefix.
std::string program_part(const std::string& name);

/// Copies that are read in place of files, by the absolute paths of these, in a context that has some. Relative paths
/// begin at `folder`.
struct FileCopies {
  std::string folder;
  std::map<std::string, std::string> copies;
};
/// In the context of this thread.
bool copies_are_read();
/// The path to read for this one: of its copy, or itself.
std::string path_to_read(const std::string& path);
/// The file to read for one that a specification names. Throws InputError where copies are read and it has none.
void require_copy(const std::string& path);
/// Absolute and without dots; relative ones begin at the folder of the copies that are read, else where the process
/// runs.
std::string absolute_path(const std::string& path);

/// *.json of a folder and of the folders in it, sorted.
std::vector<std::string> json_files_below(const std::string& folder);

}  // namespace daelab
