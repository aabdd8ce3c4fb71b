// Trajectories in HDF5 files, behind functions of C: Debian's HDF5 needs 36 other libraries, which take longer to load
// than the program takes to start. The program loads the module when it needs one of these functions.
//
// A file holds a data set for each trajectory, named by the key of its run: 64-bit numbers of shape (columns, rows),
// with attributes "columns", their names, and "checksum", that of the CSV text. A trajectory whose text does not follow
// from its numbers is a data set of bytes, the text, with the checksum alone.
#pragma once

#include <stddef.h>

extern "C" {

struct PackedTrajectory {
  const char* key;
  const char* checksum;
  const char* header;    // names of the columns, separated by commas; null: text
  const double* values;  // column by column
  size_t columns, rows;
  const char* text;
  size_t text_size;
};

// All return null, or what went wrong; the text is valid until the next call of this thread. Not thread-safe.
using PackBegin = const char* (*)(const char* path, void** file);
using PackAdd = const char* (*)(void* file, const PackedTrajectory* trajectory);
using PackEnd = const char* (*)(void* file);
// Calls `take` with the trajectory, which is valid until it returns.
using PackRead = const char* (*)(const char* path, const char* key,
                                 void (*take)(void* context, const PackedTrajectory* trajectory), void* context);

struct PackFunctions {
  PackBegin begin;
  PackAdd add;
  PackEnd end;
  PackRead read;
};

// The one symbol of the module.
const PackFunctions* daelab_pack_functions();
}
