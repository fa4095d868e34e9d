#include "verify/prove/system.hpp"

#include "spec/catalogue.hpp"
#include "verify/readings/symbolic_clauses.hpp"

namespace holdfast::verify::prove {

namespace {

using symbolic::Reading;
using symbolic::State;
using symbolic::Terms;

template <class Rule, spec::Role... R, std::size_t... N>
void add_paths(Reading& d, const State& pre, std::vector<RulePath>& all, spec::Roles<R...>,
               std::index_sequence<N...>) {
  Terms ranges;
  [[maybe_unused]] const auto fresh = [&](spec::Role role) {
    return symbolic::universe().fresh(sorts::letter(role), sorts::kind_of(role), ranges);
  };
  const std::vector<Parameter> parameters = {{R, fresh(R)}...};
  const auto guard = spec::Bool<Reading>(
      Rule::template guard<Reading>(d, pre, spec::as_argument<Reading, R>(parameters[N].term)...));
  State post = pre;
  d.each_path(
      [&] {
        post = pre;
        Rule::template effect<Reading>(d, post,
                                       spec::as_argument<Reading, R>(parameters[N].term)...);
      },
      [&](const symbolic::Path& path) {
        Terms conditions = ranges;
        conditions.push_back(guard.term);
        conditions.insert(conditions.end(), path.conditions.begin(), path.conditions.end());
        all.push_back(
            {std::string(Rule::info.name), path, std::move(conditions), post, parameters});
      });
}

template <class System>
Catalogue make_catalogue() {
  Catalogue c;
  c.outline.manager = System::name;
  using Maker = std::function<void(Reading&, const State&, std::vector<RulePath>&)>;
  std::vector<Maker> makers;
  System::Rules::each([&]<class Rule>() {
    c.outline.rules.emplace_back(Rule::info.name);
    makers.push_back([](Reading& d, const State& pre, std::vector<RulePath>& all) {
      using Parameters = typename Rule::Parameters;
      add_paths<Rule>(d, pre, all, Parameters{}, std::make_index_sequence<Parameters::size>{});
    });
  });
  const auto add = [&](bool is_lemma) {
    return [&, is_lemma]<class Property>() {
      const Invariant invariant{
          std::string(Property::info.name),
          std::string(Property::info.says),
          is_lemma,
          Property::info.proof == spec::Proof::derived,
          Property::info.counts,
          [](const Reading& d, const State& s) {
            return spec::Bool<Reading>(Property::template holds<Reading>(d, s)).term;
          }};
      if (Property::info.proof != spec::Proof::explored) c.outline.invariants.push_back(invariant);
      if (!is_lemma) c.properties.push_back(invariant);
    };
  };
  System::Properties::each(add(false));
  System::Lemmas::each(add(true));
  System::Rankings::each([&]<class Claim>() {
    c.outline.rankings.push_back(
        {std::string(Claim::info.name), std::string(Claim::info.says),
         [](const Reading& d, const State& before, const State& after) {
           return spec::Bool<Reading>(Claim::template holds<Reading>(d, before, after)).term;
         }});
  });
  c.paths = [makers](Reading& d, const State& pre, std::size_t n) {
    std::vector<RulePath> all;
    makers[n](d, pre, all);
    return all;
  };
  return c;
}

}  // namespace

const Catalogue& catalogue(spec::Manager manager) {
  static const Catalogue decoder_only = make_catalogue<spec::DecoderOnly>();
  static const Catalogue encoder_decoder = make_catalogue<spec::EncoderDecoder>();
  return manager == spec::Manager::decoder_only ? decoder_only : encoder_decoder;
}

System::System(z3::context& context, std::optional<symbolic::FiniteSizes> sizes, const Catalogue& c,
               const spec::Profile& profile, const spec::Assumptions& assumptions)
    : universe(context, sizes), in_use(universe), catalogue(c), reading(profile, assumptions) {
  for (const auto& axiom : reading.axioms())
    for (const auto& clause : symbolic::clauses(axiom)) axioms.push_back(clause);
  for (const auto& range : symbolic::bind(reading.config)) axioms.push_back(range);
  for (const auto& range : symbolic::bind(pre, "")) axioms.push_back(range);
  for (const auto& invariant : c.outline.invariants) {
    invariants.push_back(invariant.holds(reading, pre));
    hypotheses.push_back(symbolic::clauses(invariants.back()));
  }
  initial = pre;
  spec::initialise(reading, initial);
}

}  // namespace holdfast::verify::prove
