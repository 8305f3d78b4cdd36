//! C++ for statements, and for the variables and outputs of a kernel, that SYCL code and the plain
//! loop nest share.
//!
//! In: parts of a kernel. Out: lines of C++. *Invariant:* the text depends on the reader only where
//! it names values.

use super::{
    cpp_expression::{ARGUMENT_NAMES, ARRAY_NAMES, Lines, Reader, UNIFORM_NAMES},
    language::*,
};

/// The SYCL function for a group operation.
pub(super) fn operation_name(operation: GroupOperation) -> &'static str {
    match operation {
        GroupOperation::Reduce(_) => "reduce_over_group",
        GroupOperation::InclusiveScan(_) => "inclusive_scan_over_group",
        GroupOperation::ExclusiveScan(_) => "exclusive_scan_over_group",
        GroupOperation::Broadcast(_) => "group_broadcast",
        GroupOperation::Any => "any_of_group",
        GroupOperation::All => "all_of_group",
        GroupOperation::None => "none_of_group",
        GroupOperation::ShiftLeft(_) => "shift_group_left",
        GroupOperation::ShiftRight(_) => "shift_group_right",
        GroupOperation::Permute(_) => "permute_group_by_xor",
        GroupOperation::SelectReverse | GroupOperation::Select => "select_from_group",
        GroupOperation::Ballot => unreachable!("a ballot does not occur in the corpus"),
    }
}

/// Opens a loop; returns the line that closes it.
pub(super) fn loop_head(out: &mut Lines, l: &Loop, reader: Reader, counter: &str) -> String {
    let count = reader.text(&l.count);
    let count = if matches!(l.count, Expr::Binary(..)) { format!("({count})") } else { count };
    if l.do_while {
        out.line(&format!("{counter} = 0;"));
        out.open("do {");
        return format!("}} while (++{counter} < {count});");
    }
    out.open(&format!("for ({counter} = 0; {counter} < {count}; ++{counter}) {{"));
    "}".to_owned()
}

/// Leaves a loop or function if a condition holds.
pub(super) fn leave(out: &mut Lines, condition: &str, how: &str) {
    out.open(&format!("if ({condition})"));
    out.line(how);
    out.depth -= 1;
}

/// A statement with the same text in a SYCL kernel and a loop nest.
pub(super) fn simple(out: &mut Lines, statement: &Statement, reader: Reader, global: &str) {
    let line = match statement {
        Statement::Assign(variable, e) => format!("{} = {};", reader.variable(*variable), reader.text(e)),
        Statement::AssignElement(index, e) => format!("{} = {};", reader.element(index), reader.text(e)),
        Statement::StoreOwn(array, e) => {
            format!("{}[{}] = {};", ARRAY_NAMES[*array], reader.position(), reader.text(e))
        }
        Statement::StorePermuted(array, permutation, e) => {
            let slot = match permutation {
                Permutation::Reverse => format!("size - 1 - {}", reader.position()),
                Permutation::Rotate(steps) => format!("({} + {steps}) % size", reader.position()),
            };
            format!("{}[{slot}] = {};", ARRAY_NAMES[*array], reader.text(e))
        }
        Statement::Output(number, e) => {
            format!("output[({global}) * {OUTPUT_STRIDE} + {number}] = {};", reader.text(e))
        }
        other => unreachable!("{other:?} is written by the caller"),
    };
    out.line(&line);
}

/// The lines that write an item's variables to the output, at the end.
pub(super) fn output_lines(kernel: &Kernel, reader: Reader, global: &str) -> Vec<String> {
    let used = used_variables(&kernel.body, None);
    let private = (0..VARIABLES).filter(|v| used.variables[*v]).map(|v| (OUTPUTS + v, reader.variable(v)));
    let shared = (0..UNIFORMS).filter(|v| used.uniforms[*v]);
    let shared = shared.map(|v| (OUTPUTS + VARIABLES + v, UNIFORM_NAMES[v].to_owned()));
    let line = |(place, name): (usize, String)| format!("output[({global}) * {OUTPUT_STRIDE} + {place}] = {name};");
    private.chain(shared).map(line).collect()
}

/// Parts of its launch that a kernel uses.
pub(super) struct Uses {
    pub(super) input: bool,
    pub(super) arguments: [bool; ARGUMENT_NAMES.len()],
    pub(super) totals: bool,
}

/// Determines the uses of a kernel.
pub(super) fn uses(kernel: &Kernel) -> Uses {
    let mut uses = Uses { input: false, arguments: [false; 2], totals: false };
    let mut look = |e: &Expr| match e {
        Expr::Input(_) => uses.input = true,
        Expr::Argument(number) => uses.arguments[*number] = true,
        _ => {}
    };
    kernel.statements(&mut |s| s.expressions().into_iter().for_each(|e| e.visit(&mut look)));
    kernel.statements(&mut |s| uses.totals |= matches!(s, Statement::CountGlobal(..)));
    uses
}

/// The variables of a body.
#[derive(Default)]
pub(super) struct UsedVariables {
    pub(super) variables: [bool; VARIABLES],
    pub(super) uniforms: [bool; UNIFORMS],
    pub(super) elements: bool,
}

/// Determines the variables that a body, and the result of a function, use. A function's arguments
/// are always used.
pub(super) fn used_variables(body: &[Statement], result: Option<&Expr>) -> UsedVariables {
    let mut used = UsedVariables::default();
    (used.variables[0], used.uniforms[0]) = (result.is_some(), result.is_some());
    let mut look = |e: &Expr| match e {
        Expr::Variable(variable) => used.variables[*variable] = true,
        Expr::Uniform(variable) => used.uniforms[*variable] = true,
        Expr::Element(_) => used.elements = true,
        _ => {}
    };
    result.into_iter().for_each(|e| e.visit(&mut look));
    body.iter().for_each(|s| s.visit(&mut |s| s.expressions().into_iter().for_each(|e| e.visit(&mut look))));
    body.iter().for_each(|s| s.visit(&mut |s| used.note(s)));
    used
}

impl UsedVariables {
    fn note(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(variable, _) | Statement::Call(_, variable, ..) => self.variables[*variable] = true,
            Statement::Group(_, Target::Variable(variable), _) => self.variables[*variable] = true,
            Statement::Group(_, Target::Uniform(variable), _) | Statement::AssignUniform(variable, _) => {
                self.uniforms[*variable] = true;
            }
            Statement::Loop(Loop { uniform: true, counter, .. }) => self.uniforms[*counter] = true,
            Statement::Loop(Loop { counter, .. }) => self.variables[*counter] = true,
            Statement::AssignElement(..) => self.elements = true,
            _ => {}
        }
    }
}
