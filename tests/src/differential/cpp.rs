//! Writes kernels of the corpus as C++ programs: each as SYCL, beside the plain loop nest of
//! [`super::cpp_reference`].
//!
//! In: entries of the corpus. Out: a header for each as text, and programs that run them.
//! *Invariant:* group operations, types and storage that the corpus does not use are rejected, not
//! written wrong.

use super::{
    cpp_expression::{ARRAY_NAMES, Lines, Reader, UNIFORM_NAMES, VARIABLE_NAMES},
    cpp_reference::reference,
    cpp_statement::{UsedVariables, leave, loop_head, operation_name, output_lines, simple, used_variables, uses},
    interpret::initial_uniforms,
    language::*,
    systematic::Entry,
};

/// The first lines of every file.
const NOTE: &str = "// Written by tests/src/differential/cpp.rs;\n\
                    // SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.";

/// A header with one kernel and its loop nest.
pub fn header(entry: &Entry) -> String {
    let mut out = Lines::default();
    out.line(NOTE);
    out.line(&format!("namespace {} {{\n", entry.name));
    for function in &entry.kernel.functions {
        helper(&mut out, entry, function);
    }
    submit(&mut out, entry);
    out.line("");
    reference(&mut out, &entry.kernel);
    out.line(&format!("\n}} // namespace {}", entry.name));
    out.text
}

/// A program that runs these kernels.
pub fn program(entries: &[Entry]) -> String {
    let mut out = Lines::default();
    out.line(NOTE);
    out.line("#include \"corpus.hpp\"\n");
    for Entry { name, .. } in entries {
        out.line(&format!("#include \"kernels/{name}.hpp\""));
    }
    out.line("");
    out.open("int main() {");
    out.open("return run({");
    for Entry { name, dimensions, .. } in entries {
        out.line(&format!("{{\"{name}\", {dimensions}, {name}::submit, {name}::reference}},"));
    }
    out.close("});");
    out.close("}");
    out.text
}

/// The function that submits the kernel.
fn submit(out: &mut Lines, Entry { dimensions, kernel, .. }: &Entry) {
    out.open("static void submit(sycl::queue &queue, const shape &launch, const memory &data) {");
    let used = uses(kernel);
    let declared = [
        (used.input, "const std::uint32_t *input = data.input;"),
        (used.arguments[0], "const std::uint32_t rounds = data.rounds;"),
        (used.arguments[1], "const std::uint32_t limit = data.limit;"),
        (kernel.uses_array(GLOBAL_ARRAY), "std::uint32_t *all_shared = data.shared;"),
        (used.totals, "std::uint32_t *totals = data.totals;"),
        (true, "std::uint32_t *output = data.output;"),
    ];
    declared.iter().filter(|(used, _)| *used).for_each(|(_, line)| out.line(line));
    out.open("queue.submit([&](sycl::handler &handler) {");
    if kernel.uses_array(0) {
        out.line("const sycl::local_accessor<std::uint32_t> tile(sycl::range<1>(launch.items()), handler);");
    }
    if kernel.uses_cells() {
        out.line("const sycl::local_accessor<std::uint32_t> counters(sycl::range<1>(4), handler);");
    }
    out.open(&format!(
        "handler.parallel_for(launch.nd_range<{dimensions}>(), [=](sycl::nd_item<{dimensions}> item) {{"
    ));
    let mut body = Lines { text: String::new(), depth: out.depth };
    Sycl { out: &mut body, kernel, dimensions: *dimensions }.kernel();
    queries(out, &body.text);
    out.text.push_str(&body.text);
    out.close("});");
    out.close("});");
    out.close("}");
}

/// Declares the results of index queries that `text` uses.
fn queries(out: &mut Lines, text: &str) {
    let known = [
        ("local", "item.get_local_linear_id()"),
        ("size", "item.get_local_range().size()"),
        ("group", "item.get_group_linear_id()"),
    ];
    for (name, query) in known.iter().filter(|(name, _)| mentions(text, name)) {
        out.line(&format!("const auto {name} = static_cast<std::uint32_t>({query});"));
    }
}

fn mentions(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
}

/// A function that the kernel calls.
fn helper(out: &mut Lines, entry: &Entry, function: &Function) {
    let Entry { dimensions, kernel, .. } = entry;
    let mut parameters = format!("const sycl::nd_item<{dimensions}> &item");
    let types =
        ["const sycl::local_accessor<std::uint32_t> &tile", "std::uint32_t (&block)[256]", "std::uint32_t *shared"];
    for (_, ty) in types.iter().enumerate().filter(|(array, _)| kernel.uses_array(*array)) {
        parameters += &format!(", {ty}");
    }
    out.line(&format!("static std::uint32_t helper({parameters},"));
    out.open("                            std::uint32_t value, std::uint32_t count) {");
    let mut body = Lines { text: String::new(), depth: out.depth };
    let mut writer = Sycl { out: &mut body, kernel, dimensions: *dimensions };
    writer.variables(&used_variables(&function.body, Some(&function.result)));
    writer.out.line(&format!("{} = value;", VARIABLE_NAMES[0]));
    writer.out.line(&format!("{} = count;", UNIFORM_NAMES[0]));
    writer.block(&function.body);
    let result = writer.reader().text(&function.result);
    writer.out.line(&format!("return {result};"));
    queries(out, &body.text);
    out.text.push_str(&body.text);
    out.close("}\n");
}

struct Sycl<'w, 'k> {
    out: &'w mut Lines,
    kernel: &'k Kernel,
    dimensions: usize,
}

impl Sycl<'_, '_> {
    fn reader(&self) -> Reader {
        Reader::Item(self.dimensions)
    }

    fn kernel(&mut self) {
        assert!(self.kernel.types == [Type::U32; VARIABLES] && self.kernel.storage == Storage::Requested);
        if self.kernel.uses_array(1) {
            let ask = "sycl::ext::oneapi::group_local_memory_for_overwrite<std::uint32_t[256]>(item.get_group())";
            self.out.line(&format!("auto &block = *{ask};"));
        }
        if self.kernel.uses_array(GLOBAL_ARRAY) {
            self.out.line("std::uint32_t *shared = all_shared + group * size;");
        }
        for array in (0..GLOBAL_ARRAY).filter(|array| self.kernel.uses_array(*array)) {
            self.out.line(&format!("{}[local] = local * 3 + {array};", ARRAY_NAMES[array]));
        }
        if self.kernel.uses_cells() {
            self.out.open("for (std::uint32_t j = 0; local == 0 && j < 4; ++j)");
            self.out.line("counters[j] = 0;");
            self.out.depth -= 1;
        }
        if self.kernel.uses_local_memory() {
            self.out.line("sycl::group_barrier(item.get_group());");
        }
        self.variables(&used_variables(&self.kernel.body, None));
        self.block(&self.kernel.body);
        output_lines(self.kernel, self.reader(), "group * size + local").iter().for_each(|line| self.out.line(line));
    }

    fn variables(&mut self, used: &UsedVariables) {
        for variable in (0..VARIABLES).filter(|variable| used.variables[*variable]) {
            self.out.line(&format!("std::uint32_t {} = {};", VARIABLE_NAMES[variable], variable + 1));
        }
        for variable in (0..UNIFORMS).filter(|variable| used.uniforms[*variable]) {
            self.out.line(&format!("std::uint32_t {} = {};", UNIFORM_NAMES[variable], initial_uniforms()[variable]));
        }
        if used.elements {
            self.out.line("std::uint32_t row[8];");
            self.out.open("for (std::uint32_t j = 0; j < 8; ++j)");
            self.out.line("row[j] = local + j;");
            self.out.depth -= 1;
        }
    }

    fn block(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        let reader = self.reader();
        match statement {
            Statement::AssignUniform(variable, e) => {
                self.out.line(&format!("{} = {};", UNIFORM_NAMES[*variable], reader.text(e)));
            }
            Statement::Count(cell, e) => self.count("local_atomic(counters", *cell, e),
            Statement::CountGlobal(cell, e) => self.count("global_atomic(totals", *cell, e),
            Statement::Barrier => self.out.line("sycl::group_barrier(item.get_group());"),
            Statement::Group(operation, target, e) => {
                let value = group_call(*operation, &reader.text(e));
                self.out.line(&format!("{} = {value};", target_name(*target)));
            }
            Statement::If { condition, then, otherwise, .. } => {
                self.out.open(&format!("if ({}) {{", reader.text(condition)));
                self.block(then);
                self.out.close("} else {");
                self.out.depth += 1;
                self.block(otherwise);
                self.out.close("}");
            }
            Statement::Loop(l) => {
                let counter = if l.uniform { UNIFORM_NAMES[l.counter] } else { VARIABLE_NAMES[l.counter] };
                let end = loop_head(self.out, l, reader, counter);
                self.block(&l.body);
                self.out.close(&end);
            }
            Statement::Break(e) => leave(self.out, &reader.text(e), "break;"),
            Statement::Continue(e) => leave(self.out, &reader.text(e), "continue;"),
            Statement::Return(e) => leave(self.out, &reader.text(e), "return;"),
            Statement::Call(_, target, value, count) => self.call(*target, value, count),
            other => simple(self.out, other, reader, "group * size + local"),
        }
    }

    fn call(&mut self, target: usize, value: &Expr, count: &Expr) {
        let used = (0..ARRAYS).filter(|array| self.kernel.uses_array(*array));
        let arrays: String = used.map(|array| format!(", {}", ARRAY_NAMES[array])).collect();
        let (value, count) = (self.reader().text(value), self.reader().text(count));
        self.out.line(&format!("{} = helper(item{arrays}, {value}, {count});", VARIABLE_NAMES[target]));
    }

    fn count(&mut self, cells: &str, cell: usize, e: &Expr) {
        let operation = match CELL_OPERATIONS[cell] {
            Combine::Plus => "add",
            Combine::Minimum => "min",
            Combine::Maximum => "max",
            Combine::BitAnd => "and",
            Combine::BitOr => "or",
            Combine::BitXor => "xor",
        };
        let value = self.reader().text(e);
        self.out.line(&format!("{cells}[{cell}]).fetch_{operation}({value});"));
    }
}

fn target_name(target: Target) -> &'static str {
    match target {
        Target::Variable(variable) => VARIABLE_NAMES[variable],
        Target::Uniform(variable) => UNIFORM_NAMES[variable],
    }
}

/// A call of a group operation. Votes test for odd values.
fn group_call(operation: GroupOperation, value: &str) -> String {
    let call = |rest: String| format!("sycl::{}(item.get_group(), {rest})", operation_name(operation));
    let plain = format!("std::uint32_t({value})");
    let function = |combine: Combine| match combine {
        Combine::Plus => "sycl::plus<>()",
        Combine::Minimum => "sycl::minimum<>()",
        Combine::Maximum => "sycl::maximum<>()",
        Combine::BitAnd => "sycl::bit_and<>()",
        Combine::BitOr => "sycl::bit_or<>()",
        Combine::BitXor => "sycl::bit_xor<>()",
    };
    match operation {
        GroupOperation::Reduce(c) | GroupOperation::InclusiveScan(c) => call(format!("{plain}, {}", function(c))),
        GroupOperation::ExclusiveScan(c) => call(format!("{plain}, 5u, {}", function(c))),
        GroupOperation::Broadcast(sender) => call(format!("{plain}, {sender} % size")),
        GroupOperation::Any | GroupOperation::All | GroupOperation::None => call(format!("(({value}) & 1u) != 0")),
        other => unreachable!("{other:?} does not occur in the corpus"),
    }
}
