#include "results/array_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <string_view>

#include "core/base/input_error.hpp"
#include "core/base/limits.hpp"
#include "core/base/module.hpp"
#include "core/base/own_process.hpp"
#include "core/base/paths.hpp"
#include "core/base/utf8.hpp"
#include "modules/array_file.hpp"
#include "results/module_mutex.hpp"

namespace daelab {
namespace {

// A kind of file with arrays: the ends of its paths, the module that reads it, and what that is built with.
struct ArrayFormat {
  std::vector<std::string> ends;
  std::string module;
  const char* symbol;
  std::string package;
  bool may_crash;  // its library, on damaged files
};

const ArrayFormat* format_of(const std::string& path) {
  static const std::vector<ArrayFormat> formats{
      {{".npy", ".npz"}, "numpy", "daelab_numpy_arrays", "libzip-dev", false},
      {{".h5", ".hdf5", ".hdf"}, "hdf5", "daelab_hdf5_arrays", "libhdf5-dev", true}};
  const std::string end = std::filesystem::path(path).extension();
  const auto found = std::ranges::find_if(
      formats, [&](const ArrayFormat& format) { return std::ranges::find(format.ends, end) != format.ends.end(); });
  return found == formats.end() ? nullptr : &*found;
}

void take(void* to, const NamedArray* given) {
  ArrayFile& file = *static_cast<ArrayFile*>(to);
  const std::string name = with_visible_controls(as_utf8(given->name));
  if (given->values == nullptr) {
    file.left_out.push_back(name);
    return;
  }
  const std::size_t rows = given->rank > 0 ? given->shape[0] : 1, columns = given->rank > 1 ? given->shape[1] : 1;
  file.all.push_back({name, {given->values, given->values + rows * columns}, given->rank, rows, columns});
}

ArrayFile read_here(ReadArrays read, const std::string& path) {
  ArrayFile file;
  const std::string too_many = too_many_numbers();
  const ArrayTaker to{&file, take, most_table_numbers(), too_many.c_str()};
  if (const char* const problem = read(path.c_str(), &to)) throw InputError(problem);
  return file;
}

// Arrays as bytes and back, on the way from one process to another.
void append_bytes(std::string& bytes, const void* data, std::size_t size) {
  bytes.append(static_cast<const char*>(data), size);
}
void append_size(std::string& bytes, std::size_t size) { append_bytes(bytes, &size, sizeof size); }
void append_text(std::string& bytes, const std::string& text) {
  append_size(bytes, text.size());
  bytes += text;
}

std::string as_bytes(const ArrayFile& file) {
  std::string bytes;
  append_size(bytes, file.left_out.size());
  for (const std::string& name : file.left_out) append_text(bytes, name);
  for (const StoredArray& array : file.all) {
    append_text(bytes, array.name);
    for (const std::size_t size : {array.rank, array.rows, array.columns, array.values.size()})
      append_size(bytes, size);
    append_bytes(bytes, array.values.data(), array.values.size() * sizeof(double));
  }
  return bytes;
}

// What a process that read a damaged file says need not be what it should.
class BytesReader {
 public:
  explicit BytesReader(std::string_view bytes) : rest_(bytes) {}

  ArrayFile file() {
    ArrayFile file;
    for (std::size_t n = size(); n > 0; --n) file.left_out.push_back(text());
    while (!rest_.empty()) {
      StoredArray& array = file.all.emplace_back();
      array.name = text(), array.rank = size(), array.rows = size(), array.columns = size();
      const std::size_t count = size();
      if (count > rest_.size() / sizeof(double) || array.columns == 0 || array.rows > count / array.columns ||
          array.rows * array.columns != count)
        refuse();
      array.values.resize(count);
      copy(array.values.data(), count * sizeof(double));
    }
    return file;
  }

 private:
  [[noreturn]] static void refuse() { throw InputError("the file is damaged"); }
  void copy(void* to, std::size_t size) {
    if (size > rest_.size()) refuse();
    std::memcpy(to, rest_.data(), size);
    rest_.remove_prefix(size);
  }
  std::size_t size() {
    std::size_t value = 0;
    copy(&value, sizeof value);
    return value;
  }
  std::string text() {
    const std::size_t length = size();
    if (length > rest_.size()) refuse();
    std::string text(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return text;
  }
  std::string_view rest_;
};

// HDF5 reads about 100 MB/s; a damaged file may lead it in a circle, which never ends.
ProcessLimits limits_of_reading(const std::string& path) {
  constexpr std::uintmax_t least_bytes_per_second = 10'000'000;
  std::error_code no_file;  // reading says so
  const std::uintmax_t bytes = std::filesystem::file_size(path, no_file);
  return {.seconds = 1 + (no_file ? 0 : static_cast<unsigned>(bytes / least_bytes_per_second))};
}

}  // namespace

std::size_t most_table_numbers() { return static_cast<std::size_t>(limits().file_bytes) / 64; }

std::string too_many_numbers() {
  return fmt::format("holds more than {} numbers, too many for a table, which takes 64 bytes for each {}",
                     most_table_numbers(), limit_hint("file-bytes"));
}

bool is_array_file(const std::string& path) { return format_of(path) != nullptr; }

ArrayFile read_array_file(const std::string& path) {
  const std::lock_guard guard(module_mutex());
  const ArrayFormat& format = *format_of(path);
  const auto read =
      reinterpret_cast<decltype(&daelab_hdf5_arrays)>(module_symbol(format.module, format.symbol, format.package))();
  const std::string from = path_to_read(absolute_path(path));
  try {
    if (!format.may_crash) return read_here(read, from);
    return BytesReader(in_own_process([&] { return as_bytes(read_here(read, from)); }, limits_of_reading(from))).file();
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
}

}  // namespace daelab
