#include "verify/book/markdown.hpp"

#include <algorithm>
#include <cctype>

namespace holdfast::verify::book {

namespace {

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> all;
  while (!list.empty()) {
    const auto comma = list.find(", ");
    all.emplace_back(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 2);
  }
  return all;
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string without_code(std::string text) {
  std::erase(text, '`');
  return text;
}

}  // namespace

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string sentence(std::string_view words) {
  std::string text(words);
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.back() == '.' ? text : text + ".";
}

std::string anchor(std::string_view kind, std::string_view name) {
  return "<a id=\"" + std::string(kind) + "-" + std::string(name) + "\"></a>\n";
}

std::string link(std::string_view kind, std::string_view name) {
  return "[" + code(name) + "](#" + std::string(kind) + "-" + std::string(name) + ")";
}

std::string functions(std::string_view upstream) {
  std::vector<std::string> all;
  for (const auto& function : split(upstream)) {
    const auto blank = function.find(' ');
    all.push_back(code(function.substr(0, blank)) +
                  (blank == std::string::npos ? "" : function.substr(blank)));
  }
  return join(all);
}

std::string references(std::string_view reference) {
  std::vector<std::string> all;
  std::string project = "vllm";
  for (const auto& part : split(reference)) {
    const auto number = part.find('#');
    if (number == std::string::npos) {
      all.push_back(part);
      continue;
    }
    if (part.starts_with("vLLM ")) project = "vllm";
    if (part.starts_with("vllm-ascend ")) project = "vllm-ascend";
    all.push_back("[" + part + "](https://github.com/vllm-project/" + project + "/issues/" +
                  part.substr(number + 1) + ")");
  }
  return join(all);
}

std::string table(const std::vector<std::string>& head,
                  const std::vector<std::vector<std::string>>& rows) {
  const auto row = [](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const auto& cell : cells) text += " " + cell + " |";
    return text + "\n";
  };
  std::string text = row(head) + "|";
  for (std::size_t n = 0; n < head.size(); ++n) text += "---|";
  text += "\n";
  for (const auto& cells : rows) text += row(cells);
  return text + "\n";
}

std::string code_block(std::string_view language, const std::vector<std::string>& lines) {
  std::string text = "```" + std::string(language) + "\n";
  for (const auto& line : lines) text += line + "\n";
  return text + "```\n\n";
}

std::string bullets(const std::vector<text::Item>& items, std::size_t indent) {
  std::string text;
  for (const auto& item : items)
    text += std::string(indent, ' ') + "- " + item.line + "\n" + bullets(item.below, indent + 2);
  return text;
}

void add_plain(const std::vector<text::Item>& items, std::size_t indent,
               std::vector<std::string>& lines) {
  for (const auto& item : items) {
    lines.push_back(std::string(indent, ' ') + without_code(item.line));
    add_plain(item.below, indent + 2, lines);
  }
}

}  // namespace holdfast::verify::book
