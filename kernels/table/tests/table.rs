//! A line of the table that means nothing is an error with its number.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]
#![allow(dead_code, reason = "the constants are written by the build")]

#[path = "../build/constants.rs"]
mod constants;
#[path = "../build/table.rs"]
mod table;

use table::Table;

const HEAD: &str =
    "# A comment\ngroup | name | types | signature | attributes | c | llvm | sycl | bound | host | ptx\n";

fn reason(line: &str) -> String {
    Table::parse(&format!("{HEAD}\n{line}\n")).unwrap_err().to_string()
}

fn constants_of(line: &str) -> String {
    constants::write(&Table::parse(&format!("{HEAD}{line}\n")).unwrap())
}

#[test]
fn words_and_types_are_expanded() {
    let line = "g | {a,b}_{T}_{x,y} | f32 i64 | T(T*, i32) | convergent | | | | | library | refused: no reason";
    let table = Table::parse(&format!("{HEAD}{line}\n")).unwrap();
    let builtins = table.families[0].builtins();
    assert_eq!([&builtins[0].name, &builtins[1].name], ["__acpp_sscp_a_f32_x", "__acpp_sscp_a_i64_x"]);
    assert_eq!((builtins.len(), builtins[7].name.as_str()), (8, "__acpp_sscp_b_i64_y"));
    assert_eq!((builtins[7].result.as_str(), builtins[7].parameters[0].as_str()), ("i64", "i64*"));
    assert!(constants_of(line).contains("Provider::Refused(\"no reason\")"));
}

#[test]
fn the_columns_of_a_function_are_read() {
    let text =
        constants_of("g | {a,b}_{T} | f32 | T(T) | pure exact | = other | = | = scalar | 4 in -1..1 | library | libc");
    assert!(text.contains("name: \"b\", c: &[\"b\", \"other\"], llvm: Some(Llvm::Intrinsic(\"llvm.b\"))"), "{text}");
    assert!(
        text.contains("ulps: Some(\"4\"), interval: [\"-1\", \"1\"]") && text.contains("Origin::Intrinsic"),
        "{text}"
    );
    let text = constants_of("g | a_{T} | f32 | i32(T) | | | class 0x204 | test | any in 0..1");
    assert!(
        text.contains("Llvm::Class(0x204)") && text.contains("ulps: None") && text.contains("providers: &[]"),
        "{text}"
    );
    assert!(text.ends_with("BUILTINS: &[Builtin] = &[];\n"), "{text}");
}

#[test]
fn a_bad_line_is_named() {
    assert_eq!(
        reason("g | f | | u32() | | library"),
        "builtins.txt, line 4: 6 columns instead of 11, or 9 for what is no builtin"
    );
    let line = |name: &str, signature: &str, attributes: &str, rest: &str| {
        reason(&format!("g | {name} | | {signature} | {attributes} | {rest} | library | library"))
    };
    assert!(line("f", "u33()", "", "| | |").ends_with("`u33` is no type"));
    assert!(line("f", "u32", "", "| | |").ends_with("`u32` is no signature"));
    assert!(line("f", "u32()", "fast", "| | |").contains("`fast` is no attribute"));
    assert!(line("f_{T}", "u32()", "", "| | |").contains("exactly if there are types"));
    assert!(line("f", "u32()", "", "= | | |").contains("a name that ends in _{T}"));
    assert!(line("f", "u32()", "", "| | = vec |").contains("`vec` is no word of the column sycl"));
    assert!(line("f", "u32()", "", "| | | 4").contains("`4` is no bound"));
    assert!(line("f", "u32()", "", "| | | four in 0..1").contains("is no bound"));
    assert!(reason("g | f | | u32() | | | | | | library | somebody").contains("`somebody` is not library"));
}
