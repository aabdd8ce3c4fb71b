// The module: attempts with more and more decimals until those wanted are proved.
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <exception>

#include "modules/enclosures/motion.hpp"
#include "modules/enclosures/refusal.hpp"

namespace daelab {
namespace {

#if __FLINT_RELEASE >= 30000
const std::string arb_name = std::string("Arb of FLINT ") + flint_version;
#else
const std::string arb_name = std::string("Arb ") + arb_version;
#endif

MotionEnclosure attempt(const EnclosureTask& task, long decimals) {
  MotionEnclosure result;
  try {
    EnclosedMotion(task, decimals).run(result);
  } catch (const Refusal& refusal) {
    result.refusal = refusal.what(), result.help = refusal.help;
  } catch (const std::exception& error) {
    result.refusal = error.what();
  }
  return result;
}

class ArbLibrary final : public EnclosureLibrary {
 public:
  std::string version() const override { return arb_name; }
  // A first attempt with few decimals tells how many are lost on the way.
  MotionEnclosure enclose(const EnclosureTask& task) const override {
    constexpr long few = 12;
    long decimals = few;
    MotionEnclosure result = attempt(task, decimals);
    for (int attempts = 0; attempts < 4; ++attempts) {
      if (!result.refusal.empty() && decimals >= task.digits + 20) return result;
      if (task.is_interrupted != nullptr && task.is_interrupted()) return result;
      if (result.refusal.empty() && result.digits >= task.digits) return result;
      const long lost = result.refusal.empty() ? decimals - result.digits : 20;
      decimals = std::max(decimals + 1, task.digits + lost + attempts);
      result = attempt(task, decimals);
    }
    return result;
  }
  std::string sha256(const std::string& bytes) const override {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> hash;
    SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), hash.data());
    std::string text;
    for (const unsigned char byte : hash)
      for (const int half : {byte >> 4, byte & 15}) text += "0123456789abcdef"[half];
    return text;
  }
};

}  // namespace
}  // namespace daelab

extern "C" const daelab::EnclosureLibrary* daelab_enclosure_library() {
  static const daelab::ArbLibrary library;
  return &library;
}
