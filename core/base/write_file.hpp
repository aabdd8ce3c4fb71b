// Files that are there in whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace daelab {

/// A file of the program's own folders: written beside and renamed, so that a reader never sees half a file, and
/// unless `durably` is false on disk before it has its name, so that a power cut leaves none either. A symbolic link at
/// `path` is replaced, never followed; what is neither file nor link is refused. Throws InputError.
void write_file(const std::string& path, const std::string& content, bool durably = true);

/// A file that the user names: links are followed, and devices and pipes (/dev/stdout) are written to. It waits for who
/// reads a pipe until somebody asks the work of this thread to stop: throws Interrupted then. Throws InputError.
void write_named_file(const std::string& path, const std::string& content);

/// All of it, through interruptions. 0, or the errno of what failed.
int write_all(int file, std::string_view text);

/// The bytes of a regular file, links followed; none where there is none, or it cannot be read.
std::optional<std::string> file_bytes(const std::string& path);

/// Removes what write_file leaves beside files of a folder when it is killed, except of processes that still run.
void remove_unfinished_files(const std::string& folder);

}  // namespace daelab
