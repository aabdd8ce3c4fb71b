// Trajectories of a result set: <key>.csv as runs write them, or packed, many in one HDF5 file, bit for bit the same
// text.
//
//   trajectories/<key>.csv     of a run since the last packing
//   trajectories/<n>.h5        a batch (modules/hdf5_module.hpp)
//   trajectories/packed.json   {"<n>.h5": {"hash": of the file, "trajectories": {<key>: checksum of the CSV text}}}
//
// A batch is written beside and renamed, then the index is, then the CSV files go: whenever it is interrupted, every
// trajectory is in one place at least, and a CSV file comes before a packed one.
#pragma once

#include <optional>
#include <string>

namespace daelab {

/// The member of a run's record that holds the checksum of its trajectory's text.
inline constexpr const char* trajectory_checksum = "trajectory_checksum";

/// The place of a run's trajectory in a result set: dir/trajectories/<key>.csv.
std::string trajectory_path(const std::string& dir, const std::string& key);

/// The text of the trajectory whose place is `path`, .../trajectories/<key>.csv: the file, or what is packed beside it;
/// none where it is neither, or where the packed file is not as it was written.
std::optional<std::string> read_trajectory(const std::string& path);

/// Whether it is there with this checksum; a packed file is read as a whole once, to see that it is as it was
/// written.
bool has_trajectory_with(const std::string& path, const std::string& checksum);

/// Packs all CSV files of the folder .../trajectories, `batch` of them a file. The caller is its one writer. Throws
/// InputError where this program cannot, or where the disk refuses, with all trajectories kept.
void pack_trajectories(const std::string& folder, std::size_t batch = 1000);

/// How many CSV files are there.
std::size_t count_unpacked_trajectories(const std::string& folder);

/// Trajectories and what is packed of them, and nothing else.
void remove_trajectories(const std::string& folder);

}  // namespace daelab
