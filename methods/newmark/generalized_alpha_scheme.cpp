// What the methods of the generalized-alpha family are without a system.
//
// [AB07] Arnold, Brüls, Multibody System Dynamics 18(2), 2007, 185-202, doi 10.1007/s11044-007-9084-0.
// [ABC15] Arnold, Brüls, Cardona, Numerische Mathematik 129(1), 2015, 149-179, doi 10.1007/s00211-014-0633-1.
#include "methods/newmark/generalized_alpha_scheme.hpp"

#include "methods/newmark/generalized_alpha_stepper.hpp"

namespace daelab {

Real100 newmark_beta(const Real100& gamma) {
  const Real100 sum = gamma + Real100(1) / 2;
  return sum * sum / 4;
}

std::vector<std::string> names_of(ErrorConstant) { return {"theory", "printed"}; }
std::vector<std::string> names_of(Rescaling) { return {"automatic", "always", "never"}; }

Option error_constant_option(ErrorConstant& member) {
  return option("error_constant", member,
                "theory: the estimate c h^2 x of the position's error has the c of the method; printed: c = 1, as the "
                "source has it, 6 to 12 times stricter for little damping");
}

Option rescale_option(Rescaling& member) {
  return option("rescale", member,
                "before a step of another size, a_n becomes q''_n + (h_new/h_old) (a_n - q''_n), which it stands for "
                "then: second order with changing steps, but on index 3, where it cures nothing; automatic: on all "
                "forms other than index 3");
}

Option deadband_option(Exact& member) {
  return option("deadband", member,
                "after an accepted step its size stays unless it is to change by more than a factor 1 + deadband: "
                "changes are what makes a and lambda of index 3 jump",
                Allowed{Exact(0), Exact("0.9"), false, {}});
}

namespace {

// With h^2 a_n = -g_n, g = delta h v + kappa q, the third row gives
// h^2 a_(n+1) = -g_(n+1)/eta + (alpha_m - alpha_f)/(1 - alpha_m) g_n.
OscillatorForm form_without_memory(const GeneralizedAlphaScheme& s) {
  OscillatorForm form;
  for (int i = 0; i < 3; ++i) form.next[i] = form.now[i] = Matrix<Real100>::Zero(2, 2);
  form.next[0] << 1, 0, 0, 1;
  form.now[0] << 1, 1, 0, 1;
  const Real100 mixed = -s.lag() / (1 - s.alpha_m);
  const Real100 weights[] = {s.beta, s.gamma}, rest[] = {Real100(1) / 2 - s.beta, 1 - s.gamma};
  for (int row = 0; row < 2; ++row) {
    form.next[1](row, 1) = form.next[2](row, 0) = weights[row] / s.eta();
    form.now[1](row, 1) = form.now[2](row, 0) = weights[row] * mixed - rest[row];
  }
  return form;
}

}  // namespace

OscillatorForm form_on_oscillator(const GeneralizedAlphaScheme& s) {
  if (!s.carries_acceleration) return form_without_memory(s);
  OscillatorForm form;
  for (int i = 0; i < 3; ++i) form.next[i] = form.now[i] = Matrix<Real100>::Zero(3, 3);
  form.next[0] << 1, 0, -s.beta, 0, 1, -s.gamma, 0, 0, 1 - s.alpha_m;
  form.now[0] << 1, 1, Real100(1) / 2 - s.beta, 0, 1, 1 - s.gamma, 0, 0, -s.alpha_m;
  form.next[1](2, 1) = form.next[2](2, 0) = 1 - s.alpha_f;  // h^2 q'' = -delta h v - kappa q
  form.now[1](2, 1) = form.now[2](2, 0) = -s.alpha_f;
  return form;
}

std::vector<Method::Coefficient> GeneralizedAlphaMethod::coefficients() const {
  const GeneralizedAlphaScheme& s = scheme_;
  const auto number = [](const Real100& x) { return Matrix<Real100>(Matrix<Real100>::Constant(1, 1, x)); };
  std::vector<Coefficient> list{{"alpha_m", "weight of a_n against a_(n+1)", number(s.alpha_m)},
                                {"alpha_f", "weight of q''_n against q''_(n+1)", number(s.alpha_f)},
                                {"beta", "weight of a_(n+1) in the position", number(s.beta)},
                                {"gamma", "weight of a_(n+1) in the velocity", number(s.gamma)},
                                {"eta", "(1 - alpha_m)/(1 - alpha_f)", number(s.eta())}};
  if (s.lag() < 1) list.push_back({"c", "local error of the position is c h^2 x", number(s.position_error_constant())});
  return list;
}

PredictedOrders GeneralizedAlphaMethod::predicted_orders(const FormulationTraits& formulation,
                                                         const FormOrders& orders) const {
  const bool is_refused =
      !formulation.of_mechanisms || (formulation.index == 3 && orders.unstable_at_infinite_frequency);
  if (is_refused || !scheme_.carries_acceleration) return Method::predicted_orders(formulation, orders);
  if (scheme_.balance == GeneralizedAlphaScheme::Balance::collocated_with_mass_of_the_end)
    return PredictedOrders::unknown("2 where M is constant, 1 where it is not");
  const char* source = "measured rule (two-link-manipulator in 50 digits)";
  if (formulation.index == 3) source = "Arnold, Brüls 2007";
  if (formulation.levels == ImposedLevels{.position = true, .velocity = true}) source = "Arnold, Brüls, Cardona 2015";
  if (formulation.state_space) source = "Chung, Hulbert 1993: a, lambda are functions of (q, v)";
  return PredictedOrders::everywhere(orders.order, source);
}

}  // namespace daelab
