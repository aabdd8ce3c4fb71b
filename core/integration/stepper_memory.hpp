// What a stepper keeps in a state from one step to the next: a plain struct of its own, which the state holds by value.
#pragma once

#include <memory>
#include <typeinfo>
#include <utility>

namespace daelab {

/// What can be done with the memory of any stepper.
class StepperMemory {
 public:
  virtual ~StepperMemory() = default;
  virtual std::unique_ptr<StepperMemory> clone() const = 0;
  /// Copies one of the same type, without allocation where sizes are equal.
  virtual void assign(const StepperMemory& other) = 0;
  /// Brings over what stays valid when an attempt from here is rejected: where the Jacobian was evaluated, say.
  virtual void keep(const StepperMemory& attempt) = 0;
  virtual bool equals(const StepperMemory& other) const = 0;
};

/// Holds the `Memory` of a stepper, a plain struct: its keep(const Memory& attempt), if it has one, does the above.
template <class Memory>
class MemoryOf final : public StepperMemory {
 public:
  explicit MemoryOf(Memory memory) : value(std::move(memory)) {}
  std::unique_ptr<StepperMemory> clone() const override { return std::make_unique<MemoryOf>(*this); }
  void assign(const StepperMemory& other) override { value = of(other); }
  void keep(const StepperMemory& attempt) override {
    if constexpr (requires { value.keep(of(attempt)); }) value.keep(of(attempt));
  }
  bool equals(const StepperMemory& other) const override { return value == of(other); }

  Memory value;

 private:
  static const Memory& of(const StepperMemory& memory) { return static_cast<const MemoryOf&>(memory).value; }
};

/// Holds a memory of any type, or none: copies are independent of each other.
class HeldMemory {
 public:
  HeldMemory() = default;
  template <class Memory>
  static HeldMemory of(Memory memory) {
    HeldMemory held;
    held.memory_ = std::make_unique<MemoryOf<Memory>>(std::move(memory));
    return held;
  }
  HeldMemory(const HeldMemory& other) : memory_(other.memory_ ? other.memory_->clone() : nullptr) {}
  HeldMemory(HeldMemory&&) = default;
  HeldMemory& operator=(HeldMemory&&) = default;
  HeldMemory& operator=(const HeldMemory& other) {
    if (is_like(other))
      memory_->assign(*other.memory_);
    else
      *this = HeldMemory(other);
    return *this;
  }
  ~HeldMemory() = default;

  bool empty() const { return memory_ == nullptr; }
  /// The memory of a stepper that is known to have made it.
  template <class Memory>
  Memory& as() {
    return static_cast<MemoryOf<Memory>&>(*memory_).value;
  }
  template <class Memory>
  const Memory& as() const {
    return static_cast<const MemoryOf<Memory>&>(*memory_).value;
  }
  void keep(const HeldMemory& attempt) {
    if (memory_) memory_->keep(*attempt.memory_);
  }
  bool operator==(const HeldMemory& other) const {
    return is_like(other) ? memory_->equals(*other.memory_) : empty() && other.empty();
  }

 private:
  bool is_like(const HeldMemory& other) const {
    if (empty() || other.empty()) return false;
    const StepperMemory &mine = *memory_, &others = *other.memory_;
    return typeid(mine) == typeid(others);
  }

  std::unique_ptr<StepperMemory> memory_;
};

}  // namespace daelab
