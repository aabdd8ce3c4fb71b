// Files of HDF5 as other programs write them, well-meant or not. A module, as what it tests is: the tests themselves do
// not need the library.
#include <hdf5.h>

#include <cstring>

namespace {

hid_t begun = -1;  // the file that is written

void add_numbers(const char* name, int rank, const hsize_t* shape, const double* values, hid_t layout = H5P_DEFAULT) {
  const hid_t space = H5Screate_simple(rank, shape, nullptr);
  const hid_t set = H5Dcreate2(begun, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
  if (values != nullptr) H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(set), H5Sclose(space);
}

// Two rows of h and y.
constexpr double table[] = {0.125, -0.5, 0.0625, -0.53};
constexpr hsize_t two_by_two[] = {2, 2}, two[] = {2};

void add_table() { add_numbers("data", 2, two_by_two, table); }

// The attribute columns as h5py writes a list of texts.
void texts_of_any_length() {
  add_table();
  const hid_t set = H5Dopen2(begun, "data", H5P_DEFAULT), type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE), H5Tset_cset(type, H5T_CSET_UTF8);
  const hid_t space = H5Screate_simple(1, two, nullptr);
  const hid_t attribute = H5Acreate2(set, "columns", type, space, H5P_DEFAULT, H5P_DEFAULT);
  const char* names[] = {"h", "y1"};
  H5Awrite(attribute, type, names);
  H5Aclose(attribute), H5Sclose(space), H5Tclose(type), H5Dclose(set);
}

void columns_that_are_numbers() {
  add_table();
  const hid_t set = H5Dopen2(begun, "data", H5P_DEFAULT), space = H5Screate_simple(1, two, nullptr);
  const hid_t attribute = H5Acreate2(set, "columns", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_DOUBLE, table);
  H5Aclose(attribute), H5Sclose(space), H5Dclose(set);
}

void structure() {
  struct Row {
    double h, y;
  };
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Row)), space = H5Screate_simple(1, two, nullptr);
  H5Tinsert(type, "h", offsetof(Row, h), H5T_NATIVE_DOUBLE), H5Tinsert(type, "y1", offsetof(Row, y), H5T_NATIVE_DOUBLE);
  const hid_t set = H5Dcreate2(begun, "rows", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, table);
  H5Dclose(set), H5Sclose(space), H5Tclose(type);
}

// Numbers that were never written: 2 kB that say they are 2.1 GB.
void long_and_empty() {
  const hsize_t shape[] = {262'144'000}, chunk[] = {1'000'000};
  const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(layout, 1, chunk), H5Pset_deflate(layout, 4);
  add_numbers("y1", 1, shape, nullptr, layout);
  H5Pclose(layout);
}

// Lengths whose product is 4 in 64 bits.
void lengths_that_wrap_around() {
  const hsize_t shape[] = {hsize_t(1) << 62, 4}, chunk[] = {2, 2};
  const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(layout, 2, chunk);
  add_numbers("data", 2, shape, nullptr, layout);
  H5Pclose(layout);
}

void link_to_a_file() { H5Lcreate_external("secret.h5", "/data", begun, "y1", H5P_DEFAULT, H5P_DEFAULT); }

void numbers_in_a_file() {
  const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(layout, "secret.bin", 0, 16);
  add_numbers("y1", 1, two, nullptr, layout);
  H5Pclose(layout);
}

void numbers_of_another_file() {
  const hid_t layout = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, two, nullptr);
  H5Pset_virtual(layout, space, "secret.h5", "/data", space);
  add_numbers("y1", 1, two, nullptr, layout);
  H5Sclose(space), H5Pclose(layout);
}

constexpr struct {
  const char* name;
  void (*write)();
} samples[] = {{"table", add_table},
               {"texts-of-any-length", texts_of_any_length},
               {"columns-that-are-numbers", columns_that_are_numbers},
               {"structure", structure},
               {"long-and-empty", long_and_empty},
               {"lengths-that-wrap-around", lengths_that_wrap_around},
               {"link-to-a-file", link_to_a_file},
               {"numbers-in-a-file", numbers_in_a_file},
               {"numbers-of-another-file", numbers_of_another_file}};

}  // namespace

// False where no sample has this name.
extern "C" bool daelab_write_hdf5_sample(const char* name, const char* path) {
  for (const auto& sample : samples) {
    if (std::strcmp(sample.name, name) != 0) continue;
    begun = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    sample.write();
    H5Fclose(begun);
    return true;
  }
  return false;
}
