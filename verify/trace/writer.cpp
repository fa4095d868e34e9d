#include "verify/trace/writer.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "verify/trace/fields.hpp"

namespace holdfast::verify::trace {
namespace {

void append(std::string& out, std::int64_t value) {
  constexpr std::size_t longest = 20;
  char digits[longest];
  out.append(digits, std::to_chars(digits, digits + longest, value).ptr);
}

void append(std::string& out, std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += "\\u00";
      out += hex[byte >> 4U];
      out += hex[byte & 15U];
    } else {
      out += c;
    }
  }
  out += '"';
}

void append(std::string& out, const MaskRun& run) {
  out += '[';
  append(out, run.first);
  out += ',';
  append(out, run.count);
  out += ']';
}

template <class T>
void append_object(std::string& out, const T& object);

/// Appends begin, the items through `item`, end.
void append_list(std::string& out, char begin, const auto& items, char end, auto item) {
  out += begin;
  bool first = true;
  for (const auto& it : items) {
    if (!first) out += ',';
    first = false;
    item(it);
  }
  out += end;
}

template <class T>
void append(std::string& out, const std::vector<T>& items) {
  append_list(out, '[', items, ']', [&](const T& item) { append(out, item); });
}

/// An Io of fields.hpp.
class JsonWriter {
  // These stand before their uses, as their types are deduced.
  auto plain() {
    return [this](const auto& value) { append(out_, value); };
  }
  auto by_id() {
    return [this](const auto& items) {
      append_list(out_, '{', items, '}', [this](const auto& item) {
        append(out_, item.first);
        out_ += ':';
        append(out_, item.second);
      });
    };
  }

 public:
  JsonWriter(std::string& out, bool first) : out_(out), first_(first) {}

  void id(std::string_view n, const auto& m) { put(n, m, plain()); }
  void text(std::string_view n, const auto& m) { put(n, m, plain()); }
  void count(std::string_view n, const auto& m) { put(n, m, plain()); }
  void positive(std::string_view n, const auto& m) { put(n, m, plain()); }
  void integer(std::string_view n, const auto& m) { put(n, m, plain()); }
  void ids(std::string_view n, const auto& m) { put(n, m, plain()); }
  void counts(std::string_view n, const auto& m) { put(n, m, plain()); }
  void runs(std::string_view n, const auto& m) { put(n, m, plain()); }
  void count_by_id(std::string_view n, const auto& m) { put(n, m, by_id()); }
  void counts_by_id(std::string_view n, const auto& m) { put(n, m, by_id()); }
  void ids_by_id(std::string_view n, const auto& m) { put(n, m, by_id()); }
  void flag(std::string_view n, const auto& m) {
    put(n, m, [this](bool value) { out_ += value ? "true" : "false"; });
  }
  void choice(std::string_view n, const auto& m) {
    put(n, m, [this]<class C>(C value) {
      append(out_, Choices<C>::names[static_cast<std::size_t>(value)]);
    });
  }
  void miss(std::string_view n, const auto& m) {
    put(n, m, [this](const Miss& value) {
      if (value.hash) {
        append(out_, *value.hash);
      } else {
        out_ += "null";
      }
    });
  }
  void objects(std::string_view n, const auto& m) {
    put(n, m, [this](const auto& items) {
      append_list(out_, '[', items, ']', [this](const auto& item) { append_object(out_, item); });
    });
  }

 private:
  template <class T>
  void put(std::string_view name, const T& value, auto write) {
    if (!first_) out_ += ',';
    first_ = false;
    append(out_, name);
    out_ += ':';
    write(value);
  }
  template <class T>
  void put(std::string_view name, const std::optional<T>& value, auto write) {
    if (value) put(name, *value, write);
  }

  std::string& out_;
  bool first_;
};

template <class T>
void append_object(std::string& out, const T& object) {
  out += '{';
  JsonWriter writer(out, true);
  fields(writer, object);
  out += '}';
}

}  // namespace

void append_line(std::string& out, const Event& event) {
  std::visit(
      [&out](const auto& e) {
        out += "{\"event\":";
        append(out, e.name);
        JsonWriter writer(out, false);
        fields(writer, e);
        out += "}\n";
      },
      event);
}

std::string to_line(const Event& event) {
  std::string out;
  append_line(out, event);
  return out;
}

std::string to_lines(const std::vector<Event>& events) {
  std::string out;
  for (const auto& event : events) append_line(out, event);
  return out;
}

}  // namespace holdfast::verify::trace
