#include "results/array_file.hpp"

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "core/base/input_error.hpp"
#include "core/base/module.hpp"
#include "core/base/paths.hpp"
#include "modules/array_file.hpp"

namespace daelab {
namespace {

// A kind of file with arrays: the ends of its paths, the module that reads it, and what that is built with.
struct ArrayFormat {
  std::vector<std::string> ends;
  std::string module;
  const char* symbol;
  std::string package;
};

const ArrayFormat* format_of(const std::string& path) {
  static const std::vector<ArrayFormat> formats{
      {{".npy", ".npz"}, "numpy", "daelab_numpy_arrays", "libzip-dev"},
      {{".h5", ".hdf5", ".hdf"}, "hdf5", "daelab_hdf5_arrays", "libhdf5-dev"}};
  const std::string end = std::filesystem::path(path).extension();
  const auto found = std::ranges::find_if(
      formats, [&](const ArrayFormat& format) { return std::ranges::find(format.ends, end) != format.ends.end(); });
  return found == formats.end() ? nullptr : &*found;
}

void take(void* to, const NamedArray* given) {
  ArrayFile& file = *static_cast<ArrayFile*>(to);
  if (given->values == nullptr) {
    file.left_out.emplace_back(given->name);
    return;
  }
  const std::size_t rows = given->rank > 0 ? given->shape[0] : 1, columns = given->rank > 1 ? given->shape[1] : 1;
  file.all.push_back({given->name, {given->values, given->values + rows * columns}, given->rank, rows, columns});
}

}  // namespace

bool is_array_file(const std::string& path) { return format_of(path) != nullptr; }

ArrayFile read_array_file(const std::string& path) {
  static std::mutex one_at_a_time;  // modules are not thread-safe
  const std::lock_guard guard(one_at_a_time);
  const ArrayFormat& format = *format_of(path);
  const auto read =
      reinterpret_cast<decltype(&daelab_hdf5_arrays)>(module_symbol(format.module, format.symbol, format.package))();
  ArrayFile file;
  if (const char* const problem = read(path_to_read(absolute_path(path)).c_str(), take, &file))
    throw InputError(path + ": " + problem);
  return file;
}

}  // namespace daelab
