#include "methods/geometric/composition_scheme.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "core/base/coefficient_lists.hpp"
#include "core/base/exact.hpp"
#include "core/base/options.hpp"
#include "core/integration/method_documents.hpp"

namespace daelab {
namespace {

using Word = std::vector<int>;  // of odd letters

// All words of this sum, each letter odd.
std::vector<Word> words_of(int sum) {
  if (sum == 0) return {{}};
  std::vector<Word> words;
  for (int first = 1; first <= sum; first += 2)
    for (Word rest : words_of(sum - first)) {
      rest.insert(rest.begin(), first);
      words.push_back(std::move(rest));
    }
  return words;
}

Real100 inverse_factorial(std::size_t n) {
  Real100 product(1);
  for (std::size_t k = 2; k <= n; ++k) product *= Real100(static_cast<int>(k));
  return 1 / product;
}

std::string text_of(const Word& word) {
  std::vector<std::string> letters;
  for (const int letter : word) letters.push_back(fmt::format("Y{}", letter));
  return fmt::format("{}", fmt::join(letters, " "));
}

// Words up to a sum, by their sums, and where those are that they begin with.
class Words {
 public:
  struct Part {
    std::size_t before;  // what remains of the word without its last letters
    int sum;             // of these
    Real100 factor;      // 1/l! for l of them
  };
  struct Entry {
    Word word;
    int sum;
    std::vector<Part> parts;
    Real100 wanted;  // in exp(h Y_1)
  };

  explicit Words(int highest) {
    std::map<Word, std::size_t> places;
    for (int sum = 0; sum <= highest; ++sum)
      for (Word& word : words_of(sum)) {
        places[word] = entries_.size();
        entries_.push_back({word, sum, parts_of(word, places), wanted(word)});
      }
  }
  const std::vector<Entry>& entries() const { return entries_; }

  /// Made once: searches ask for residuals thousands of times.
  static const Words& up_to(int highest) {
    static std::mutex guard;
    static std::map<int, Words> all;
    const std::lock_guard lock(guard);
    return all.try_emplace(highest, highest).first->second;
  }

 private:
  static std::vector<Part> parts_of(const Word& word, const std::map<Word, std::size_t>& places) {
    std::vector<Part> parts;
    int sum = 0;
    for (std::size_t behind = 1; behind <= word.size(); ++behind) {
      sum += word[word.size() - behind];
      const Word before(word.begin(), word.end() - static_cast<std::ptrdiff_t>(behind));
      parts.push_back({places.at(before), sum, inverse_factorial(behind)});
    }
    return parts;
  }
  static Real100 wanted(const Word& word) {
    const bool is_power = std::ranges::all_of(word, [](int letter) { return letter == 1; });
    return is_power ? inverse_factorial(word.size()) : Real100(0);
  }

  std::vector<Entry> entries_;
};

// The coefficients of words in a product of exponentials.
class Series {
 public:
  explicit Series(int highest)
      : entries_(Words::up_to(highest).entries()),
        values_(entries_.size(), Real100(0)),
        powers_(entries_.back().sum + 1) {
    values_[0] = 1;
  }

  // Behind it, exp(w Y_1 + w^3 Y_3 + ...), in which a word of l letters and the sum s has the coefficient w^s / l!.
  void multiply(const Real100& w) {
    powers_[0] = 1;
    for (std::size_t s = 1; s < powers_.size(); ++s) powers_[s] = powers_[s - 1] * w;
    for (std::size_t i = entries_.size(); i-- > 0;)  // words that are parts of others come before them
      for (const Words::Part& part : entries_[i].parts)
        values_[i] += values_[part.before] * powers_[static_cast<std::size_t>(part.sum)] * part.factor;
  }

  // The largest defect of the lowest order that has one.
  CompositionDefect defect(const Real100& tolerance) const {
    CompositionDefect found;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (found.order > 0 && entries_[i].sum > found.order) break;
      const Real100 residual = values_[i] - entries_[i].wanted;
      if (abs(residual) > std::max(tolerance, Real100(abs(found.residual))))
        found = {entries_[i].sum, text_of(entries_[i].word), residual};
    }
    return found;
  }
  std::vector<Real100> residuals() const {
    std::vector<Real100> all;
    for (std::size_t i = 0; i < entries_.size(); ++i) all.push_back(values_[i] - entries_[i].wanted);
    return all;
  }

 private:
  const std::vector<Words::Entry>& entries_;
  std::vector<Real100> values_, powers_;
};

struct CompositionDocument {
  std::string name, summary, source;
  int order = 0;
  std::vector<Exact> weights;

  Options options() {
    return {option("name", name, "what errors call it"), option("summary", summary, "what it is"),
            option("source", source, "where it is from"),
            option("order", order, "of its compositions of symmetric methods of order 2",
                   between(2, highest_composition_order)),
            option("weights", weights, "parts of a step, the same from both ends")};
  }
};

void check_palindrome(const std::vector<Exact>& weights, const std::string& where) {
  for (std::size_t i = 0, j = weights.size(); i < weights.size(); ++i) {
    --j;
    if (weights[i].value() != weights[j].value())
      throw InputError(fmt::format("{}/{}", where, std::max(i, j)),
                       fmt::format("is {}, but weight {} is {}: weights must be the same from both ends (residual {})",
                                   weights[std::max(i, j)].text(), std::min(i, j), weights[std::min(i, j)].text(),
                                   to_text(Real100(weights[i].value() - weights[j].value()), 3)));
  }
}

// Rounding of weights changes a residual by a few times their errors.
Real100 tolerance_of(const std::vector<Exact>& weights, int rounded, int& digits) {
  Real100 error("1e-80");
  for (const Exact& weight : weights)
    if (const auto places = decimal_places(weight.text()); places && *places >= rounded) {
      digits = digits == 0 ? *places : std::min(digits, *places);
      error += pow(Real100(10), 1 - *places);
    }
  return error;
}

}  // namespace

CompositionDefect composition_defect(const Vector<Real100>& weights, int highest, const Real100& tolerance) {
  Series series(highest);
  for (const Real100& w : weights) series.multiply(w);
  return series.defect(tolerance);
}

std::vector<Real100> composition_residuals(const Vector<Real100>& weights, int highest) {
  Series series(highest);
  for (const Real100& w : weights) series.multiply(w);
  return series.residuals();
}

namespace {

CompositionDocument read_composition(const Json& json, const std::string& where) {
  CompositionDocument document;
  document.options().read(json, where);
  if (!json.contains("weights")) throw InputError(where + "/weights", "is missing");
  if (document.weights.empty()) throw InputError(where + "/weights", "must have at least one weight");
  return document;
}

CompositionScheme scheme_of(const CompositionDocument& document, int rounded = surely_rounded_places) {
  CompositionScheme scheme{document.name, document.source, {}, document.order, 0};
  scheme.weights.resize(static_cast<Index>(document.weights.size()));
  std::ranges::transform(document.weights, scheme.weights.begin(), [](const Exact& x) { return x.value(); });
  scheme.tolerance = tolerance_of(document.weights, rounded, scheme.digits);
  return scheme;
}

}  // namespace

CompositionScheme composition_as_printed(const Json& json, const std::string& where) {
  const CompositionDocument document = read_composition(json, where);
  const auto failing = [](const CompositionScheme& scheme) {
    const int order = composition_defect(scheme.weights, highest_composition_order, scheme.tolerance).order;
    return order > 0 ? order : highest_composition_order + 1;
  };
  CompositionScheme strict = scheme_of(document), rounded = scheme_of(document, possibly_rounded_places);
  return failing(rounded) > failing(strict) ? rounded : strict;
}

CompositionScheme composition_scheme_from_json(const Json& json, const std::string& where) {
  const CompositionDocument document = read_composition(json, where);
  if (!json.contains("order")) throw InputError(where + "/order", "is missing");
  check_palindrome(document.weights, where + "/weights");
  const CompositionScheme scheme = scheme_of(document);
  const Real100 sum = scheme.weights.sum();
  if (abs(sum - 1) > scheme.tolerance)
    throw InputError(where + "/weights", fmt::format("sum up to {}, must be 1 (residual {})", fraction_or_decimal(sum),
                                                     to_text(Real100(sum - 1), 3)));
  const CompositionDefect defect = composition_defect(scheme.weights, scheme.order, scheme.tolerance);
  if (defect.order > 0)
    throw InputError(where + "/order",
                     fmt::format("is {}, but a condition of order {} does not hold: the coefficient of {} is off by {}",
                                 scheme.order, defect.order, defect.word, to_text(defect.residual, 3)));
  return scheme;
}

CompositionScheme composition_scheme(const std::string& name, const std::string& where) {
  const auto has_weights = [](const Json& json) { return json.is_object() && json.contains("weights"); };
  // A file of the user's own is read whatever it has, so that what is missing is said.
  const NamedDocument found = document_by_name(name, "methods/geometric", has_weights, "composition", where);
  return composition_scheme_from_json(found.json, found.where);
}

}  // namespace daelab
