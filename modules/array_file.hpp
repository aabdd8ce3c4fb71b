// Arrays that other programs wrote: the functions of the modules hdf5 and numpy.
#pragma once

#include <stddef.h>

extern "C" {

/// Numbers of any type as doubles, row by row. A scalar has rank 0; values are null where an array has more than two
/// dimensions or holds no numbers.
struct NamedArray {
  const char* name;  // "" of a file that holds one array without a name
  const double* values;
  size_t rank;
  size_t shape[2];
};

/// Calls `take` with each array of a file, which is valid until it returns; fields of a structured array are arrays of
/// their own. Returns null, or what went wrong; the text is valid until the next call of this thread. Not thread-safe.
using ReadArrays = const char* (*)(const char* path, void (*take)(void* context, const NamedArray* array),
                                   void* context);

ReadArrays daelab_hdf5_arrays();
ReadArrays daelab_numpy_arrays();
}
