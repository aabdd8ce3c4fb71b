// What a pack from elsewhere may read.
#pragma once

#include <memory>

#include "core/base/context.hpp"
#include "results/packs.hpp"

namespace daelab {

/// The context in which a pack is carried out: of one from elsewhere it lets specifications read the files of the pack
/// alone, and their paths begin in its folder. The context of the process is changed meanwhile, since a copy would not
/// learn of interruptions; of another context it is a copy.
class PackContext {
 public:
  PackContext(const Pack& pack, const Context& context);
  ~PackContext();
  PackContext(const PackContext&) = delete;
  PackContext& operator=(const PackContext&) = delete;
  const Context& get() const { return *context_; }

 private:
  const Context* context_;
  Context own_, *restored_ = nullptr;
  std::shared_ptr<const FileCopies> before_;
};

}  // namespace daelab
