#include "modules/hdf5_module.hpp"

#include <hdf5.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "modules/array_file.hpp"

namespace {

constexpr hsize_t largest_chunk = 64 * 1024;  // numbers: half a megabyte
constexpr unsigned deflate_level = 4;

// An identifier that closes itself. Throws where the library gave none.
class Id {
 public:
  Id(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
    if (id < 0) throw std::runtime_error("HDF5: cannot " + what);
  }
  ~Id() { close_(id_); }
  Id(const Id&) = delete;
  Id& operator=(const Id&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void require(herr_t status, const std::string& what) {
  if (status < 0) throw std::runtime_error("HDF5: cannot " + what);
}

const char* guarded(const std::function<void()>& work) {
  thread_local std::string message;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // messages are ours
  try {
    work();
    return nullptr;
  } catch (const std::exception& error) {
    message = error.what();
    return message.c_str();
  }
}

std::vector<std::string> names_in(const std::string& header) {
  std::vector<std::string> names(1);
  for (const char c : header)
    if (c == ',')
      names.emplace_back();
    else
      names.back() += c;
  return names;
}

// Texts of equal length, each with a zero at its end: they are in the header of the data set.
void write_texts(hid_t object, const char* name, const std::vector<std::string>& texts, bool list) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size() + 1);
  std::string bytes;
  for (const std::string& text : texts) bytes += text + std::string(longest - text.size(), '\0');
  const Id type(H5Tcopy(H5T_C_S1), H5Tclose, "make a type");
  require(H5Tset_size(type, longest), "set the length of texts");
  require(H5Tset_strpad(type, H5T_STR_NULLTERM), "set the padding of texts");
  require(H5Tset_cset(type, H5T_CSET_UTF8), "set the encoding of texts");
  const hsize_t count = texts.size();
  const Id space(list ? H5Screate_simple(1, &count, nullptr) : H5Screate(H5S_SCALAR), H5Sclose, "make a space");
  const Id attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "make an attribute");
  require(H5Awrite(attribute, type, bytes.data()), "write an attribute");
}

std::vector<std::string> read_texts(hid_t object, const char* name) {
  const Id attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, std::string("find the attribute ") + name);
  const Id type(H5Aget_type(attribute), H5Tclose, "read a type");
  const Id space(H5Aget_space(attribute), H5Sclose, "read a space");
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  const std::size_t length = H5Tget_size(type);
  std::string bytes(count * length, '\0');
  require(H5Aread(attribute, type, bytes.data()), std::string("read the attribute ") + name);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) texts.emplace_back(bytes.substr(i * length, length).c_str());
  return texts;
}

void add_data(hid_t file, const char* key, const char* checksum, hid_t stored, hid_t given,
              const std::vector<hsize_t>& shape, const std::vector<hsize_t>& chunk, const void* data,
              const char* header) {
  const int rank = static_cast<int>(shape.size());
  const Id space(H5Screate_simple(rank, shape.data(), nullptr), H5Sclose, "make a space");
  const Id layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a layout");
  require(H5Pset_obj_track_times(layout, false), "leave times out");  // the same file from the same trajectories
  require(H5Pset_chunk(layout, rank, chunk.data()), "set chunks");
  require(H5Pset_shuffle(layout), "set shuffling");
  require(H5Pset_deflate(layout, deflate_level), "set compression");
  require(H5Pset_fletcher32(layout), "set checksums");
  const Id set(H5Dcreate2(file, key, stored, space, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose,
               std::string("make the data set ") + key);
  require(H5Dwrite(set, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), std::string("write the data set ") + key);
  write_texts(set, "checksum", {checksum}, false);
  if (header != nullptr) write_texts(set, "columns", names_in(header), true);
}

struct OpenFile {
  Id access, file;
};

const char* begin(const char* path, void** file) {
  return guarded([&] {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);  // headers of a quarter of the size
    const hid_t id = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    *file = new OpenFile{{access, H5Pclose, "set access"}, {id, H5Fclose, std::string("write ") + path}};
  });
}

const char* add(void* file, const PackedTrajectory* t) {
  return guarded([&] {
    const hid_t to = static_cast<OpenFile*>(file)->file;
    if (t->header == nullptr) {
      const hsize_t size = t->text_size;
      add_data(to, t->key, t->checksum, H5T_STD_U8LE, H5T_NATIVE_UINT8, {size},
               {std::max<hsize_t>(1, std::min(size, 8 * largest_chunk))}, t->text, nullptr);
      return;
    }
    const hsize_t columns = t->columns, rows = t->rows;
    const hsize_t most_rows = std::max<hsize_t>(1, largest_chunk / std::max<hsize_t>(1, columns));
    add_data(to, t->key, t->checksum, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {columns, rows},
             {columns, std::max<hsize_t>(1, std::min(rows, most_rows))}, t->values, t->header);
  });
}

const char* end(void* file) {
  return guarded([&] {
    const auto open = static_cast<OpenFile*>(file);
    const herr_t status = H5Fflush(open->file, H5F_SCOPE_GLOBAL);
    delete open;
    require(status, "write the file to its end");
  });
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

const char* read(const char* path, const char* key, void (*take)(void*, const PackedTrajectory*), void* context) {
  return guarded([&] {
    const Id file(H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, std::string("read ") + path);
    const Id set(H5Dopen2(file, key, H5P_DEFAULT), H5Dclose, std::string("find ") + key + " in " + path);
    const Id space(H5Dget_space(set), H5Sclose, "read a space");
    const std::string what = std::string("read ") + key + " in " + path;
    hsize_t shape[2] = {0, 0};
    if (H5Sget_simple_extent_ndims(space) > 2) throw std::runtime_error("HDF5: cannot " + what);
    const int rank = H5Sget_simple_extent_dims(space, shape, nullptr);
    const std::string checksum = read_texts(set, "checksum").at(0);
    PackedTrajectory trajectory{key, checksum.c_str(), nullptr, nullptr, 0, 0, nullptr, 0};
    if (rank == 1) {
      std::string text(shape[0], '\0');
      require(H5Dread(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), what);
      trajectory.text = text.data(), trajectory.text_size = text.size();
      take(context, &trajectory);
      return;
    }
    const std::string header = joined(read_texts(set, "columns"));
    std::vector<double> values(shape[0] * shape[1]);
    require(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), what);
    trajectory.header = header.c_str(), trajectory.values = values.data();
    trajectory.columns = shape[0], trajectory.rows = shape[1];
    take(context, &trajectory);
  });
}

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

struct ArrayTaker {
  void (*take)(void*, const NamedArray*);
  void* context;
  const char* path;

  void structure(hid_t set, hid_t type, NamedArray array, hsize_t count) const {
    for (int i = 0; i < H5Tget_nmembers(type); ++i) {
      const std::unique_ptr<char, herr_t (*)(void*)> name(H5Tget_member_name(type, static_cast<unsigned>(i)),
                                                          H5free_memory);
      const Id member(H5Tget_member_type(type, static_cast<unsigned>(i)), H5Tclose, "read a type");
      array.name = name.get();
      std::vector<double> values;
      if (is_number(member)) values = numbers(set, name.get(), count, std::string("read ") + path);
      array.values = is_number(member) ? values.data() : nullptr;
      take(context, &array);
    }
  }
  // Trajectories that the functions above packed: a row of the data set is a column with a name.
  void named_columns(hid_t set, const NamedArray& array) const {
    const std::vector<std::string> names = read_texts(set, "columns");
    if (names.size() != array.shape[0]) throw std::runtime_error("HDF5: names and columns differ in number");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const NamedArray column{names[i].c_str(), array.values + i * array.shape[1], 1, {array.shape[1], 1}};
      take(context, &column);
    }
  }
  void data_set(hid_t file, const std::string& name) const {
    const Id set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "find " + name + " in " + path);
    const Id type(H5Dget_type(set), H5Tclose, "read a type");
    const Id space(H5Dget_space(set), H5Sclose, "read a space");
    const int rank = H5Sget_simple_extent_ndims(space);
    NamedArray array{name.c_str(), nullptr, static_cast<std::size_t>(std::max(rank, 0)), {1, 1}};
    if (rank < 0 || rank > 2) return take(context, &array);
    hsize_t shape[2] = {1, 1};
    H5Sget_simple_extent_dims(space, shape, nullptr);
    array.shape[0] = shape[0], array.shape[1] = shape[1];
    const hsize_t count = shape[0] * shape[1];
    if (H5Tget_class(type) == H5T_COMPOUND) return structure(set, type, array, count);
    if (!is_number(type)) return take(context, &array);
    const std::vector<double> values = numbers(set, nullptr, count, "read " + name + " in " + path);
    array.values = values.data();
    if (rank == 2 && H5Aexists(set, "columns") > 0) return named_columns(set, array);
    take(context, &array);
  }
};

// Data sets of the root group by name.
const char* read_arrays(const char* path, void (*take)(void*, const NamedArray*), void* context) {
  return guarded([&] {
    const Id file(H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, std::string("read ") + path);
    H5G_info_t group;
    require(H5Gget_info(file, &group), "read the root group");
    for (hsize_t i = 0; i < group.nlinks; ++i) {
      const ssize_t size = H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
      if (size < 0) throw std::runtime_error("HDF5: cannot read a name");
      std::string name(static_cast<std::size_t>(size), '\0');
      H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size() + 1, H5P_DEFAULT);
      const Id object(H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose, "open " + name);
      if (H5Iget_type(object) == H5I_DATASET) ArrayTaker{take, context, path}.data_set(file, name);
    }
  });
}

constexpr PackFunctions functions{begin, add, end, read};

}  // namespace

// What a full disk did not take stays open. Left to itself, HDF5 tries once more to write it when the program ends, and
// crashes.
extern "C" const PackFunctions* daelab_pack_functions() {
  H5dont_atexit();
  return &functions;
}

extern "C" ReadArrays daelab_hdf5_arrays() {
  H5dont_atexit();
  return read_arrays;
}
