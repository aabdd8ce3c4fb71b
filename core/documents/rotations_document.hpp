// Rotations in problem files: "rotations": {"R": "so3"}. What expressions and starts know of one:
//
//   R[1,1] to R[3,3]   the matrix; in the start {"R": matrix, quaternion or axis and angle}
//   omega_R[1..3]      angular velocity in body axes, in starts, and of torques in forces
//   p_R[1..4]          the quaternion, real part first
//   x_R[1..3]          of "se3": the place, in starts, too
//   u_R[1..3]          of "se3": R^T x', in starts, and of forces in body axes
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/documents/document_texts.hpp"
#include "core/expressions/parse.hpp"
#include "core/mechanism/rotations.hpp"

namespace daelab {

struct RotationDocument {
  std::string name, where;
  LieGroup group{};
  enum class Start { none, matrix, quaternion, axis } start = Start::none;
  std::string start_where;
  std::vector<ExpressionText> entries;  // of the matrix by rows, of the quaternion; axis and angle

  std::vector<std::string> velocities() const;   // omega_R1, ...
  std::vector<std::string> start_names() const;  // these and x_R1, ...
  /// Names and sizes of the vectors and matrices it brings.
  std::vector<std::pair<std::string, std::vector<long>>> vectors() const;
};

/// All throw InputError with the place.
std::vector<RotationDocument> read_rotations(const Json& rotations, const std::string& where);
/// Takes the starts of rotations out of "start".
void take_starts(Json& start, const std::string& where, const DocumentTexts& texts,
                 std::vector<RotationDocument>& rotations);

/// The rotations of a document in a recording.
class DocumentRotations {
 public:
  /// New ones.
  static void add(const std::vector<RotationDocument>& documents, Recording& r);

  /// Finds the rotations of a recording that has them.
  DocumentRotations(const std::vector<RotationDocument>& documents, Recording& r);

  /// Values by name.
  const Names& names() const { return names_; }
  /// Adds a torque or a force in body axes, by the name of its velocity; false for other names.
  bool add_force(const std::string& name, const Expression& value);
  /// What names stand for in the start of a rotation; `constant` gives the value of a text of it.
  template <class Constant>
  void start(const Constant& constant, Names& names) {
    for (std::size_t k = 0; k < documents_.size(); ++k) {
      Expressions entries;
      for (const ExpressionText& text : documents_[k].entries) entries.push_back(constant(text));
      start_at(k, entries, names);
    }
  }
  /// The value of one of start_names(); false for other names.
  bool start_with(const std::string& name, const Expression& value);

 private:
  void start_at(std::size_t number, const Expressions& entries, Names& names);

  const std::vector<RotationDocument>& documents_;
  Recording& r_;
  Names names_;
};

}  // namespace daelab
