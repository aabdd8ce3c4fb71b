#include "lab/pack_context.hpp"

#include <utility>

#include "core/base/paths.hpp"

namespace daelab {
namespace {

std::shared_ptr<const FileCopies> files_it_may_read(const Pack& pack) {
  FileCopies files{pack.folder, {}};
  for (const std::string& name : files_of_pack(pack.folder)) {
    const std::string path = pack.folder + "/" + name;
    files.copies[path] = path;
  }
  return std::make_shared<const FileCopies>(std::move(files));
}

}  // namespace

PackContext::PackContext(const Pack& pack, const Context& context) : context_(&context) {
  if (pack.of_project) return;
  if (&context != &Context::process()) own_ = context, context_ = &own_;
  Context& confined = context_ == &own_ ? own_ : Context::process();
  restored_ = &confined, before_ = std::exchange(confined.copies, files_it_may_read(pack));
}

PackContext::~PackContext() {
  if (restored_ != nullptr) restored_->copies = before_;
}

}  // namespace daelab
