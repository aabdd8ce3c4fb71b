// Arrays of NumPy: .npy, and .npz, an archive of them.
#include <zip.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "modules/array_file.hpp"
#include "modules/error_message.hpp"
#include "modules/numpy_header.hpp"

namespace {

static_assert(std::endian::native == std::endian::little);

// Counts what is unpacked of a file.
class Unpacking {
 public:
  explicit Unpacking(const ArrayTaker& to) : to_(to), bytes_(bytes_of_number * to.most_numbers + least_bytes) {}

  void add_numbers(std::size_t count) { take_from(to_.most_numbers, numbers_, count); }
  void add_bytes(std::uint64_t count) { take_from(bytes_, unpacked_, count); }
  std::size_t bytes_left() const { return bytes_ - unpacked_; }
  void give(const NamedArray& array) const { to_.take(to_.context, &array); }
  [[noreturn]] void refuse() const { throw std::runtime_error(to_.too_many); }

 private:
  static constexpr std::size_t bytes_of_number = 16;  // columns that are no numbers are unpacked, too
  static constexpr std::size_t least_bytes = 1 << 20;
  void take_from(std::size_t most, std::size_t& sum, std::size_t count) const {
    if (count > most - sum) refuse();
    sum += count;
  }

  const ArrayTaker& to_;
  std::size_t bytes_, numbers_ = 0, unpacked_ = 0;
};

class Array {
 public:
  explicit Array(std::string_view bytes) {
    if (bytes.size() < 12 || !bytes.starts_with("\x93NUMPY")) throw std::runtime_error("is no array of NumPy");
    const bool first_version = bytes[6] == 1;
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 8, first_version ? 2 : 4);
    const std::size_t before = first_version ? 10 : 12;
    if (length > bytes.size() - before) throw std::runtime_error("is cut off in its header");
    header_ = read_numpy_header(bytes.substr(before, length), bytes[6] >= 3);
    data_ = bytes.substr(before + length);
    if (header_.item == 0) throw std::runtime_error("has items of no bytes");
    // Counted in items that are there: no product of lengths wraps around.
    const std::size_t most = data_.size() / header_.item;
    is_empty_ = std::ranges::find(header_.shape, 0U) != header_.shape.end();
    for (const std::size_t n : header_.shape) {
      if (!is_empty_ && n > most / count_) throw std::runtime_error("is shorter than its shape says");
      count_ *= n;
    }
    if (!is_empty_ && count_ > most) throw std::runtime_error("is shorter than its shape says");
  }

  void give(const std::string& name, Unpacking& to) const {
    for (const NumpyField& field : header_.fields) {
      if (field.name.empty() && header_.fields.size() > 1) continue;  // bytes between fields
      const std::string full = field.name.empty() ? name : field.name;
      NamedArray array{full.c_str(), nullptr, header_.shape.size(), {1, 1}};
      std::vector<double> values;
      if (field.type.kind != 0 && header_.shape.size() <= 2 && !is_empty_) {
        to.add_numbers(count_);
        std::copy(header_.shape.begin(), header_.shape.end(), array.shape);
        values = values_of(field, array.shape[0], array.shape[1]);
        array.values = values.data();
      }
      to.give(array);
    }
  }

 private:
  std::vector<double> values_of(const NumpyField& field, std::size_t rows, std::size_t columns) const {
    std::vector<double> values;
    values.reserve(rows * columns);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t place = header_.by_column ? column * rows + row : row * columns + column;
        values.push_back(field.type.value(data_.data() + place * header_.item + field.offset));
      }
    return values;
  }

  NumpyHeader header_;
  std::string_view data_;
  bool is_empty_ = false;
  std::size_t count_ = 1;  // of items
};

std::string member_of(zip_t* archive, zip_uint64_t i, Unpacking& to) {
  zip_stat_t info;
  zip_stat_init(&info);
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(archive, i, 0), zip_fclose);
  if (zip_stat_index(archive, i, 0, &info) != 0 || !file || (info.valid & ZIP_STAT_SIZE) == 0)
    throw std::runtime_error("cannot be unpacked");
  to.add_bytes(info.size);
  std::string bytes(info.size, '\0');
  if (zip_fread(file.get(), bytes.data(), info.size) != static_cast<zip_int64_t>(info.size))
    throw std::runtime_error("cannot be unpacked");
  return bytes;
}

void read_archive(const char* path, Unpacking& to) {
  const std::unique_ptr<zip_t, void (*)(zip_t*)> archive(zip_open(path, ZIP_RDONLY, nullptr), zip_discard);
  if (!archive) throw std::runtime_error("is no archive that can be read");
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive.get(), 0); ++i) {
    const char* const entry = zip_get_name(archive.get(), static_cast<zip_uint64_t>(i), 0);
    std::string name = entry != nullptr ? entry : "";
    if (!name.ends_with(".npy")) continue;
    name.resize(name.size() - 4);
    const std::string bytes = member_of(archive.get(), static_cast<zip_uint64_t>(i), to);
    Array(bytes).give(name, to);
  }
}

std::string bytes_of(std::ifstream& in, const Unpacking& to) {
  std::string bytes;
  char block[1 << 16];
  while (in.read(block, sizeof block), in.gcount() > 0) {
    bytes.append(block, static_cast<std::size_t>(in.gcount()));
    if (bytes.size() > to.bytes_left()) to.refuse();
  }
  if (!in.eof()) throw std::runtime_error("cannot be read");
  return bytes;
}

const char* read(const char* path, const ArrayTaker* taker) {
  return message_of([&] {
    Unpacking to(*taker);
    std::ifstream in(path, std::ios::binary);
    char begin[2] = {};
    in.read(begin, sizeof begin);
    if (std::string_view(begin, 2) == "PK") return read_archive(path, to);
    in.clear(), in.seekg(0);
    const std::string bytes = bytes_of(in, to);
    Array(bytes).give("", to);
  });
}

}  // namespace

extern "C" ReadArrays daelab_numpy_arrays() { return read; }
