// Tables that other programs wrote: of text, or as arrays of HDF5 and NumPy.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace daelab {

struct ForeignTable {
  struct Row {
    std::string place;  // for errors: "mine.csv:3"
    std::vector<std::string> cells;
  };

  std::string header_place;
  std::vector<std::string> header;
  std::vector<Row> rows;
  std::vector<std::string> left_out;  // arrays that are no columns
};

/// Reads a table of text: the first line is the header, cells are separated by "," or ";" or blanks; a line that begins
/// with # is a comment, or the header where `is_header` says so. Or, by the end of the path, arrays: .npy, .npz, .h5,
/// .hdf5, .hdf. An array of n numbers is a column; one of shape (n, k) or (k, n), named y, is columns y1, ..., yk; a
/// scalar is the same in each row; an array without a name has the columns 1, ..., k. Throws InputError with the path.
ForeignTable read_foreign_table(const std::string& path,
                                const std::function<bool(const std::vector<std::string>&)>& is_header);

}  // namespace daelab
