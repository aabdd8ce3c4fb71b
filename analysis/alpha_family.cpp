#include "analysis/alpha_family.hpp"

#include <fmt/format.h>

#include "core/base/exact.hpp"
#include "core/base/options.hpp"
#include "methods/newmark/generalized_alpha_stepper.hpp"

namespace daelab {

std::vector<std::string> names_of(AlphaFamily::ForceTime) { return {"stage", "end", "start"}; }
std::vector<std::string> names_of(AlphaFamily::Start) { return {"consistent", "zero", "doubled", "forceless"}; }
std::vector<std::string> names_of(AlphaFamily::Acceleration) { return {"carried", "rederived"}; }
std::vector<std::string> names_of(AlphaFamily::Balance) { return {"weighted", "new"}; }

namespace {

using ForceTime = AlphaFamily::ForceTime;
using Start = AlphaFamily::Start;
using Acceleration = AlphaFamily::Acceleration;
using Balance = AlphaFamily::Balance;

struct AlphaDocument {
  std::string family;
  std::optional<Exact> rho, alpha_m, alpha_f, beta, gamma;
  ForceTime force_time = ForceTime::stage;
  Start start = Start::consistent;
  Acceleration acceleration = Acceleration::carried;
  Balance balance = Balance::weighted;

  Options options() {
    return {option("family", family, "generalized-alpha", one_of({"generalized-alpha"})),
            option("rho", rho, "spectral radius at infinity: it sets the parameters that are not given", between(0, 1)),
            option("alpha_m", alpha_m, "weight of a_0 against a_1; without rho 0"),
            option("alpha_f", alpha_f, "weight of the force of the step start against that of the end; without rho 0"),
            option("beta", beta, "weight of a_1 in the position; (1 - alpha_m + alpha_f)^2/4"),
            option("gamma", gamma, "weight of a_1 in the velocity; 1/2 - alpha_m + alpha_f"),
            option("force_time", force_time,
                   "when a force of time is taken: stage, at t + (1 - alpha_f) h, or an end of the step")
                .also("force time"),
            option("start", start,
                   "a_0 of the first step: consistent, zero, doubled; forceless: a_0 and the force are zero"),
            option("acceleration", acceleration, "carried from step to step, or rederived: a_0 := f_0 at every step"),
            option("balance", balance, "weighted: of both accelerations; new: the new one alone")};
  }
};

Rational fraction(const Exact& number, const std::string& where) {
  if (const auto found = recover_fraction(number.value())) return *found;
  throw InputError(where, number.text() + " is no fraction: what is proved of the family is proved of fractions");
}

std::string shown(const Rational& x) { return x.str(); }

}  // namespace

Rational AlphaFamily::tau() const {
  switch (force_time) {
    case ForceTime::stage:
      return theta();
    case ForceTime::end:
      return 1;
    case ForceTime::start:
      break;
  }
  return 0;
}

Rational textbook_gamma(const Rational& alpha_m, const Rational& alpha_f) { return Rational(1, 2) - alpha_m + alpha_f; }

Rational textbook_beta(const Rational& alpha_m, const Rational& alpha_f) {
  const Rational sum = 1 - alpha_m + alpha_f;
  return sum * sum / 4;
}

std::string AlphaFamily::text() const {
  std::string text = fmt::format("alpha_m = {}, alpha_f = {}, beta = {}, gamma = {}", shown(alpha_m), shown(alpha_f),
                                 shown(beta), shown(gamma));
  if (force_time != ForceTime::stage) text += fmt::format("; force at the time of the step {}", name_of(force_time));
  if (balance == Balance::new_alone) text += "; the balance takes a_1 for the weighted acceleration";
  if (!carries()) text += "; acceleration rederived at every step";
  if (start == Start::forceless)
    text += "; a_0 and the force of the start are 0";
  else if (start != Start::consistent)
    text += fmt::format("; {} start: a_0 = {}", name_of(start), start == Start::zero ? "0" : "2 f_0");
  return text;
}

MethodForm AlphaFamily::form() const {
  GeneralizedAlphaScheme scheme;
  scheme.alpha_m = decimal(Rational(1 - weight())), scheme.alpha_f = decimal(alpha_f);
  scheme.beta = decimal(beta), scheme.gamma = decimal(gamma);
  scheme.carries_acceleration = carries();
  return form_on_oscillator(scheme);
}

bool is_alpha_family(const Json& document) { return document.is_object() && document.contains("family"); }

AlphaFamily alpha_family(const Json& document, const std::string& where) {
  AlphaDocument read;
  read.options().read(document, where, {"name", "source", "order", "autonomous_order"});
  AlphaFamily family;
  if (read.rho) {
    const Rational rho = fraction(*read.rho, where + "/rho");
    family.alpha_m = (2 * rho - 1) / (rho + 1), family.alpha_f = rho / (rho + 1);
  }
  if (read.alpha_m) family.alpha_m = fraction(*read.alpha_m, where + "/alpha_m");
  if (read.alpha_f) family.alpha_f = fraction(*read.alpha_f, where + "/alpha_f");
  family.beta = read.beta ? fraction(*read.beta, where + "/beta") : textbook_beta(family.alpha_m, family.alpha_f);
  family.gamma = read.gamma ? fraction(*read.gamma, where + "/gamma") : textbook_gamma(family.alpha_m, family.alpha_f);
  family.force_time = read.force_time, family.start = read.start;
  family.acceleration = read.acceleration, family.balance = read.balance;
  if (family.weight() == 0)
    throw InputError(where + "/alpha_m", "the balance has no new acceleration for alpha_m = 1; allowed: other values");
  if (!family.carries() && family.start != Start::consistent)
    throw InputError(where + "/start",
                     "an acceleration that is rederived at every step has no start; allowed: "
                     "consistent");
  return family;
}

std::optional<AlphaFamily> alpha_family(const Method& method) {
  const auto* of_family = dynamic_cast<const GeneralizedAlphaMethod*>(&method);
  if (of_family == nullptr) return std::nullopt;
  const GeneralizedAlphaScheme& scheme = of_family->scheme();
  const auto alpha_m = recover_fraction(scheme.alpha_m), alpha_f = recover_fraction(scheme.alpha_f),
             beta = recover_fraction(scheme.beta), gamma = recover_fraction(scheme.gamma);
  if (!alpha_m || !alpha_f || !beta || !gamma || *alpha_m == 1) return std::nullopt;
  AlphaFamily family;
  family.alpha_m = *alpha_m, family.alpha_f = *alpha_f, family.beta = *beta, family.gamma = *gamma;
  if (!scheme.carries_acceleration) family.acceleration = Acceleration::rederived;
  return family;
}

// ----- conditions -----

namespace {

std::string weight_text(const AlphaFamily& family) {
  return family.balance == Balance::weighted ? "(1 - alpha_m)" : "1";
}

AlphaCondition condition(const AlphaFamily& family, const Rational& place, const std::string& place_text) {
  if (family.carries())
    return {fmt::format("gamma + {} - {}", place_text, weight_text(family)), family.gamma + place - family.weight()};
  return {fmt::format("gamma {}/{}", place_text, weight_text(family)), family.gamma * place / family.weight()};
}

}  // namespace

AlphaCondition velocity_condition(const AlphaFamily& family) {
  return condition(family, family.theta(), "(1 - alpha_f)");
}

AlphaCondition time_condition(const AlphaFamily& family) {
  const std::string text = family.force_time == ForceTime::stage ? "(1 - alpha_f)" : shown(family.tau());
  return condition(family, family.tau(), text);
}

Rational start_root(const AlphaFamily& family) {
  return family.carries() ? Rational((family.weight() - 1) / family.weight()) : Rational(0);
}

Rational start_sensitivity(const AlphaFamily& family) {
  return family.carries() ? Rational(family.weight() - family.gamma) : Rational(0);
}

// With a_0 = s f_0, and g f_0 as the old force of the first step, the sum over all steps of (1 - gamma) e_n + gamma
// e_(n+1), e_0 = s - 1, w e_1 = theta + (1 - theta) g - (1 - w) s - w, and e_(n+1) = ((w - 1)/w) e_n from then on.
Rational start_error(const AlphaFamily& family) {
  const Rational w = family.weight(), theta = family.theta();
  const auto left = [&](int s, int g) {
    return Rational((1 - family.gamma) * (s - 1) + theta + (1 - theta) * g - (1 - w) * s - w);
  };
  switch (family.start) {
    case Start::consistent:
      break;
    case Start::zero:
      return left(0, 1);
    case Start::doubled:
      return left(2, 1);
    case Start::forceless:
      return left(0, 0);
  }
  return 0;
}

}  // namespace daelab
