//! Generates C++ from the table: declarations, and X-macro lists.
//!
//! In: the constants of the table. Out: the content of headers. *Invariant:* a list is a macro
//! `LIST(X)` of calls `X(name)`, and it exists for every shape, even if it is empty.

mod library;
mod page;
mod sycl;
mod test_lists;

pub use library::library;
pub use page::page;
pub use sycl::{declarations, function_lists};
pub use test_lists::{measured, tested};

use crate::{FUNCTIONS, Function, Shape};

/// First line of the generated files.
const ORIGIN: &str = "// Made of kernels/builtins/table/builtins.txt.";
/// Line width of the generated files.
const WIDTH: usize = 118;

/// `#define NAME(X)` with the calls, wrapped to lines.
fn list(name: &str, calls: impl IntoIterator<Item = String>) -> String {
    let (mut text, mut column) = (format!("#define {name}(X)"), WIDTH);
    for call in calls {
        if column + call.len() + 3 > WIDTH {
            text += " \\\n ";
            column = 1;
        }
        column += call.len() + 1;
        text = text + " " + &call;
    }
    text + "\n"
}

/// One list for each of these shapes, of the selected functions.
fn lists(prefix: &str, shapes: &[Shape], chosen: impl Fn(&Function) -> bool) -> String {
    let of_shape = |shape: &Shape| {
        let functions = FUNCTIONS.iter().filter(|function| function.shape() == Some(*shape) && chosen(function));
        list(&format!("{prefix}_{}", shape.word()), functions.map(|function| format!("X({})", function.name)))
    };
    shapes.iter().map(of_shape).collect()
}

#[cfg(test)]
mod tests {
    use super::list;

    #[test]
    fn lists_are_broken_into_lines() {
        let calls = (0..30).map(|number| format!("X(function{number})"));
        let text = list("ALL", calls);
        assert!(
            text.starts_with("#define ALL(X) \\\n  X(function0) X(function1)") && text.ends_with("X(function29)\n")
        );
        assert!(text.lines().all(|line| line.len() <= 120) && text.matches("X(f").count() == 30, "{text}");
        assert_eq!(list("NONE", []), "#define NONE(X)\n");
    }
}
