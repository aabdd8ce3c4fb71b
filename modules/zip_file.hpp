// Archives of files, .zip: the functions of the module zip.
#pragma once

#include <stddef.h>

extern "C" {

/// A file in an archive; bytes are valid while the call lasts.
struct ZippedFile {
  const char* name;
  const char* bytes;
  size_t size;
};

/// Who is given files, and how much may be unpacked: a short archive may hold a long file.
struct ZipTaker {
  void* context;
  void (*take)(void* context, const ZippedFile* file);
  size_t most_bytes;     // of all files together
  size_t most_files;     // folders count, too
  const char* too_much;  // what is wrong where there is more
};

/// Both return null, or what went wrong; the text is valid until the next call of this thread.
/// Calls `take` with each file of an archive in memory, whose checksums are compared. What is neither file nor folder,
/// as a symbolic link, is refused.
const char* daelab_read_zip(const char* bytes, size_t size, const ZipTaker* to);
/// Gives `take` the bytes of an archive of these files. The same files give the same bytes: all dates are that of 1980.
const char* daelab_write_zip(const ZippedFile* files, size_t count,
                             void (*take)(void* context, const char* bytes, size_t size), void* context);
}
