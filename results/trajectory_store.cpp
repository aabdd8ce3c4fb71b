#include "results/trajectory_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "core/base/json.hpp"
#include "core/base/write_file.hpp"
#include "results/packed_file.hpp"
#include "results/provenance.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

std::string index_path(const std::string& folder) { return folder + "/packed.json"; }

struct Packed {
  std::string file, checksum;
};

// What the index of a folder says.
struct PackIndex {
  std::map<std::string, std::string> files;    // {name: hash}
  std::map<std::string, Packed> trajectories;  // {key: where}
};

// An index that is not as it was written names nothing: what it named is made again.
PackIndex parse_index(const std::string& text) {
  PackIndex index;
  const std::optional<Json> json = Json::try_parse(text);
  if (!json || !json->is_object()) return index;
  for (const auto& [name, file] : json->items()) {
    const Json hash = file.value("hash", Json()), list = file.value("trajectories", Json());
    if (name.find('/') != std::string::npos || !hash.is_string() || !list.is_object()) continue;
    index.files[name] = hash.get<std::string>();
    for (const auto& [key, checksum] : list.items())
      if (checksum.is_string()) index.trajectories[key] = {name, checksum.get<std::string>()};
  }
  return index;
}

std::string index_text(const PackIndex& index) {
  Json json = Json::object();
  for (const auto& [name, hash] : index.files) json[name] = {{"hash", hash}, {"trajectories", Json::object()}};
  for (const auto& [key, packed] : index.trajectories) json[packed.file]["trajectories"][key] = packed.checksum;
  return json.dump() + "\n";
}

// A file as it was when it was looked at.
struct Stamp {
  fs::file_time_type time;
  std::uintmax_t size = 0;
  bool operator==(const Stamp&) const = default;
};

std::optional<Stamp> stamp_of(const std::string& path) {
  std::error_code error;
  Stamp stamp{fs::last_write_time(path, error), 0};
  if (error) return std::nullopt;
  stamp.size = fs::file_size(path, error);
  return error ? std::nullopt : std::optional(stamp);
}

// What was read of files, and is read again when they change.
class Known {
 public:
  static Known& instance() {
    static Known known;
    return known;
  }
  std::shared_ptr<const PackIndex> index(const std::string& folder) {
    const std::lock_guard guard(mutex_);
    const std::optional<Stamp> stamp = stamp_of(index_path(folder));
    if (!stamp) return std::make_shared<const PackIndex>();
    auto& [read_at, index] = indices_[folder];
    if (!index || read_at != *stamp) {
      index = std::make_shared<const PackIndex>(parse_index(file_bytes(index_path(folder)).value_or("")));
      read_at = *stamp;
    }
    return index;
  }
  bool is_as_written(const std::string& path, const std::string& hash) {
    const std::lock_guard guard(mutex_);
    const std::optional<Stamp> stamp = stamp_of(path);
    if (!stamp) return false;
    auto& [read_at, found] = hashes_[path];
    if (found.empty() || read_at != *stamp) found = content_hash(file_bytes(path).value_or("")), read_at = *stamp;
    return found == hash;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::pair<Stamp, std::shared_ptr<const PackIndex>>> indices_;
  std::map<std::string, std::pair<Stamp, std::string>> hashes_;
};

// The packed trajectory at this place, in a file that is as it was written.
std::optional<Packed> find_packed(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  const auto index = Known::instance().index(folder);
  const auto found = index->trajectories.find(fs::path(path).stem().string());
  if (found == index->trajectories.end()) return std::nullopt;
  const std::string file = folder + "/" + found->second.file;
  if (!Known::instance().is_as_written(file, index->files.at(found->second.file))) return std::nullopt;
  return Packed{file, found->second.checksum};
}

std::vector<std::string> unpacked_files(const std::string& folder) {
  std::vector<std::string> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".csv" && entry.is_regular_file()) files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

void sync(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool done = file >= 0 && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  if (!done) throw InputError("cannot write " + path + " to the disk");
}

// Writes one batch and enters it into the index; the CSV files may go then.
void pack_batch(const std::string& folder, const std::vector<std::string>& files, PackIndex& index) {
  int number = 1;
  while (index.files.contains(fmt::format("{}.h5", number))) ++number;
  const std::string name = fmt::format("{}.h5", number), path = folder + "/" + name,
                    beside = fmt::format("{}.{}-0.tmp", path, ::getpid());
  std::map<std::string, Packed> added;
  {
    PackedFileWriter writer(beside);
    for (const std::string& file : files) {
      const std::string text = file_bytes(file).value_or(""), checksum = content_hash(text);
      const std::string key = fs::path(file).stem().string();
      writer.add(key, checksum, text);
      added[key] = {name, checksum};
    }
    writer.finish();
  }
  sync(beside);
  const std::string hash = content_hash(file_bytes(beside).value_or(""));
  fs::rename(beside, path);
  sync(folder);
  index.files[name] = hash;
  for (const auto& [key, packed] : added) index.trajectories[key] = packed;
  write_file(index_path(folder), index_text(index));
}

}  // namespace

std::string trajectory_path(const std::string& dir, const std::string& key) {
  return fmt::format("{}/trajectories/{}.csv", dir, key);
}

std::optional<std::string> read_trajectory(const std::string& path) {
  if (std::optional<std::string> text = file_bytes(path)) return text;
  const std::optional<Packed> packed = find_packed(path);
  if (!packed) return std::nullopt;
  return read_packed(packed->file, fs::path(path).stem().string());
}

bool has_trajectory_with(const std::string& path, const std::string& checksum) {
  if (const std::optional<std::string> text = file_bytes(path)) return content_hash(*text) == checksum;
  const std::optional<Packed> packed = find_packed(path);
  return packed && packed->checksum == checksum;
}

void pack_trajectories(const std::string& folder, std::size_t batch) {
  PackIndex index = *Known::instance().index(folder);
  std::vector<std::string> files = unpacked_files(folder);
  // For an interrupted packing: they are in a packed file already.
  std::erase_if(files, [&](const std::string& file) {
    const std::optional<Packed> packed = find_packed(file);
    if (!packed || packed->checksum != content_hash(file_bytes(file).value_or(""))) return false;
    return fs::remove(file);
  });
  for (std::size_t begin = 0; begin < files.size(); begin += batch) {
    const auto first = files.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = files.begin() + static_cast<std::ptrdiff_t>(std::min(files.size(), begin + batch));
    const std::vector<std::string> part(first, last);
    pack_batch(folder, part, index);
    for (const std::string& file : part) fs::remove(file);
  }
}

std::size_t count_unpacked_trajectories(const std::string& folder) { return unpacked_files(folder).size(); }

void remove_trajectories(const std::string& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".csv" || entry.path().extension() == ".h5") fs::remove(entry.path());
  fs::remove(index_path(folder));
}

}  // namespace daelab
