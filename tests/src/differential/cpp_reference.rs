//! Writes a kernel as plain C++: for each group, one loop over the items for each part between
//! barriers.
//!
//! In: a kernel of the corpus. Out: the body of a function `reference` for one group. *Invariant:*
//! it uses no SYCL. A kernel that items leave from inside a divergent loop cannot be written this
//! way.

use super::{
    cpp_expression::{ARRAY_NAMES, Lines, Reader, UNIFORM_NAMES, VARIABLE_NAMES, combined},
    cpp_statement::{leave, loop_head, operation_name, output_lines, simple, used_variables, uses},
    interpret::initial_uniforms,
    language::*,
};

const READER: Reader = Reader::LoopNest;
/// The head of a loop over all items but the first.
const OTHERS: &str = "for (std::uint32_t i = 1; i < size; ++i)";

/// The function `reference`.
pub(super) fn reference(out: &mut Lines, kernel: &Kernel) {
    let mut writer = Reference { out, kernel };
    writer.out.open("static void reference(const shape &launch, const memory &data, std::uint32_t group) {");
    writer.globals();
    writer.locals();
    writer.variables(&kernel.body, None);
    if writer.items_return() {
        writer.out.line("std::vector<bool> gone(size);");
    }
    writer.block(&kernel.body);
    writer.outputs();
    writer.out.close("}");
}

struct Reference<'w, 'k> {
    out: &'w mut Lines,
    kernel: &'k Kernel,
}

impl Reference<'_, '_> {
    fn items_return(&self) -> bool {
        self.kernel.body.iter().any(|s| s.any(&|s| matches!(s, Statement::Return(e) if !e.is_uniform())))
    }

    fn globals(&mut self) {
        self.out.line("const std::uint32_t size = launch.items();");
        let text = uses(self.kernel);
        let mut line = |used: bool, line: &str| {
            if used {
                self.out.line(line);
            }
        };
        line(text.input, "const std::uint32_t *input = data.input;");
        line(text.arguments[0], "const std::uint32_t rounds = data.rounds;");
        line(text.arguments[1], "const std::uint32_t limit = data.limit;");
        line(self.kernel.uses_array(GLOBAL_ARRAY), "std::uint32_t *shared = data.shared + group * size;");
        line(text.totals, "std::uint32_t *totals = data.totals;");
        self.out.line("std::uint32_t *output = data.output;");
    }

    fn locals(&mut self) {
        for array in (0..GLOBAL_ARRAY).filter(|array| self.kernel.uses_array(*array)) {
            let name = ARRAY_NAMES[array];
            self.out.line(&format!("std::vector<std::uint32_t> {name}(size);"));
            self.items(|w| w.out.line(&format!("{name}[i] = i * 3 + {array};")));
        }
        if self.kernel.uses_cells() {
            self.out.line("std::uint32_t counters[4] = {};");
        }
    }

    /// Declares the variables that a body uses.
    fn variables(&mut self, body: &[Statement], result: Option<&Expr>) {
        let used = used_variables(body, result);
        for variable in (0..VARIABLES).filter(|variable| used.variables[*variable]) {
            let (name, value) = (VARIABLE_NAMES[variable], variable + 1);
            self.out.line(&format!("std::vector<std::uint32_t> {name}(size, {value});"));
        }
        for variable in (0..UNIFORMS).filter(|variable| used.uniforms[*variable]) {
            let (name, value) = (UNIFORM_NAMES[variable], initial_uniforms()[variable]);
            self.out.line(&format!("std::uint32_t {name} = {value};"));
        }
        if used.elements {
            self.out.line("std::vector<std::array<std::uint32_t, 8>> row(size);");
            self.items(|w| {
                w.out.open("for (std::uint32_t j = 0; j < 8; ++j)");
                w.out.line("row[i][j] = i + j;");
                w.out.depth -= 1;
            });
        }
    }

    /// A loop over the items that have not returned.
    fn items(&mut self, body: impl FnOnce(&mut Self)) {
        self.out.open("for (std::uint32_t i = 0; i < size; ++i) {");
        body(self);
        self.out.close("}");
    }

    fn items_left(&mut self, body: impl FnOnce(&mut Self)) {
        let some_gone = self.items_return();
        self.items(|w| {
            if some_gone {
                w.out.open("if (gone[i])");
                w.out.line("continue;");
                w.out.depth -= 1;
            }
            body(w);
        });
    }

    /// A uniform block: statements of single items are gathered into one loop up to the next
    /// collective statement.
    fn block(&mut self, statements: &[Statement]) {
        for part in statements.chunk_by(|a, b| !is_common(a) && !is_common(b)) {
            if is_common(&part[0]) {
                self.common(&part[0]);
            } else {
                self.items_left(|w| part.iter().for_each(|statement| w.alone(statement, false)));
            }
        }
    }

    fn common(&mut self, statement: &Statement) {
        match statement {
            Statement::Barrier => self.out.line("// barrier"),
            Statement::AssignUniform(variable, e) => {
                self.out.line(&format!("{} = {};", UNIFORM_NAMES[*variable], READER.text(e)));
            }
            Statement::Group(operation, target, e) => self.group_operation(*operation, *target, e),
            Statement::If { condition, then, otherwise, .. } => {
                self.out.open(&format!("if ({}) {{", READER.text(condition)));
                self.block(then);
                self.out.close("} else {");
                self.out.depth += 1;
                self.block(otherwise);
                self.out.close("}");
            }
            Statement::Loop(l) => {
                let end = loop_head(self.out, l, READER, UNIFORM_NAMES[l.counter]);
                self.block(&l.body);
                self.out.close(&end);
            }
            Statement::Break(e) => leave(self.out, &READER.text(e), "break;"),
            Statement::Continue(e) => leave(self.out, &READER.text(e), "continue;"),
            Statement::Return(e) => leave(self.out, &READER.text(e), "return;"),
            Statement::Call(function, target, value, count) => self.call(*function, *target, value, count),
            other => unreachable!("{other:?} is no common step"),
        }
    }

    fn call(&mut self, function: usize, target: usize, value: &Expr, count: &Expr) {
        let function = &self.kernel.functions[function];
        self.out.open("{ // helper");
        self.out.line("std::vector<std::uint32_t> result(size);");
        self.out.line(&format!("const std::uint32_t count = {};", READER.text(count)));
        self.items_left(|w| w.out.line(&format!("result[i] = {};", READER.text(value))));
        self.out.open("{");
        self.variables(&function.body, Some(&function.result));
        self.out.line(&format!("{} = result;", VARIABLE_NAMES[0]));
        self.out.line(&format!("{} = count;", UNIFORM_NAMES[0]));
        self.block(&function.body);
        self.items_left(|w| w.out.line(&format!("result[i] = {};", READER.text(&function.result))));
        self.out.close("}");
        self.items_left(|w| w.out.line(&format!("{} = result[i];", READER.variable(target))));
        self.out.close("}");
    }

    fn group_operation(&mut self, operation: GroupOperation, target: Target, e: &Expr) {
        self.out.open(&format!("{{ // {}", operation_name(operation)));
        self.out.line("std::vector<std::uint32_t> value(size);");
        self.items_left(|w| w.out.line(&format!("value[i] = {};", READER.text(e))));
        let fold = |start: &str, next: String| {
            let head = "for (const std::uint32_t next : value)".to_owned();
            vec![format!("std::uint32_t all = {start};"), head, format!("  all = {next};")]
        };
        let each = |result: &str| match target {
            Target::Variable(variable) => format!("{} = {result};", READER.variable(variable)),
            Target::Uniform(variable) => format!("{} = {result};", UNIFORM_NAMES[variable]),
        };
        let lines = match operation {
            GroupOperation::Any => fold("0", "all | (next & 1)".to_owned()),
            GroupOperation::All => fold("1", "all & next & 1".to_owned()),
            GroupOperation::None => fold("1", "all & ~next & 1".to_owned()),
            GroupOperation::Broadcast(sender) => vec![format!("const std::uint32_t all = value[{sender} % size];")],
            GroupOperation::Reduce(combine) => vec![
                "std::uint32_t all = value[0];".to_owned(),
                OTHERS.to_owned(),
                format!("  all = {};", combined(combine, "all", "value[i]")),
            ],
            GroupOperation::InclusiveScan(combine) => {
                vec![OTHERS.to_owned(), format!("  value[i] = {};", combined(combine, "value[i - 1]", "value[i]"))]
            }
            GroupOperation::ExclusiveScan(combine) => vec![
                "std::uint32_t before = 5;".to_owned(),
                "for (std::uint32_t &next : value)".to_owned(),
                format!("  next = std::exchange(before, {});", combined(combine, "before", "next")),
            ],
            other => unreachable!("{other:?} does not occur in the corpus"),
        };
        lines.iter().for_each(|line| self.out.line(line));
        let scan = matches!(operation, GroupOperation::InclusiveScan(_) | GroupOperation::ExclusiveScan(_));
        match target {
            Target::Uniform(_) => self.out.line(&each("all")),
            Target::Variable(_) => self.items_left(|w| w.out.line(&each(if scan { "value[i]" } else { "all" }))),
        }
        self.out.close("}");
    }

    /// A statement of one item. With `inside`, it is in a loop of the item, where `continue` would
    /// not reach the loop over items.
    fn alone(&mut self, statement: &Statement, inside: bool) {
        match statement {
            Statement::Count(cell, e) => self.count("counters", *cell, e),
            Statement::CountGlobal(cell, e) => self.count("totals", *cell, e),
            Statement::Break(e) => leave(self.out, &READER.text(e), "break;"),
            Statement::Continue(e) => leave(self.out, &READER.text(e), "continue;"),
            Statement::Return(e) => {
                assert!(!inside, "an item leaves from inside a loop");
                self.out.open(&format!("if ({}) {{", READER.text(e)));
                self.out.line("gone[i] = true;");
                self.out.line("continue;");
                self.out.close("}");
            }
            Statement::If { condition, then, otherwise, .. } => {
                self.out.open(&format!("if ({}) {{", READER.text(condition)));
                then.iter().for_each(|s| self.alone(s, inside));
                self.out.close("} else {");
                self.out.depth += 1;
                otherwise.iter().for_each(|s| self.alone(s, inside));
                self.out.close("}");
            }
            Statement::Loop(l) => {
                let end = loop_head(self.out, l, READER, &READER.variable(l.counter));
                l.body.iter().for_each(|s| self.alone(s, true));
                self.out.close(&end);
            }
            other => simple(self.out, other, READER, "group * size + i"),
        }
    }

    fn count(&mut self, cells: &str, cell: usize, e: &Expr) {
        let cell_text = format!("{cells}[{cell}]");
        let value = format!("std::uint32_t({})", READER.text(e));
        self.out.line(&format!("{cell_text} = {};", combined(CELL_OPERATIONS[cell], &cell_text, &value)));
    }

    fn outputs(&mut self) {
        let lines = output_lines(self.kernel, READER, "group * size + i");
        self.items_left(|w| lines.iter().for_each(|line| w.out.line(line)));
    }
}

/// True for statements that all items of a group execute, or leave, together.
fn is_common(statement: &Statement) -> bool {
    match statement {
        Statement::Break(_) | Statement::Continue(_) => true,
        Statement::Return(e) => e.is_uniform(),
        other => other.is_collective(),
    }
}
