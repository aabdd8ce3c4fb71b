#include "core/mechanism/problem.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "core/base/context.hpp"
#include "core/mechanism/forms.hpp"

namespace daelab {
namespace {

// Enough for the grids of an experiment, whose runs come problem by problem.
constexpr std::size_t most_recordings = 64;

std::shared_ptr<RecordedProblem> record(const Problem& problem) {
  const auto* const given = dynamic_cast<const HasGivenForms*>(&problem);
  return std::make_shared<RecordedProblem>(problem.recorder(), problem.start_mode(),
                                           given != nullptr ? given->given_forms() : nullptr);
}

}  // namespace

std::shared_ptr<RecordedProblem> Problem::recorded() const {
  static std::mutex mutex;
  static std::map<std::pair<Context::Settings, std::string>, std::shared_ptr<RecordedProblem>> recordings;
  const std::pair key(Context::current().settings(), recording_key());
  if (key.second.empty()) return record(*this);
  const std::lock_guard lock(mutex);
  if (const auto known = recordings.find(key); known != recordings.end()) return known->second;
  if (recordings.size() >= most_recordings) recordings.clear();  // those in use live on in their models
  return recordings[key] = record(*this);
}

Real100 Problem::start_time() const {
  const auto problem = recorded();
  const Forms& forms = problem->mode(start_mode());
  return forms.value(forms.recording().start_t);
}

}  // namespace daelab
