// How far the Adams methods with one correction are stable on the negative real axis.
#pragma once

namespace daelab {

/// The largest x on a grid of 0.02 up to which constant steps with h lambda = -x do not grow: Adams-Bashforth of order
/// k = 1 to 12 predicts, Adams-Moulton of order k + 1 corrects once. Found when it is first asked for.
double pece_stability_limit(int k);

}  // namespace daelab
