// Modules that were damaged: refused before the loader meets them.
#include "core/base/module.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "core/base/write_file.hpp"
#include "tests/test_folder.hpp"

namespace daelab {
namespace TEST_FILE {

TEST(Module, OfWholeLengthHasNoDamage) {
  EXPECT_EQ(module_damage("/proc/self/exe"), "");
  EXPECT_EQ(module_damage("/no/such/module.so"), "");  // the loader says so
}

TEST(Module, ThatIsCutOffIsRefused) {
  const TemporaryFolder folder;
  const std::string whole = file_bytes("/proc/self/exe").value(), path = folder.path() + "/module.so";
  for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t{5000}, std::size_t{100}}) {
    write_file(path, whole.substr(0, size));
    EXPECT_THAT(module_damage(path), testing::AnyOf(testing::StartsWith("is cut off: it has " + std::to_string(size)),
                                                    "is too short for a module"))
        << size;
  }
  write_file(path, "ELF");
  EXPECT_EQ(module_damage(path), "is too short for a module");
}

TEST(Module, ThatIsAPipeIsNotWaitedFor) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/module.so";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(module_damage(path), "is no regular file");
  EXPECT_EQ(module_damage(folder.path()), "is no regular file");
}

}  // namespace TEST_FILE
}  // namespace daelab
