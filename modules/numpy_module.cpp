// Arrays of NumPy: .npy, and .npz, an archive of them. Their format: numpy/lib/format.py, versions 1.0 to 3.0.
#include <zip.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "modules/array_file.hpp"

namespace {

static_assert(std::endian::native == std::endian::little);

using Take = void (*)(void*, const NamedArray*);

// A number type as NumPy writes it: byte order, kind, bytes: "<f8".
struct NumberType {
  char kind = 0;  // 0: no number
  std::size_t bytes = 0;
  bool swapped = false;

  explicit NumberType(const std::string& text) {
    std::smatch parts;
    if (!std::regex_match(text, parts, std::regex("([<>|=])(.)([0-9]+).*"))) return;
    bytes = std::stoul(parts[3]), swapped = *parts[1].first == '>';
    if (*parts[2].first == 'U') bytes *= 4;  // texts count letters of four bytes
    const std::string numbers = "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1";
    if (numbers.find(parts[2].str() + parts[3].str()) != std::string::npos) kind = *parts[2].first;
  }

  template <class T>
  static double as(const char* bytes) {
    T number;
    std::memcpy(&number, bytes, sizeof number);
    return static_cast<double>(number);
  }
  double value(const char* at) const {
    char turned[8];
    for (std::size_t i = 0; i < bytes; ++i) turned[i] = at[swapped ? bytes - 1 - i : i];
    if (kind == 'f') return bytes == 8 ? as<double>(turned) : as<float>(turned);
    const bool sign = kind == 'i';
    switch (bytes) {
      case 1:
        return sign ? as<std::int8_t>(turned) : as<std::uint8_t>(turned);
      case 2:
        return sign ? as<std::int16_t>(turned) : as<std::uint16_t>(turned);
      case 4:
        return sign ? as<std::int32_t>(turned) : as<std::uint32_t>(turned);
      default:
        return sign ? as<std::int64_t>(turned) : as<std::uint64_t>(turned);
    }
  }
};

// The header is a dictionary of Python.
nlohmann::json dictionary(std::string text) {
  for (char& c : text) c = c == '\'' ? '"' : c == '(' ? '[' : c == ')' ? ']' : c;
  for (const auto& [python, json] : {std::pair("True", "true"), {"False", "false"}, {",\\s*([\\]}])", "$1"}})
    text = std::regex_replace(text, std::regex(python), json);
  return nlohmann::json::parse(text);
}

struct Field {
  std::string name;
  NumberType type;
  std::size_t offset = 0;
};

class Array {
 public:
  explicit Array(const std::string& bytes) : bytes_(bytes) {
    if (bytes.size() < 12 || bytes.compare(0, 6, "\x93NUMPY") != 0) throw std::runtime_error("is no array of NumPy");
    const bool first_version = bytes[6] == 1;
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 8, first_version ? 2 : 4);
    begin_ = (first_version ? 10U : 12U) + length;
    if (begin_ > bytes.size()) throw std::runtime_error("is cut off in its header");
    const nlohmann::json header = dictionary(bytes.substr(begin_ - length, length));
    by_column_ = header.at("fortran_order").get<bool>();
    shape_ = header.at("shape").get<std::vector<std::size_t>>();
    read_type(header.at("descr"));
    std::size_t count = 1;
    for (const std::size_t n : shape_) {
      if (n != 0 && count > bytes.size() / n) throw std::runtime_error("is shorter than its shape says");
      count *= n;
    }
    if (item_ != 0 && count > (bytes.size() - begin_) / item_)
      throw std::runtime_error("is shorter than its shape says");
  }

  void give(const std::string& name, Take take, void* context) const {
    for (const Field& field : fields_) {
      const std::string full = field.name.empty() ? name : field.name;
      NamedArray array{full.c_str(), nullptr, shape_.size(), {1, 1}};
      std::vector<double> values;
      if (field.type.kind != 0 && shape_.size() <= 2) {
        std::copy(shape_.begin(), shape_.end(), array.shape);
        values = values_of(field, array.shape[0], array.shape[1]);
        array.values = values.data();
      }
      take(context, &array);
    }
  }

 private:
  void read_type(const nlohmann::json& type) {
    if (type.is_string()) {
      fields_.push_back({"", NumberType(type.get<std::string>())});
      item_ = fields_.back().type.bytes;
      return;
    }
    for (const nlohmann::json& field : type) {
      const bool plain = field.size() == 2 && field[1].is_string();
      if (!plain) throw std::runtime_error("has fields that are arrays themselves");
      fields_.push_back({field[0].get<std::string>(), NumberType(field[1].get<std::string>()), item_});
      item_ += fields_.back().type.bytes;
    }
  }
  std::vector<double> values_of(const Field& field, std::size_t rows, std::size_t columns) const {
    std::vector<double> values;
    values.reserve(rows * columns);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t place = by_column_ ? column * rows + row : row * columns + column;
        values.push_back(field.type.value(bytes_.data() + begin_ + place * item_ + field.offset));
      }
    return values;
  }

  const std::string& bytes_;
  std::size_t begin_ = 0, item_ = 0;
  std::vector<std::size_t> shape_;
  bool by_column_ = false;
  std::vector<Field> fields_;
};

std::string member_of(zip_t* archive, zip_uint64_t i) {
  zip_stat_t info;
  zip_stat_init(&info);
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(archive, i, 0), zip_fclose);
  if (zip_stat_index(archive, i, 0, &info) != 0 || !file) throw std::runtime_error("cannot be unpacked");
  std::string bytes(info.size, '\0');
  if (zip_fread(file.get(), bytes.data(), info.size) != static_cast<zip_int64_t>(info.size))
    throw std::runtime_error("cannot be unpacked");
  return bytes;
}

void read_archive(const char* path, Take take, void* context) {
  const std::unique_ptr<zip_t, void (*)(zip_t*)> archive(zip_open(path, ZIP_RDONLY, nullptr), zip_discard);
  if (!archive) throw std::runtime_error("is no archive that can be read");
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive.get(), 0); ++i) {
    std::string name = zip_get_name(archive.get(), static_cast<zip_uint64_t>(i), 0);
    if (!name.ends_with(".npy")) continue;
    name.resize(name.size() - 4);
    const std::string bytes = member_of(archive.get(), static_cast<zip_uint64_t>(i));
    Array(bytes).give(name, take, context);
  }
}

const char* read(const char* path, Take take, void* context) {
  thread_local std::string message;
  try {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in) throw std::runtime_error("cannot be read");
    if (bytes.starts_with("PK"))
      read_archive(path, take, context);
    else
      Array(bytes).give("", take, context);
    return nullptr;
  } catch (const nlohmann::json::exception&) {
    message = "has a header that is none of NumPy";
  } catch (const std::exception& error) {
    message = error.what();
  }
  return message.c_str();
}

}  // namespace

extern "C" ReadArrays daelab_numpy_arrays() { return read; }
