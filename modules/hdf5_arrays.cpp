// Arrays of HDF5 files that other programs wrote: data sets of the root group.
#include <memory>

#include "modules/array_file.hpp"
#include "modules/hdf5_support.hpp"

namespace {

// One member of a structure as doubles, or all of a data set of numbers.
std::vector<double> numbers(hid_t set, const char* member, hsize_t count, const std::string& what) {
  std::vector<double> values(count);
  if (member == nullptr) {
    require(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), what);
    return values;
  }
  const Id one(H5Tcreate(H5T_COMPOUND, sizeof(double)), H5Tclose, "make a type");
  require(H5Tinsert(one, member, 0, H5T_NATIVE_DOUBLE), "make a type");
  require(H5Dread(set, one, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), what);
  return values;
}

bool is_number(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_FLOAT || kind == H5T_INTEGER;
}

class Arrays {
 public:
  Arrays(hid_t file, const ArrayTaker& to) : file_(file), to_(to), left_(to.most_numbers) {}

  void data_set(const std::string& name) {
    const Id set(open_data_set(file_, name), H5Dclose, "find " + name);
    const Id type(H5Dget_type(set), H5Tclose, "read a type");
    const Extent extent = extent_of(set, to_.most_numbers, to_.too_many);
    NamedArray array{name.c_str(), nullptr, static_cast<std::size_t>(extent.rank), {extent.shape[0], extent.shape[1]}};
    const bool is_structure = H5Tget_class(type) == H5T_COMPOUND;
    if (extent.rank > 2 || extent.count == 0 || !(is_structure || is_number(type))) return give(array);
    if (is_structure) return structure(set, type, array, extent.count);
    const std::vector<double> values = read(set, nullptr, extent.count, name);
    array.values = values.data();
    if (extent.rank == 2 && H5Aexists(set, "columns") > 0) return named_columns(set, array);
    give(array);
  }
  /// Names a link, whose target may be in another file.
  void left_out(const std::string& name) const { give({name.c_str(), nullptr, 0, {1, 1}}); }

 private:
  void give(const NamedArray& array) const { to_.take(to_.context, &array); }
  std::vector<double> read(hid_t set, const char* member, hsize_t count, const std::string& name) {
    if (count > left_) throw std::runtime_error(to_.too_many);
    left_ -= count;
    return numbers(set, member, count, "read " + name);
  }
  void structure(hid_t set, hid_t type, NamedArray array, hsize_t count) {
    for (int i = 0; i < H5Tget_nmembers(type); ++i) {
      const std::unique_ptr<char, herr_t (*)(void*)> name(H5Tget_member_name(type, static_cast<unsigned>(i)),
                                                          H5free_memory);
      const Id member(H5Tget_member_type(type, static_cast<unsigned>(i)), H5Tclose, "read a type");
      if (!name) throw std::runtime_error("HDF5: cannot read a name");
      array.name = name.get();
      std::vector<double> values;
      if (is_number(member)) values = read(set, name.get(), count, name.get());
      array.values = is_number(member) ? values.data() : nullptr;
      give(array);
    }
  }
  // Names of the columns of a data set; of one that this program packed, which has a checksum, a column is a row.
  void named_columns(hid_t set, const NamedArray& array) const {
    const std::vector<std::string> names = read_texts(set, "columns");
    const bool by_row = names.size() != array.shape[1] || H5Aexists(set, "checksum") > 0;
    const std::size_t columns = array.shape[by_row ? 0 : 1], rows = array.shape[by_row ? 1 : 0];
    if (names.size() != columns)
      throw std::runtime_error("HDF5: " + std::to_string(names.size()) +
                               " names in the attribute columns of a data set of " + std::to_string(array.shape[0]) +
                               " times " + std::to_string(array.shape[1]) + " numbers");
    std::vector<double> values(rows);
    for (std::size_t i = 0; i < columns; ++i) {
      for (std::size_t row = 0; row < rows; ++row)
        values[row] = array.values[by_row ? i * rows + row : row * columns + i];
      give({names[i].c_str(), values.data(), 1, {rows, 1}});
    }
  }

  hid_t file_;
  const ArrayTaker& to_;
  std::size_t left_;  // numbers that may still come
};

std::string name_of(hid_t file, hsize_t place) {
  const ssize_t size = H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, place, nullptr, 0, H5P_DEFAULT);
  if (size < 0 || size > 10'000) throw std::runtime_error("HDF5: cannot read a name");
  std::string name(static_cast<std::size_t>(size), '\0');
  H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, place, name.data(), name.size() + 1, H5P_DEFAULT);
  return name;
}

// Data sets of the root group by name.
const char* read_arrays(const char* path, const ArrayTaker* to) {
  return guarded([&] {
    const Id file(H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, std::string("read ") + path);
    H5G_info_t group;
    require(H5Gget_info(file, &group), "read the root group");
    Arrays arrays(file, *to);
    for (hsize_t i = 0; i < group.nlinks; ++i) {
      const std::string name = name_of(file, i);
      if (is_link(file, name)) {
        arrays.left_out(name + " (a link)");
        continue;
      }
      const Id object(H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose, "open " + name);
      if (H5Iget_type(object) == H5I_DATASET) arrays.data_set(name);
    }
  });
}

}  // namespace

extern "C" ReadArrays daelab_hdf5_arrays() {
  H5dont_atexit();
  return read_arrays;
}
