//! Legalises atomic operations that SPIR-V or the device lacks.
//!
//! In: atomic instructions of any operation, on integers, floating-point values and pointers of up
//! to 8 bytes. Out: those that [`super::accepted`] lists, on integers of 32 and 64 bits.
//! *Invariant:* an operation that the device lacks is a compare-exchange loop. Objects of 8 and 16
//! bits are accessed as part of the aligned word around them; its other bytes are written back
//! unchanged and never without comparison. Private memory is visible to one work-item and accessed
//! non-atomically.

use super::{accepted, legaliser::Legaliser};
use crate::{
    failure::Outcome,
    passes::library_calls::text::{self, Definition, Large},
    targets::gpu::atomics::{fits, ordering_name},
};
use sinter_core::SpirvFeature;
use sinter_llvm::{
    ir::{Opcode, Value},
    operation::AtomicOperation,
    types::TypeView,
};

/// The address space of private memory.
const PRIVATE: u32 = 5;

pub(super) fn replace<S>(l: &Legaliser<'_, '_, '_, S>) -> Outcome<()> {
    let mut definitions = Vec::new();
    for instruction in l.m.defined().into_iter().flat_map(Value::instructions).filter(|i| i.is_atomic()) {
        let Some(ty) = accepted::accessed(instruction) else { continue };
        fits(l.cx, instruction, "SPIR-V")?;
        let Some(atomic) = Atomic::read(instruction, ty.text(), ty.store_size(l.cx.machine)) else { continue };
        let is_word = matches!(ty.view(), TypeView::Integer(32 | 64));
        let is_there = match instruction.opcode() {
            Opcode::LLVMAtomicRMW => accepted::has_atomic(l.target, instruction.atomic_operation(), ty),
            _ => is_word,
        };
        if atomic.bytes == 8
            && !atomic.is_private
            && (is_word || !is_there)
            && !l.target.has(SpirvFeature::Int64Atomics)
        {
            let what = "an atomic operation on 8 bytes";
            let hint = "the device lacks `int64-atomics`; use one on 4 bytes";
            return Err(l.cx.unsupported(what, instruction.location(), hint).into());
        }
        if !is_there || atomic.is_private {
            let text =
                atomic.function(l.target.has(SpirvFeature::AtomicAddF32), l.target.has(SpirvFeature::AtomicAddF64));
            let count = text::operands(instruction).len();
            definitions.extend(text.map(|text| (instruction, Definition { text, taken: (0..count).collect() })));
        }
    }
    text::replace(l.cx, l.m, "sinter.atomic", Large::Inlined, definitions).map(drop)
}

/// An atomic instruction in IR syntax.
struct Atomic {
    opcode: Opcode,
    operation: Option<AtomicOperation>,
    /// The accessed type and the pointer type.
    ty: String,
    pointer: String,
    bytes: u64,
    volatile: &'static str,
    /// `syncscope("...") ` or empty.
    scope: String,
    success: &'static str,
    failure: &'static str,
    is_private: bool,
}

/// Failure ordering of a compare-exchange.
fn failing(ordering: &str) -> &'static str {
    match ordering {
        "acquire" | "acq_rel" => "acquire",
        "seq_cst" => "seq_cst",
        _ => "monotonic",
    }
}

impl Atomic {
    fn read(instruction: Value<'_>, ty: String, bytes: u64) -> Option<Atomic> {
        let opcode = instruction.opcode();
        let pointer = if opcode == Opcode::LLVMStore { 1 } else { 0 };
        let pointer = instruction.operands().get(pointer).copied()?;
        let (success, failure) = match opcode {
            Opcode::LLVMAtomicCmpXchg => {
                let (success, failure) = instruction.exchange_orderings();
                (ordering_name(success), ordering_name(failure))
            }
            _ => {
                let ordering = ordering_name(instruction.ordering());
                (ordering, failing(ordering))
            }
        };
        let scope = instruction.sync_scope();
        Some(Atomic {
            opcode,
            operation: (opcode == Opcode::LLVMAtomicRMW).then(|| instruction.atomic_operation()),
            ty,
            pointer: pointer.ty().text(),
            bytes,
            volatile: if instruction.is_volatile() { "volatile " } else { "" },
            scope: if scope.is_empty() { scope } else { format!("syncscope(\"{scope}\") ") },
            success,
            failure,
            is_private: pointer.address_space() == Some(PRIVATE),
        })
    }

    /// Definition of the function that replaces it. Some devices add `float` or `double`, but have
    /// no subtraction.
    fn function(&self, adds_single: bool, adds_double: bool) -> Option<String> {
        let adds = (self.ty == "float" && adds_single) || (self.ty == "double" && adds_double);
        let subtracts = self.operation == Some(AtomicOperation::LLVMAtomicRMWBinOpFSub);
        let is_exchange = self.operation == Some(AtomicOperation::LLVMAtomicRMWBinOpXchg);
        let body = match self.opcode {
            _ if self.is_private => self.plain()?,
            Opcode::LLVMAtomicRMW if subtracts && adds => {
                "  %w = fneg {t} %v\n  %r = atomicrmw {vol}fadd {p} %p, {t} %w {scope}{success}, align {size}\n  ret {t} %r\n"
                    .to_owned()
            }
            Opcode::LLVMAtomicRMW if is_exchange && self.bytes >= 4 => {
                self.as_integer("v")
                    + "  %r = atomicrmw {vol}xchg {p} %p, {i} %v.i {scope}{success}, align {size}\n"
                    + &self.out_of_integer("r")
                    + "  ret {t} %r.t\n"
            }
            Opcode::LLVMLoad if self.bytes >= 4 => {
                "  %r = load atomic {vol}{i}, {p} %p {scope}{success}, align {size}\n".to_owned()
                    + &self.out_of_integer("r")
                    + "  ret {t} %r.t\n"
            }
            Opcode::LLVMStore if self.bytes >= 4 => {
                self.as_integer("v") + "  store atomic {vol}{i} %v.i, {p} %p {scope}{success}, align {size}\n  ret void\n"
            }
            Opcode::LLVMAtomicCmpXchg if self.bytes >= 4 => self.exchange(),
            Opcode::LLVMAtomicCmpXchg => self.narrow_exchange(),
            Opcode::LLVMLoad => {
                WORD.to_owned()
                    + "  %x = load atomic {vol}i32, {p} %word {scope}{success}, align 4\n  %y = lshr i32 %x, %shift\n  \
                       %r = trunc i32 %y to {i}\n"
                    + &self.out_of_integer("r")
                    + "  ret {t} %r.t\n"
            }
            _ if self.bytes >= 4 => LOOP.replace("{operation}", &self.operation()?),
            _ => {
                let end = if self.opcode == Opcode::LLVMStore { "  ret void\n" } else { "  ret {t} %old\n" };
                (WORD.to_owned() + NARROW_LOOP).replace("{operation}", &self.operation()?).replace("{end}", end)
            }
        };
        Some(self.filled(&body))
    }

    fn filled(&self, body: &str) -> String {
        let result = match self.opcode {
            Opcode::LLVMStore => "void".to_owned(),
            Opcode::LLVMAtomicCmpXchg => format!("{{ {}, i1 }}", self.ty),
            _ => self.ty.clone(),
        };
        let parameters = match self.opcode {
            Opcode::LLVMLoad => "{p} %p",
            Opcode::LLVMStore => "{t} %v, {p} %p",
            Opcode::LLVMAtomicCmpXchg => "{p} %p, {t} %c, {t} %v",
            _ => "{p} %p, {t} %v",
        };
        let text = format!("define {result} @NAME({parameters}) alwaysinline nounwind {{\nentry:\n{body}}}\n");
        let casts = match self.ty.as_str() {
            "ptr" => ("ptrtoint", "inttoptr"),
            ty if ty.starts_with("ptr ") => ("ptrtoint", "inttoptr"),
            _ => ("bitcast", "bitcast"),
        };
        let parts = [
            ("{toint}", casts.0.to_owned()),
            ("{fromint}", casts.1.to_owned()),
            ("{t}", self.ty.clone()),
            ("{i}", format!("i{}", self.bytes * 8)),
            ("{p}", self.pointer.clone()),
            ("{vol}", self.volatile.to_owned()),
            ("{scope}", self.scope.clone()),
            ("{size}", self.bytes.to_string()),
            ("{ones}", ((1u64 << (self.bytes * 8 % 64)) - 1).to_string()),
            ("{success}", self.success.to_owned()),
            ("{failure}", self.failure.to_owned()),
        ];
        parts.iter().fold(text, |text, (name, part)| text.replace(name, part))
    }

    fn as_integer(&self, name: &str) -> String {
        format!("  %{name}.i = {{toint}} {{t}} %{name} to {{i}}\n")
    }

    fn out_of_integer(&self, name: &str) -> String {
        format!("  %{name}.t = {{fromint}} {{i}} %{name} to {{t}}\n")
    }

    /// The non-atomic form, for private memory.
    fn plain(&self) -> Option<String> {
        let load = "  %old = load {vol}{t}, {p} %p, align {size}\n".to_owned();
        Some(match self.opcode {
            Opcode::LLVMLoad => load + "  ret {t} %old\n",
            Opcode::LLVMStore => "  store {vol}{t} %v, {p} %p, align {size}\n  ret void\n".to_owned(),
            Opcode::LLVMAtomicCmpXchg => {
                load + &self.as_integer("old")
                    + &self.as_integer("c")
                    + "  %e = icmp eq {i} %old.i, %c.i\n  %n = select i1 %e, {t} %v, {t} %old\n  \
                       store {vol}{t} %n, {p} %p, align {size}\n  %a = insertvalue { {t}, i1 } poison, {t} %old, 0\n  \
                       %b = insertvalue { {t}, i1 } %a, i1 %e, 1\n  ret { {t}, i1 } %b\n"
            }
            _ => load + &self.operation()? + "\n  store {vol}{t} %new, {p} %p, align {size}\n  ret {t} %old\n",
        })
    }

    fn exchange(&self) -> String {
        self.as_integer("c")
            + &self.as_integer("v")
            + "  %x = cmpxchg {vol}{p} %p, {i} %c.i, {i} %v.i {scope}{success} {failure}, align {size}\n  \
               %r = extractvalue { {i}, i1 } %x, 0\n  %e = extractvalue { {i}, i1 } %x, 1\n"
            + &self.out_of_integer("r")
            + "  %a = insertvalue { {t}, i1 } poison, {t} %r.t, 0\n  %b = insertvalue { {t}, i1 } %a, i1 %e, 1\n  \
               ret { {t}, i1 } %b\n"
    }

    fn narrow_exchange(&self) -> String {
        WORD.to_owned()
            + &self.as_integer("c")
            + &self.as_integer("v")
            + NARROW_EXCHANGE
            + &self.out_of_integer("found")
            + "  %a = insertvalue { {t}, i1 } poison, {t} %found.t, 0\n  %b = insertvalue { {t}, i1 } %a, i1 %same, 1\n  \
               ret { {t}, i1 } %b\n"
    }

    /// IR that computes `%new` from `%old` and `%v`.
    fn operation(&self) -> Option<String> {
        use AtomicOperation as A;
        let simple = |name: &str| format!("  %new = {name} {{t}} %old, %v");
        let chosen = |predicate: &str| {
            format!("  %keep = icmp {predicate} {{t}} %old, %v\n  %new = select i1 %keep, {{t}} %old, {{t}} %v")
        };
        let suffix = match self.ty.as_str() {
            "half" => "f16",
            "float" => "f32",
            _ => "f64",
        };
        let called = |name: &str| format!("  %new = call {{t}} @llvm.{name}.{suffix}({{t}} %old, {{t}} %v)");
        let Some(operation) = self.operation else { return Some("  %new = select i1 true, {t} %v, {t} %v".to_owned()) };
        Some(match operation {
            A::LLVMAtomicRMWBinOpXchg => "  %new = select i1 true, {t} %v, {t} %v".to_owned(),
            A::LLVMAtomicRMWBinOpAdd => simple("add"),
            A::LLVMAtomicRMWBinOpSub => simple("sub"),
            A::LLVMAtomicRMWBinOpAnd => simple("and"),
            A::LLVMAtomicRMWBinOpOr => simple("or"),
            A::LLVMAtomicRMWBinOpXor => simple("xor"),
            A::LLVMAtomicRMWBinOpFAdd => simple("fadd"),
            A::LLVMAtomicRMWBinOpFSub => simple("fsub"),
            A::LLVMAtomicRMWBinOpNand => "  %both = and {t} %old, %v\n  %new = xor {t} %both, -1".to_owned(),
            A::LLVMAtomicRMWBinOpMax => chosen("sgt"),
            A::LLVMAtomicRMWBinOpMin => chosen("slt"),
            A::LLVMAtomicRMWBinOpUMax => chosen("ugt"),
            A::LLVMAtomicRMWBinOpUMin => chosen("ult"),
            A::LLVMAtomicRMWBinOpFMax => called("maxnum"),
            A::LLVMAtomicRMWBinOpFMin => called("minnum"),
            A::LLVMAtomicRMWBinOpUIncWrap => "  %more = add {t} %old, 1\n  %wraps = icmp uge {t} %old, %v\n  \
                %new = select i1 %wraps, {t} 0, {t} %more"
                .to_owned(),
            A::LLVMAtomicRMWBinOpUDecWrap => "  %less = sub {t} %old, 1\n  %zero = icmp eq {t} %old, 0\n  \
                %above = icmp ugt {t} %old, %v\n  %wraps = or i1 %zero, %above\n  %new = select i1 %wraps, {t} %v, {t} %less"
                .to_owned(),
        })
    }
}

const LOOP: &str = "  %first = load atomic {vol}{i}, {p} %p {scope}monotonic, align {size}
  br label %loop
loop:
  %seen = phi {i} [ %first, %entry ], [ %found, %loop ]
  %old = {fromint} {i} %seen to {t}
{operation}
  %next = {toint} {t} %new to {i}
  %pair = cmpxchg {vol}{p} %p, {i} %seen, {i} %next {scope}{success} {failure}, align {size}
  %found = extractvalue { {i}, i1 } %pair, 0
  %done = extractvalue { {i}, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret {t} %old
";

/// The aligned word around 8 or 16 bits, their shift in it, and the mask of the other bits.
/// Little-endian.
const WORD: &str = "  %address = ptrtoint {p} %p to i64
  %inside = and i64 %address, 3
  %back = sub i64 0, %inside
  %word = getelementptr i8, {p} %p, i64 %back
  %inside.w = trunc i64 %inside to i32
  %shift = shl i32 %inside.w, 3
  %own = shl i32 {ones}, %shift
  %others = xor i32 %own, -1
";

/// The loop after [`WORD`].
const NARROW_LOOP: &str = "  %first = load atomic {vol}i32, {p} %word {scope}monotonic, align 4
  br label %loop
loop:
  %seen = phi i32 [ %first, %entry ], [ %found, %loop ]
  %low = lshr i32 %seen, %shift
  %old.i = trunc i32 %low to {i}
  %old = {fromint} {i} %old.i to {t}
{operation}
  %new.i = {toint} {t} %new to {i}
  %new.w = zext {i} %new.i to i32
  %up = shl i32 %new.w, %shift
  %kept = and i32 %seen, %others
  %next = or i32 %kept, %up
  %pair = cmpxchg {vol}{p} %word, i32 %seen, i32 %next {scope}{success} {failure}, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
{end}";

/// Fails only if the 8 or 16 bits differ; if other bits of the word changed, it tries again.
const NARROW_EXCHANGE: &str = "  %c.w = zext {i} %c.i to i32
  %c.up = shl i32 %c.w, %shift
  %v.w = zext {i} %v.i to i32
  %v.up = shl i32 %v.w, %shift
  %first = load atomic {vol}i32, {p} %word {scope}monotonic, align 4
  br label %loop
loop:
  %seen = phi i32 [ %first, %entry ], [ %last, %again ]
  %kept = and i32 %seen, %others
  %expected = or i32 %kept, %c.up
  %next = or i32 %kept, %v.up
  %pair = cmpxchg {vol}{p} %word, i32 %expected, i32 %next {scope}{success} {failure}, align 4
  %last = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %again
again:
  %now = and i32 %last, %others
  %others.changed = icmp ne i32 %now, %kept
  br i1 %others.changed, label %loop, label %end
end:
  %same = phi i1 [ true, %loop ], [ false, %again ]
  %low = lshr i32 %last, %shift
  %found = trunc i32 %low to {i}
";
