// SPDX-License-Identifier: Apache-2.0
#include "torch/python/ir/rewrite.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <deque>
#include <tuple>

#include "common/enforce.h"
#include "ir/pass/rewrite/driver.h"
#include "ir/pass/rewrite/matcher.h"
#include "ir/pass/rewrite/rewrite.h"
#include "torch/errors.h"
#include "torch/python/ir/handles.h"

// Rewrites, for Python: those of the table by name, and those that Python has as rows.
namespace py = pybind11;

namespace phi::python {

namespace {

// Of a term: kind, text, integer, real, number of children.
using Row = std::tuple<int, std::string, int64_t, double, int>;
// The fields of RewriteRow.
using Given = std::tuple<std::string, int, std::vector<std::vector<Row>>>;

ir::Rewrite RewriteOf(const Given& given) {
  const auto& [name, level, tables] = given;
  if (tables.size() != 5) throw py::value_error("a rewrite has five tables");
  std::vector<ir::Term> terms;
  for (const std::vector<Row>& table : tables) {
    std::vector<ir::TermRow> rows;
    for (const auto& [kind, text, integer, real, children] : table) {
      rows.push_back({static_cast<ir::TermKind>(kind), text.c_str(), integer, real, children});
    }
    terms.push_back(ir::TermOf(rows));
  }
  return {name, level, terms[0], terms[1], terms[2], terms[3], terms[4]};
}

ir::PassCounts Apply(const std::shared_ptr<ir::Program>& program,
                     const std::vector<std::string>& names,
                     const std::vector<Given>& given) {
  PHI_OP_TRY
  std::deque<ir::Rewrite> own;
  for (const Given& one : given) own.push_back(RewriteOf(one));
  std::vector<const ir::Rewrite*> rewrites;
  for (const ir::Rewrite& one : own) rewrites.push_back(&one);
  for (const std::string& name : names) {
    const auto& table = ir::Rewrites();
    const auto found = std::ranges::find(table, name, &ir::Rewrite::name);
    PADDLE_ENFORCE(found != table.end(), errors::InvalidArgument("no rewrite has the name '%s'", name));
    rewrites.push_back(&*found);
  }
  const py::gil_scoped_release release;
  return ir::ApplyRewrites(program.get(), rewrites);
  PHI_OP_CATCH("ir.rewrite")
}

int64_t CountMatches(const std::shared_ptr<ir::Program>& program, const Given& given) {
  PHI_OP_TRY
  const ir::Rewrite rewrite = RewriteOf(given);
  const ir::WrittenValues written(*program);
  const ir::MatchedProgram matched{program.get(), &written};
  int64_t count = 0;
  ir::Walk(program->module(), [&](ir::Operation* op) { count += ir::FindMatch(rewrite, op, matched).has_value(); });
  return count;
  PHI_OP_CATCH("ir.rewrite")
}

}  // namespace

void BindRewrites(py::module_& m) {
  m.def("rewrite_table", [] {
    py::list rows;
    for (const ir::Rewrite& rewrite : ir::Rewrites()) rows.append(py::make_tuple(rewrite.name, rewrite.level));
    return rows;
  });
  m.def("apply_rewrites", &Apply, py::arg("program"), py::arg("names"), py::arg("own"));
  m.def("count_matches", &CountMatches, py::arg("program"), py::arg("own"));
}

}  // namespace phi::python
