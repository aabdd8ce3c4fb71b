// Archives of files by libzip, read from memory and written to it.
#include <sys/stat.h>
#include <zip.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "modules/error_message.hpp"
#include "modules/zip_file.hpp"

namespace {

using Archive = std::unique_ptr<zip_t, void (*)(zip_t*)>;

std::string quoted(const char* name) { return std::string("'") + (name != nullptr ? name : "") + "' "; }

// What went wrong last, by libzip.
[[noreturn]] void fail(const std::string& what, zip_error_t* error) {
  throw std::runtime_error(what + ": " + zip_error_strerror(error));
}

// The permissions and kind of a file, where the archive was made on a system that has them.
bool is_plain(zip_t* archive, zip_uint64_t i) {
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  if (zip_file_get_external_attributes(archive, i, 0, &system, &attributes) != 0) return false;
  const auto kind = static_cast<mode_t>(attributes >> 16) & S_IFMT;
  return system != ZIP_OPSYS_UNIX || kind == 0 || kind == S_IFREG || kind == S_IFDIR;
}

std::string unpacked(zip_t* archive, zip_uint64_t i, const char* name, const ZipTaker& to, size_t& left) {
  zip_stat_t info;
  zip_stat_init(&info);
  if (zip_stat_index(archive, i, 0, &info) != 0 || (info.valid & ZIP_STAT_SIZE) == 0)
    throw std::runtime_error(quoted(name) + "cannot be unpacked");
  if (info.size > left) throw std::runtime_error(to.too_much);
  left -= info.size;
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(archive, i, 0), zip_fclose);
  if (!file) fail(quoted(name) + "cannot be unpacked", zip_get_error(archive));
  std::string bytes(info.size, '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    const zip_int64_t got = zip_fread(file.get(), bytes.data() + done, bytes.size() - done);
    if (got <= 0) throw std::runtime_error(quoted(name) + "is damaged");
    done += static_cast<size_t>(got);
  }
  char more = 0;  // libzip compares the checksum at the end
  if (zip_fread(file.get(), &more, 1) != 0) throw std::runtime_error(quoted(name) + "is damaged");
  return bytes;
}

void read(const char* bytes, size_t size, const ZipTaker& to) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = zip_source_buffer_create(bytes, size, 0, &error);
  if (source == nullptr) fail("is no archive that can be read", &error);
  const Archive archive(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error), zip_discard);
  if (!archive) {
    zip_source_free(source);
    fail("is no archive that can be read", &error);
  }
  const auto count = static_cast<zip_uint64_t>(zip_get_num_entries(archive.get(), 0));
  if (count > to.most_files) throw std::runtime_error(to.too_much);
  size_t left = to.most_bytes;
  for (zip_uint64_t i = 0; i < count; ++i) {
    const char* const name = zip_get_name(archive.get(), i, ZIP_FL_ENC_GUESS);
    if (name == nullptr || *name == '\0') throw std::runtime_error("holds a file without a name");
    if (!is_plain(archive.get(), i)) throw std::runtime_error(quoted(name) + "is a link or a device, and no file");
    const std::string content = unpacked(archive.get(), i, name, to, left);
    const ZippedFile file{name, content.data(), content.size()};
    to.take(to.context, &file);
  }
}

void add(zip_t* archive, const ZippedFile& file) {
  zip_source_t* const source = zip_source_buffer(archive, file.bytes, file.size, 0);
  if (source == nullptr) fail(quoted(file.name) + "cannot be packed", zip_get_error(archive));
  const zip_int64_t added = zip_file_add(archive, file.name, source, ZIP_FL_ENC_UTF_8);
  if (added < 0) {
    zip_source_free(source);
    fail(quoted(file.name) + "cannot be packed", zip_get_error(archive));
  }
  const auto i = static_cast<zip_uint64_t>(added);
  constexpr zip_uint16_t first_of_january_1980 = 1 << 5 | 1;
  constexpr zip_uint32_t readable_by_all = (S_IFREG | 0644U) << 16;
  if (zip_set_file_compression(archive, i, ZIP_CM_DEFLATE, 6) != 0 ||
      zip_file_set_dostime(archive, i, 0, first_of_january_1980, 0) != 0 ||
      zip_file_set_external_attributes(archive, i, 0, ZIP_OPSYS_UNIX, readable_by_all) != 0)
    fail(quoted(file.name) + "cannot be packed", zip_get_error(archive));
}

std::string written(const ZippedFile* files, size_t count) {
  zip_error_t error;
  zip_error_init(&error);
  const std::unique_ptr<zip_source_t, void (*)(zip_source_t*)> target(zip_source_buffer_create(nullptr, 0, 0, &error),
                                                                      zip_source_free);
  if (!target) fail("cannot be packed", &error);
  Archive archive(zip_open_from_source(target.get(), ZIP_TRUNCATE, &error), zip_discard);
  if (!archive) fail("cannot be packed", &error);
  zip_source_keep(target.get());  // one reference is the archive's
  for (size_t i = 0; i < count; ++i) add(archive.get(), files[i]);
  if (zip_close(archive.get()) != 0) fail("cannot be packed", zip_get_error(archive.get()));
  static_cast<void>(archive.release());  // zip_close() has freed it
  zip_stat_t info;
  zip_stat_init(&info);
  if (zip_source_stat(target.get(), &info) != 0 || zip_source_open(target.get()) != 0)
    throw std::runtime_error("cannot be packed");
  std::string bytes(info.size, '\0');
  const bool whole = zip_source_read(target.get(), bytes.data(), info.size) == static_cast<zip_int64_t>(info.size);
  zip_source_close(target.get());
  if (!whole) throw std::runtime_error("cannot be packed");
  return bytes;
}

}  // namespace

extern "C" const char* daelab_read_zip(const char* bytes, size_t size, const ZipTaker* to) {
  return message_of([&] { read(bytes, size, *to); });
}

extern "C" const char* daelab_write_zip(const ZippedFile* files, size_t count,
                                        void (*take)(void* context, const char* bytes, size_t size), void* context) {
  return message_of([&] {
    const std::string bytes = written(files, count);
    take(context, bytes.data(), bytes.size());
  });
}
