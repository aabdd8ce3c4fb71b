// Arrays that other programs wrote, whole, wrong and made to do harm. Values that are compared for equality are stored
// as they are.
#include "results/array_file.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/context.hpp"
#include "core/base/input_error.hpp"
#include "experiments/measures/foreign_table.hpp"
#include "tests/build_paths.hpp"
#include "tests/numpy_samples.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class ArrayFiles : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content) const {
    const std::string path = folder.path() + "/" + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  // The message of a refusal; "" for a file that is read.
  static std::string refusal(const std::string& path) {
    try {
      read_foreign_table(path, [](const std::vector<std::string>&) { return false; });
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }
  std::string refusal(const std::string& name, const std::string& content) const {
    return refusal(file(name, content));
  }

  TemporaryFolder folder;
};

const std::string dictionary_end = ", 'fortran_order': False, 'shape': (2,), }";

TEST_F(ArrayFiles, FieldsHaveTheNamesThatPythonWrites) {
  const std::string data = bytes_of<double>({1, 2, 3, 4});
  const auto names = [&](const std::string& content) {
    std::vector<std::string> names;
    for (const StoredArray& array : read_array_file(file("a.npy", content)).all) names.push_back(array.name);
    return names;
  };
  EXPECT_THAT(names(npy(R"([("x'", '<f8'), ('y', '<f8')])", false, "(2,)", data)), ElementsAre("x'", "y"));
  EXPECT_THAT(names(npy(R"([('a\'"', '<f8'), ('(b]', '<f8')])", false, "(2,)", data)), ElementsAre("a'\"", "(b]"));
  EXPECT_THAT(names(npy("[('True', '<f8'), ('p,q', '<f8')]", false, "(2,)", data)), ElementsAre("True", "p,q"));
  EXPECT_THAT(names(npy("[(('title', 'n'), '<f8'), ('m', '<f8')]", false, "(2L,)", data)), ElementsAre("n", "m"));
  EXPECT_THAT(names(npy("[('\xE9', '<f8'), ('\\u03b1', '<f8')]", false, "(2,)", data)), ElementsAre("é", "α"));
  EXPECT_THAT(names(npy("[('h', '<f8'), ('', '|V4'), ('y', '<f4')]", false, "(2,)", data)), ElementsAre("h", "y"));
  EXPECT_EQ(read_array_file(file("a.npy", npy("[('h', '<f8'), ('y', '<f8')]", false, "(2,)", data))).all[1].values,
            (std::vector<double>{2, 4}));
}

// Four fields of 2^62 bytes are 0 bytes in 64 bits: an item lies anywhere in memory.
TEST_F(ArrayFiles, SizesThatWrapAroundAreRefused) {
  std::string fields;
  for (const char* name : {"a", "b", "c", "d"}) fields += fmt::format("('{}', '|V4611686018427387904'), ", name);
  EXPECT_THAT(refusal("a.npy", npy("[" + fields + "('y', '<f8')]", false, "(1,)", bytes_of<double>({1}))),
              HasSubstr("a.npy: has a header that is none of NumPy"));
  std::string many;
  for (int i = 0; i < 300; ++i) many += fmt::format("('f{}', '|V4294967295'), ", i);
  EXPECT_THAT(refusal("a.npy", npy("[" + many + "('y', '<f8')]", false, "(1,)", "")), HasSubstr("items of more bytes"));
  EXPECT_THAT(refusal("a.npy", npy("'|V0'", false, "(1000000,)", "")), HasSubstr("items of no bytes"));
  EXPECT_THAT(refusal("a.npy", npy("'<f8'", false, "(4611686018427387904, 4)", "")),
              HasSubstr("shorter than its shape"));
  EXPECT_THAT(refusal("a.npy", npy("'<f8'", false, "(4611686018427387904, 0)", "")), HasSubstr("no array of numbers"));
  EXPECT_THAT(refusal("a.npy", npy("'|O'", false, "(1,)", "x")), HasSubstr("objects of Python"));
}

TEST_F(ArrayFiles, HeadersOfAnyLengthAreRead) {
  const std::string blanks(60'000, ' ');
  EXPECT_EQ(refusal("a.npy", npy_with_header("{'descr': '<f8'" + blanks + dictionary_end, bytes_of<double>({1, 2}))),
            "");
  for (const std::string& nested : {std::string(60'000, '('), std::string(60'000, '['), std::string(60'000, '{')})
    EXPECT_THAT(refusal("a.npy", npy_with_header("{'descr': " + nested + dictionary_end, "")), HasSubstr("a.npy: has"));
  EXPECT_THAT(refusal("a.npy", npy("[('a', [('b', '<f8')])]", false, "(1,)", "")), HasSubstr("structures themselves"));
  EXPECT_THAT(refusal("a.npy", npy("[('a', '<f8', (2,))]", false, "(1,)", "")), HasSubstr("arrays themselves"));
}

// Each beginning of a file is one that a full disk may leave; each change of a byte, what a disk may do.
TEST_F(ArrayFiles, DamagedArraysAreRefusedOrRead) {
  const std::string whole = npy("[('h', '<f4'), ('y1', '<f8')]", false, "(2,)", std::string(24, '\x3F'));
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_NE(refusal("a.npy", whole.substr(0, size)), "");
  for (std::size_t i = 0; i < whole.size() - 24; ++i)
    for (const char c : {'\0', '\xFF', '9', '(', '\''}) {
      std::string changed = whole;
      changed[i] = c;
      EXPECT_THAT(refusal("a.npy", changed), Not(HasSubstr("std::"))) << i;
    }
}

TEST_F(ArrayFiles, TablesHaveAsManyNumbersAsTheLimitSays) {
  Context context = Context::current();
  context.limits.file_bytes = 3 * 64;
  const Context::Scope scope(context);
  const std::string words =
      "holds more than 3 numbers, too many for a table, which takes 64 bytes for each (allowed are 192; --limit "
      "file-bytes=N";
  EXPECT_THAT(refusal("a.npy", npy("'<f8'", false, "(2, 2)", bytes_of<double>({1, 2, 3, 4}))), HasSubstr(words));
  EXPECT_THAT(refusal("a.csv", "h,y1\n1,2\n3,4\n"), HasSubstr(words));
  EXPECT_EQ(refusal("a.csv", "h,y1\n1,2\n"), "");
}

// 500 bytes that say they are 4.2 GB.
TEST_F(ArrayFiles, ArchivesAreUnpackedAsFarAsTheLimitSays) {
  const std::string content = npy("'<f8'", false, "(2,)", bytes_of<double>({1, 2}));
  EXPECT_EQ(read_array_file(file("a.npz", npz("h.npy", content, content.size()))).all[0].values,
            (std::vector<double>{1, 2}));
  EXPECT_THAT(refusal("a.npz", npz("h.npy", content, 4'200'000'000)),
              HasSubstr("a.npz: holds more than 16777216 numbers, too many for a table"));
  EXPECT_THAT(refusal("a.npz", npz("h.npy", content, content.size() + 1)), HasSubstr("cannot be unpacked"));
}

TEST_F(ArrayFiles, TextIsUtf8) {
  EXPECT_THAT(refusal("a.csv", "h,y1\n1,\xE9\n"), HasSubstr("a.csv:2: this is no text in UTF-8, perhaps in Latin-1"));
  EXPECT_THAT(refusal("a.csv", std::string("h,y1\n1,2\0\n", 10)), HasSubstr("a.csv:2: a character of code 0"));
  EXPECT_THAT(refusal("a.csv", std::string("\xFF\xFEh\0,\0y\0\n\0", 10)), HasSubstr("UTF-16: save it in UTF-8"));
  EXPECT_THAT(refusal("a.csv", std::string("h\0,\0y\0\n\0", 8)), HasSubstr("UTF-16; save it in UTF-8"));
  EXPECT_EQ(refusal("a.csv", "# 90\xB0\nh,y1\n1,2\n"), "") << "a comment is nobody's number";
  const ForeignTable table =
      read_foreign_table(file("a.csv", "\xEF\xBB\xBFh,y1\r\n1,2\r\n"), [](auto&&) { return true; });
  EXPECT_THAT(table.header, ElementsAre("h", "y1")) << "with the mark that Excel writes";
  EXPECT_THAT(refusal("a.csv", std::string(2'000'000, 'a')), HasSubstr("more than 1000000 characters"));
  EXPECT_THAT(refusal(folder.path()), HasSubstr("cannot be read"));
}

class Hdf5Files : public ArrayFiles {
 protected:
  void SetUp() override {
    void* const library = ::dlopen(program_part("hdf5_samples.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) GTEST_SKIP() << "no HDF5: " << ::dlerror();
    write_ = reinterpret_cast<bool (*)(const char*, const char*)>(::dlsym(library, "daelab_write_hdf5_sample"));
    fs::current_path(folder.path());  // where names of other files lead
  }
  void TearDown() override { fs::current_path(before_); }
  std::string sample(const std::string& name) const {
    const std::string path = folder.path() + "/" + name + ".h5";
    EXPECT_TRUE(write_(name.c_str(), path.c_str())) << name;
    return path;
  }

 private:
  bool (*write_)(const char*, const char*) = nullptr;
  fs::path before_ = fs::current_path();
};

TEST_F(Hdf5Files, ColumnsHaveTheNamesThatH5pyWrites) {
  for (const char* name : {"texts-of-any-length", "structure"}) {
    const ArrayFile read = read_array_file(sample(name));
    ASSERT_EQ(read.all.size(), 2u) << name;
    EXPECT_EQ(read.all[0].name, "h");
    EXPECT_EQ(read.all[0].values, (std::vector<double>{0.125, 0.0625}));
    EXPECT_EQ(read.all[1].name, "y1");
    EXPECT_EQ(read.all[1].values, (std::vector<double>{-0.5, -0.53}));
  }
  EXPECT_THAT(refusal(sample("columns-that-are-numbers")), HasSubstr("the attribute columns holds no texts"));
}

TEST_F(Hdf5Files, WhatIsUnpackedIsLimited) {
  const std::string bomb = sample("long-and-empty");
  EXPECT_LT(fs::file_size(bomb), 4000u);
  EXPECT_THAT(refusal(bomb), HasSubstr("long-and-empty.h5: holds more than 16777216 numbers, too many for a table"));
  EXPECT_THAT(refusal(sample("lengths-that-wrap-around")), HasSubstr("too many for a table"));
}

TEST_F(Hdf5Files, NoOtherFileIsRead) {
  fs::rename(sample("table"), "secret.h5");
  std::ofstream("secret.bin") << bytes_of<double>({1, 2});
  EXPECT_THAT(refusal(sample("link-to-a-file")), HasSubstr("no array of numbers; left out: y1 (a link)"));
  EXPECT_THAT(refusal(sample("numbers-in-a-file")), HasSubstr("y1 has its numbers in other files, which are not read"));
  EXPECT_THAT(refusal(sample("numbers-of-another-file")), HasSubstr("y1 has its numbers in other files"));
}

// The library itself crashes on some of these; what reads them goes on.
TEST_F(Hdf5Files, DamagedFilesDoNoHarm) {
  std::ifstream in(sample("texts-of-any-length"), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  const std::size_t step = whole.size() / 150;
  for (std::size_t i = 8; i < whole.size(); i += step)
    for (const char c : {'\0', '\xFF'}) {
      std::string changed = whole;
      changed[i] = c;
      EXPECT_THAT(refusal("a.h5", changed), Not(HasSubstr("std::"))) << i;
    }
  for (std::size_t size = 0; size < whole.size(); size += 10 * step)
    EXPECT_NE(refusal("a.h5", whole.substr(0, size)), "");
}

}  // namespace TEST_FILE
}  // namespace daelab
