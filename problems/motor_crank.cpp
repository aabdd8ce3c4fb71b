// Slider-crank driven by a direct-current motor under speed control: first-order states beside the mechanical ones, and
// a controller that is continuous or works at sampling times only.
//
//   q = (phi [rad] crank, s [m] slider),  M = diag(J, m),  in a horizontal plane, the rod without mass,
//   C = ((s - r cos phi)^2 + (r sin phi)^2 - l^2) / (2 l);  lambda: force in the rod [N].
//
//   L i' = u - R i - k phi'                current [A]; the torque of the motor is k i
//   Q = (k i - b phi' - T_load, 0)
//
// PI controller of the speed error e = w_ref - phi':
//
//   continuous: u = k_p e + k_i z,  z' = e;   y = (i, z)
//   sampled:    u_j = k_p e_j + k_i z_j,  z_(j+1) = z_j + P e_j at t = j P, u held in between;   y = (i)
//
// Kinetic, magnetic (as potential) energy E:  E' = u i - R i^2 - b phi'^2 - T_load phi'.
//
// [FPE15] Franklin, Powell, Emami-Naeini, Feedback Control of Dynamic Systems, 7th ed., Pearson, 2015, Secs. 2.3, 4.3,
//         Chap. 8.
#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

struct MotorCrank {
  static constexpr const char* name = "motor-crank";
  static constexpr const char* summary =
      "Slider-crank driven by a motor with a continuous or a sampled speed controller.";
  static constexpr const char* source = "motor and controller: Franklin, Powell, Emami-Naeini 2015, Secs. 2.3, 4.3, 8";
  static constexpr bool conserves_energy = false;  // the motor drives, resistance and load take

  enum class Controller { continuous, sampled };
  friend std::vector<std::string> names_of(Controller) { return {"continuous", "sampled"}; }

  Controller controller = Controller::continuous;
  Exact sampling_period = "0.015", reference_speed = 20, proportional_gain = "0.5", integral_gain = 5;
  Exact crank_length = "0.05", rod_length = "0.2", inertia = "0.002", slider_mass = "0.5";
  Exact resistance = 1, inductance = "0.005", motor_constant = "0.1", friction = "0.001", load = "0.1";
  Exact speed = 0, end_time = 1;

  Options options() {
    return {option("controller", controller, "of the speed; sampled: its voltage is held between sampling times"),
            option("sampling_period", sampling_period, "P of the sampled controller [s]", positive()),
            option("reference_speed", reference_speed, "w_ref [rad/s]"),
            option("proportional_gain", proportional_gain, "k_p [V s/rad]"),
            option("integral_gain", integral_gain, "k_i [V/rad]"),
            option("crank_length", crank_length, "r [m]", positive()),
            option("rod_length", rod_length, "l [m]; a rod not longer than the crank locks the mechanism", positive()),
            option("inertia", inertia, "J of crank and rotor about the pivot [kg m^2]", positive()),
            option("slider_mass", slider_mass, "m [kg]", positive()),
            option("resistance", resistance, "R of the armature [Ohm]", at_least(0)),
            option("inductance", inductance, "L of the armature [H]", positive()),
            option("motor_constant", motor_constant, "k, torque by current and voltage by speed [N m/A = V s/rad]"),
            option("friction", friction, "b at the crank [N m s/rad]", at_least(0)),
            option("load", load, "T_load, a constant torque against positive rotation [N m]"),
            option("speed", speed, "start of phi' [rad/s], in the outer dead centre"),
            option("end_time", end_time, "[s]", positive())};
  }

  void record(Recording& r) const {
    const bool samples = controller == Controller::sampled;
    r.coordinates({"phi", "s"});
    r.start_q[1] = Expression(crank_length) + rod_length;
    r.start_v[0] = speed;
    r.states({"i"});
    if (samples)
      r.hold({"u", "z"});
    else
      r.states({"z"});
    const Expression &phi = r.q[0], &s = r.q[1], &rate = r.v[0], &current = r.s[0];
    const Expression& integral = samples ? r.held[1] : r.s[1];

    const Expression error = reference_speed - rate, demand = error * proportional_gain + integral * integral_gain;
    const Expression voltage = samples ? r.held[0] : demand;
    if (samples) {
      r.sampling_period = sampling_period;
      r.sampled = {demand, integral + r.sampling_period * error};
    } else {
      r.rates[1] = error;
    }
    r.rates[0] = (voltage - current * resistance - rate * motor_constant) / inductance;

    r.mass(0, 0) = inertia;
    r.mass(1, 1) = slider_mass;
    r.force[0] = current * motor_constant - rate * friction - load;
    const Expression x = s - cos(phi) * crank_length, height = sin(phi) * crank_length;
    r.constraints = {(square(x) + square(height) - square(rod_length)) / (2 * Expression(rod_length))};

    r.kinetic_energy = (square(rate) * inertia + square(r.v[1]) * slider_mass) / 2;
    r.potential_energy = square(current) * inductance / 2;
    r.observe("crank_angle", phi);
    r.observe("speed_error", error);
    r.observe("current", current);
    r.observe("voltage", voltage);
  }

  void draw(const Recording& record, Outline& o) const {
    const Expression r = crank_length, l = rod_length, &phi = record.q[0], &s = record.q[1];
    const OutlinePoint origin{}, pin{r * cos(phi), r * sin(phi)}, slider{s, 0};
    o.axis(origin, {r + l, 0});
    o.circle(origin, r / 4);
    o.line({origin, pin});
    o.line({pin, slider});
    o.guide(slider, {s + l, 0}, "m");
    o.support(origin, "motor"), o.joint(pin), o.joint(slider);
    o.angle(origin, {l, 0}, pin, "φ");
    o.dimension(origin, pin, "r"), o.dimension(pin, slider, "l");
  }
};
const ProblemEntry<MotorCrank> motor_crank_entry;

}  // namespace
}  // namespace daelab
