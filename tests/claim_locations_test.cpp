// Locations of entries: places of a paper that exist.
#include "results/claims.hpp"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "results/packs.hpp"
#include "results/set_files.hpp"
#include "results/store.hpp"
#include "tests/build_paths.hpp"
#include "tests/claims_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::AllOf;
using testing::HasSubstr;

TEST(Locations, NameAPlaceOfThePaper) {
  const auto at = [](const std::string& location) {
    Json claim = energy_claim("0.01");
    claim["location"] = location;
    return claim_error(claim);
  };
  for (const char* place : {"Table 1", "Section 8.2, row h = 0.01", "Formula (27)", "Formula 27", "Lemma 6, proof",
                            "paragraph 3, Abstract", "Section 5, Figure 8, item 4)"})
    EXPECT_EQ(at(place), "no InputError") << place;
  EXPECT_THAT(at("Section 8.3"), AllOf(HasSubstr("/claims/0/location (e)"), HasSubstr("no 'Section 8.3'"),
                                       HasSubstr("5, 8.2"), HasSubstr("did you mean '8.2'?")));
  EXPECT_THAT(at("Table 1, Figure 9"), HasSubstr("no 'Figure 9'"));
  EXPECT_THAT(at("Figure 8 and its text"), HasSubstr("no 'Figure 8 and its text'"));
  EXPECT_THAT(at("Lemma 7"), AllOf(HasSubstr("no 'Lemma 7'"), HasSubstr("Lemma 5, Lemma 6")));
  EXPECT_THAT(at("the text, h = 0.01"), AllOf(HasSubstr("names no place"), HasSubstr("Abstract, Conclusions")));
  Json check = as_check(energy_claim("0.01"));  // elsewhere
  check["location"] = "v6(0.1)";
  EXPECT_EQ(claim_error(check, EntryKind::check), "no InputError");
}

TEST(Locations, ContentsAreLists) {
  const auto with = [](const Json& contents) {
    Json file = claims_file(energy_claim("0.01"));
    file["contents"] = contents;
    try {
      check_entries(file);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no InputError");
  };
  EXPECT_THAT(with({{"section", {"1"}}}), AllOf(HasSubstr("/contents/section"), HasSubstr("did you mean 'sections'?")));
  EXPECT_THAT(with({{"tables", "1"}}), HasSubstr("/contents/tables: expected a list"));
  EXPECT_THAT(with({{"tables", {1}}}), HasSubstr("/contents/tables/0: expected text"));
  EXPECT_THAT(with({{"parts", {"Lemma 5, proof"}}}), HasSubstr("/contents/parts/0"));
  EXPECT_THAT(with(nullptr), HasSubstr("/contents"));
}

TEST(Locations, OfConfigsThatCiteAPaperNameAPlaceOfIt) {
  const auto with = [](const std::string& location) {
    Json claim = energy_claim("0.01");
    claim["location"] = location;
    const Json config = {{"claims", {claim}}};
    try {
      entries_of_config(config, "another set", {});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no InputError");
  };
  EXPECT_EQ(with("Ren, Zhou 2020, Section 5.2"), "no InputError");
  EXPECT_EQ(with("HW96, Sec. V.2; Ren, Zhou 2020, Table 2, below"), "no InputError");
  EXPECT_EQ(with("my own notes, page 3"), "no InputError");
  EXPECT_THAT(with("Ren, Zhou 2020, Section 9.9"),
              AllOf(HasSubstr("/claims/0/location"), HasSubstr("no 'Section 9.9'"), HasSubstr("8.1, 8.2, 9")));
  EXPECT_THAT(with("HW96, Sec. V.2; Ren, Zhou 2020, section 5.2"), HasSubstr("names no place"));
}

// Every location of every paper exists.
TEST(Locations, OfThePublishedPapers) {
  int papers = 0;
  for (const std::string& name : project_packs()) {
    EXPECT_EQ(read_entries(name)["paper"], name);
    ++papers;
  }
  EXPECT_GE(papers, 5);
}

}  // namespace TEST_FILE
}  // namespace daelab
