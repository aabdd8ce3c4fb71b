// Files of arrays that other programs wrote, by the modules hdf5 and numpy (modules/array_file.hpp).
#pragma once

#include <string>
#include <vector>

namespace daelab {

/// Numbers row by row; a scalar has rank 0, one row and one column.
struct StoredArray {
  std::string name;  // "" of a file that holds one array without a name
  std::vector<double> values;
  std::size_t rank = 0, rows = 1, columns = 1;
};

struct ArrayFile {
  std::vector<StoredArray> all;
  std::vector<std::string> left_out;  // names of arrays of more than two dimensions, or of no numbers
};

/// As many numbers as a table may have: the limit of bytes, 64 for each, as a cell takes them.
std::size_t most_table_numbers();
/// What is wrong with a table of more.
std::string too_many_numbers();

/// By the end of its path: .npy, .npz, .h5, .hdf5, .hdf.
bool is_array_file(const std::string& path);

/// Throws InputError with the path for what cannot be read, or where the module is missing.
ArrayFile read_array_file(const std::string& path);

}  // namespace daelab
