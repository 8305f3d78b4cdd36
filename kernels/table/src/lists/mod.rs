//! C++ that is made of the table: declarations, and lists that macros are applied to.
//!
//! In: the constants of the table. Out: text of headers. *Invariant:* a list is a macro `LIST(X)` of calls `X(name)`,
//! and it is there for every form of function, also where it is empty.

mod library;
mod page;
mod sycl;
mod test_lists;

pub use library::library;
pub use page::page;
pub use sycl::{declarations, function_lists};
pub use test_lists::{measured, tested};

use crate::{FUNCTIONS, Function, Shape};

/// The first line of what is generated.
const ORIGIN: &str = "// Made of kernels/builtins/table/builtins.txt.";
/// Columns of a line.
const WIDTH: usize = 118;

/// `#define NAME(X)` with the calls, in lines.
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

/// One list for each of these forms, of the functions that are chosen.
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
