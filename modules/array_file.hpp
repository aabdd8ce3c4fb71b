// Arrays that other programs wrote: the functions of the modules hdf5 and numpy.
#pragma once

#include <stddef.h>

extern "C" {

/// Numbers of any type as doubles, row by row. A scalar has rank 0; values are null where an array has more than two
/// dimensions, no numbers, or is empty.
struct NamedArray {
  const char* name;  // "" of a file that holds one array without a name
  const double* values;
  size_t rank;
  size_t shape[2];
};

/// Who is given arrays, and how much of a file may be unpacked: a short one may say that it is long.
struct ArrayTaker {
  void* context;
  void (*take)(void* context, const NamedArray* array);
  size_t most_numbers;   // of all arrays together
  const char* too_many;  // what is wrong where there are more
};

/// Calls `take` with each array of a file, which is valid until it returns; fields of a structured array are arrays of
/// their own. Reads this file alone. Returns null, or what went wrong; the text is valid until the next call of
/// this thread. Not thread-safe.
using ReadArrays = const char* (*)(const char* path, const ArrayTaker* to);

ReadArrays daelab_hdf5_arrays();
ReadArrays daelab_numpy_arrays();
}
