// SPDX-License-Identifier: Apache-2.0
#include "ir/text/printer.h"

#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "ir/core/builtin_attribute.h"
#include "ir/text/lexer.h"

namespace phi::ir {

namespace {

class Printer {
 public:
  explicit Printer(bool full) : full_(full) {}

  std::string Print(const Program& program) {
    os_ << "phi.program 1\n";
    PrintSymbols(program.symbols());
    os_ << "program ";
    const std::string attributes = AttributesText(*program.module());
    if (!attributes.empty()) os_ << attributes << ' ';
    PrintRegion(program.module()->regions()[0], 0);
    PrintLocation(*program.module());
    os_ << '\n';
    return os_.str();
  }

 private:
  void PrintSymbols(const SymbolTable& symbols) {
    if (symbols.size() == 0) return;
    os_ << "symbols {";
    for (size_t i = 0; i < symbols.size(); ++i) {
      const SymbolInfo& info = symbols.at(static_cast<int64_t>(i));
      os_ << (i ? ", s" : " s") << i;
      if (!info.source.empty()) os_ << ' ' << Quoted(info.source);
      os_ << " >= " << info.lower;
      if (info.upper != SymbolInfo::kNoUpper) os_ << " <= " << info.upper;
      if (info.divisor != 1) os_ << " % " << info.divisor;
    }
    os_ << " }\n";
  }

  void PrintRegion(const Region& region, int depth) {
    os_ << "{\n";
    const std::string indent(2 * static_cast<size_t>(depth), ' ');
    for (const auto& block : region.blocks()) {
      if (block->num_arguments() > 0 || region.size() > 1) {
        os_ << indent << "  ^(";
        for (size_t i = 0; i < block->num_arguments(); ++i) {
          os_ << (i ? ", " : "") << Defined(block->argument(i)) << " : " << block->argument(i).type();
        }
        os_ << "):\n";
      }
      for (const Operation& op : *block) {
        os_ << indent << "  ";
        PrintOp(op, depth + 1);
        os_ << '\n';
      }
    }
    os_ << indent << '}';
  }

  void PrintOp(const Operation& op, int depth) {
    bool has_names = false;
    for (size_t i = 0; i < op.num_results(); ++i) has_names |= HasName(op.result(i));
    for (size_t i = 0; i < op.num_results() && has_names; ++i) os_ << (i ? ", " : "") << Defined(op.result(i));
    if (has_names) os_ << " = ";
    os_ << (op.name().find('.') == std::string::npos ? Quoted(op.name()) : WordOrQuoted(op.name()));
    const std::string attributes = AttributesText(op);
    if (op.num_operands() > 0 || op.num_results() == 0) {
      os_ << '(';
      for (size_t i = 0; i < op.num_operands(); ++i) os_ << (i ? ", " : "") << Used(op.operand(i));
      os_ << ')';
    }
    if (!attributes.empty()) os_ << ' ' << attributes;
    for (const Region& region : op.regions()) {
      os_ << (region.index() ? " else " : " ");
      PrintRegion(region, depth);
    }
    for (size_t i = 0; i < op.num_results(); ++i) os_ << (i ? ", " : " : ") << op.result(i).type();
    PrintLocation(op);
  }

  void PrintLocation(const Operation& op) {
    if (const auto location = op.location().dyn_cast<StrAttribute>()) os_ << "  loc(" << Quoted(location.data()) << ')';
  }

  std::string AttributesText(const Operation& op) const {
    std::string text;
    const auto add = [&](const std::string& name, const std::string& value) {
      text += (text.empty() ? "" : ", ") + WordOrQuoted(name) + " = " + value;
    };
    const auto declared = op.info().row().attributes;
    for (size_t i = 0; i < declared.size(); ++i) {
      const Attribute value = op.declared_attributes()[i], standard = op.default_attribute(i);
      if (value != standard || (full_ && value)) add(declared[i].name, DeclaredText(value, declared[i]));
    }
    for (const auto& [name, value] : op.other_attributes()) add(name, value.ToString());
    return text.empty() ? text : "{" + text + "}";
  }

  static bool HasName(Value value) { return value.has_uses() || !value.name().empty(); }
  std::string Defined(Value value) { return HasName(value) ? Used(value) : "_"; }

  std::string Used(Value value) {
    if (!value) return "none";
    const auto [at, is_new] = names_.try_emplace(value);
    if (is_new) at->second = "%" + NewName(value.name());
    return at->second;
  }

  std::string NewName(const std::string& name) {
    if (name.empty()) return std::to_string(next_number_++);
    std::string unique = name;
    for (int& i = copies_[name]; !taken_.insert(unique).second;) unique = name + "_" + std::to_string(++i);
    return IsPlainValueName(unique) ? unique : Quoted(unique);
  }

  const bool full_;
  std::ostringstream os_;
  std::unordered_map<Value, std::string> names_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> copies_;  // so that many values of one name take no longer than others
  int64_t next_number_ = 0;
};

}  // namespace

std::string ToText(const Program& program, bool full) { return Printer(full).Print(program); }

}  // namespace phi::ir
