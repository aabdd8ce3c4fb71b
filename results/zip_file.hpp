// Archives of files, .zip, by the module zip.
#pragma once

#include <map>
#include <string>

namespace daelab {

/// Bytes by path: "results/table-1/runs.jsonl".
using FilesByPath = std::map<std::string, std::string>;

/// All files of an archive. Throws InputError with the path for one that is damaged, holds more than --limit file-bytes
/// or more files than a pack may, something that is no file, or a path that leads out of its folder.
FilesByPath read_zip(const std::string& path);

/// An archive of these files: the same files give the same bytes. Throws InputError.
std::string zip_of(const FilesByPath& files);

/// Writes the files into a folder, in place of what it holds: all of them or none. Throws InputError.
void write_folder(const std::string& folder, const FilesByPath& files);

/// Throws InputError under `where` for a text that is no path of a file below a folder: absolute, with "..", "." or
/// empty parts, back slashes or control characters.
void require_path_inside(const std::string& path, const std::string& where);

/// How many files a pack may hold.
inline constexpr std::size_t most_pack_files = 20'000;

}  // namespace daelab
