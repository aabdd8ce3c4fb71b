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
#include "core/problem.hpp"

namespace daelab {
namespace {

template <class T>
struct MotorCrankModel {
  static constexpr int directions = 4;
  static constexpr bool constant_mass = true;
  T r, l, J, m, R, L, k, b, load, w_ref, k_p, k_i, w;
  T period;               // 0: the controller is continuous
  T integral{0}, held{0};  // of the sampled one: z, u

  Index coordinates() const { return 2; }
  Index constraints() const { return 1; }
  Index states() const { return period > T(0) ? 1 : 2; }
  Vector<T> initial_q() const { return Vector<T>::Unit(2, 1) * (r + l); }
  Vector<T> initial_v() const { return Vector<T>::Unit(2, 0) * w; }
  Vector<T> initial_s() const { return Vector<T>::Zero(states()); }

  template <class S>
  void mass(const S& /*t*/, const Vector<S>& /*q*/, Matrix<S>& M) const {
    M(0, 0) = S(J);
    M(1, 1) = S(m);
  }
  template <class S>
  void force(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& v, const Vector<S>& y, Vector<S>& Q) const {
    Q[0] = y[0] * k - v[0] * b - S(load);
  }
  template <class S>
  void rates(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& v, const Vector<S>& y, Vector<S>& r) const {
    r[0] = (voltage(v, y) - y[0] * R - v[0] * k) / L;
    if (period == T(0)) r[1] = S(w_ref) - v[0];
  }
  template <class S>
  void constraint(const S& /*t*/, const Vector<S>& q, Vector<S>& C) const {
    S sine, cosine;
    sincos(q[0], sine, cosine);
    const S x = q[1] - cosine * r, height = sine * r;
    C[0] = (x * x + height * height - S(T(l * l))) / T(2 * l);
  }

  T sampling_period() const { return period; }
  void sample(const T& /*t*/, const Vector<T>& /*q*/, const Vector<T>& v) {
    const T error = w_ref - v[0];
    held = k_p * error + k_i * integral;
    integral += period * error;
  }

  template <class S>
  Energy<S> energy(const S& /*t*/, const Vector<S>& /*q*/, const Vector<S>& v) const {
    return {(v[0] * v[0] * J + v[1] * v[1] * m) / T(2), v[2] * v[2] * L / T(2)};
  }
  static std::vector<std::string> observable_names() { return {"crank_angle", "speed_error", "current", "voltage"}; }
  template <class S>
  void observables(const S& /*t*/, const Vector<S>& q, const Vector<S>& v, Vector<S>& out) const {
    out[0] = q[0];
    out[1] = S(w_ref) - v[0];
    out[2] = v[2];
    out[3] = voltage(v, Vector<S>(v.tail(states())));
  }

 private:
  template <class S>
  S voltage(const Vector<S>& v, const Vector<S>& y) const {
    if (period > T(0)) return S(held);
    return (S(w_ref) - v[0]) * k_p + y[1] * k_i;
  }
};

struct MotorCrank {
  static constexpr const char* name = "motor-crank";
  static constexpr const char* summary =
      "Slider-crank driven by a motor with a continuous or a sampled speed controller.";
  static constexpr const char* source = "motor and controller: Franklin, Powell, Emami-Naeini 2015, Secs. 2.3, 4.3, 8";
  static constexpr bool conserves_energy = false;  // the motor drives, resistance and load take

  std::string controller = "continuous";
  Exact sampling_period = "0.015", reference_speed = 20, proportional_gain = "0.5", integral_gain = 5;
  Exact crank_length = "0.05", rod_length = "0.2", inertia = "0.002", slider_mass = "0.5";
  Exact resistance = 1, inductance = "0.005", motor_constant = "0.1", friction = "0.001", load = "0.1";
  Exact speed = 0, end_time = 1;

  Options options() {
    return {option("controller", controller, "of the speed; sampled: its voltage is held between sampling times",
                   one_of({"continuous", "sampled"})),
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

  template <class T>
  MotorCrankModel<T> model() const {
    const T period = controller == "sampled" ? sampling_period.as<T>() : T(0);
    return {crank_length.as<T>(),    rod_length.as<T>(),        inertia.as<T>(),        slider_mass.as<T>(),
            resistance.as<T>(),      inductance.as<T>(),        motor_constant.as<T>(), friction.as<T>(),
            load.as<T>(),            reference_speed.as<T>(),   proportional_gain.as<T>(), integral_gain.as<T>(),
            speed.as<T>(),           period};
  }
};
const ProblemEntry<MotorCrank> motor_crank_entry;

}  // namespace
}  // namespace daelab
