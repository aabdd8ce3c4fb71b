// Bases of coordinates on Lie groups that follow a motion, and what reports show of it.
//
// Coordinates reach all rotations but those by half a turn from the base, near which they are large. So where they are
// large at the end of a step, what they stand for becomes the base.
#pragma once

#include "core/mechanism/mechanical_model.hpp"

namespace daelab {

/// Whether some rotation is so far from its base, by about half of a right angle, that the base should follow.
template <class T>
bool are_far(const std::vector<GroupCoordinates>& groups, const Vector<T>& q);
/// `held` with the bases where coordinates q about the present ones are.
template <class T>
Vector<T> bases_at(const std::vector<GroupCoordinates>& groups, const Vector<T>& held, const Vector<T>& q);
/// Coordinates about one set of bases as those about another; q, v, a: (n) of the whole model.
template <class T>
void change_bases(const std::vector<GroupCoordinates>& groups, const Vector<T>& from, const Vector<T>& to, Vector<T>& q,
                  Vector<T>& v, Vector<T>& a);

/// Brings a motion to the form of reports, which does not depend on bases: q becomes the rotation vector of R, with x
/// behind it; v and a the left velocity and its derivative. Of vectors that differ by whole turns it is the one next to
/// `near`. Other coordinates stay.
template <class T>
void to_reported(const std::vector<GroupCoordinates>& groups, const Vector<T>& held, const Vector<T>& near,
                 Vector<T>& q, Vector<T>& v, Vector<T>& a);
/// The way back: what q stands for becomes the bases, in `held`, and q is zero. Velocities and accelerations are the
/// same.
template <class T>
void from_reported(const std::vector<GroupCoordinates>& groups, Vector<T>& held, Vector<T>& q);

/// Both for a model and y that begins with (q, v): with its bases, and with those it gets.
template <class T>
void to_reported(const MechanicalModel<T>& model, Vector<T>& y);
template <class T>
void from_reported(MechanicalModel<T>& model, Vector<T>& y);

}  // namespace daelab
