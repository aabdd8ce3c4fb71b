// Trees of bodies and joints in problem files, as they are read: texts and their places.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/documents/document_texts.hpp"
#include "core/mechanism/joints.hpp"

namespace daelab {

/// "rod", the origin of its frame, or {"rod": ["1/2", "0"]}.
struct PointDocument {
  std::string where;
  int body = ground_body;
  std::vector<ExpressionText> at = {};  // none, two or three
};

struct BodyDocument {
  std::string name, where;
  ExpressionText mass;
  std::vector<ExpressionText> centre, inertia;  // about z alone; of three axes; with xy, xz, yz behind them
};

struct JointDocument {
  std::string name, where;
  JointKind kind{};
  PointDocument on, body;
  std::vector<ExpressionText> axis, turned;  // turned: three angles of the sequence xyz
  AngleSequence angles{};
  bool two_charts = true;
};

struct SpringDocument {
  PointDocument from, to;
  std::optional<ExpressionText> stiffness, length, damping;
};

struct LoadDocument {
  PointDocument on;
  std::vector<ExpressionText> force, torque;  // torque: about z, or three
};

struct JointsDocument {
  std::vector<BodyDocument> bodies;
  std::vector<JointDocument> joints;
  std::vector<std::pair<PointDocument, PointDocument>> pins;
  std::vector<SpringDocument> springs;
  std::vector<LoadDocument> loads;
  std::vector<std::pair<std::string, PointDocument>> points;
  std::vector<ExpressionText> gravity;

  /// Forces that take or give energy may act.
  bool changes_energy() const;
  /// Coordinates that mean something else in another chart, and their velocities.
  std::vector<std::string> angles_in_charts() const;
};

/// The keys of a problem file that only joints have.
const std::vector<std::string>& joint_keys();

/// Nothing where the problem has no joints. Throws InputError with the place.
std::optional<JointsDocument> read_joints(const Json& document, const std::string& where, const DocumentTexts& texts);

/// The joints of a document in a recording that has their coordinates.
class DocumentJoints {
 public:
  using Number = std::function<Expression(const ExpressionText&)>;

  /// `constant` gives the value of a text, and throws InputError where that is no constant.
  DocumentJoints(const JointsDocument& document, Recording& r, Number constant);
  DocumentJoints(const DocumentJoints&) = delete;  // the recorder refers to the tree
  DocumentJoints& operator=(const DocumentJoints&) = delete;

  /// "tip_x", "tip_y", "tip_z" of each point, "tip_x'" of its velocity: values by name.
  std::vector<std::pair<std::string, Expression>> points() const;
  /// How many constraints the pins are; they come first.
  std::size_t pin_rows() const;
  void record_pins();
  /// Springs, loads and the equations; `number` gives the value of a text.
  void record(const Number& number);

 private:
  BodyPoint point(const PointDocument& document) const;

  const JointsDocument& document_;
  Number constant_;
  JointTree tree_;
  std::optional<JointRecorder> recorder_;
};

}  // namespace daelab
