//! The call graph, recorded before inlining removes calls.
//!
//! In: a module. Out: names only. *Invariant:* the graph is a plain value; it still has the path
//! from the kernel to a symbol after the functions in between are inlined.

use sinter_core::names::readable;
use sinter_llvm::{Module, ir::Value};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Symbol prefixes of functions in `sycl::detail` (Itanium C++ ABI, 5.1.2).
const INTERNAL: [&str; 2] = ["_ZN4sycl6detail", "_ZNK4sycl6detail"];

/// One reference from a function to another.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reference {
    to: String,
    location: Option<String>,
}

/// The references of each defined function, by its symbol.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallGraph(BTreeMap<String, Vec<Reference>>);

/// The path from the kernel to a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Route {
    /// Readable names of the functions on the path, the kernel first, without those inside the SYCL
    /// headers, which are the same for every kernel.
    pub(crate) chain: Vec<String>,
    /// `file:line` of the last reference on the path.
    pub(crate) location: Option<String>,
}

impl CallGraph {
    /// Adds the references of every function that is defined in `module`.
    pub(crate) fn record(&mut self, module: &Module<'_>) {
        for function in module.functions().into_iter().filter(|f| !f.is_declaration()) {
            let references = function.instructions().into_iter().flat_map(references).collect();
            self.0.entry(function.name()).or_insert(references);
        }
    }

    /// The shortest route from `kernel` to `symbol`.
    pub(crate) fn route(&self, kernel: &str, symbol: &str) -> Route {
        let mut reached: HashMap<&str, (&str, &Reference)> = HashMap::new();
        let mut queue = VecDeque::from([kernel]);
        while let Some(function) = queue.pop_front() {
            for reference in self.0.get(function).into_iter().flatten() {
                if reference.to != kernel && !reached.contains_key(reference.to.as_str()) {
                    reached.insert(&reference.to, (function, reference));
                    queue.push_back(&reference.to);
                }
            }
        }
        let mut chain = Vec::new();
        let mut current = symbol;
        while let Some((caller, _)) = reached.get(current) {
            if !INTERNAL.iter().any(|prefix| caller.starts_with(prefix)) {
                chain.push(readable(caller));
            }
            current = caller;
        }
        chain.reverse();
        // The entry of a kernel in HIP and the function with its statements have one readable name.
        chain.dedup();
        if chain.is_empty() {
            chain.push(readable(kernel));
        }
        Route { chain, location: reached.get(symbol).and_then(|(_, reference)| reference.location.clone()) }
    }
}

/// The functions and globals that an instruction refers to.
fn references(instruction: Value<'_>) -> Vec<Reference> {
    let named = instruction.operands().into_iter().filter(|operand| !operand.is_instruction()).map(Value::name);
    named.filter(|name| !name.is_empty()).map(|to| Reference { to, location: instruction.location() }).collect()
}
