// What the files of the module hdf5 share.
#pragma once

#include <hdf5.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

/// An identifier that closes itself. Throws where the library gave none.
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

/// Throws where a call of the library failed.
void require(herr_t status, const std::string& what);

/// Null, or the message of what `work` throws, valid until the next call of this thread.
const char* guarded(const std::function<void()>& work);

/// Whether a name of the root group leads to another place, perhaps in another file. Throws where there is no such
/// name.
bool is_link(hid_t file, const std::string& name);

/// A data set of the root group. Throws where the name is a link to another place, or where its numbers are in
/// other files: a file that is read must not make other files be read.
hid_t open_data_set(hid_t file, const std::string& name);

/// The lengths of a data set. `shape` has the first two dimensions.
struct Extent {
  int rank = 0;
  hsize_t shape[2] = {1, 1}, count = 1;
};
/// Throws `too_many` where it has more than `most` items.
Extent extent_of(hid_t set, hsize_t most, const char* too_many);

/// The texts of an attribute, of equal or of any lengths. Throws for an attribute of numbers.
std::vector<std::string> read_texts(hid_t object, const char* name);
