//! Emits a kernel as device IR in the form of clang's unoptimised output: every variable is an
//! `alloca`.
//!
//! In: a kernel that [`super::synchronize`] made. Out: textual IR with the kernel `kernel`.
//! *Invariant:* the parameters are those that [`super::execute`] passes: input, output, arrays,
//! cells, two values.

use super::{interpret::initial_uniforms, language::*};
use std::fmt::Write as _;

/// Parameters of every function.
const PARAMETERS: &str = "ptr %input, ptr %output, ptr %arrays, ptr %cells, i32 %argument.0, i32 %argument.1";

/// Options that do not change the result of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// True if local memory is accessed through generic pointers.
    pub generic_pointers: bool,
    /// Passes that are run on the image before its translation.
    pub passes: Option<&'static str>,
}

/// The IR of a kernel.
pub fn emit(kernel: &Kernel, style: Style) -> String {
    let mut text = PRELUDE.to_owned();
    for (number, function) in kernel.functions.iter().enumerate() {
        let mut writer = Writer::new(kernel, style, true);
        writer.function_body(function);
        let parameters = format!("i32 %value, i32 %count, {PARAMETERS}, ptr addrspace(3) %requested");
        let _ = writeln!(text, "define internal i32 @function.{number}({parameters}) #0 {{\n{}}}\n", writer.finish());
    }
    let mut writer = Writer::new(kernel, style, false);
    writer.kernel_body();
    let _ = writeln!(text, "define void @kernel({PARAMETERS}) #0 {{\n{}}}", writer.finish());
    text
}

/// State while one function is emitted.
pub(super) struct Writer<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) style: Style,
    /// True for a function with a result, false for the kernel.
    is_function: bool,
    entry: String,
    pub(super) text: String,
    numbers: u32,
    /// Target blocks of `break` and `continue`, innermost last.
    loops: Vec<(String, String)>,
}

impl<'k> Writer<'k> {
    fn new(kernel: &'k Kernel, style: Style, is_function: bool) -> Self {
        Writer { kernel, style, is_function, entry: String::new(), text: String::new(), numbers: 0, loops: Vec::new() }
    }

    fn finish(self) -> String {
        format!("entry:\n{}{}", self.entry, self.text)
    }

    fn kernel_body(&mut self) {
        self.requested_memory();
        self.variables();
        if self.kernel.uses_local_memory() {
            self.fill_local_memory();
        }
        self.block(&self.kernel.body);
        for variable in 0..VARIABLES {
            let value = self.load_variable(variable);
            self.store_output(OUTPUTS + variable, &value);
        }
        for variable in 0..UNIFORMS {
            let value = self.value(&Expr::Uniform(variable));
            self.store_output(OUTPUTS + VARIABLES + variable, &value);
        }
        self.line("br label %exit");
        self.line_outdented("exit:");
        self.line("ret void");
    }

    fn function_body(&mut self, function: &Function) {
        self.variables();
        self.store_variable(0, "%value");
        self.line("store i32 %count, ptr %uniform.0");
        self.block(&function.body);
        self.line("br label %exit");
        self.line_outdented("exit:");
        let result = self.value(&function.result);
        self.line(&format!("ret i32 {result}"));
    }

    /// Address of the second array, unless it is a static variable of the image.
    fn requested_memory(&mut self) {
        let call = match self.kernel.storage {
            _ if !self.kernel.uses_array(1) => "getelementptr i8, ptr addrspace(3) null, i64 0".to_owned(),
            Storage::Static => "getelementptr i8, ptr addrspace(3) @tile.1, i64 0".to_owned(),
            Storage::Dynamic => "call ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()".to_owned(),
            Storage::Requested => {
                format!("call ptr addrspace(3) @__sinter_local_memory(i64 {}, i64 64)", 4 * MAX_GROUP)
            }
        };
        self.line(&format!("%requested = {call}"));
    }

    fn variables(&mut self) {
        for variable in 0..VARIABLES {
            let ty = llvm_type(self.kernel.types[variable]);
            let _ = writeln!(self.entry, "  %variable.{variable} = alloca {ty}");
        }
        let _ = writeln!(self.entry, "  %elements = alloca [{ELEMENTS} x i32]");
        for (variable, value) in initial_uniforms().iter().enumerate() {
            let _ = writeln!(self.entry, "  %uniform.{variable} = alloca i32");
            self.line(&format!("store i32 {value}, ptr %uniform.{variable}"));
        }
        for variable in 0..VARIABLES {
            self.store_variable(variable, &(variable + 1).to_string());
        }
        let position = self.value(&Expr::LocalLinear);
        for element in 0..ELEMENTS {
            let value = self.assign(&format!("add i32 {position}, {element}"));
            let place = self.assign(&format!("getelementptr [{ELEMENTS} x i32], ptr %elements, i32 0, i32 {element}"));
            self.line(&format!("store i32 {value}, ptr {place}"));
        }
    }

    fn fill_local_memory(&mut self) {
        let position = self.value(&Expr::LocalLinear);
        for array in (0..GLOBAL_ARRAY).filter(|array| self.kernel.uses_array(*array)) {
            let three = self.assign(&format!("mul i32 {position}, 3"));
            let value = self.assign(&format!("add i32 {three}, {array}"));
            let (place, pointer) = self.slot(array, &position);
            self.line(&format!("store i32 {value}, {pointer} {place}"));
        }
        if self.kernel.uses_cells() {
            self.clear_cells(&position);
        }
        self.barrier();
    }

    fn clear_cells(&mut self, position: &str) {
        let first = self.assign(&format!("icmp eq i32 {position}, 0"));
        let (leader, everyone) = (self.label("leader"), self.label("everyone"));
        self.line(&format!("br i1 {first}, label %{leader}, label %{everyone}"));
        self.line_outdented(&format!("{leader}:"));
        for cell in 0..CELLS {
            let (place, pointer) = self.cell(cell);
            self.line(&format!("store i32 0, {pointer} {place}"));
        }
        self.branch_to(&everyone);
    }

    fn barrier(&mut self) {
        self.line("call void @__acpp_sscp_work_group_barrier(i32 2, i32 4)");
    }

    fn block(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(variable, e) => {
                let value = self.value(e);
                self.store_variable(*variable, &value);
            }
            Statement::AssignElement(index, e) => {
                let place = self.element(index);
                let value = self.value(e);
                self.line(&format!("store i32 {value}, ptr {place}"));
            }
            Statement::AssignUniform(variable, e) => {
                let value = self.value(e);
                self.line(&format!("store i32 {value}, ptr %uniform.{variable}"));
            }
            Statement::StoreOwn(array, e) => self.store_slot(*array, None, e),
            Statement::StorePermuted(array, permutation, e) => self.store_slot(*array, Some(*permutation), e),
            Statement::Output(number, e) => {
                let value = self.value(e);
                self.store_output(*number, &value);
            }
            Statement::Count(cell, e) => {
                let (place, pointer) = self.cell(*cell);
                self.count(*cell, &format!("{pointer} {place}"), e);
            }
            Statement::CountGlobal(cell, e) => {
                let place = self.assign(&format!("getelementptr i32, ptr %cells, i32 {cell}"));
                self.count(*cell, &format!("ptr {place}"), e);
            }
            Statement::Barrier => self.barrier(),
            Statement::Group(operation, target, e) => self.group_operation(*operation, *target, e),
            Statement::SubGroup(operation, variable, e) => self.sub_group_operation(*operation, *variable, e),
            Statement::If { condition, then, otherwise, .. } => {
                let condition = self.condition(condition);
                self.choose(&condition, then, otherwise);
            }
            Statement::Vote { all, condition, then, otherwise } => {
                let own = self.condition(condition);
                let vote = self.vote_of_sub_group(if *all { "all" } else { "any" }, &own);
                self.choose(&vote, then, otherwise);
            }
            Statement::Switch(e, blocks) => self.switch(e, blocks),
            Statement::Loop(l) => self.counted_loop(l, false),
            Statement::Rounds(l) => self.counted_loop(l, true),
            Statement::Break(e) => self.leave(e, |w| w.loops[w.loops.len() - 1].0.clone()),
            Statement::BreakTwo(e) => self.leave(e, |w| w.loops[w.loops.len() - 2].0.clone()),
            Statement::Continue(e) => self.leave(e, |w| w.loops[w.loops.len() - 1].1.clone()),
            Statement::Return(e) => self.leave(e, |w| if w.is_function { "exit" } else { "gone" }.to_owned()),
            Statement::Call(function, target, value, count) => self.call(*function, *target, value, count),
        }
    }

    fn store_slot(&mut self, array: usize, permutation: Option<Permutation>, e: &Expr) {
        let value = self.value(e);
        let (position, size) = (self.value(&Expr::LocalLinear), self.value(&Expr::GroupSize));
        let slot = match permutation {
            None => position,
            Some(Permutation::Reverse) => {
                let last = self.assign(&format!("sub i32 {size}, 1"));
                self.assign(&format!("sub i32 {last}, {position}"))
            }
            Some(Permutation::Rotate(steps)) => {
                let moved = self.assign(&format!("add i32 {position}, {steps}"));
                self.assign(&format!("urem i32 {moved}, {size}"))
            }
        };
        let (place, pointer) = self.slot(array, &slot);
        self.line(&format!("store i32 {value}, {pointer} {place}"));
    }

    fn store_output(&mut self, number: usize, value: &str) {
        let item = self.assign("call i32 @global_linear()");
        let row = self.assign(&format!("mul i32 {item}, {OUTPUT_STRIDE}"));
        let index = self.assign(&format!("add i32 {row}, {number}"));
        let place = self.assign(&format!("getelementptr i32, ptr %output, i32 {index}"));
        self.line(&format!("store i32 {value}, ptr {place}"));
    }

    fn count(&mut self, cell: usize, place: &str, e: &Expr) {
        let value = self.value(e);
        let operation = match CELL_OPERATIONS[cell] {
            Combine::Plus => "add",
            Combine::Minimum => "umin",
            Combine::Maximum => "umax",
            Combine::BitAnd => "and",
            Combine::BitOr => "or",
            Combine::BitXor => "xor",
        };
        self.assign(&format!("atomicrmw {operation} {place}, i32 {value} seq_cst"));
    }

    fn call(&mut self, function: usize, target: usize, value: &Expr, count: &Expr) {
        let (value, count) = (self.value(value), self.value(count));
        let rest = format!("{PARAMETERS}, ptr addrspace(3) %requested");
        let result = self.assign(&format!("call i32 @function.{function}(i32 {value}, i32 {count}, {rest})"));
        self.store_variable(target, &result);
    }

    /// Branches to an exit; an item that returns skips the writes at the end.
    fn leave(&mut self, condition: &Expr, to: impl Fn(&Self) -> String) {
        let condition = self.condition(condition);
        let (leave, stay) = (self.label("leave"), self.label("stay"));
        self.line(&format!("br i1 {condition}, label %{leave}, label %{stay}"));
        self.line_outdented(&format!("{leave}:"));
        match to(self).as_str() {
            "gone" => self.line("ret void"),
            to => self.line(&format!("br label %{to}")),
        }
        self.line_outdented(&format!("{stay}:"));
    }

    fn choose(&mut self, condition: &str, then: &[Statement], otherwise: &[Statement]) {
        let (yes, no, end) = (self.label("then"), self.label("else"), self.label("end"));
        self.line(&format!("br i1 {condition}, label %{yes}, label %{no}"));
        self.line_outdented(&format!("{yes}:"));
        self.block(then);
        self.line(&format!("br label %{end}"));
        self.line_outdented(&format!("{no}:"));
        self.block(otherwise);
        self.branch_to(&end);
    }

    fn switch(&mut self, e: &Expr, blocks: &[Vec<Statement>]) {
        let value = self.value(e);
        let number = self.assign(&format!("urem i32 {value}, {}", blocks.len() + 1));
        let end = self.label("end");
        let labels: Vec<String> = blocks.iter().map(|_| self.label("case")).collect();
        let cases = labels.iter().enumerate().map(|(case, label)| format!("i32 {case}, label %{label}"));
        let cases = cases.collect::<Vec<_>>().join(" ");
        self.line(&format!("switch i32 {number}, label %{end} [{cases}]"));
        for (label, block) in labels.iter().zip(blocks) {
            self.line_outdented(&format!("{label}:"));
            self.block(block);
            self.line(&format!("br label %{end}"));
        }
        self.line_outdented(&format!("{end}:"));
    }

    /// A loop of an item, or one that each sub-group leaves together.
    fn counted_loop(&mut self, l: &Loop, of_sub_group: bool) {
        let round = format!("%{}", self.label("round"));
        let _ = writeln!(self.entry, "  {round} = alloca i32");
        let count = self.value(&l.count);
        self.line(&format!("store i32 0, ptr {round}"));
        let [test, body, step, end] = ["test", "body", "step", "end"].map(|name| self.label(name));
        let first = if l.do_while { &body } else { &test };
        self.line(&format!("br label %{first}"));
        self.line_outdented(&format!("{test}:"));
        let now = self.assign(&format!("load i32, ptr {round}"));
        let more = self.assign(&format!("icmp ult i32 {now}, {count}"));
        let more = if of_sub_group { self.vote_of_sub_group("any", &more) } else { more };
        self.line(&format!("br i1 {more}, label %{body}, label %{end}"));
        self.line_outdented(&format!("{body}:"));
        let now = self.assign(&format!("load i32, ptr {round}"));
        if l.uniform {
            self.line(&format!("store i32 {now}, ptr %uniform.{}", l.counter));
        } else {
            self.store_variable(l.counter, &now);
        }
        self.loops.push((end.clone(), step.clone()));
        self.block(&l.body);
        self.loops.pop();
        self.branch_to(&step);
        let now = self.assign(&format!("load i32, ptr {round}"));
        let next = self.assign(&format!("add i32 {now}, 1"));
        self.line(&format!("store i32 {next}, ptr {round}"));
        self.line(&format!("br label %{test}"));
        self.line_outdented(&format!("{end}:"));
    }

    /// Emits an instruction with a result.
    pub(super) fn assign(&mut self, instruction: &str) -> String {
        self.numbers += 1;
        let name = format!("%v{}", self.numbers);
        let _ = writeln!(self.text, "  {name} = {instruction}");
        name
    }

    fn label(&mut self, name: &str) -> String {
        self.numbers += 1;
        format!("{name}.{}", self.numbers)
    }

    pub(super) fn line(&mut self, instruction: &str) {
        let _ = writeln!(self.text, "  {instruction}");
    }

    fn line_outdented(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}");
    }

    fn branch_to(&mut self, label: &str) {
        self.line(&format!("br label %{label}"));
        self.line_outdented(&format!("{label}:"));
    }
}

/// The IR type of a private variable.
pub(super) fn llvm_type(ty: Type) -> &'static str {
    match ty {
        Type::U8 => "i8",
        Type::U16 => "i16",
        Type::U32 => "i32",
        Type::U64 => "i64",
        Type::F32 => "float",
        Type::Vector => "<4 x i32>",
    }
}

/// Local memory, builtins and the functions that every kernel may call.
const PRELUDE: &str = include_str!("prelude.ll");
