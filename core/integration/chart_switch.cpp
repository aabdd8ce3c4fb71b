#include "core/integration/chart_switch.hpp"

#include "core/mechanism/group_charts.hpp"

namespace daelab {
namespace {

// Coordinates of the model's present chart in another one.
template <class T>
class ToChart final : public CoordinateChange<T> {
 public:
  ToChart(MechanicalModel<T>& model, Index chart) : model_(model), chart_(chart) {}
  void apply(const Vector<T>& near, Vector<T>& q, Vector<T>& v, Vector<T>& a) override {
    model_.to_chart(chart_, near, q, v, a);
  }

 private:
  MechanicalModel<T>& model_;
  Index chart_;
};

// Coordinates on Lie groups about their present bases as those about others.
template <class T>
class ToBases final : public CoordinateChange<T> {
 public:
  ToBases(const MechanicalModel<T>& model, const Vector<T>& bases) : model_(model), bases_(bases) {}
  void apply(const Vector<T>& /*near*/, Vector<T>& q, Vector<T>& v, Vector<T>& a) override {
    change_bases(model_.groups(), model_.held(), bases_, q, v, a);
  }

 private:
  const MechanicalModel<T>& model_;
  const Vector<T>& bases_;
};

template <class T>
bool carry_over(CoordinateChange<T>& change, const MechanicalLayout& layout, Stepper<T>& stepper, State<T>& state) {
  const Index n = layout.n;
  const bool kept = stepper.change_coordinates(state, change);
  Vector<T> q = layout.q(state.y), v = layout.v(state.y), a = layout.accelerations_of(state);
  change.apply(Vector<T>::Zero(n), q, v, a);
  state.y.head(n) = q;
  state.y.segment(n, n) = v;
  state.ydot.head(n) = v;
  state.ydot.segment(n, n) = a;
  state.compensation.setZero();
  return kept;
}

}  // namespace

template <class T>
bool switch_chart(MechanicalModel<T>& model, Index next, const MechanicalLayout& layout, Stepper<T>& stepper,
                  State<T>& state) {
  ToChart<T> change(model, next);
  const bool kept = carry_over(change, layout, stepper, state);
  model.set_chart(next);
  return kept;
}

template <class T>
bool move_bases(MechanicalModel<T>& model, const MechanicalLayout& layout, Stepper<T>& stepper, State<T>& state) {
  const Vector<T> bases = bases_at(model.groups(), model.held(), Vector<T>(layout.q(state.y)));
  ToBases<T> change(model, bases);
  const bool kept = carry_over(change, layout, stepper, state);
  model.hold(bases);
  return kept;
}

#define DAELAB_INSTANTIATE(T)                                                                                 \
  template bool switch_chart<T>(MechanicalModel<T>&, Index, const MechanicalLayout&, Stepper<T>&, State<T>&); \
  template bool move_bases<T>(MechanicalModel<T>&, const MechanicalLayout&, Stepper<T>&, State<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
