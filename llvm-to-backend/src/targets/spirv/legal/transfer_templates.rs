//! Expands memory intrinsics.
//!
//! In: `memset`, `memmove`, `memcpy.inline` and `load.relative`. Out: loops of loads and stores, or
//! a `memcpy`. *Invariant:* a constant length of a few units has no loop; units are as wide as the
//! known alignment allows; volatile stays volatile. A move between two specific address spaces, or
//! one that involves constant memory, cannot overlap and becomes a copy.

use super::accepted::is_family;
use crate::passes::library_calls::text::Definition;
use sinter_llvm::ir::Value;
use std::fmt::Write;

/// Bytes of the widest unit.
const WIDEST: u64 = 8;
/// Maximum units without a loop.
const UNROLLED: u64 = 16;
const GENERIC: u32 = 0;
const CONSTANT: u32 = 4;

/// A call that writes memory.
struct Transfer {
    /// Pointer types in IR syntax.
    to: String,
    from: String,
    size: String,
    length: Option<u64>,
    /// Bytes of each load and store.
    unit: u64,
    volatile: &'static str,
}

pub(super) fn definition(call: Value<'_>, name: &str) -> Option<Definition> {
    let arguments = call.arguments();
    if is_family(name, "load.relative") {
        let (pointer, offset) = (arguments[0].ty().text(), arguments[1].ty().text());
        let text = format!(
            "define {pointer} @NAME({pointer} %a, {offset} %b) alwaysinline nounwind {{\n  \
             %p = getelementptr i8, {pointer} %a, {offset} %b\n  %d = load i32, {pointer} %p, align 4\n  %w = sext i32 %d to i64\n  \
             %r = getelementptr i8, {pointer} %a, i64 %w\n  ret {pointer} %r\n}}\n"
        );
        return Some(Definition { text, taken: vec![0, 1] });
    }
    if name.contains("element.unordered.atomic") {
        return None;
    }
    let is_set = is_family(name, "memset");
    let moves = is_family(name, "memmove");
    // Environments with an instruction for it keep `memcpy`.
    let copies = !is_family(name, "memcpy.inline") && name.starts_with("memcpy.p");
    if !is_set && !moves && !copies && !is_family(name, "memcpy.inline") {
        return None;
    }
    let alignment = |index| call.argument_alignment(index).unwrap_or(1);
    let shared = if is_set { alignment(0) } else { alignment(0).min(alignment(1)) };
    let transfer = Transfer {
        to: arguments[0].ty().text(),
        from: arguments[1].ty().text(),
        size: arguments[2].ty().text(),
        length: arguments[2].integer(),
        unit: shared.min(WIDEST),
        volatile: if arguments[3].integer() == Some(1) { "volatile " } else { "" },
    };
    let spaces = [arguments[0], arguments[1]].map(|pointer| pointer.address_space().unwrap_or(GENERIC));
    let disjoint = spaces[0] != spaces[1] && !spaces.contains(&GENERIC) || spaces.contains(&CONSTANT);
    let body = if is_set {
        transfer.fill()
    } else if copies {
        transfer.forward()
    } else if moves && !disjoint {
        transfer.shift(spaces)
    } else {
        transfer.copy(spaces)
    };
    let Transfer { to, from, size, .. } = &transfer;
    let mut text =
        format!("define void @NAME({to} %a, {from} %b, {size} %length) alwaysinline nounwind {{\nentry:\n{body}}}\n");
    if let Some(length) = transfer.length {
        text = text.replace(&format!(", {size} %length)"), ")").replace("%length", &length.to_string());
    }
    let taken = if transfer.length.is_some() { vec![0, 1] } else { vec![0, 1, 2] };
    Some(Definition { text, taken })
}

impl Transfer {
    /// Offset and size in bytes of the units of a constant length.
    fn pieces(&self, length: u64) -> Vec<(u64, u64)> {
        let (mut pieces, mut at, mut unit) = (Vec::new(), 0, self.unit);
        while at < length {
            while length - at < unit {
                unit /= 2;
            }
            pieces.push((at, unit));
            at += unit;
        }
        pieces
    }

    fn is_short(&self) -> Option<Vec<(u64, u64)>> {
        let length = self.length.filter(|length| *length <= UNROLLED * self.unit)?;
        Some(self.pieces(length))
    }

    fn fill(&self) -> String {
        let Transfer { to, volatile, .. } = self;
        let mut body = String::new();
        // Every byte of a unit has the same value.
        for bytes in [2, 4, 8].into_iter().filter(|bytes| *bytes <= self.unit) {
            let (ty, factor) = (format!("i{}", bytes * 8), (u64::MAX / 255) & (u64::MAX >> (64 - bytes * 8)));
            let _ = writeln!(body, "  %z.{bytes} = zext i8 %b to {ty}\n  %u.{bytes} = mul {ty} %z.{bytes}, {factor}");
        }
        body += "  %u.1 = or i8 %b, 0\n";
        let Some(pieces) = self.is_short() else {
            return body
                + &self.upwards(&|unit, at| {
                    format!("  store {volatile}i{} %u.{unit}, {to} %p.{at}, align {unit}\n", unit * 8)
                });
        };
        for (at, unit) in pieces {
            let _ = writeln!(
                body,
                "  %p.{at} = getelementptr i8, {to} %a, i64 {at}\n  store {volatile}i{} %u.{unit}, {to} %p.{at}, align {unit}",
                unit * 8
            );
        }
        body + "  ret void\n"
    }

    /// A loop over units, and one over the remaining bytes. `access` writes at `%p.{at}`; the
    /// offset is `%i.{at}`.
    fn upwards(&self, access: &dyn Fn(u64, &str) -> String) -> String {
        let Transfer { to, size, unit, .. } = self;
        let mut text = format!(
            "  %rest = urem {size} %length, {unit}\n  %whole = sub {size} %length, %rest\n  %some = icmp ne {size} %whole, 0\n  \
             br i1 %some, label %units, label %behind\n"
        );
        for (label, from, to_, bytes, next, before) in
            [("units", "0", "%whole", *unit, "behind", "entry"), ("bytes", "%whole", "%length", 1, "end", "behind")]
        {
            let at = label;
            let _ = write!(
                text,
                "{label}:\n  %i.{at} = phi {size} [ {from}, %{before} ], [ %j.{at}, %{label} ]\n  \
                 %p.{at} = getelementptr i8, {to} %a, {size} %i.{at}\n{}  %j.{at} = add {size} %i.{at}, {bytes}\n  \
                 %more.{at} = icmp ult {size} %j.{at}, {to_}\n  br i1 %more.{at}, label %{label}, label %{next}\n",
                access(bytes, at)
            );
            if label == "units" {
                let _ = write!(
                    text,
                    "behind:\n  %left = icmp ne {size} %rest, 0\n  br i1 %left, label %bytes, label %end\n"
                );
            }
        }
        text + "end:\n  ret void\n"
    }

    /// A move that cannot overlap.
    fn copy(&self, [to_space, from_space]: [u32; 2]) -> String {
        let Transfer { to, from, size, volatile, .. } = self;
        let is_volatile = !volatile.is_empty();
        format!(
            "  call void @llvm.memcpy.p{to_space}.p{from_space}.{size}({to} align {unit} %a, {from} align {unit} %b, {size} %length, i1 {is_volatile})\n  ret void\n",
            unit = self.unit
        )
    }

    /// Loads everything of a short length before the first store.
    fn at_once(&self) -> Option<String> {
        let Transfer { to, from, volatile, .. } = self;
        let pieces = self.is_short()?;
        let mut body = String::new();
        for (at, unit) in &pieces {
            let ty = unit * 8;
            let _ = writeln!(
                body,
                "  %q.{at} = getelementptr i8, {from} %b, i64 {at}\n  %v.{at} = load {volatile}i{ty}, {from} %q.{at}, align {unit}"
            );
        }
        for (at, unit) in &pieces {
            let ty = unit * 8;
            let _ = writeln!(
                body,
                "  %p.{at} = getelementptr i8, {to} %a, i64 {at}\n  store {volatile}i{ty} %v.{at}, {to} %p.{at}, align {unit}"
            );
        }
        Some(body + "  ret void\n")
    }

    /// The copy of a unit in a loop.
    fn piece(&self, bytes: u64, at: &str) -> String {
        let Transfer { to, from, size, volatile, .. } = self;
        format!(
            "  %q.{at} = getelementptr i8, {from} %b, {size} %i.{at}\n  \
             %v.{at} = load {volatile}i{ty}, {from} %q.{at}, align {bytes}\n  \
             store {volatile}i{ty} %v.{at}, {to} %p.{at}, align {bytes}\n",
            ty = bytes * 8
        )
    }

    /// A copy of memory that does not overlap.
    fn forward(&self) -> String {
        self.at_once().unwrap_or_else(|| self.upwards(&|bytes, at| self.piece(bytes, at)))
    }

    /// A move that may overlap: it loads everything before the first store, or its loop runs in the
    /// direction that never overwrites unread bytes.
    fn shift(&self, spaces: [u32; 2]) -> String {
        let Transfer { to, from, size, unit, .. } = self;
        if let Some(body) = self.at_once() {
            return body;
        }
        let piece = |bytes: u64, at: &str| self.piece(bytes, at);
        let cast = |name: &str, ty: &str, space: u32| match space {
            GENERIC => format!("  %{name}.i = ptrtoint {ty} %{name} to i64\n"),
            _ if spaces[0] == spaces[1] => format!("  %{name}.i = ptrtoint {ty} %{name} to i64\n"),
            _ => format!(
                "  %{name}.g = addrspacecast {ty} %{name} to ptr\n  %{name}.i = ptrtoint ptr %{name}.g to i64\n"
            ),
        };
        let forward = self.upwards(&piece).replace("entry ]", "forward ]");
        let unit_name = "back";
        format!(
            "{}{}  %below = icmp ule i64 %a.i, %b.i\n  br i1 %below, label %forward, label %backward\nforward:\n{forward}\
             backward:\n  %none = icmp eq {size} %length, 0\n  br i1 %none, label %end, label %tail\n\
             tail:\n  %k.rest = urem {size} %length, {unit}\n  %k.whole = sub {size} %length, %k.rest\n  \
             %k.left = icmp ne {size} %k.rest, 0\n  br i1 %k.left, label %single, label %large\n\
             single:\n  %m.single = phi {size} [ %length, %tail ], [ %i.single, %single ]\n  %i.single = sub {size} %m.single, 1\n  \
             %p.single = getelementptr i8, {to} %a, {size} %i.single\n{}  \
             %k.more = icmp ugt {size} %i.single, %k.whole\n  br i1 %k.more, label %single, label %large\n\
             large:\n  %k.some = icmp ne {size} %k.whole, 0\n  br i1 %k.some, label %{unit_name}, label %end\n\
             back:\n  %m.back = phi {size} [ %k.whole, %large ], [ %i.back, %back ]\n  %i.back = sub {size} %m.back, {unit}\n  \
             %p.back = getelementptr i8, {to} %a, {size} %i.back\n{}  \
             %k.again = icmp ne {size} %i.back, 0\n  br i1 %k.again, label %back, label %end\n",
            cast("a", to, spaces[0]),
            cast("b", from, spaces[1]),
            piece(1, "single"),
            piece(*unit, "back"),
        )
    }
}
