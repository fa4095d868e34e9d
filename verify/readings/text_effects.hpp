// Effects of the text reading: what a rule does, as statements. A branch forks by running the
// effect again, and the paths are merged back into a tree, with what the branches share before and
// after them said once.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "verify/readings/text_terms.hpp"

namespace holdfast::verify::inline readings::text {

/// One item of an effect: an update, a branch, an error raised, or a name for some of these. A
/// statement is carried out after those above it and reads what they wrote.
struct Statement {
  enum class What { update, branch, raise, shorthand };
  What what = What::update;
  std::vector<Term> bound;  ///< update: for every value of these
  Term target, value;       ///< update
  std::string label;        ///< branch: the condition in words; raise: the message; the name
  Term condition;           ///< branch
  std::vector<Statement> yes, no;
};
using Effect = std::vector<Statement>;
bool reads_same(const Statement& a, const Statement& b);

/// What the variables of a state tell while an effect runs along one path.
class Recorder {
 public:
  struct Event {
    Statement statement;
    bool yes = false;  ///< which way a branch went
  };

  int version(const std::string& variable) const;
  void update(const std::string& variable, Statement statement);
  bool test(std::string_view label, const Term& condition);
  void raise(std::string_view what);
  /// What the guard says: a branch on it is none.
  void assume(const Term& fact);
  /// Runs `body` once for every path, and merges the paths.
  Effect record(const std::function<void()>& body);

  /// A variable for a quantifier inside `depth` others, so that equal formulas are equal terms.
  Term bind(Kind kind);
  void unbind() { --depth_; }

 private:
  /// t as a statement of now uses it: reads of what was updated since are marked.
  Term seal(const Term& t) const;

  std::map<std::string, int> versions_;
  std::vector<Event> events_;
  std::vector<Term> facts_;
  std::vector<bool> decisions_;
  std::size_t next_ = 0;
  int depth_ = 0;
};

}  // namespace holdfast::verify::inline readings::text
