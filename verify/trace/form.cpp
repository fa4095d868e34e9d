#include "verify/trace/form.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "verify/base/nearest.hpp"
#include "verify/trace/fields.hpp"
#include "verify/trace/line_error.hpp"

namespace holdfast::verify::trace {
namespace {

using Names = std::vector<std::string_view>;

constexpr std::size_t max_fields = 24;

/// An Io of fields.hpp: the names and which of them are required.
struct NameCollector {
  Names names;
  std::vector<bool> required;

  template <class T>
  void add(std::string_view name, const T&) {
    names.push_back(name);
    required.push_back(true);
  }
  template <class T>
  void add(std::string_view name, const std::optional<T>&) {
    names.push_back(name);
    required.push_back(false);
  }

  void id(std::string_view n, auto& m) { add(n, m); }
  void text(std::string_view n, auto& m) { add(n, m); }
  void flag(std::string_view n, auto& m) { add(n, m); }
  void choice(std::string_view n, auto& m) { add(n, m); }
  void count(std::string_view n, auto& m) { add(n, m); }
  void positive(std::string_view n, auto& m) { add(n, m); }
  void integer(std::string_view n, auto& m) { add(n, m); }
  void ids(std::string_view n, auto& m) { add(n, m); }
  void counts(std::string_view n, auto& m) { add(n, m); }
  void objects(std::string_view n, auto& m) { add(n, m); }
  void runs(std::string_view n, auto& m) { add(n, m); }
  void miss(std::string_view n, auto& m) { add(n, m); }
  void count_by_id(std::string_view n, auto& m) { add(n, m); }
  void counts_by_id(std::string_view n, auto& m) { add(n, m); }
  void ids_by_id(std::string_view n, auto& m) { add(n, m); }
};

template <class T>
const NameCollector& names_of() {
  static const NameCollector known = [] {
    NameCollector collector;
    T example;
    fields(collector, example);
    return collector;
  }();
  return known;
}

/// "; did you mean 'hit'?", or "; expected one of 'a', 'b'".
std::string suggestion(std::string_view word, const Names& names) {
  constexpr std::size_t longest_word = 64;
  if (word.size() <= longest_word) {
    const std::string near = nearest(word, std::vector<std::string>(names.begin(), names.end()));
    if (!near.empty()) return "; did you mean '" + near + "'?";
  }
  std::string out = names.empty() ? "; expected no field" : "; expected one of ";
  for (const std::string_view name : names) {
    if (name != names.front()) out += ", ";
    out += "'" + std::string(name) + "'";
  }
  return out;
}

/// Where in the line we are, for a message: "end_pass.scheduled[2]".
class Path {
 public:
  class Step {
   public:
    Step(Path& path, std::string_view name) : path_(path) { path.parts_.push_back({name, none}); }
    Step(Path& path, std::size_t index) : path_(path) { path.parts_.push_back({{}, index}); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { path_.parts_.pop_back(); }

   private:
    Path& path_;
  };

  [[nodiscard]] std::string text() const {
    std::string out;
    for (const auto& [name, index] : parts_) {
      if (index != none) {
        out += "[" + std::to_string(index) + "]";
      } else {
        if (!out.empty()) out += ".";
        out += printable(name);
      }
    }
    return out;
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  struct Part {
    std::string_view name;
    std::size_t index;
  };
  std::vector<Part> parts_;
};

[[noreturn]] void fail_expected(const Path& path, std::string_view expected,
                                const JsonNode& found) {
  throw LineError(path.text() + ": expected " + std::string(expected) + ", found " +
                  describe(found));
}

void expect_kind(const Path& path, const JsonNode& node, JsonKind kind, std::string_view expected) {
  if (node.kind != kind) fail_expected(path, expected, node);
}

/// Calls visit(child, index) for every child of an array or object.
template <class Visit>
void for_each(const JsonNode& node, Visit visit) {
  std::size_t index = 0;
  for (const JsonNode* child = node.first(); child != node.last(); child = child->last()) {
    visit(*child, index++);
  }
}

void expect_distinct_keys(const Path& path, const JsonNode& object) {
  std::vector<std::string_view> keys;
  for_each(object, [&](const JsonNode& child, std::size_t) { keys.push_back(child.key); });
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end());
  if (twice != keys.end()) {
    throw LineError(path.text() + ": key " + in_quotes(*twice) + " appears twice");
  }
}

std::int64_t read_whole(const Path& path, const JsonNode& node, std::int64_t least) {
  const bool fits = node.kind == JsonKind::whole && !node.flag &&
                    node.magnitude < static_cast<std::uint64_t>(count_limit) &&
                    static_cast<std::int64_t>(node.magnitude) >= least;
  if (!fits) {
    fail_expected(path, "a whole number from " + std::to_string(least) + " to 2^40 - 1", node);
  }
  return static_cast<std::int64_t>(node.magnitude);
}

std::int64_t read_integer(const Path& path, const JsonNode& node) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 63U;
  if (node.kind != JsonKind::whole || node.magnitude >= limit) {
    fail_expected(path, "a whole number between -2^63 and 2^63", node);
  }
  const auto value = static_cast<std::int64_t>(node.magnitude);
  return node.flag ? -value : value;
}

std::string read_id(const Path& path, const JsonNode& node) {
  if (node.kind != JsonKind::string || node.text.empty()) {
    fail_expected(path, "an id (a string that is not empty)", node);
  }
  return std::string(node.text);
}

template <class Read>
auto read_list(Path& path, const JsonNode& node, std::string_view expected, Read read) {
  expect_kind(path, node, JsonKind::array, expected);
  std::vector<decltype(read(node))> out;
  for_each(node, [&](const JsonNode& child, std::size_t index) {
    const Path::Step step(path, index);
    out.push_back(read(child));
  });
  return out;
}

template <class Read>
auto read_by_id(Path& path, const JsonNode& node, Read read) {
  expect_kind(path, node, JsonKind::object, "an object keyed by id");
  expect_distinct_keys(path, node);
  ById<decltype(read(node))> out;
  for_each(node, [&](const JsonNode& child, std::size_t) {
    if (child.key.empty()) throw LineError(path.text() + ": expected ids as keys, found ''");
    const Path::Step step(path, child.key);
    out.emplace_back(std::string(child.key), read(child));
  });
  return out;
}

template <class T>
T read_object(Path& path, const JsonNode& node);

/// An Io of fields.hpp: fills the members. The slots are in the order of names_of<T>().
class FormReader {
 public:
  FormReader(Path& path, const NameCollector& known,
             const std::array<const JsonNode*, max_fields>& slots)
      : path_(path), known_(known), slots_(slots) {}

  void id(std::string_view, auto& m) {
    set(m, [this](const JsonNode& n) { return read_id(path_, n); });
  }
  void text(std::string_view, auto& m) {
    set(m, [this](const JsonNode& n) {
      expect_kind(path_, n, JsonKind::string, "a string");
      return std::string(n.text);
    });
  }
  void flag(std::string_view, auto& m) {
    set(m, [this](const JsonNode& n) {
      expect_kind(path_, n, JsonKind::boolean, "true or false");
      return n.flag;
    });
  }
  template <class M>
  void choice(std::string_view, M& m) {
    using Choice = std::remove_cvref_t<decltype(value_of(m))>;
    set(m, [this](const JsonNode& n) {
      constexpr auto& names = Choices<Choice>::names;
      expect_kind(path_, n, JsonKind::string, "a string");
      const auto found = std::find(names.begin(), names.end(), n.text);
      if (found == names.end()) {
        throw LineError(path_.text() + ": unknown word " + in_quotes(n.text) +
                        suggestion(n.text, Names(names.begin(), names.end())));
      }
      return static_cast<Choice>(found - names.begin());
    });
  }
  void count(std::string_view, auto& m) {
    set(m, [this](const JsonNode& n) { return read_whole(path_, n, 0); });
  }
  void positive(std::string_view, auto& m) {
    set(m, [this](const JsonNode& n) { return read_whole(path_, n, 1); });
  }
  void integer(std::string_view, auto& m) {
    set(m, [this](const JsonNode& n) { return read_integer(path_, n); });
  }
  void ids(std::string_view, auto& m) {
    set(m, [this](const JsonNode& n) { return id_list(n); });
  }
  void counts(std::string_view, auto& m) {
    set(m, [this](const JsonNode& n) { return count_list(n); });
  }
  template <class M>
  void objects(std::string_view, M& m) {
    using T = typename std::remove_cvref_t<decltype(value_of(m))>::value_type;
    set(m, [this](const JsonNode& n) {
      return read_list(path_, n, "an array of objects",
                       [this](const JsonNode& child) { return read_object<T>(path_, child); });
    });
  }
  void runs(std::string_view, auto& m) {
    set(m, [this](const JsonNode& n) {
      return read_list(path_, n, "an array of runs [first, count]",
                       [this](const JsonNode& child) { return run(child); });
    });
  }
  void miss(std::string_view, auto& m) {
    set(m, [this](const JsonNode& n) {
      if (n.kind == JsonKind::null) return Miss{};
      if (n.kind != JsonKind::string) fail_expected(path_, "a hash or null", n);
      return Miss{read_id(path_, n)};
    });
  }
  void count_by_id(std::string_view, auto& m) {
    set(m, [this](const JsonNode& n) {
      return read_by_id(path_, n, [this](const JsonNode& v) { return read_whole(path_, v, 0); });
    });
  }
  void counts_by_id(std::string_view, auto& m) {
    set(m, [this](const JsonNode& n) {
      return read_by_id(path_, n, [this](const JsonNode& v) { return count_list(v); });
    });
  }
  void ids_by_id(std::string_view, auto& m) {
    set(m, [this](const JsonNode& n) {
      return read_by_id(path_, n, [this](const JsonNode& v) { return id_list(v); });
    });
  }

 private:
  template <class T>
  static T& value_of(T& m) {
    return m;
  }
  template <class T>
  static T& value_of(std::optional<T>& m) {
    return *m;
  }

  void set(auto& member, auto read) {
    const std::size_t slot = next_++;
    if (slots_[slot] == nullptr) {
      if (!known_.required[slot]) return;
      throw LineError(path_.text() + ": missing field '" + std::string(known_.names[slot]) + "'");
    }
    const Path::Step step(path_, known_.names[slot]);
    member = read(*slots_[slot]);
  }

  std::vector<std::string> id_list(const JsonNode& node) {
    return read_list(path_, node, "an array of ids",
                     [this](const JsonNode& n) { return read_id(path_, n); });
  }
  std::vector<std::int64_t> count_list(const JsonNode& node) {
    return read_list(path_, node, "an array of whole numbers",
                     [this](const JsonNode& n) { return read_whole(path_, n, 0); });
  }
  MaskRun run(const JsonNode& node) {
    constexpr std::uint32_t pair_span = 3;
    if (node.kind != JsonKind::array || node.span != pair_span ||
        node.first()->last() == node.last()) {
      fail_expected(path_, "a run [first, count]", node);
    }
    const JsonNode& first = *node.first();
    const JsonNode& count = *first.last();
    const auto read = [this](std::size_t index, const JsonNode& n, std::int64_t least) {
      const Path::Step step(path_, index);
      return read_whole(path_, n, least);
    };
    return {read(0, first, 0), read(1, count, 1)};
  }

  Path& path_;
  const NameCollector& known_;
  const std::array<const JsonNode*, max_fields>& slots_;
  std::size_t next_ = 0;
};

/// `skip`: a field that was read before (the event's name).
template <class T>
T read_fields(Path& path, const JsonNode& object, std::string_view skip) {
  const NameCollector& known = names_of<T>();
  const Names& names = known.names;
  std::array<const JsonNode*, max_fields> slots{};
  std::size_t guess = 0;  // keys mostly come in the format's order
  for_each(object, [&](const JsonNode& child, std::size_t) {
    if (!skip.empty() && child.key == skip) return;
    if (guess >= names.size() || names[guess] != child.key) {
      guess = static_cast<std::size_t>(std::find(names.begin(), names.end(), child.key) -
                                       names.begin());
    }
    if (guess == names.size()) {
      throw LineError(path.text() + ": unknown field " + in_quotes(child.key) +
                      suggestion(child.key, names));
    }
    if (slots[guess] != nullptr) {
      throw LineError(path.text() + ": field " + in_quotes(child.key) + " appears twice");
    }
    slots[guess++] = &child;
  });
  T out;
  FormReader reader(path, known, slots);
  fields(reader, out);
  return out;
}

template <class T>
T read_object(Path& path, const JsonNode& node) {
  expect_kind(path, node, JsonKind::object, "an object");
  return read_fields<T>(path, node, {});
}

const JsonNode* find_once(const JsonNode& object, std::string_view key) {
  const JsonNode* found = nullptr;
  for_each(object, [&](const JsonNode& child, std::size_t) {
    if (child.key != key) return;
    if (found != nullptr) throw LineError("field '" + std::string(key) + "' appears twice");
    found = &child;
  });
  return found;
}

/// Before anything else of the header: another version may well have other fields.
void check_format(const JsonNode& header) {
  const JsonNode* format = find_once(header, "format");
  if (format != nullptr && (format->kind != JsonKind::string || format->text != format_name)) {
    throw LineError("header.format: expected '" + std::string(format_name) + "', found " +
                    describe(*format));
  }
  const JsonNode* version = find_once(header, "version");
  if (version != nullptr && (version->kind != JsonKind::whole || version->flag ||
                             version->magnitude != std::uint64_t{format_version})) {
    throw LineError("header.version: expected " + std::to_string(format_version) + ", found " +
                    describe(*version));
  }
}

template <class T>
Event read_event(const JsonNode& line) {
  Path path;
  const Path::Step step(path, T::name);
  if constexpr (std::is_same_v<T, Header>) check_format(line);
  return read_fields<T>(path, line, "event");
}

struct Kind {
  std::string_view name;
  Event (*read)(const JsonNode&);
};

template <std::size_t... I>
constexpr auto make_kinds(std::index_sequence<I...>) {
  return std::array<Kind, sizeof...(I)>{Kind{std::variant_alternative_t<I, Event>::name,
                                             &read_event<std::variant_alternative_t<I, Event>>}...};
}

constexpr auto kinds = make_kinds(std::make_index_sequence<std::variant_size_v<Event>>{});

}  // namespace

Event parse_event(const JsonNode& line) {
  if (line.kind != JsonKind::object) {
    throw LineError("expected a JSON object, found " + describe(line));
  }
  const JsonNode* name = find_once(line, "event");
  if (name == nullptr) throw LineError("missing field 'event'");
  if (name->kind != JsonKind::string) {
    throw LineError("event: expected an event's name, found " + describe(*name));
  }
  for (const Kind& kind : kinds) {
    if (kind.name == name->text) return kind.read(line);
  }
  Names names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  throw LineError("unknown event " + in_quotes(name->text) + suggestion(name->text, names));
}

}  // namespace holdfast::verify::trace
