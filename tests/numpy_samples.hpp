// Files of NumPy, made by hand.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <string>

namespace daelab {

/// An array of version 1.0 behind this header, with which it says where its numbers begin.
inline std::string npy_with_header(std::string header, const std::string& data) {
  header += std::string(63 - (10 + header.size()) % 64, ' ') + '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size() % 256) +
         static_cast<char>(header.size() / 256) + header + data;
}

inline std::string npy(const std::string& type, bool by_column, const std::string& shape, const std::string& data) {
  return npy_with_header(
      fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}", type, by_column ? "True" : "False", shape),
      data);
}

template <class T>
std::string bytes_of(std::initializer_list<T> numbers) {
  return {reinterpret_cast<const char*>(numbers.begin()), numbers.size() * sizeof(T)};
}

/// CRC-32 of ZIP, bit by bit.
inline std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

inline std::string little_endian(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i);
  return text;
}

/// An archive of one member, unpacked, which says that it has so many bytes.
inline std::string npz(const std::string& name, const std::string& content, std::uint32_t says) {
  const std::string sizes = little_endian(crc32(content), 4) + little_endian(content.size(), 4) +
                            little_endian(says, 4) + little_endian(name.size(), 2);
  const std::string method = std::string(2, '\0') + std::string(2, '\0') + std::string(4, '\0');  // flags, none, time
  const std::string local = "PK\x03\x04" + little_endian(20, 2) + method + sizes + little_endian(0, 2) + name + content;
  const std::string central =
      "PK\x01\x02" + little_endian(20, 2) + little_endian(20, 2) + method + sizes + std::string(16, '\0') + name;
  return local + central + "PK\x05\x06" + std::string(4, '\0') + little_endian(1, 2) + little_endian(1, 2) +
         little_endian(central.size(), 4) + little_endian(local.size(), 4) + std::string(2, '\0');
}

}  // namespace daelab
