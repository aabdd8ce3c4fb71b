// Every method of the registry has a source, a row of docs/methods.md, a test that names it, and runs of trust where it
// has error control.
#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "core/base/json_file.hpp"
#include "core/integration/method.hpp"
#include "lab/runs/run.hpp"
#include "tests/build_paths.hpp"
#include "tests/file_support.hpp"
#include "tests/method_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::IsEmpty;

// Loads the methods that are files and lists the names of methods.
std::vector<std::string> methods_that(const auto& are_so) {
  method_of("rodas4");
  std::vector<std::string> list;
  for (const std::string& name : Registry<Method>::instance().names())
    if (are_so(name)) list.push_back(name);
  return list;
}

// A name between quotes, or before options: `bdf`, "bdf:k=2".
bool names(const std::string& text, const char* quote, const std::string& method) {
  return text.find(quote + method + quote) != std::string::npos || text.find(quote + method + ":") != std::string::npos;
}

// The lines of a table that begins with this one.
std::string table_of(const std::string& page, const std::string& head) {
  const std::size_t begin = page.find(head);
  return begin == std::string::npos ? "" : page.substr(begin, page.find("\n\n", begin) - begin);
}

// Names of the methods that a config mentions, without options.
void add_methods(const Json& part, std::set<std::string>& all) {
  if (part.is_object() && part.contains("method")) {
    const Json& given = part["method"];
    for (const Json& one : given.is_array() ? given : Json::array({given})) {
      const std::string text = one.is_string() ? one.get<std::string>() : one.at("name").get<std::string>();
      all.insert(text.substr(0, text.find(':')));
    }
  }
  if (part.is_array())
    for (const Json& inner : part) add_methods(inner, all);
  if (part.is_object())
    for (const auto& [key, inner] : part.items()) add_methods(inner, all);
}

std::set<std::string> methods_of_trust() {
  std::set<std::string> all;
  for (const auto& file : std::filesystem::directory_iterator(source_path("/experiments/trust")))
    add_methods(read_json_file(file.path().string()), all);
  return all;
}

bool has_error_control(const std::string& method) {
  RunSpec spec;
  spec.problem = "pendulum", spec.method = method, spec.rtol = spec.atol = "1e-3", spec.t_end = "1/100";
  return Run::of(std::move(spec))->integrate().record.status != StatusCode::not_applicable;
}

TEST(Methods, HaveASource) {
  EXPECT_THAT(
      methods_that([](const std::string& name) { return Registry<Method>::instance().look_up(name)->source.empty(); }),
      IsEmpty());
}

TEST(Methods, HaveARowOfTheirFamily) {
  const std::string table = table_of(read_text(source_path("/docs/methods.md")), "| family | method |");
  ASSERT_FALSE(table.empty());
  EXPECT_THAT(methods_that([&](const std::string& name) { return !names(table, "`", name); }), IsEmpty());
}

// What the table names exists, with the options that it gives.
TEST(Methods, AreThereWhereTheTableNamesThem) {
  method_of("rodas4");  // with all that are files
  std::istringstream table(table_of(read_text(source_path("/docs/methods.md")), "| family | method |"));
  int found = 0;
  for (std::string line; std::getline(table, line);) {
    std::istringstream row(line);
    std::string cell;
    for (int i = 0; i < 3; ++i) std::getline(row, cell, '|');
    for (std::size_t at = 0; (at = cell.find('`', at)) != std::string::npos; ++found) {
      const std::size_t end = cell.find('`', at + 1);
      const std::string called = cell.substr(at + 1, end - at - 1);
      EXPECT_NE(Registry<Method>::instance().look_up(called.substr(0, called.find(':'))), nullptr) << called;
      at = end + 1;
    }
  }
  EXPECT_GT(found, 80);
}

TEST(Methods, HaveATestThatNamesThem) {
  std::string tests;
  for (const auto& file : std::filesystem::directory_iterator(source_path("/tests")))
    if (file.path().extension() == ".cpp" || file.path().extension() == ".hpp") tests += read_text(file.path());
  EXPECT_THAT(methods_that([&](const std::string& name) { return !names(tests, "\"", name); }), IsEmpty());
}

// Codes of other packages choose their own steps: experiments/peers measures what they reach.
bool is_of_a_package(const std::string& method) {
  return Registry<Method>::instance().look_up(method)->missing != nullptr;
}

TEST(Methods, HaveRunsOfTrustWhereTheyHaveErrorControl) {
  const std::set<std::string> measured = methods_of_trust();
  EXPECT_THAT(methods_that([&](const std::string& name) {
                return !is_of_a_package(name) && !measured.contains(name) && has_error_control(name);
              }),
              IsEmpty());
}

}  // namespace TEST_FILE
}  // namespace daelab
