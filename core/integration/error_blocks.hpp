// The error of an invariant along a run of any length in little memory: blocks of equal numbers of steps. Once there
// are 256, neighbours become one, so that a run of more than 256 steps ends with 128 to 255 blocks.
#pragma once

#include <string>
#include <vector>

namespace daelab {

struct ErrorBlocks {
  std::string name;      // of the invariant
  long steps = 0;        // of the run
  long block_steps = 1;  // of each block; what is left at the end is in no block
  double size = 0;       // the largest that its terms were together: what a rounding is relative to
  double largest = 0;    // |error| over all steps; NaN where one of them is
  std::vector<double> t, mean, least, greatest;  // of each block: time at its end [s], and the error over its steps
};

/// Is given step after step. Nothing is allocated after the first one.
class ErrorBlockWriter {
 public:
  explicit ErrorBlockWriter(std::string name);
  void add(double t, double error, double size);
  const ErrorBlocks& blocks() const { return blocks_; }

 private:
  void close_block(double t);
  void halve();

  ErrorBlocks blocks_;
  long in_block_ = 0;
  double sum_ = 0, least_ = 0, greatest_ = 0;
};

}  // namespace daelab
