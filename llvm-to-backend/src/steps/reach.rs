//! Finds out through what a kernel reaches memory.
//!
//! In: a kernel in SSA form with the functions that it still calls. Out: the memory that it may
//! access through anything but its own pointer parameters, its private and local memory, and
//! variables of the module: through pointers that lie in memory, or through integers. *Invariant:*
//! an access that is not understood counts as one to any memory. Otherwise the runtime relies on
//! the answer: it looks at the pointers of a launch, and at those that lie at the places found
//! here, to see if a device can reach all memory.

use super::{
    origins::{Origin, Start, Way},
    places,
};
use sinter_core::Followed;
use sinter_llvm::{
    Machine,
    ir::{Opcode, Value},
};
use std::collections::HashSet;

/// Limit for the values visited between an access and what it starts from.
const WAY: usize = 4096;

/// Intrinsics that access nothing.
const HARMLESS: [&str; 3] = ["llvm.lifetime.", "llvm.dbg.", "llvm.assume"];

/// The memory that the kernel, or a function in `defined`, reaches that way.
pub(super) fn followed<'s>(kernel: Value<'s>, defined: &[Value<'s>], machine: &Machine) -> Followed {
    let way = Way { kernel, defined };
    let instructions = || defined.iter().flat_map(|function| function.instructions()).flat_map(accesses);
    let starts = |is_meant: fn(&Access<'s>) -> bool| {
        let mut starts = Starts::default();
        instructions().filter(is_meant).all(|access| starts.add(access.address, &way)).then_some(starts.found)
    };
    let Some(all) = starts(|_| true) else { return Followed::Anything };
    if !all.iter().any(|start| matches!(start, Start::Loaded(_))) {
        return Followed::Nothing;
    }
    let (Some(written), Some(shared)) = (starts(|access| access.writes), starts(|access| access.is_shared)) else {
        return Followed::Anything;
    };
    places::places(&way, machine, [&all, &written, &shared]).map_or(Followed::Anything, Followed::Places)
}

/// An access to memory.
struct Access<'s> {
    /// `None` for one that cannot be followed.
    address: Option<Value<'s>>,
    writes: bool,
    /// True if other threads may tell the kernel something by it.
    is_shared: bool,
}

/// The accesses of an instruction.
fn accesses(instruction: Value<'_>) -> Vec<Access<'_>> {
    let operands = instruction.operands();
    let is_shared = |instruction: Value<'_>| instruction.is_atomic() || instruction.is_volatile();
    let access = |operand: usize, writes| {
        vec![Access { address: operands.get(operand).copied(), writes, is_shared: is_shared(instruction) }]
    };
    match instruction.opcode() {
        Opcode::LLVMLoad => access(0, false),
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => access(0, true),
        Opcode::LLVMStore => access(1, true),
        _ if instruction.is_call() => of_call(instruction),
        Opcode::LLVMVAArg => vec![Access { address: None, writes: true, is_shared: true }],
        _ => Vec::new(),
    }
}

/// A function with a body is looked into; its parameters lead back to its calls. Other functions
/// access what their arguments point to.
fn of_call(call: Value<'_>) -> Vec<Access<'_>> {
    let Some(callee) = call.callee() else { return vec![Access { address: None, writes: true, is_shared: true }] };
    let name = callee.name();
    if !callee.is_declaration() || HARMLESS.iter().any(|harmless| name.starts_with(harmless)) {
        return Vec::new();
    }
    let copies = name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.");
    let is_plain = copies || name.starts_with("llvm.memset.");
    let pointers =
        call.arguments().into_iter().enumerate().filter(|(_, argument)| argument.ty().text().contains("ptr"));
    let access =
        |(index, argument)| Access { address: Some(argument), writes: !copies || index == 0, is_shared: !is_plain };
    pointers.map(access).collect()
}

/// The pointers that some addresses are made of.
#[derive(Default)]
struct Starts<'s> {
    found: HashSet<Start<'s>>,
    /// Values whose starts are found, or are being found.
    seen: HashSet<Value<'s>>,
}

impl<'s> Starts<'s> {
    /// Adds the pointers that an address is made of; false if that is not known.
    fn add(&mut self, address: Option<Value<'s>>, way: &Way<'_, 's>) -> bool {
        let Some(address) = address else { return false };
        let mut open = vec![address];
        while let Some(value) = open.pop() {
            if !self.seen.insert(value) {
                continue;
            }
            match way.origin(value) {
                None => return false,
                Some(Origin::Own) => {}
                Some(Origin::Start(start)) => _ = self.found.insert(start),
                Some(Origin::Made(values)) => open.extend(values),
            }
            if open.len() > WAY {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::followed;
    use sinter_core::{Followed, Index, Path, Places, Step};
    use sinter_llvm::{Machine, Session};

    /// The answer for a kernel with this body, whose parameters are `%o`, `%data` and `%n`.
    fn found(body: &str) -> Followed {
        let session = Session::new().expect("a session");
        let text = format!(
            "declare void @other(ptr)\ndeclare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @k(ptr %o, ptr %data, i32 %n) {{\n  %i = sext i32 %n to i64\n{body}\n  ret void\n}}
define ptr @field(ptr %of) noinline {{\n  %at = getelementptr i8, ptr %of, i64 24
  %field = load ptr, ptr %at\n  ret ptr %field\n}}"
        );
        let module = session.parse(text.as_bytes()).expect("a module");
        let machine = Machine::new("nvptx64-nvidia-cuda", "sm_70", "+ptx70", false).expect("a machine");
        let functions = module.functions();
        let kernel = functions.iter().copied().find(|function| function.name() == "k").expect("the kernel");
        let defined: Vec<_> = functions.into_iter().filter(|function| !function.is_declaration()).collect();
        followed(kernel, &defined, &machine)
    }

    fn path(parameter: u32, offsets: &[i64]) -> Path {
        let steps = offsets.iter().map(|offset| Step { offset: *offset, index: None }).collect();
        Path { parameter, steps }
    }

    fn places(pointers: Vec<Path>, written: Vec<Path>, shared: Vec<Path>) -> Followed {
        Followed::Places(Places { pointers, written, shared })
    }

    #[test]
    fn pointers_at_constant_offsets_have_places() {
        let one = "  %at = getelementptr { i64, [4 x ptr] }, ptr %o, i64 0, i32 1, i64 1
  %p = load ptr, ptr %at\n  %e = getelementptr float, ptr %p, i64 %i\n  store float 1.0, ptr %e";
        assert_eq!(found(one), places(vec![path(0, &[16])], vec![path(0, &[16])], vec![]));
        let chain = "  %p = load ptr, ptr %o\n  %at = getelementptr i8, ptr %p, i64 -8\n  %q = load ptr, ptr %at
  %c = icmp eq i32 %n, 0\n  %r = select i1 %c, ptr %q, ptr %data
  %x = load float, ptr %r\n  store float %x, ptr %data";
        assert_eq!(found(chain), places(vec![path(0, &[0]), path(0, &[0, -8])], vec![path(1, &[])], vec![]));
        let either = "  %c = icmp eq i32 %n, 0\n  %s = select i1 %c, ptr %o, ptr %data\n  %p = load ptr, ptr %s
  %x = load float, ptr %p\n  store float %x, ptr %p";
        let both = vec![path(0, &[0]), path(1, &[0])];
        assert_eq!(found(either), places(both.clone(), both, vec![]));
    }

    #[test]
    fn an_argument_may_number_a_pointer_of_an_array() {
        let text = "  %t = load ptr, ptr %o\n  %at = getelementptr ptr, ptr %t, i64 %i\n  %p = load ptr, ptr %at
  %x = load i32, ptr %p\n  store i32 %x, ptr %data";
        let index = Some(Index { parameter: 2, scale: 8, is_signed: true });
        let indexed = Path { parameter: 0, steps: vec![Step { offset: 0, index: None }, Step { offset: 0, index }] };
        assert_eq!(found(text), places(vec![path(0, &[0]), indexed], vec![path(1, &[])], vec![]));
    }

    #[test]
    fn what_other_threads_may_tell_is_shared() {
        let text = |access: &str| format!("  %p = load ptr, ptr %o\n  {access}\n  store i32 1, ptr %p");
        for access in ["%a = load atomic i32, ptr %data acquire, align 4", "%a = load volatile i32, ptr %data"] {
            assert_eq!(
                found(&text(access)),
                places(vec![path(0, &[0])], vec![path(0, &[0])], vec![path(1, &[])]),
                "{access}"
            );
        }
        for access in ["%a = atomicrmw add ptr %data, i32 1 seq_cst", "call void @other(ptr %data)"] {
            let written = vec![path(0, &[0]), path(1, &[])];
            assert_eq!(found(&text(access)), places(vec![path(0, &[0])], written, vec![path(1, &[])]), "{access}");
        }
        let copy = "call void @llvm.memcpy.p0.p0.i64(ptr %data, ptr %o, i64 4, i1 false)";
        let written = vec![path(0, &[0]), path(1, &[])];
        assert_eq!(found(&text(copy)), places(vec![path(0, &[0])], written, vec![]));
    }

    #[test]
    fn other_pointers_may_lie_anywhere() {
        for text in [
            // At an index that a work-item computes.
            "  %x = load i64, ptr %data\n  %at = getelementptr ptr, ptr %o, i64 %x
  %p = load ptr, ptr %at\n  store i32 1, ptr %p",
            "  %p = load volatile ptr, ptr %o\n  store i32 1, ptr %p",
            "  %p = load atomic ptr, ptr %o acquire, align 8\n  store i32 1, ptr %p",
            "  %x = load i64, ptr %o\n  %p = inttoptr i64 %x to ptr\n  store i32 1, ptr %p",
            "  %a = alloca ptr\n  %p = load ptr, ptr %a\n  store i32 1, ptr %p",
            "  %p = call ptr @field(ptr %o)\n  store i32 1, ptr %p",
            // A list.
            "  br label %loop\nloop:\n  %p = phi ptr [ %o, %0 ], [ %next, %loop ]\n  %next = load ptr, ptr %p
  %c = icmp eq ptr %next, null\n  br i1 %c, label %done, label %loop\ndone:",
        ] {
            assert_eq!(found(text), Followed::Anything, "{text}");
        }
        assert_eq!(found("  store i32 1, ptr %data"), Followed::Nothing);
        assert_eq!(found("  %p = load ptr, ptr %o\n  store ptr %p, ptr %data"), Followed::Nothing);
    }
}
