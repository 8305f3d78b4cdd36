//! Kernels that call builtins with every combination of constants.

use sinter_kernels::table::Builtin;
use std::fmt::Write;

/// Values of the parameters that are constants in programs.
fn choices(parameter: &str) -> &'static [&'static str] {
    match parameter {
        "order" => &["relaxed", "acquire", "release", "acq_rel", "seq_cst"],
        "scope" => &["work_item", "sub_group", "work_group", "device", "system"],
        "space" => &["global", "local", "generic"],
        "operation" => &["plus", "multiply", "min", "max", "bit_and", "bit_or", "bit_xor", "logical_and", "logical_or"],
        _ => &[],
    }
}

/// Every combination of constants of a function, as source code of the arguments. A failure order
/// follows the success order, and the first two scopes are used only if the order is the only other
/// constant.
fn arguments(builtin: &Builtin) -> Vec<Vec<String>> {
    let is_atomic = builtin.parameters.contains(&"space");
    let mut lists = vec![Vec::new()];
    for (index, parameter) in builtin.parameters.iter().enumerate() {
        let constants = choices(parameter);
        let constants = if is_atomic && *parameter == "scope" { &constants[2..] } else { constants };
        let words: Vec<String> = match constants {
            [] if is_opaque(builtin, parameter) => vec![format!("({parameter})a{index}")],
            [] => vec![format!("a{index}")],
            _ if index == 2 && *parameter == "order" => vec!["order::acquire".to_owned()],
            _ => constants.iter().map(|constant| format!("{parameter}::{constant}")).collect(),
        };
        lists = lists
            .iter()
            .flat_map(|list| words.iter().map(|word| [&list[..], std::slice::from_ref(word)].concat()))
            .collect();
    }
    lists
}

/// True if a pointer is cast from a number, so that its address space is unknown: a kernel
/// parameter cannot point to local memory.
fn is_opaque(builtin: &Builtin, parameter: &str) -> bool {
    builtin.parameters.contains(&"space") && parameter.ends_with('*')
}

/// One kernel for each combination of constants.
pub(crate) fn kernels(builtin: &Builtin) -> String {
    let variables = builtin.parameters.iter().enumerate().filter(|(_, parameter)| choices(parameter).is_empty());
    let declaration = |(index, word): (usize, &&str)| {
        let word = if is_opaque(builtin, word) { "u64" } else { word };
        format!("{} a{index}", word.replace("char", "const char "))
    };
    let variables: Vec<String> = variables.map(declaration).collect();
    let mut text = String::new();
    for (number, list) in arguments(builtin).iter().enumerate() {
        let call = format!("{}({})", builtin.name, list.join(", "));
        let (result, body) = match builtin.result {
            "void" => (None, call),
            result => (Some(format!("{result} *result")), format!("*result = {call}")),
        };
        let parameters: Vec<String> = result.into_iter().chain(variables.iter().cloned()).collect();
        writeln!(text, "KERNEL void {}__{number}({}) {{ {body}; }}", builtin.name, parameters.join(", ")).unwrap();
    }
    text
}
