#include "core/mechanism/joints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/exact.hpp"
#include "core/expressions/graph.hpp"

namespace daelab {
namespace {

constexpr std::size_t most_charted_joints = 8;

// ----- turns -----

std::array<std::size_t, 3> axes_of(AngleSequence sequence) {
  return sequence == AngleSequence::xyz ? std::array<std::size_t, 3>{0, 1, 2} : std::array<std::size_t, 3>{2, 0, 2};
}

AngleSequence other(AngleSequence sequence) {
  return sequence == AngleSequence::xyz ? AngleSequence::zxz : AngleSequence::xyz;
}

// Zero where the sequence is singular.
Expression regularity(AngleSequence sequence, const Expression& second) {
  return sequence == AngleSequence::xyz ? cos(second) : sin(second);
}

// The angles of a sequence that make the turn R.
Expressions angles_of(AngleSequence sequence, const Matrix3& R) {
  if (sequence == AngleSequence::xyz)
    return {atan2(-R[1][2], R[2][2]), atan2(R[0][2], sqrt(square(R[1][2]) + square(R[2][2]))),
            atan2(-R[0][1], R[0][0])};
  return {atan2(R[0][2], -R[1][2]), atan2(sqrt(square(R[0][2]) + square(R[1][2])), R[2][2]), atan2(R[2][0], R[2][1])};
}

// Describes a turn with a middle angle on the regular side, after a step over the singularity.
Expressions unfolded(AngleSequence sequence, const Expressions& q) {
  const Expression half = pi<Real100>();
  const Condition over = regularity(sequence, q[1]) < 0;
  const Expression back = sequence == AngleSequence::xyz ? half - q[1] : -q[1];
  return {select(over, q[0] + half, q[0]), select(over, back, q[1]), select(over, q[2] + half, q[2])};
}

Expressions changed(AngleSequence from, AngleSequence to, const Expressions& q) {
  if (from == to) return unfolded(from, q);
  Matrix3 R = diagonal(1, 1, 1);
  for (std::size_t k = 0; k < 3; ++k) R = R * turn_about(axes_of(from)[k], q[k]);
  return angles_of(to, R);
}

// ----- constants -----

void require_constant(const Expression& x, const std::string& where, const char* what) {
  if (!is_constant(x)) throw InputError(where, fmt::format("{} must be a constant", what));
}

Vector3 unit_vector(std::size_t k) {
  Vector3 e;
  e[k] = 1;
  return e;
}
Vector3 normalised(const Vector3& a) { return 1 / sqrt(dot(a, a)) * a; }

// Axes in columns, the third one along `axis`; coordinate axes where it is one.
Matrix3 axes_about(const Vector3& axis) {
  const Vector3 third = normalised(axis);
  std::size_t least = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (abs(constant_value(third[k])) < abs(constant_value(third[least]))) least = k;
  const Vector3 second = normalised(cross(third, unit_vector(least)));
  return transposed(Matrix3{cross(second, third), second, third});
}

void check(const TreeJoint& joint, const TreeBody& body) {
  require_constant(body.mass, body.where, "the mass");
  if (constant_value(body.mass) <= 0)
    throw InputError(body.where, fmt::format("{} has no mass; allowed: above 0", body.name));
  for (std::size_t i = 0; i < 3; ++i) {
    require_constant(body.centre[i], body.where, "the centre of mass");
    require_constant(joint.at[i], joint.where, "the place of a joint");
    require_constant(joint.on.at[i], joint.where, "the place of a joint");
    require_constant(joint.axis[i], joint.where, "the axis of a joint");
    for (std::size_t j = 0; j < 3; ++j) {
      require_constant(body.inertia[i][j], body.where, "the inertia");
      require_constant(joint.turned[i][j], joint.where, "the turn of a body against its joint");
    }
  }
  if (dot(joint.axis, joint.axis).is_zero()) throw InputError(joint.where, "the axis of the joint is zero");
}

}  // namespace

const std::vector<std::string>& names_of(JointKind) {
  static const std::vector<std::string> names{"revolute", "prismatic", "spherical", "free"};
  return names;
}

const std::vector<std::string>& names_of(AngleSequence) {
  static const std::vector<std::string> names{"xyz", "zxz"};
  return names;
}

std::vector<std::string> coordinates_of(const std::string& joint, JointKind kind) {
  std::vector<std::string> names;
  if (!has_angles(kind)) return {joint};
  if (kind == JointKind::free)
    for (const char* axis : {"_x", "_y", "_z"}) names.push_back(joint + axis);
  for (const char* number : {"1", "2", "3"}) names.push_back(joint + number);
  return names;
}

// ----- the tree -----

std::vector<std::string> JointTree::coordinate_names() const {
  std::vector<std::string> names;
  for (const TreeJoint& joint : joints)
    for (std::string& name : coordinates_of(joint.name, joint.kind)) names.push_back(std::move(name));
  return names;
}

std::vector<std::size_t> JointTree::charted_joints() const {
  std::vector<std::size_t> list;
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (has_angles(joints[j].kind) && joints[j].two_charts) list.push_back(j);
  return list;
}

std::vector<std::size_t> JointTree::outwards() const {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> joint_of(bodies.size(), none), order;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const TreeJoint& joint = joints[j];
    const std::string& body = bodies[static_cast<std::size_t>(joint.body)].name;
    if (joint.on.body == joint.body)
      throw InputError(joint.where, fmt::format("the joint '{}' is between {} and itself", joint.name, body));
    std::size_t& known = joint_of[static_cast<std::size_t>(joint.body)];
    if (known != none)
      throw InputError(joint.where,
                       fmt::format("{} hangs on two joints, '{}' and '{}', which do not form a tree: state "
                                   "one of them as a pin",
                                   body, joints[known].name, joint.name));
    known = j;
  }
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (joint_of[b] == none)
      throw InputError(bodies[b].where,
                       fmt::format("{} hangs on no joint: a free one leaves it all its motion", bodies[b].name));
  std::vector<int> state(bodies.size(), 0);  // 1: on the present way to the ground, 2: in the order
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    std::vector<std::size_t> way;
    int at = static_cast<int>(b);
    for (; at != ground_body && state[static_cast<std::size_t>(at)] == 0; at = joints[way.back()].on.body) {
      state[static_cast<std::size_t>(at)] = 1;
      way.push_back(joint_of[static_cast<std::size_t>(at)]);
    }
    if (at != ground_body && state[static_cast<std::size_t>(at)] == 1) refuse_circle(way, at);
    for (auto j = way.rbegin(); j != way.rend(); ++j) {
      state[static_cast<std::size_t>(joints[*j].body)] = 2;
      order.push_back(*j);
    }
  }
  return order;
}

void JointTree::refuse_circle(const std::vector<std::size_t>& way, int body) const {
  const auto begin = std::ranges::find_if(way, [&](std::size_t j) { return joints[j].body == body; });
  std::vector<std::string> names;
  for (auto j = begin; j != way.end(); ++j) names.push_back(bodies[static_cast<std::size_t>(joints[*j].body)].name);
  names.push_back(names.front());
  const TreeJoint& joint = joints[*begin];
  throw InputError(joint.where,
                   fmt::format("joints that do not form a tree: {} is a circle that nothing holds; state the "
                               "joint '{}' as a pin, and hang {} on the ground",
                               fmt::join(names, " - "), joint.name, names.front()));
}

// ----- links -----

JointKinematics::JointKinematics(const JointTree& tree, const Recording& r, std::size_t first)
    : tree_(tree), mode_(r.mode), charted_(tree.charted_joints()), links_(links(first), r.q, r.v) {}

std::vector<TreeLink> JointKinematics::links(std::size_t first) {
  if (charted_.size() > most_charted_joints)
    throw InputError(tree_.joints[charted_[most_charted_joints]].where,
                     fmt::format("{} joints have two charts each; allowed: {} at most, the others with one",
                                 charted_.size(), most_charted_joints));
  for (const TreeJoint& joint : tree_.joints) {
    coordinate_.push_back(first);
    first += coordinates_of(joint.name, joint.kind).size();
  }
  mounts_.resize(tree_.bodies.size());
  std::vector<TreeLink> links;
  for (const std::size_t j : tree_.outwards()) hang(j, links);
  return links;
}

// One link for each coordinate; the body is on the last one. Each link has its third axis along the axis it moves
// along.
void JointKinematics::hang(std::size_t number, std::vector<TreeLink>& links) {
  const TreeJoint& joint = tree_.joints[number];
  const TreeBody& body = tree_.bodies[static_cast<std::size_t>(joint.body)];
  check(joint, body);
  const Mount parent = joint.on.body == ground_body ? Mount{} : mounts_[static_cast<std::size_t>(joint.on.body)];
  TreeLink link{parent.link, true, parent.turn, on_link(joint.on), coordinate_[number]};
  Matrix3 towards = parent.turn;  // from the frame of the joint on its parent to that of the last link
  const auto add = [&](const Vector3& axis, bool turns) {
    const Matrix3 axes = axes_about(axis);
    link.turns = turns, link.axes = towards * axes;
    links.push_back(link);
    towards = transposed(axes);
    link = {static_cast<int>(links.size()) - 1, true, {}, {}, link.coordinate + 1};
  };
  if (joint.kind == JointKind::free)
    for (std::size_t k = 0; k < 3; ++k) add(unit_vector(k), false);
  if (has_angles(joint.kind))
    for (const std::size_t axis : axes_of(sequence_of(number, mode_))) add(unit_vector(axis), true);
  else
    add(joint.axis, joint.kind == JointKind::revolute);
  const Mount mount{static_cast<int>(links.size()) - 1, towards * joint.turned, joint.at};
  mounts_[static_cast<std::size_t>(joint.body)] = mount;
  const Vector3 centre = mount.turn * (body.centre - joint.at);
  const Matrix3 cross_centre = skew(centre);
  TreeLink& last = links.back();
  last.mass = body.mass, last.moment = body.mass * centre;
  last.inertia = mirrored(turned(mount.turn, body.inertia));
  for (std::size_t i = 0; i < 3; ++i) last.inertia[i] -= body.mass * (cross_centre * column(cross_centre, i));
  last.inertia = mirrored(last.inertia);
}

// In a chart, bit k is set where the k-th of the joints with two charts has its other sequence.
AngleSequence JointKinematics::sequence_of(std::size_t joint, int chart) const {
  const AngleSequence first = tree_.joints[joint].angles;
  const auto at = std::ranges::find(charted_, joint);
  return at != charted_.end() && ((chart >> (at - charted_.begin())) & 1) != 0 ? other(first) : first;
}

std::size_t JointKinematics::first_angle(std::size_t joint) const {
  return coordinate_[joint] + (tree_.joints[joint].kind == JointKind::free ? 3 : 0);
}

Vector3 JointKinematics::on_link(const BodyPoint& point) const {
  if (point.body == ground_body) return point.at;
  const Mount& mount = mounts_[static_cast<std::size_t>(point.body)];
  return mount.turn * (point.at - mount.origin);
}

// ----- what acts -----

Vector3 JointKinematics::position(const BodyPoint& point) const {
  return links_.position(link_of(point.body), on_link(point));
}

Vector3 JointKinematics::velocity(const BodyPoint& point) const {
  return links_.velocity(link_of(point.body), on_link(point));
}

void JointRecorder::push(const BodyPoint& point, const Vector3& force) {
  links_.push(link_of(point.body), on_link(point), force);
}

void JointRecorder::twist(int body, const Vector3& torque) { links_.twist(link_of(body), torque); }

void JointRecorder::spring(const BodyPoint& from, const BodyPoint& to, const Expression& stiffness,
                           const Expression& length, const Expression& damping) {
  const Vector3 way = position(to) - position(from);
  const Expression distance = sqrt(dot(way, way));
  // Tension by the distance: that of a spring without length has no singularity.
  Expression tension = stiffness;
  if (!length.is_zero()) tension -= stiffness * length / distance;
  if (!damping.is_zero()) tension += damping * dot(way, velocity(to) - velocity(from)) / dot(way, way);
  push(from, tension * way);
  push(to, -tension * way);
  spring_energy_ += stiffness / 2 * (length.is_zero() ? dot(way, way) : square(distance - length));
}

void JointRecorder::pin(const BodyPoint& a, const BodyPoint& b, bool is_spatial) {
  const Vector3 gap = position(a) - position(b);
  r_.constraints.insert(r_.constraints.end(), gap.begin(), gap.begin() + (is_spatial ? 3 : 2));
}

// ----- the equations -----

void JointRecorder::record() {
  links_.add_forces(tree_.gravity, r_.force);
  r_.mass_inverse = links_.mass_inverse();
  r_.kinetic_energy = links_.kinetic_energy();
  r_.mass.write_when_asked([links = links_](ExpressionMatrix& mass) { links.add_mass(mass); }, {*r_.kinetic_energy});
  r_.potential_energy =
      r_.potential_energy.value_or(Expression()) + spring_energy_ + links_.potential_energy(tree_.gravity);
  if (!charted_.empty()) record_charts();
}

Expressions JointRecorder::in_chart(int chart) const {
  Expressions q = r_.q;
  for (const std::size_t j : charted_) {
    const auto begin = q.begin() + static_cast<std::ptrdiff_t>(first_angle(j));
    std::ranges::copy(changed(sequence_of(j, r_.mode), sequence_of(j, chart), Expressions(begin, begin + 3)), begin);
  }
  return q;
}

void JointRecorder::record_charts() {
  const Expression alarm = Exact("1/2"), turn = 2 * pi<Real100>();
  r_.charts = 1 << charted_.size();
  Expressions periods(r_.q.size());
  for (const std::size_t j : charted_) {
    const std::size_t angle = first_angle(j);
    periods[angle] = periods[angle + 2] = turn;
  }
  for (int chart = 0; chart < r_.charts; ++chart) {
    r_.to_chart.push_back(in_chart(chart));
    r_.periods.push_back(periods);
  }
  for (std::size_t k = 0; k < charted_.size(); ++k) {
    const std::size_t j = charted_[k], angle = first_angle(j);
    const TreeJoint& joint = tree_.joints[j];
    Jump& after = r_.event({"near the singularity of " + joint.name, Crossing::falling, Consequence::chart},
                           regularity(sequence_of(j, r_.mode), r_.q[angle + 1]) - alarm);
    after.mode = r_.mode ^ (1 << k);
  }
}

}  // namespace daelab
