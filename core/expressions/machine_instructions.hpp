// Single instructions of the processor, of SSE2 or AVX2, on one number or a vector of them.
#pragma once

#include <asmjit/x86.h>

#include <cstdint>

#include "core/expressions/machine_code.hpp"

namespace daelab::machine {

using asmjit::Operand;
using asmjit::x86::Gp;
using asmjit::x86::Mem;
namespace x86 = asmjit::x86;
namespace Inst = asmjit::x86::Inst;

/// An operation on vectors as each set of instructions has it.
struct VectorOperation {
  asmjit::InstId sse_scalar, sse_packed, avx_scalar, avx_packed;
  int immediate = -1;
};
constexpr VectorOperation addition = {Inst::kIdAddsd, Inst::kIdAddpd, Inst::kIdVaddsd, Inst::kIdVaddpd};
constexpr VectorOperation subtraction = {Inst::kIdSubsd, Inst::kIdSubpd, Inst::kIdVsubsd, Inst::kIdVsubpd};
constexpr VectorOperation multiplication = {Inst::kIdMulsd, Inst::kIdMulpd, Inst::kIdVmulsd, Inst::kIdVmulpd};
constexpr VectorOperation division = {Inst::kIdDivsd, Inst::kIdDivpd, Inst::kIdVdivsd, Inst::kIdVdivpd};
constexpr VectorOperation square_root = {Inst::kIdSqrtsd, Inst::kIdSqrtpd, Inst::kIdVsqrtsd, Inst::kIdVsqrtpd};
constexpr VectorOperation minimum = {Inst::kIdMinsd, Inst::kIdMinpd, Inst::kIdVminsd, Inst::kIdVminpd};
constexpr VectorOperation maximum = {Inst::kIdMaxsd, Inst::kIdMaxpd, Inst::kIdVmaxsd, Inst::kIdVmaxpd};
constexpr VectorOperation comparison(int predicate) {
  return {Inst::kIdCmpsd, Inst::kIdCmppd, Inst::kIdVcmpsd, Inst::kIdVcmppd, predicate};
}
constexpr VectorOperation is_equal = comparison(0);
constexpr VectorOperation is_less = comparison(1);
constexpr VectorOperation is_less_equal = comparison(2);
constexpr VectorOperation is_not_equal = comparison(4);  // holds for NaN, the others do not
constexpr VectorOperation bits_and = {Inst::kIdAndps, Inst::kIdAndps, Inst::kIdVandps, Inst::kIdVandps};
constexpr VectorOperation bits_not_and = {Inst::kIdAndnps, Inst::kIdAndnps, Inst::kIdVandnps, Inst::kIdVandnps};
constexpr VectorOperation bits_or = {Inst::kIdOrps, Inst::kIdOrps, Inst::kIdVorps, Inst::kIdVorps};
constexpr VectorOperation bits_xor = {Inst::kIdXorps, Inst::kIdXorps, Inst::kIdVxorps, Inst::kIdVxorps};

/// How many numbers a vector holds. Four lanes of SSE2 are two runs of code for two.
inline int width_of(int lanes, Instructions instructions) {
  return lanes == 4 && instructions == Instructions::sse2 ? 2 : lanes;
}

/// Writes single instructions for a set of instructions and a width of vectors.
class Encoder {
 public:
  Encoder(asmjit::CodeHolder& code, bool avx, int width) : out_(&code), avx_(avx), width_(width) {}

  bool has_avx() const { return avx_; }
  int width() const { return width_; }

  /// result = left op right; of SSE the result must not be the register `right` unless it is `left` too.
  void operate(const VectorOperation& operation, int result, int left, const Operand& right) {
    if (!avx_ && result != left) move(result, left);
    const asmjit::InstId id = id_of(operation);
    const bool has_immediate = operation.immediate >= 0;
    if (avx_ && has_immediate)
      out_.emit(id, vector(result), vector(left), right, asmjit::imm(operation.immediate));
    else if (avx_)
      out_.emit(id, vector(result), vector(left), right);
    else if (has_immediate)
      out_.emit(id, vector(result), right, asmjit::imm(operation.immediate));
    else
      out_.emit(id, vector(result), right);
  }
  void take_square_root(int result, int of) {
    if (avx_ && width_ == 1)  // takes the upper half from one more operand
      out_.emit(id_of(square_root), vector(result), vector(of), vector(of));
    else
      out_.emit(id_of(square_root), vector(result), vector(of));
  }
  void round_down(int result, int of) {  // AVX only
    const auto down = asmjit::imm(9);    // downwards, inexact not signalled
    if (width_ == 1)
      out_.emit(Inst::kIdVroundsd, vector(result), vector(of), vector(of), down);
    else
      out_.emit(Inst::kIdVroundpd, vector(result), vector(of), down);
  }
  /// Selects `if_set` if the mask is set, else `otherwise`.
  void blend(int result, int otherwise, int if_set, int mask) {  // AVX only
    out_.emit(Inst::kIdVblendvpd, vector(result), vector(otherwise), vector(if_set), vector(mask));
  }
  void move(int result, int from) {
    out_.emit(avx_ ? Inst::kIdVmovaps : Inst::kIdMovaps, vector(result), vector(from));
  }
  void load(int result, const Mem& from) { out_.emit(move_id(), vector(result), from); }
  void store(const Mem& to, int from) { out_.emit(move_id(), to, vector(from)); }
  void load_number(int result, const Mem& from) {
    out_.emit(avx_ ? Inst::kIdVmovsd : Inst::kIdMovsd, x86::xmm(result), from);
  }
  void store_number(const Mem& to, int from) { out_.emit(avx_ ? Inst::kIdVmovsd : Inst::kIdMovsd, to, x86::xmm(from)); }
  /// Before instructions of SSE, which functions called may have: they would wait for the upper halves.
  void leave_upper_halves() {
    if (width_ == 4) out_.vzeroupper();
  }
  void call(const void* function) {
    out_.mov(x86::rax, asmjit::imm(reinterpret_cast<std::uintptr_t>(function)));
    out_.call(x86::rax);
  }
  Operand vector(int number) const {
    return width_ == 4 ? static_cast<Operand>(x86::ymm(number)) : static_cast<Operand>(x86::xmm(number));
  }
  x86::Assembler& out() { return out_; }

 private:
  asmjit::InstId id_of(const VectorOperation& operation) const {
    if (width_ == 1) return avx_ ? operation.avx_scalar : operation.sse_scalar;
    return avx_ ? operation.avx_packed : operation.sse_packed;
  }
  asmjit::InstId move_id() const {
    if (width_ == 1) return avx_ ? Inst::kIdVmovsd : Inst::kIdMovsd;
    return avx_ ? Inst::kIdVmovups : Inst::kIdMovups;
  }

  x86::Assembler out_;
  bool avx_;
  int width_;
};

}  // namespace daelab::machine
