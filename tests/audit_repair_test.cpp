// Slips of copyists at random places of tableaus of all families but Runge-Kutta: audit names the slip and its repair.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <random>

#include "analysis/audit_subjects.hpp"
#include "analysis/family_repair.hpp"
#include "core/base/exact.hpp"
#include "core/base/json_file.hpp"
#include "core/base/paths.hpp"
#include "lab/project.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;

Json document(const std::string& name) { return read_json_file(project_path("methods/" + name + ".json")); }

// A list of numbers in a document, and where it is.
struct NumberList {
  std::string pointer;
  Json* list;
};

void collect(Json& json, const std::string& pointer, std::vector<NumberList>& lists) {
  if (!json.is_array() || json.empty()) return;
  if (!json[0].is_array()) return lists.push_back({pointer, &json});
  for (std::size_t i = 0; i < json.size(); ++i) collect(json[i], fmt::format("{}/{}", pointer, i), lists);
}

std::vector<NumberList> lists_of(Json& document) {
  std::vector<NumberList> lists;
  for (const char* key : {"alpha", "gamma", "weights", "embedded_weights", "c", "A_bar", "A", "b_bar", "b",
                          "b_bar_embedded", "b_embedded", "kicks", "drifts"})
    if (document.contains(key)) collect(document[key], fmt::format("/{}", key), lists);
  for (const char* half : {"positions", "velocities"})
    if (document.contains(half))
      for (const char* key : {"A", "b"}) collect(document[half][key], fmt::format("/{}/{}", half, key), lists);
  return lists;
}

class Slips {
 public:
  explicit Slips(unsigned seed) : random_(seed) {}

  // What a suggestion that undoes it begins with; "": nothing was changed.
  std::string make(Json& document) {
    std::vector<NumberList> lists = lists_of(document);
    const NumberList& chosen = lists[below(lists.size())];
    Json& list = *chosen.list;
    const std::size_t i = below(list.size());
    if (below(4) == 0) return exchange(chosen, i);
    const std::string right = list[i].get<std::string>();
    const std::string wrong = below(2) == 0 ? other_sign(right) : other_digit(right);
    if (wrong.empty()) return "";
    list[i] = wrong;
    return fmt::format("{}/{}: ", chosen.pointer, i);
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  static bool is_number(const std::string& text) {
    return text.find_first_not_of("-0123456789./") == std::string::npos && text != "0";
  }
  std::string exchange(const NumberList& chosen, std::size_t i) {
    Json& list = *chosen.list;
    const std::size_t j = below(list.size());
    if (list[i] == list[j] || list[i] == "0" || list[j] == "0") return "";
    std::swap(list[i], list[j]);
    return fmt::format("{0}/{1} and {0}/{2} exchanged", chosen.pointer, std::min(i, j), std::max(i, j));
  }
  static std::string other_sign(const std::string& text) {
    if (!is_number(text)) return "";
    return text.front() == '-' ? text.substr(1) : "-" + text;
  }
  // Among the first ones: the last digits of rounded numbers are not told from rounding.
  std::string other_digit(std::string text) {
    if (!is_number(text)) return "";
    std::vector<std::size_t> digits;
    for (std::size_t k = 0; k < text.size() && digits.size() < 8; ++k)
      if (text[k] >= '1' && text[k] <= '9') digits.push_back(k);
    char& digit = text[digits[below(digits.size())]];
    digit = digit == '9' ? '8' : static_cast<char>(digit + 1);
    return text;
  }

  std::mt19937 random_;
};

std::string all_texts(const Audit& audit) {
  std::string all;
  for (const Repair& repair : audit.repairs) all += repair.text + "\n";
  return all;
}

// Nothing where the form forbids the slip, as of another entry on the diagonal of gamma.
std::optional<Audit> audit_of(const Json& document) {
  try {
    return audit(audit_subject(document, ""));
  } catch (const InputError&) {
    return {};
  }
}

// Makes `wanted` slips that break an order, and counts the slips that suggestions name.
int found_slips(const std::vector<std::string>& names, int wanted, unsigned seed) {
  Slips slips(seed);
  int made = 0, found = 0;
  std::string not_found;
  for (int attempt = 0; made < wanted && attempt < 20 * wanted; ++attempt) {
    Json slip = document(names[static_cast<std::size_t>(attempt) % names.size()]);
    const std::string undone = slips.make(slip);
    if (undone.empty()) continue;
    const std::optional<Audit> answer = audit_of(slip);
    if (!answer || answer->count(AuditVerdict::refuted) == 0) continue;
    ++made;
    const std::string texts = all_texts(*answer);
    if (texts.find(undone) != std::string::npos)
      ++found;
    else
      not_found += fmt::format("{}: {}\n{}", slip["name"].get<std::string>(), undone, texts);
  }
  if (found < wanted) std::printf("%s", not_found.c_str());
  EXPECT_EQ(made, wanted);
  return found;
}

class AuditRepairs : public testing::Test {
 protected:
  static void SetUpTestSuite() { load_project(); }
};

TEST_F(AuditRepairs, OfRosenbrockMethods) {
  EXPECT_GE(found_slips({"rosenbrock/rodas3", "rosenbrock/grk4t", "rosenbrock/ros34pw2", "rosenbrock/rodas4"}, 24, 1),
            20);
}

TEST_F(AuditRepairs, OfPartitionedMethods) {
  EXPECT_GE(found_slips({"nystrom/forest-ruth-4", "nystrom/ruth-3", "nystrom/mclachlan-atela-4",
                         "nystrom/lobatto-iiia-iiib-3", "nystrom/blanes-moan-4"},
                        24, 2),
            20);
}

TEST_F(AuditRepairs, OfNystromMethods) {
  EXPECT_GE(found_slips({"nystrom/nystrom-4", "nystrom/nystrom-5", "nystrom/nystrom-4-velocities",
                         "nystrom/dormand-prince-rkn-64", "nystrom/fine-4"},
                        24, 3),
            20);
}

TEST_F(AuditRepairs, OfCompositions) {
  EXPECT_GE(found_slips({"geometric/mclachlan-4", "geometric/kahan-li-6", "geometric/yoshida-6"}, 24, 4), 20);
}

// Every coefficient of formulas with the other sign, doubled and off by 1/7.
TEST_F(AuditRepairs, OfMultistepFormulas) {
  const MultistepFormula adams{Vector<Real100>{{1, -1, 0, 0}},
                               Vector<Real100>{{Real100(9) / 24, Real100(19) / 24, Real100(-5) / 24, Real100(1) / 24}}};
  const MultistepFormula bdf{Vector<Real100>{{1, Real100(-18) / 11, Real100(9) / 11, Real100(-2) / 11}},
                             Vector<Real100>{{Real100(6) / 11, 0, 0, 0}}};
  int found = 0;
  for (const auto& [formula, order] : {std::pair(adams, 4), std::pair(bdf, 3)})
    for (const bool is_alpha : {true, false})
      for (Index i = 0; i < 4; ++i)
        for (const int slip : {0, 1, 2}) {
          MultistepForm form;
          form.formula = formula;
          Real100& entry = is_alpha ? form.formula.alpha[i] : form.formula.beta[i];
          if (entry == 0 || (is_alpha && i == 0)) continue;
          entry = slip == 0 ? Real100(-entry) : slip == 1 ? Real100(2 * entry) : Real100(entry + Real100(1) / 7);
          const std::vector<std::string> texts = family_repairs(form, {{"order", order}});
          const std::string place = fmt::format("/{}/{}: ", is_alpha ? "alpha" : "beta", i);
          ASSERT_FALSE(texts.empty()) << place;
          if (texts.front().starts_with(place)) ++found;
          EXPECT_THAT(texts.front(), HasSubstr(fmt::format("order {}", order)));
        }
  EXPECT_GE(found, 20);
}

// A claim that is too high without any slip gets no suggestion.
TEST_F(AuditRepairs, AreNotSuggestedForClaimsThatAreTooHigh) {
  Json rodas = document("rosenbrock/rodas3");
  rodas["order"] = 4;
  EXPECT_TRUE(audit(audit_subject(rodas, "")).repairs.empty());
  Json suzuki = document("geometric/suzuki-4");
  suzuki["order"] = 6;
  EXPECT_TRUE(audit(audit_subject(suzuki, "")).repairs.empty());
}

TEST_F(AuditRepairs, SayWhenWeightsOfPositionsDoNotSumUpToOne) {
  Json scheme = document("nystrom/ruth-3");
  scheme["drifts"][0] = "1/3";
  const Audit answer = audit(audit_subject(scheme, ""));
  EXPECT_GT(answer.count(AuditVerdict::refuted), 0u);
  EXPECT_THAT(all_texts(answer), HasSubstr("/drifts/0: 2/3 in the place of 1/3, one digit"));
}

}  // namespace TEST_FILE
}  // namespace daelab
