// Every variable of the spec has a row, and every key of the trace format is explained.
#include "verify/trace/field_map.hpp"

#include <set>

#include <gtest/gtest.h>

#include "tests/verify/book/kept_page.hpp"
#include "verify/book/rule_text.hpp"
#include "verify/trace/fields.hpp"

namespace holdfast::verify::trace {
namespace {

/// Collects the names that fields() gives, instead of reading or writing.
class Keys {
 public:
  explicit Keys(std::string prefix) : prefix_(std::move(prefix)) {}

  void id(std::string_view name, const auto&) { add(name); }
  void text(std::string_view name, const auto&) { add(name); }
  void flag(std::string_view name, const auto&) { add(name); }
  void choice(std::string_view name, const auto&) { add(name); }
  void count(std::string_view name, const auto&) { add(name); }
  void positive(std::string_view name, const auto&) { add(name); }
  void integer(std::string_view name, const auto&) { add(name); }
  void ids(std::string_view name, const auto&) { add(name); }
  void counts(std::string_view name, const auto&) { add(name); }
  void runs(std::string_view name, const auto&) { add(name); }
  void miss(std::string_view name, const auto&) { add(name); }
  void count_by_id(std::string_view name, const auto&) { add(name); }
  void counts_by_id(std::string_view name, const auto&) { add(name); }
  void ids_by_id(std::string_view name, const auto&) { add(name); }

  template <class Value>
  void objects(std::string_view name, const std::optional<std::vector<Value>>&) {
    objects(name, std::vector<Value>{});
  }
  template <class Value>
  void objects(std::string_view name, const std::vector<Value>&) {
    Keys inner(prefix_ + "." + std::string(name));
    Value value;
    fields(inner, value);
    keys.insert(inner.keys.begin(), inner.keys.end());
  }

  std::set<std::string> keys;

 private:
  void add(std::string_view name) { keys.insert(prefix_ + "." + std::string(name)); }
  std::string prefix_;
};

template <class... E>
std::set<std::string> keys_of(std::type_identity<std::variant<E...>>) {
  std::set<std::string> all;
  const auto add = [&]<class One>(std::type_identity<One>) {
    Keys keys{std::string(One::name)};
    One event;
    fields(keys, event);
    all.insert(keys.keys.begin(), keys.keys.end());
  };
  (add(std::type_identity<E>{}), ...);
  return all;
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> all;
  while (!list.empty()) {
    const auto comma = list.find(", ");
    all.emplace_back(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 2);
  }
  return all;
}

void expect_rows(std::span<const Field> fields, const std::vector<book::VariableText>& variables) {
  std::vector<std::string> rows, names;
  for (const auto& field : fields) rows.emplace_back(field.variable);
  for (const auto& variable : variables) names.push_back(variable.name);
  EXPECT_EQ(rows, names) << "every variable of spec/state.hpp, in its order, has a row in "
                            "verify/trace/field_map.cpp";
}

TEST(FieldMap, EveryVariableHasARow) {
  expect_rows(configuration_fields(), book::configuration_variables());
  expect_rows(state_fields(), book::state_variables());
}

TEST(FieldMap, EveryKeyIsOfTheFormatAndEveryKeyOfTheFormatAppears) {
  std::set<std::string> left = keys_of(std::type_identity<Event>{});
  const auto all = left;
  const auto take = [&](const std::string& key) {
    bool known = key == "add_request.features";  // their number
    for (const auto& k : all) {
      const bool matches =
          key.starts_with("*.") ? k.substr(k.find('.')) == key.substr(1) : k == key;
      if (!matches) continue;
      known = true;
      left.erase(k);
    }
    EXPECT_TRUE(known) << key << " is no key of the trace format";
  };
  for (const auto fields : {configuration_fields(), state_fields()})
    for (const auto& field : fields)
      for (const auto& key : split(field.trace)) take(key);
  for (const auto& key : other_keys()) take(std::string(key.trace));
  for (const auto& key : left) ADD_FAILURE() << key << " is in no table of the field map";
}

TEST(FieldMap, IsDocsFieldMap) { book::expect_kept("docs/field-map.md", field_map_page()); }

}  // namespace
}  // namespace holdfast::verify::trace
