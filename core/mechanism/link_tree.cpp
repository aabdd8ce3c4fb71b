#include "core/mechanism/link_tree.hpp"

#include <memory>

namespace daelab {
namespace {

Vector3 along_axis(const Expression& x) { return {0, 0, x}; }

// A force and its moment in the frame of a link, seen from the origin of its parent.
Wrench in_parent(const LinkFrame& frame, const Wrench& x) {
  const Vector3 force = frame.R * x.force;
  return {frame.R * x.torque + cross(frame.r, force), force};
}

// Rigid bodies that move as one.
struct Composite {
  Expression mass;
  Vector3 moment;
  Matrix3 inertia;
};

Composite in_parent(const LinkFrame& frame, const Composite& x) {
  const Vector3 &r = frame.r, h = frame.R * x.moment, sum = h + h + x.mass * r;
  // -(r x)(h x) - (h x)(r x) - m (r x)^2 of the parallel axes
  const Expression size = dot(r, sum);
  Matrix3 J = turned(frame.R, x.inertia);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j)
      J[i][j] += (i == j ? size : Expression()) - (h[i] * r[j] + r[i] * h[j] + x.mass * r[i] * r[j]);
  return {x.mass, h + x.mass * r, mirrored(J)};
}

// Each link with all that hangs on it.
std::vector<Composite> composites(const std::vector<TreeLink>& links, const std::vector<LinkFrame>& frames) {
  std::vector<Composite> bodies;
  for (const TreeLink& link : links) bodies.push_back({link.mass, link.moment, link.inertia});
  for (std::size_t i = links.size(); i-- > 0;) {
    if (links[i].parent < 0) continue;
    const Composite more = in_parent(frames[i], bodies[i]);
    Composite& parent = bodies[static_cast<std::size_t>(links[i].parent)];
    parent = {parent.mass + more.mass, parent.moment + more.moment, parent.inertia + more.inertia};
  }
  return bodies;
}

// What a link feels like with everything that hangs on it: force and moment are I a for an acceleration a.
//   I = [ J H; H^T M ]
struct Articulated {
  Matrix3 J, H, M;
};

// What a joint along S moves: U = I S, D = S^T I S, and U/D, whose entry along S is 1.
struct Gain {
  Expression D, reciprocal;
  Wrench U, part;
};

Gain gain_of(const Articulated& I, bool turns) {
  Gain x{turns ? I.J[2][2] : I.M[2][2], {}, {}, {}};
  x.reciprocal = 1 / x.D;
  x.U = turns ? Wrench{column(I.J, 2), I.H[2]} : Wrench{column(I.H, 2), column(I.M, 2)};
  x.part = {x.reciprocal * x.U.torque, x.reciprocal * x.U.force};
  (turns ? x.part.torque : x.part.force)[2] = 1;
  return x;
}

// I - U U^T/D: what is left where the joint gives way, nothing along S.
Articulated beyond_joint(Articulated I, const Gain& gain, bool turns) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      I.J[i][j] -= gain.part.torque[i] * gain.U.torque[j];
      I.H[i][j] -= gain.part.torque[i] * gain.U.force[j];
      I.M[i][j] -= gain.part.force[i] * gain.U.force[j];
    }
  for (std::size_t k = 0; k < 3; ++k) {
    if (turns)
      I.J[2][k] = I.J[k][2] = I.H[2][k] = 0;
    else
      I.M[2][k] = I.M[k][2] = I.H[k][2] = 0;
  }
  return {mirrored(I.J), I.H, mirrored(I.M)};
}

Articulated in_parent(const LinkFrame& frame, const Articulated& I) {
  const Matrix3 H = frame.R * (I.H * transposed(frame.R)), M = mirrored(turned(frame.R, I.M)), r = skew(frame.r),
                r_transposed = transposed(r), r_M = r * M;
  return {mirrored(turned(frame.R, I.J) + H * r_transposed + r * transposed(H) + r_M * r_transposed), H + r_M, M};
}

}  // namespace

LinkTree::LinkTree(std::vector<TreeLink> links, const Expressions& q, const Expressions& v)
    : links_(std::move(links)), v_(v), loads_(links_.size()) {
  for (const TreeLink& link : links_) frames_.push_back(frame_of(link, q[link.coordinate], v[link.coordinate]));
}

LinkFrame LinkTree::frame_of(const TreeLink& link, const Expression& q, const Expression& rate) const {
  LinkFrame x{link.axes, link.at, {}, {}, {}, {}};
  if (link.turns)
    x.R = link.axes * turn_about(2, q);
  else
    x.r += q * column(link.axes, 2);
  const Matrix3 to_link = transposed(x.R);
  if (link.parent < 0) {
    x.ground_R = x.R, x.ground_r = x.r;
  } else {
    const LinkFrame& parent = frames_[static_cast<std::size_t>(link.parent)];
    x.ground_R = parent.ground_R * x.R;
    x.ground_r = parent.ground_r + parent.ground_R * x.r;
    x.omega = to_link * parent.omega;
    x.v = to_link * (parent.v + cross(parent.omega, x.r));
  }
  (link.turns ? x.omega : x.v)[2] += rate;
  return x;
}

Vector3 LinkTree::position(int link, const Vector3& at) const {
  if (link < 0) return at;
  const LinkFrame& x = frames_[static_cast<std::size_t>(link)];
  return x.ground_r + x.ground_R * at;
}

Vector3 LinkTree::velocity(int link, const Vector3& at) const {
  if (link < 0) return {};
  const LinkFrame& x = frames_[static_cast<std::size_t>(link)];
  return x.ground_R * (x.v + cross(x.omega, at));
}

void LinkTree::push(int link, const Vector3& at, const Vector3& force) {
  if (link < 0) return;
  Wrench& load = loads_[static_cast<std::size_t>(link)];
  const Vector3 own = transposed(frames_[static_cast<std::size_t>(link)].ground_R) * force;
  load.force += own, load.torque += cross(at, own);
}

void LinkTree::twist(int link, const Vector3& torque) {
  if (link < 0) return;
  loads_[static_cast<std::size_t>(link)].torque +=
      transposed(frames_[static_cast<std::size_t>(link)].ground_R) * torque;
}

// Euler's and Newton's equations about the origin of the link, a its acceleration:
//   J alpha + omega x J omega + h x a,   m a + alpha x h + omega x (omega x h).
Wrench LinkTree::inertial_wrench(std::size_t i, const Vector3& omega, const Vector3& alpha, const Vector3& a) const {
  const TreeLink& x = links_[i];
  return {x.inertia * alpha + cross(omega, x.inertia * omega) + cross(x.moment, a),
          x.mass * a + cross(alpha, x.moment) + cross(omega, cross(omega, x.moment))};
}

// Adds what the joints would have to exert if none accelerated, on a ground that rises with -g.
void LinkTree::add_forces(const Vector3& gravity, Expressions& force) const {
  std::vector<Vector3> alpha(links_.size()), a(links_.size());
  std::vector<Wrench> wrench(links_.size());
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const LinkFrame& x = frames_[i];
    const Matrix3 to_link = transposed(x.R);
    if (links_[i].parent < 0) {
      a[i] = to_link * (Vector3{} - gravity);
    } else {
      const auto p = static_cast<std::size_t>(links_[i].parent);
      const Vector3& omega = frames_[p].omega;
      alpha[i] = to_link * alpha[p];
      a[i] = to_link * (a[p] + cross(alpha[p], x.r) + cross(omega, cross(omega, x.r)));
    }
    const Vector3 turning = cross(x.omega, along_axis(rate(i)));
    (links_[i].turns ? alpha[i] : a[i]) += links_[i].turns ? turning : 2 * turning;
    wrench[i] = inertial_wrench(i, x.omega, alpha[i], a[i]);
    wrench[i].torque -= loads_[i].torque, wrench[i].force -= loads_[i].force;
  }
  for (std::size_t i = links_.size(); i-- > 0;) {
    force[links_[i].coordinate] -= (links_[i].turns ? wrench[i].torque : wrench[i].force)[2];
    if (links_[i].parent < 0) continue;
    const Wrench more = in_parent(frames_[i], wrench[i]);
    Wrench& parent = wrench[static_cast<std::size_t>(links_[i].parent)];
    parent.torque += more.torque, parent.force += more.force;
  }
}

void LinkTree::add_mass(ExpressionMatrix& mass) const {
  const std::vector<Composite> bodies = composites(links_, frames_);
  for (std::size_t i = links_.size(); i-- > 0;) {
    const Composite& body = bodies[i];
    const auto ci = static_cast<int>(links_[i].coordinate);
    // The wrench that accelerates the joint by 1, felt by all joints on the way to the ground.
    Wrench wrench{column(body.inertia, 2), {-body.moment[1], body.moment[0], 0}};
    if (!links_[i].turns) wrench = {{body.moment[1], -body.moment[0], 0}, along_axis(body.mass)};
    for (std::size_t j = i;;) {
      const Expression entry = (links_[j].turns ? wrench.torque : wrench.force)[2];
      const auto cj = static_cast<int>(links_[j].coordinate);
      if (!entry.is_zero()) mass(ci, cj) = mass(cj, ci) = entry;
      if (links_[j].parent < 0) break;
      wrench = in_parent(frames_[j], wrench);
      j = static_cast<std::size_t>(links_[j].parent);
    }
  }
}

Expression LinkTree::kinetic_energy() const {
  Expression twice;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const TreeLink& x = links_[i];
    const Vector3 &omega = frames_[i].omega, &v = frames_[i].v;
    twice += dot(omega, x.inertia * omega) + x.mass * dot(v, v) + 2 * dot(v, cross(omega, x.moment));
  }
  return twice / 2;
}

Expression LinkTree::potential_energy(const Vector3& gravity) const {
  Expression energy;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const LinkFrame& x = frames_[i];
    energy -= dot(gravity, links_[i].mass * x.ground_r + x.ground_R * links_[i].moment);
  }
  return energy;
}

namespace {

struct Hinge {
  LinkFrame frame;
  int parent;
  bool turns;
  std::size_t coordinate;
  Gain gain;
};

struct Twist {
  Vector3 alpha, a;
};

// M x = b: inwards the wrenches that b leaves on the links, outwards their accelerations.
Expressions solved(const std::vector<Hinge>& joints, const Expressions& b) {
  std::vector<Wrench> wrench(joints.size());
  std::vector<Twist> motion(joints.size());
  Expressions excess(joints.size()), x(b.size());
  for (std::size_t i = joints.size(); i-- > 0;) {
    const auto& [frame, parent, turns, coordinate, gain] = joints[i];
    Expression& own = (turns ? wrench[i].torque : wrench[i].force)[2];
    excess[i] = b[coordinate] - own;
    wrench[i].torque += excess[i] * gain.part.torque, wrench[i].force += excess[i] * gain.part.force;
    own = b[coordinate];
    if (parent < 0) continue;
    const Wrench more = in_parent(frame, wrench[i]);
    Wrench& inner = wrench[static_cast<std::size_t>(parent)];
    inner.torque += more.torque, inner.force += more.force;
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto& [frame, parent, turns, coordinate, gain] = joints[i];
    Twist& own = motion[i];
    if (parent >= 0) {
      const Twist& inner = motion[static_cast<std::size_t>(parent)];
      const Matrix3 to_link = transposed(frame.R);
      own = {to_link * inner.alpha, to_link * (inner.a + cross(inner.alpha, frame.r))};
    }
    Expression& along = (turns ? own.alpha : own.a)[2];
    const Expression given = along;
    along = 0;
    along = excess[i] * gain.reciprocal - dot(gain.part.torque, own.alpha) - dot(gain.part.force, own.a);
    x[coordinate] = along - given;
  }
  return x;
}

}  // namespace

std::optional<MassInverse> LinkTree::mass_inverse() const {
  const std::vector<Composite> rigid = composites(links_, frames_);
  std::vector<Articulated> bodies;
  for (const TreeLink& link : links_)
    bodies.push_back({link.inertia, skew(link.moment), diagonal(link.mass, link.mass, link.mass)});
  auto joints = std::make_shared<std::vector<Hinge>>(links_.size());
  MassInverse result;
  result.pivots.resize(v_.size()), result.diagonal.resize(v_.size());
  for (std::size_t i = links_.size(); i-- > 0;) {
    const TreeLink& link = links_[i];
    if ((link.turns ? bodies[i].J : bodies[i].M)[2][2].is_zero()) return {};
    const Gain gain = gain_of(bodies[i], link.turns);
    (*joints)[i] = {frames_[i], link.parent, link.turns, link.coordinate, gain};
    result.pivots[link.coordinate] = gain.D;
    result.diagonal[link.coordinate] = link.turns ? rigid[i].inertia[2][2] : rigid[i].mass;
    if (link.parent < 0) continue;
    const Articulated more = in_parent(frames_[i], beyond_joint(bodies[i], gain, link.turns));
    Articulated& parent = bodies[static_cast<std::size_t>(link.parent)];
    parent.J += more.J, parent.H += more.H, parent.M += more.M;
  }
  result.apply = [joints](const Expressions& b) { return solved(*joints, b); };
  return result;
}

}  // namespace daelab
