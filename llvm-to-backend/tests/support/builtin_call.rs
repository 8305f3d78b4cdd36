//! Calls of builtins with values from memory, as textual IR.
//!
//! *Invariant:* a parameter with few valid values gets a constant; every other value is unknown.

use crate::ir_type::ir_type;
use sinter_kernels::table::Builtin;
use std::collections::BTreeSet;

/// Constants of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The least of each type. The address space is global memory.
    Least,
    /// The greatest of each type. The address space is the generic one, but the address comes from
    /// memory, which holds none of local memory.
    Greatest,
    /// The least of each type, but atomics are on local memory.
    #[allow(dead_code, reason = "the tests of one target use it")]
    Local,
}

impl Choice {
    fn constant(self, ty: &str) -> Option<u32> {
        let [least, greatest, local] = match ty {
            "operation" => [0, 7, 0],
            "order" => [0, 4, 0],
            "scope" => [1, 4, 2],
            "space" => [0, 4, 1],
            _ => return None,
        };
        Some([least, greatest, local][self as usize])
    }
}

/// Kernel `k`, with the calls that were added.
#[derive(Debug, Default)]
pub(crate) struct Kernel {
    declarations: BTreeSet<String>,
    body: String,
    calls: usize,
}

impl Kernel {
    /// Adds a call of the builtin.
    pub(crate) fn call(&mut self, builtin: &Builtin, choice: Choice) {
        let number = self.calls;
        self.calls += 1;
        let (mut types, mut arguments) = (Vec::new(), Vec::new());
        for (index, parameter) in builtin.parameters.iter().enumerate() {
            let ty = ir_type(parameter);
            types.push(ty);
            let value = match choice.constant(parameter) {
                Some(constant) => constant.to_string(),
                None if *parameter == "char*" => "@text".to_owned(),
                // The size and the alignment.
                None if builtin.name == "__sinter_local_memory" => "16".to_owned(),
                None if choice == Choice::Local && is_object(builtin, index) => self.local(number),
                None => self.load(ty, number, index),
            };
            arguments.push(format!("{ty} {value}"));
        }
        let (result, types, arguments) = (ir_type(builtin.result), types.join(", "), arguments.join(", "));
        self.declarations.insert(format!("declare {result} @{}({types})\n", builtin.name));
        let call = format!("call {result} @{}({arguments})", builtin.name);
        self.body += &match result {
            "void" => format!("  {call}\n"),
            _ => format!("  %r{number} = {call}\n  store {result} %r{number}, ptr %o\n"),
        };
    }

    /// A value from memory.
    fn load(&mut self, ty: &str, number: usize, index: usize) -> String {
        self.body += &format!("  %v{number}.{index} = load {ty}, ptr %p\n");
        format!("%v{number}.{index}")
    }

    /// An address of local memory.
    fn local(&mut self, number: usize) -> String {
        self.declarations.insert("declare ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()\n".to_owned());
        self.body += &format!(
            "  %l{number} = call ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()\n  \
             %g{number} = addrspacecast ptr addrspace(3) %l{number} to ptr\n"
        );
        format!("%g{number}")
    }

    pub(crate) fn text(&self) -> String {
        let declarations: String = self.declarations.iter().map(String::as_str).collect();
        format!(
            "@text = private constant [5 x i8] c\"text\\00\"\n{declarations}\
             define void @k(ptr %p, ptr %o) {{\n{}  ret void\n}}\n",
            self.body
        )
    }
}

/// True for the pointer to the object of an atomic operation.
fn is_object(builtin: &Builtin, index: usize) -> bool {
    let first = builtin.parameters.iter().position(|parameter| parameter.ends_with('*'));
    builtin.parameters.contains(&"space") && first == Some(index)
}
