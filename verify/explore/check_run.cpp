#include <algorithm>

#include <fmt/format.h>

#include "verify/base/errors.hpp"
#include "verify/explore/explore.hpp"
#include "verify/explore/steps.hpp"

namespace holdfast::verify::explore {
namespace {

using D = LargestReading;

template <class System>
std::string_view first_violated(const D& d, const spec::State<D>& s, std::string_view property) {
  std::string_view name;
  System::Properties::each([&]<class P>() {
    if (name.empty() && (property.empty() || property == P::info.name) &&
        !P::template holds<D>(d, s))
      name = P::info.name;
  });
  return name;
}

/// The ranking of that name, if the step breaks it.
template <class System>
std::string_view broken_by_step(const D& d, const spec::State<D>& before,
                                const spec::State<D>& after, std::string_view property) {
  std::string_view name;
  System::Rankings::each([&]<class Claim>() {
    if (property == Claim::info.name && !Claim::template holds<D>(d, before, after))
      name = Claim::info.name;
  });
  return name;
}

template <class System>
RunCheck check(const D& d, const Run& run, std::string_view property) {
  RunCheck result;
  Steps<D, System> steps(d);
  for (const auto& action : run.actions) {
    result.property = first_violated<System>(d, steps.state(), property);
    if (!result.property.empty()) break;
    const auto before = steps.state();
    try {
      result.problem = steps.take(action);
    } catch (const compact::Overflow& overflow) {
      result.problem =
          fmt::format("`{}` grows too large", compact::variable_at(steps.state(), overflow.cell));
    }
    if (!result.problem.empty()) {
      result.problem = fmt::format("{}: {}", to_string(action), result.problem);
      return result;
    }
    ++result.taken;
    result.property = broken_by_step<System>(d, before, steps.left(), property);
    if (!result.property.empty()) break;
  }
  if (result.property.empty()) result.property = first_violated<System>(d, steps.state(), property);
  if (!result.property.empty()) result.after = result.taken;
  return result;
}

bool fits_largest(const Workload& w) {
  return std::ssize(w.requests) <= most_requests && w.hashes <= most_hashes &&
         w.depth <= most_depth && std::ranges::all_of(w.requests, [](const auto& request) {
           return std::ssize(request.features) <= most_features;
         });
}

}  // namespace

void check_workload(const Workload& workload, const spec::Assumptions& assumptions) {
  if (!fits_largest(workload))
    throw InputError(
        fmt::format("exploration handles at most {} requests, {} features of each, {} "
                    "hashes and {} steps in flight",
                    most_requests, most_features, most_hashes, most_depth));
  constexpr int largest = compact::most_positions - 1;
  for (const auto& request : workload.requests) {
    if (request.limit < 1 || request.limit > largest || request.prompt > largest)
      throw InputError(fmt::format("exploration handles requests of 1 to {} tokens", largest));
    for (const auto& feature : request.features) {
      if (feature.end > largest)
        throw InputError(fmt::format("exploration handles positions up to {}", largest));
      if (feature.hash < 0 || feature.hash >= workload.hashes)
        throw InputError(fmt::format("there is no hash {}", feature.hash));
    }
  }
  if (std::max({workload.capacity, workload.encoder_budget, workload.token_budget, workload.tail}) >
      largest)
    throw InputError(fmt::format("exploration handles budgets up to {} slots or tokens", largest));
  const D d(workload, {}, assumptions);
  if (!spec::is_well_formed(d)) throw InputError("the workload is not well-formed");
  if (assumptions.sorted_spans && !spec::has_sorted_spans(d))
    throw InputError("the features of a request are not sorted");
  if (assumptions.disjoint_spans && !spec::has_disjoint_spans(d))
    throw InputError("two features of a request overlap");
  if (assumptions.prompt_only_features && !spec::has_prompt_only_features(d))
    throw InputError("a feature reaches past the prompt");
}

RunCheck check_run(const Run& run, const spec::Profile& profile,
                   const spec::Assumptions& assumptions, std::string_view property) {
  check_workload(run.workload, assumptions);
  const D d(run.workload, profile, assumptions);
  return run.workload.manager == spec::Manager::encoder_decoder
             ? check<spec::EncoderDecoder>(d, run, property)
             : check<spec::DecoderOnly>(d, run, property);
}

}  // namespace holdfast::verify::explore
