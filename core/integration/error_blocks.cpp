#include "core/integration/error_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daelab {
namespace {

constexpr std::size_t most_blocks = 256;

}  // namespace

ErrorBlockWriter::ErrorBlockWriter(std::string name) {
  blocks_.name = std::move(name);
  for (std::vector<double>* column : {&blocks_.t, &blocks_.mean, &blocks_.least, &blocks_.greatest})
    column->reserve(most_blocks);
}

void ErrorBlockWriter::add(double t, double error, double size) {
  ++blocks_.steps;
  blocks_.size = std::max(blocks_.size, size);
  if (const double now = std::abs(error); now > blocks_.largest || std::isnan(now)) blocks_.largest = now;
  const bool is_first = in_block_++ == 0;
  sum_ = is_first ? error : sum_ + error;
  least_ = is_first ? error : std::min(least_, error);
  greatest_ = is_first ? error : std::max(greatest_, error);
  if (in_block_ == blocks_.block_steps) close_block(t);
}

void ErrorBlockWriter::close_block(double t) {
  blocks_.t.push_back(t), blocks_.mean.push_back(sum_ / static_cast<double>(in_block_));
  blocks_.least.push_back(least_), blocks_.greatest.push_back(greatest_);
  in_block_ = 0;
  if (blocks_.t.size() == most_blocks) halve();
}

void ErrorBlockWriter::halve() {
  for (std::size_t i = 0; i < most_blocks / 2; ++i) {
    const std::size_t first = 2 * i, second = first + 1;
    blocks_.t[i] = blocks_.t[second];
    blocks_.mean[i] = (blocks_.mean[first] + blocks_.mean[second]) / 2;
    blocks_.least[i] = std::min(blocks_.least[first], blocks_.least[second]);
    blocks_.greatest[i] = std::max(blocks_.greatest[first], blocks_.greatest[second]);
  }
  for (std::vector<double>* column : {&blocks_.t, &blocks_.mean, &blocks_.least, &blocks_.greatest})
    column->resize(most_blocks / 2);
  blocks_.block_steps *= 2;
}

}  // namespace daelab
