#include "cluster/run_on_ranks.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "core/base/context.hpp"
#include "lab/runs/cells.hpp"

namespace daelab {
namespace {

// A finished cell as one text: key, line and trajectory, the first two without line breaks.
std::string packed(const FinishedCell& cell) { return cell.key + "\n" + cell.line + "\n" + cell.trajectory; }

FinishedCell unpacked(const std::string& text) {
  const std::size_t key_end = text.find('\n'), line_end = text.find('\n', key_end + 1);
  return {text.substr(0, key_end), text.substr(key_end + 1, line_end - key_end - 1), text.substr(line_end + 1)};
}

}  // namespace

Engine engine_of(Ranks& ranks) {
  return [&ranks](const std::vector<Cell>& cells, const FinishedCellHandler& finished) {
    std::map<std::size_t, const Cell*> by_place;
    RankWork work;
    for (const Cell& cell : cells) work.pieces.push_back(cell.place), by_place[cell.place] = &cell;
    work.execute = [&by_place](std::size_t place) { return packed(carry_out(*by_place.at(place))); };
    work.store = [&by_place, &finished](std::size_t place, const std::string& text) {
      const FinishedCell result = unpacked(text);
      const Cell& cell = *by_place.at(place);
      if (result.key != cell.key)
        throw std::runtime_error("a worker has another run in place of " + cell.key +
                                 ": its program, its config or the files that this names are not those of the manager");
      finished(result, cell);
    };
    work.interrupted = interrupt_requested;
    ranks.carry_out(work);
  };
}

void serve_manager(Ranks& ranks, const std::vector<Config>& configs) {
  const std::vector<Cell> cells = asked_cells(configs);
  RankWork work;
  work.execute = [&cells](std::size_t place) {
    if (place >= cells.size()) throw std::runtime_error(fmt::format("there are {} runs, no {}", cells.size(), place));
    return packed(carry_out(cells[place]));
  };
  work.interrupted = interrupt_requested;
  ranks.carry_out(work);
}

}  // namespace daelab
