//! A line of the table that means nothing is an error with its number.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]
#![allow(dead_code, reason = "the generators are used by the build")]

#[path = "../build/table.rs"]
mod table;

use table::Table;

const HEAD: &str = "# A comment\ngroup | name | types | signature | attributes | host | ptx\n";

fn reason(line: &str) -> String {
    Table::parse(&format!("{HEAD}\n{line}\n")).unwrap_err().to_string()
}

#[test]
fn words_and_types_are_expanded() {
    let line = "g | {a,b}_{T}_{x,y} | f32 i64 | T(T*, i32) | convergent | library | refused: no reason";
    let table = Table::parse(&format!("{HEAD}{line}\n")).unwrap();
    let names: Vec<String> = table.functions().map(|function| function.name).collect();
    assert_eq!(names[..2], ["__acpp_sscp_a_f32_x", "__acpp_sscp_a_i64_x"]);
    assert_eq!((names.len(), names[7].as_str()), (8, "__acpp_sscp_b_i64_y"));
    let declarations = table.declarations();
    assert!(declarations.contains("extern \"C\" __attribute__((convergent)) i64 __acpp_sscp_a_i64_y(i64*, i32);"));
    assert!(table.constants().contains("Provider::Refused(\"no reason\")"));
}

#[test]
fn a_bad_line_is_named() {
    assert_eq!(reason("g | f | | u32() | | library"), "builtins.txt, line 4: 6 columns instead of 7");
    assert!(reason("g | f | | u33() | | library | library").ends_with("`u33` is no type"));
    assert!(reason("g | f | | u32 | | library | library").ends_with("`u32` is no signature"));
    assert!(reason("g | f | | u32() | fast | library | library").contains("`fast` is no attribute"));
    assert!(reason("g | f | | u32() | | library | somebody").contains("`somebody` is not library"));
    assert!(reason("g | f_{T} | | u32() | | library | library").contains("exactly if there are types"));
}
