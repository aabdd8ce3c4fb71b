#include "core/integration/chart_switch.hpp"

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

}  // namespace

template <class T>
bool switch_chart(MechanicalModel<T>& model, Index next, const MechanicalLayout& layout, Stepper<T>& stepper,
                  State<T>& state) {
  const Index n = layout.n;
  ToChart<T> change(model, next);
  const bool kept = stepper.change_coordinates(state, change);
  Vector<T> q = layout.q(state.y), v = layout.v(state.y), a = layout.accelerations_of(state);
  change.apply(Vector<T>::Zero(n), q, v, a);
  state.y.head(n) = q;
  state.y.segment(n, n) = v;
  state.ydot.head(n) = v;
  state.ydot.segment(n, n) = a;
  state.compensation.setZero();
  model.set_chart(next);
  return kept;
}

#define DAELAB_INSTANTIATE(T) \
  template bool switch_chart<T>(MechanicalModel<T>&, Index, const MechanicalLayout&, Stepper<T>&, State<T>&);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
