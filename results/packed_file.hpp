// One HDF5 file of trajectories, through the module that is loaded when it is needed (modules/hdf5_module.hpp).
#pragma once

#include <memory>
#include <string>

namespace daelab {

/// "" where the module can be loaded, otherwise why not.
std::string packing_refusal();

/// Throws InputError where the module cannot be loaded, or where HDF5 refuses.
class PackedFileWriter {
 public:
  explicit PackedFileWriter(const std::string& path);
  ~PackedFileWriter();
  PackedFileWriter(const PackedFileWriter&) = delete;
  PackedFileWriter& operator=(const PackedFileWriter&) = delete;

  /// Numbers where the text follows from them, otherwise the text itself.
  void add(const std::string& key, const std::string& checksum, const std::string& csv);
  /// Everything is handed to the system when it returns.
  void finish();

 private:
  void* file_ = nullptr;
};

/// The CSV text of a trajectory. Throws InputError.
std::string read_packed(const std::string& path, const std::string& key);

}  // namespace daelab
