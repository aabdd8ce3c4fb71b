#include "modules/hdf5_support.hpp"

#include <algorithm>

#include "modules/error_message.hpp"

namespace {

constexpr hsize_t most_texts = 100'000;
constexpr std::size_t longest_text = 10'000;

std::size_t count_of(hid_t space) {
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 0 || static_cast<hsize_t>(count) > most_texts) throw std::runtime_error("HDF5: too many texts");
  return static_cast<std::size_t>(count);
}

// As h5py writes texts: pointers, whose memory belongs to the library.
std::vector<std::string> texts_of_any_length(hid_t attribute, hid_t space, const std::string& what) {
  const Id type(H5Tcopy(H5T_C_S1), H5Tclose, "make a type");
  require(H5Tset_size(type, H5T_VARIABLE), "make a type");
  const Id stored(H5Aget_type(attribute), H5Tclose, "read a type");
  require(H5Tset_cset(type, H5Tget_cset(stored)), "make a type");
  std::vector<char*> pointers(count_of(space), nullptr);
  require(H5Aread(attribute, type, pointers.data()), what);
  std::vector<std::string> texts;
  for (const char* text : pointers) texts.emplace_back(text != nullptr ? text : "");
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  return texts;
}

std::vector<std::string> texts_of_equal_length(hid_t attribute, hid_t type, hid_t space, const std::string& what) {
  const std::size_t count = count_of(space), length = H5Tget_size(type);
  if (length == 0 || length > longest_text) throw std::runtime_error("HDF5: cannot " + what);
  std::string bytes(count * length, '\0');
  require(H5Aread(attribute, type, bytes.data()), what);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text = bytes.substr(i * length, length).c_str();
    if (H5Tget_strpad(type) == H5T_STR_SPACEPAD) text.erase(text.find_last_not_of(' ') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace

void require(herr_t status, const std::string& what) {
  if (status < 0) throw std::runtime_error("HDF5: cannot " + what);
}

const char* guarded(const std::function<void()>& work) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // messages are ours
  H5PLset_loading_state(0);                     // no file chooses code to run
  return message_of(work);
}

bool is_link(hid_t file, const std::string& name) {
  H5L_info_t link;
  if (name.find('/') != std::string::npos || H5Lget_info(file, name.c_str(), &link, H5P_DEFAULT) < 0)
    throw std::runtime_error("HDF5: cannot find " + name);
  return link.type != H5L_TYPE_HARD;
}

hid_t open_data_set(hid_t file, const std::string& name) {
  if (is_link(file, name)) throw std::runtime_error(name + " is a link to another place, which is not followed");
  const hid_t set = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  if (set < 0) throw std::runtime_error("HDF5: cannot find " + name);
  const Id layout(H5Dget_create_plist(set), H5Pclose, "read the layout of " + name);
  if (H5Pget_layout(layout) != H5D_VIRTUAL && H5Pget_external_count(layout) == 0) return set;
  H5Dclose(set);
  throw std::runtime_error(name + " has its numbers in other files, which are not read");
}

Extent extent_of(hid_t set, hsize_t most, const char* too_many) {
  const Id space(H5Dget_space(set), H5Sclose, "read a space");
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  Extent extent;
  extent.rank = H5Sget_simple_extent_ndims(space);
  if (extent.rank < 0 || count < 0) throw std::runtime_error("HDF5: cannot read a space");
  extent.count = static_cast<hsize_t>(count);
  if (extent.count > most) throw std::runtime_error(too_many);
  if (extent.rank > 2) return extent;
  require(H5Sget_simple_extent_dims(space, extent.shape, nullptr), "read a space");
  // The library multiplies them without a look at what is too large.
  if (extent.shape[0] != 0 && extent.shape[1] != 0 &&
      (extent.shape[0] > most || extent.shape[1] > most / extent.shape[0]))
    throw std::runtime_error(too_many);
  return extent;
}

std::vector<std::string> read_texts(hid_t object, const char* name) {
  const std::string what = std::string("read the attribute ") + name;
  const Id attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, std::string("find the attribute ") + name);
  const Id type(H5Aget_type(attribute), H5Tclose, "read a type");
  const Id space(H5Aget_space(attribute), H5Sclose, "read a space");
  if (H5Tget_class(type) != H5T_STRING)
    throw std::runtime_error(std::string("HDF5: the attribute ") + name + " holds no texts");
  return H5Tis_variable_str(type) > 0 ? texts_of_any_length(attribute, space, what)
                                      : texts_of_equal_length(attribute, type, space, what);
}
