// The scalars that tests run over: those of the build.
#pragma once

#include <gtest/gtest.h>

#include "core/base/scalar.hpp"

namespace daelab {

template <class Last, class... Ts>
struct ScalarList {
  using Types = testing::Types<Ts...>;
  using Widest = Last;
  template <class T>
  using With = ScalarList<T, Ts..., T>;
};
#define DAELAB_WITH(T) ::With<T>
using ScalarsOfBuild = ScalarList<void> DAELAB_FOR_SCALARS(DAELAB_WITH);
#undef DAELAB_WITH

/// For TYPED_TEST_SUITE.
using Scalars = ScalarsOfBuild::Types;
/// Of engines that serve as oracles: Real50, or double in a build that has nothing else.
using Widest = ScalarsOfBuild::Widest;

}  // namespace daelab
