#include "modules/hdf5_module.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "modules/hdf5_support.hpp"

namespace {

constexpr hsize_t largest_chunk = 64 * 1024;  // numbers: half a megabyte
constexpr unsigned deflate_level = 4;
constexpr hsize_t most_unpacked = 1100;  // bytes of one that is stored: deflate makes 1032 at most

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
    const Id set(open_data_set(file, key), H5Dclose, std::string("find ") + key + " in " + path);
    const std::string what = std::string("read ") + key + " in " + path;
    const Extent extent = extent_of(set, most_unpacked * H5Dget_storage_size(set), "HDF5: more numbers than it stores");
    const hsize_t* const shape = extent.shape;
    if (extent.rank < 1 || extent.rank > 2) throw std::runtime_error("HDF5: cannot " + what);
    const std::string checksum = read_texts(set, "checksum").at(0);
    PackedTrajectory trajectory{key, checksum.c_str(), nullptr, nullptr, 0, 0, nullptr, 0};
    if (extent.rank == 1) {
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

constexpr PackFunctions functions{begin, add, end, read};

}  // namespace

// What a full disk did not take stays open. Left to itself, HDF5 tries once more to write it when the program ends, and
// crashes.
extern "C" const PackFunctions* daelab_pack_functions() {
  H5dont_atexit();
  return &functions;
}
