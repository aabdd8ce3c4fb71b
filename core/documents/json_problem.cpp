#include "core/documents/json_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>

#include "core/base/context.hpp"
#include "core/base/json_file.hpp"
#include "core/documents/document_recorder.hpp"
#include "core/documents/energy_balance.hpp"
#include "core/documents/model_checks.hpp"
#include "core/mechanism/drawn_outline.hpp"

namespace daelab {
namespace {

// ----- the problem -----

class JsonProblem final : public Problem {
 public:
  JsonProblem(const Json& json, const std::string& where)
      : document_(std::make_shared<const ProblemDocument>(read_problem_document(json, where))), key_(json.dump()) {
    set_spec(json);
    end_time_ = constant_above(start_time(), document_->end_time, *document_);
    if (document_->max_step) max_step_ = constant_above(0, *document_->max_step, *document_);
    if (!document_->outline.shapes.empty()) OutlineMotion(*this);  // throws InputError for what cannot be drawn
    const auto model = this->model(As<double>{});
    model->start_from(model->recorded_y());  // also where a start value has no value: some run may begin elsewhere
    if (MechanicalModel<double>* const mechanism = model->mechanical()) {
      check_mass(*mechanism, where + inertia_key());
      check_energies(*mechanism, where);
    }
    least_size_ = document_->least_size
                      ? constant_above(0, *document_->least_size, *document_)
                      : size_of_start(*model, static_cast<double>(Real100(end_time_.value() - start_time())));
  }

  std::function<void(Recording&)> recorder() const override {
    return [document = document_](Recording& recording) { record_document(*document, recording); };
  }
  std::string recording_key() const override { return key_; }
  void draw(Recording& recording, Outline& outline) const override { draw_document(*document_, recording, outline); }
  std::vector<ConstantTable> constants() const override { return {}; }
  Exact end_time() const override { return end_time_; }
  std::optional<Exact> max_step() const override { return max_step_; }
  Exact least_size() const override { return least_size_; }
  std::optional<Motion> independent_solution(const Real50&, int) const override { return {}; }
  std::optional<std::vector<ExactEvent>> exact_events(const Real50&, int) const override { return {}; }
  std::string independent_route() const override { return ""; }
  Json smaller_problem() const override { return {}; }
  Motion from_smaller(const Motion& motion) const override { return motion; }
  bool conserves_energy() const override { return conserves_energy_; }
  Index redundant_constraints() const override { return 0; }

 private:
  const char* inertia_key() const {
    if (document_->joints) return "/joints";
    return document_->mass.empty() ? "/kinetic_energy" : "/mass";
  }
  void check_energies(MechanicalModel<double>& model, const std::string& where) {
    if (!model.has_energy()) return;
    const EnergyBalance balance = try_energy_balance(recorder(), model);
    const bool may_change = document_->energy_changes;
    if (!may_change && !balance.contradiction.empty())
      throw InputError(
          where + (document_->joints ? "/joints" : "/kinetic_energy"),
          fmt::format("{}; {} write \"energy\": \"changes\"", balance.contradiction,
                      document_->mass.empty() ? "is it quadratic in the velocities? Where it is meant not to be,"
                                              : "where forces dissipate or drive,"));
    const bool jumps = std::ranges::any_of(document_->events, [](const EventDocument& x) { return !x.then.empty(); });
    conserves_energy_ = !may_change && balance.conserved && !jumps;
  }

  std::shared_ptr<const ProblemDocument> document_;
  std::string key_;
  Exact end_time_, least_size_;
  std::optional<Exact> max_step_;
  bool conserves_energy_ = false;
};

// ----- the registry -----

Json parameter_options(const RegistryEntry& entry) {
  Json options = Json::object();
  const Json parameters = entry.content.value("parameters", Json::object());
  for (const auto& [name, value] : parameters.items())
    options[name] = {{"anyOf", {{{"type", "number"}}, {{"type", "string"}}}}, {"description", ""}, {"default", value}};
  for (const auto& [key, otherwise] : {std::pair{"start_time", Json("0")}, std::pair{"end_time", Json()}})
    options[key] = {{"anyOf", {{{"type", "number"}}, {{"type", "string"}}}},
                    {"description", "[s]"},
                    {"default", entry.content.value(key, otherwise)}};
  return options;
}

std::string text_member(const Json& json, const char* key, const std::string& otherwise) {
  return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : otherwise;
}

const bool documents_are_problems = [] {
  Registry<Problem>::instance().accept_documents(
      is_problem_document, [](const Json& document, const std::string& where) -> std::shared_ptr<Component> {
        return make_json_problem(document, where);
      });
  return true;
}();

}  // namespace

std::shared_ptr<Problem> make_json_problem(const Json& document, const std::string& where) {
  static std::mutex mutex;
  static std::map<std::pair<Context::Settings, std::string>, std::shared_ptr<Problem>> problems;
  constexpr std::size_t most = 64;
  const std::pair key(Context::current().settings(), document.dump());
  const std::lock_guard lock(mutex);
  if (const auto known = problems.find(key); known != problems.end()) return known->second;
  if (problems.size() >= most) problems.clear();
  return problems[key] = std::make_shared<JsonProblem>(document, where);
}

void load_problem_files(const std::string& folder) {
  if (!std::filesystem::is_directory(folder)) return;
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".json") files.push_back(file.path());
  std::ranges::sort(files);
  auto& registry = Registry<Problem>::instance();
  for (const auto& file : files) {
    const Json json = read_json_file(file.string());
    const std::string name = text_member(json, "name", file.stem().string());
    if (const RegistryEntry* other = registry.look_up(name))
      throw InputError(file.string(),
                       fmt::format("/name: '{}' is the name of a problem already, in {}", name, other->file));
    registry.add(
        {name, text_member(json, "summary", "Problem from " + file.filename().string() + "."),
         text_member(json, "source", ""), file.string(), parameter_options,
         [](const RegistryEntry& entry, const Json& spec, const std::string& where) -> std::shared_ptr<Component> {
           const Json document = with_parameters(entry.content, spec, where);
           return make_json_problem(document, entry.file + ": ");
         },
         json});
  }
}

}  // namespace daelab
