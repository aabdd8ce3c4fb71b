// The header of an array as NumPy writes it: a dictionary of Python with the keys descr, fortran_order and shape. Its
// format: numpy/lib/format.py, versions 1.0 to 3.0.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// A number type as NumPy names it: byte order, kind, bytes: "<f8".
struct NumberType {
  char kind = 0;  // 'f', 'i', 'u', 'b'; 0: no number
  std::size_t bytes = 0;
  bool swapped = false;

  /// Throws std::runtime_error for what has no size in the file.
  explicit NumberType(const std::string& text);
  /// The number that begins there. Not for `kind` 0.
  double value(const char* at) const;
};

struct NumpyField {
  std::string name;  // "" of an array of one type
  NumberType type;
  std::size_t offset = 0;
};

struct NumpyHeader {
  std::vector<NumpyField> fields;
  std::size_t item = 0;  // bytes
  bool by_column = false;
  std::vector<std::size_t> shape;
};

/// Texts of versions before 3.0 are Latin-1, and become UTF-8. Throws std::runtime_error.
NumpyHeader read_numpy_header(std::string_view text, bool is_utf8);
