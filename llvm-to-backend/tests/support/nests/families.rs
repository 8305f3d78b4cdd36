//! The families of awkward kernels.
//!
//! In: a body and a value. Out: code in the body, and a value that depends on all of it.
//! *Invariant:* a family stops at the given size, and is awkward at every size.

use super::{
    Body, Family,
    code::{Code, Pragma},
};

pub(crate) const FAMILIES: [Family; 33] = [
    ("nest-small", |b, x| repeat(b, x, |b, x| nest(b.code, x, &[4, 4, 4, 4, 4, 4], 6, Pragma::None))),
    ("nest-large", |b, x| repeat(b, x, |b, x| nest(b.code, x, &[16, 16, 16, 16], 90, Pragma::None))),
    ("nest-pragma", |b, x| repeat(b, x, |b, x| nest(b.code, x, &[16, 16, 16, 16], 12, Pragma::Unroll))),
    ("nest-pragma-large", |b, x| repeat(b, x, |b, x| nest(b.code, x, &[8, 8, 64], 100, Pragma::Unroll))),
    ("nest-eight", |b, x| repeat(b, x, |b, x| nest(b.code, x, &[8, 8, 8, 8], 14, Pragma::None))),
    ("loops-in-a-row", |b, x| repeat(b, x, |b, x| nest(b.code, x, &[32], 10, Pragma::None))),
    ("loops-pragma", |b, x| repeat(b, x, |b, x| nest(b.code, x, &[64], 18, Pragma::Unroll))),
    ("mulmod", |b, x| repeat(b, x, mulmod)),
    ("remainders", |b, x| repeat(b, x, remainders)),
    ("wide-division", |b, x| repeat(b, x, wide_division)),
    ("wide-in-nest", |b, x| repeat(b, x, wide_in_nest)),
    ("calls-narrow", plain),
    ("calls-wide", plain),
    ("calls-group", plain),
    ("switches", |b, x| repeat(b, x, switch)),
    ("switch-in-loop", switch_in_loop),
    ("selects", |b, x| repeat(b, x, select)),
    ("private-array", |b, x| repeat(b, x, private_array)),
    ("private-dynamic", |b, x| repeat(b, x, private_dynamic)),
    ("straight", |b, x| repeat(b, x, |b, x| b.code.mix(x, &[x.to_owned(), "%n".to_owned()], 50))),
    ("memory", |b, x| repeat(b, x, memory)),
    ("memory-shared", |b, x| repeat(b, x, memory_shared)),
    ("ifs", ifs),
    ("phi-web", phi_web),
    ("irreducible", |b, x| repeat(b, x, irreducible)),
    ("barriers", |b, x| repeat(b, x, barriers)),
    ("barriers-in-nest", |b, x| repeat(b, x, barriers_in_nest)),
    ("barriers-kept", barriers_kept),
    ("collectives", |b, x| repeat(b, x, collective)),
    ("vectors", |b, x| repeat(b, x, vectors)),
    ("mathematics", |b, x| repeat(b, x, mathematics)),
    ("atomics", |b, x| repeat(b, x, atomics)),
    ("early-returns", |b, x| repeat(b, x, breaks)),
];

/// Writes the functions before the kernel. Returns the instruction that calls them, with `ITEM` for
/// the index of the work-item; `None` for families without calls.
pub(crate) fn functions(family: &str, code: &mut Code, size: usize) -> Option<String> {
    match family {
        "calls-narrow" => Some(call_tree(code, size, 2, "")),
        "calls-wide" => Some(call_tree(code, size, 8, "")),
        "calls-group" => Some(call_tree(code, size / 8 + 60, 2, "%item = call i64 @__acpp_sscp_get_local_id_x()")),
        _ => None,
    }
}

/// A tree of functions, each of which calls the next several times.
fn call_tree(code: &mut Code, size: usize, calls: usize, first: &str) -> String {
    let mut callee: Option<String> = None;
    while code.count + 40 < size && callee.as_ref().is_none_or(|_| code.count < 4500) {
        let name = code.name("f");
        code.open(&format!("internal i64 @{name}(i64 %x)"));
        let mut value = "%x".to_owned();
        if callee.is_none() && !first.is_empty() {
            code.effect(first);
            value = code.op("add i64 %x, %item");
        }
        for _ in 0..calls {
            value = code.mix(&value, &["%x".to_owned()], 4);
            if let Some(callee) = &callee {
                value = code.op(&format!("call i64 @{callee}(i64 {value})"));
            }
        }
        code.effect(&format!("ret i64 {value}"));
        code.close();
        callee = Some(name);
    }
    format!("call i64 @{}(i64 ITEM)", callee.unwrap_or_default())
}

fn plain(_: &mut Body<'_>, x: &str) -> String {
    x.to_owned()
}

/// Repeats a piece while another one of the last size fits.
fn repeat(b: &mut Body<'_>, x: &str, mut piece: impl FnMut(&mut Body<'_>, &str) -> String) -> String {
    let (mut value, mut last) = (x.to_owned(), 0);
    while b.left() > last {
        let before = b.code.count;
        value = piece(b, &value);
        last = last.max(b.code.count - before);
    }
    value
}

/// A loop nest, outermost first, with `steps` operations in the innermost loop.
fn nest(code: &mut Code, x: &str, trips: &[u64], steps: usize, pragma: Pragma) -> String {
    let mut indices = vec![x.to_owned(), "%n".to_owned()];
    nested(
        code,
        x.to_owned(),
        trips,
        &mut indices,
        &mut |code, value, indices| code.mix(&value, indices, steps),
        pragma,
    )
}

fn nested(
    code: &mut Code,
    value: String,
    trips: &[u64],
    indices: &mut Vec<String>,
    body: &mut dyn FnMut(&mut Code, String, &[String]) -> String,
    pragma: Pragma,
) -> String {
    let Some((first, rest)) = trips.split_first() else { return body(code, value, indices) };
    let inner = |code: &mut Code, index: &str, values: &[String]| {
        indices.push(index.to_owned());
        let value = nested(code, values[0].clone(), rest, indices, body, pragma);
        indices.pop();
        vec![value]
    };
    code.counted(*first, &[value], pragma, inner).remove(0)
}

/// Modular products by shifts and additions, in a loop of squarings.
fn mulmod(b: &mut Body<'_>, x: &str) -> String {
    let square = |code: &mut Code, _: &str, v: &[String]| {
        let shift_and_add = |code: &mut Code, i: &str, v: &[String]| {
            let (sum, factor) = (&v[0], &v[1]);
            let bit = code.op(&format!("lshr i64 {x}, {i}"));
            let odd = code.op(&format!("trunc i64 {bit} to i1"));
            let added = code.op(&format!("add i64 {sum}, {factor}"));
            let taken = code.op(&format!("select i1 {odd}, i64 {added}, i64 {sum}"));
            let [sum, twice] = [taken, code.op(&format!("shl i64 {factor}, 1"))].map(|value| {
                let over = code.op(&format!("icmp uge i64 {value}, 4294967291"));
                let less = code.op(&format!("sub i64 {value}, 4294967291"));
                code.op(&format!("select i1 {over}, i64 {less}, i64 {value}"))
            });
            vec![sum, twice]
        };
        let product = code.counted(64, &["0".to_owned(), v[0].clone()], Pragma::None, shift_and_add);
        vec![code.op(&format!("urem i64 {}, 4294967291", product[0]))]
    };
    let outer = |code: &mut Code, _: &str, v: &[String]| code.counted(16, v, Pragma::None, square);
    b.code.counted(4, &[x.to_owned()], Pragma::None, outer).remove(0)
}

fn remainders(b: &mut Body<'_>, x: &str) -> String {
    let body = &mut |code: &mut Code, value: String, indices: &[String]| {
        let mixed = code.mix(&value, indices, 4);
        let odd = code.op("or i64 %n, 1");
        let rest = code.op(&format!("urem i64 {mixed}, {odd}"));
        let part = code.op(&format!("sdiv i64 {value}, {odd}"));
        code.op(&format!("add i64 {rest}, {part}"))
    };
    nested(b.code, x.to_owned(), &[4, 8, 4], &mut vec![x.to_owned()], body, Pragma::None)
}

fn wide(code: &mut Code, x: &str, y: &str) -> String {
    let [a, c] = [x, y].map(|value| code.op(&format!("zext i64 {value} to i128")));
    let product = code.op(&format!("mul i128 {a}, {c}"));
    let modulus = code.op(&format!("or i128 {c}, 1"));
    let rest = code.op(&format!("urem i128 {product}, {modulus}"));
    code.op(&format!("trunc i128 {rest} to i64"))
}

fn wide_division(b: &mut Body<'_>, x: &str) -> String {
    wide(b.code, x, "%n")
}

fn wide_in_nest(b: &mut Body<'_>, x: &str) -> String {
    let body = &mut |code: &mut Code, value: String, _: &[String]| wide(code, &value, "%n");
    nested(b.code, x.to_owned(), &[4, 4, 8], &mut vec![x.to_owned()], body, Pragma::None)
}

fn switch(b: &mut Body<'_>, x: &str) -> String {
    const CASES: usize = 24;
    let end = b.code.name("end");
    let names: Vec<String> = (0..CASES).map(|_| b.code.name("case")).collect();
    let cut = b.code.op(&format!("urem i64 {x}, 29"));
    let cases: String =
        names.iter().enumerate().map(|(i, name)| format!(" i64 {}, label %{name}", i * i % 29)).take(14).collect();
    b.code.effect(&format!("switch i64 {cut}, label %{} [{cases} ]", names[CASES - 1]));
    let mut arms = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let is_target = i < 14 || i == CASES - 1;
        if !is_target {
            continue;
        }
        b.code.label(name);
        let value = b.code.mix(x, &["%n".to_owned()], 3);
        arms.push(format!("[ {value}, %{name} ]"));
        b.code.jump(&end);
    }
    b.code.label(&end);
    b.code.op(&format!("phi i64 {}", arms.join(", ")))
}

/// An interpreter: a loop over one large switch, whose state decides the next case.
fn switch_in_loop(b: &mut Body<'_>, x: &str) -> String {
    let pieces = (b.size / 20).max(3);
    let (before, head, latch, exit) = (b.code.block(), b.code.name("head"), b.code.name("latch"), b.code.name("exit"));
    let names: Vec<String> = (0..pieces).map(|_| b.code.name("case")).collect();
    b.code.jump(&head);
    b.code.label(&head);
    b.code.effect(&format!("%state = phi i64 [ {x}, %{before} ], [ %next, %{latch} ]"));
    let cut = b.code.op(&format!("urem i64 %state, {}", pieces + 2));
    let cases: String = names.iter().enumerate().map(|(i, name)| format!(" i64 {i}, label %{name}")).collect();
    b.code.effect(&format!("switch i64 {cut}, label %{exit} [{cases} ]"));
    let mut arms = Vec::new();
    for name in &names {
        b.code.label(name);
        let value = b.code.mix("%state", &["%n".to_owned(), x.to_owned()], 14);
        arms.push(format!("[ {value}, %{name} ]"));
        b.code.jump(&latch);
    }
    b.code.label(&latch);
    b.code.effect(&format!("%next = phi i64 {}", arms.join(", ")));
    b.code.jump(&head);
    b.code.label(&exit);
    "%state".to_owned()
}

fn select(b: &mut Body<'_>, x: &str) -> String {
    let condition = b.code.op(&format!("icmp ult i64 {x}, %n"));
    let pointer = b.code.op(&format!("select i1 {condition}, ptr %p, ptr %q"));
    let from = b.code.element(&pointer, x, 64);
    let value = b.code.op(&format!("load i64, ptr {from}"));
    b.code.op(&format!("select i1 {condition}, i64 {value}, i64 {x}"))
}

/// An array that SROA promotes to registers once the loops over it are unrolled.
fn private_array(b: &mut Body<'_>, x: &str) -> String {
    const LENGTH: u64 = 16;
    let array = b.code.private(&format!("[{LENGTH} x i64]"));
    let fill = |code: &mut Code, i: &str, v: &[String]| {
        let value = code.mix(&v[0], &[i.to_owned()], 2);
        let to = code.op(&format!("getelementptr i64, ptr {array}, i64 {i}"));
        code.effect(&format!("store i64 {value}, ptr {to}"));
        vec![value]
    };
    let filled = b.code.counted(LENGTH, &[x.to_owned()], Pragma::None, fill).remove(0);
    let body = &mut |code: &mut Code, value: String, indices: &[String]| {
        let [low, high] = [&indices[indices.len() - 2], &indices[indices.len() - 1]];
        let mixed = code.op(&format!("xor i64 {low}, {high}"));
        let places = [code.element(&array, &mixed, LENGTH), code.element(&array, high, LENGTH)];
        let old = places.clone().map(|place| code.op(&format!("load i64, ptr {place}")));
        let new = code.mix(&value, &old, 3);
        code.effect(&format!("store i64 {new}, ptr {}", places[0]));
        new
    };
    nested(b.code, filled, &[8, LENGTH, LENGTH], &mut vec![], body, Pragma::None)
}

/// An array with indices that depend on data.
fn private_dynamic(b: &mut Body<'_>, x: &str) -> String {
    let array = b.code.private("[32 x i64]");
    let body = &mut |code: &mut Code, value: String, indices: &[String]| {
        let to = code.element(&array, &value, 32);
        code.effect(&format!("store i64 {}, ptr {to}", indices[0]));
        let from = code.element(&array, &indices[1], 32);
        let loaded = code.op(&format!("load i64, ptr {from}"));
        code.mix(&loaded, &[value], 3)
    };
    nested(b.code, x.to_owned(), &[8, 8, 4], &mut vec![x.to_owned()], body, Pragma::None)
}

/// Loads and stores through two pointers that may alias.
fn memory(b: &mut Body<'_>, x: &str) -> String {
    let offset = b.code.random.below(4096);
    let from = b.code.op(&format!("getelementptr i64, ptr %q, i64 {offset}"));
    let value = b.code.op(&format!("load i64, ptr {from}"));
    let sum = b.code.op(&format!("add i64 {value}, {x}"));
    let to = b.code.op(&format!("getelementptr i64, ptr %p, i64 {offset}"));
    b.code.effect(&format!("store i64 {sum}, ptr {to}"));
    sum
}

/// Conditional accesses at unknown indices.
fn memory_shared(b: &mut Body<'_>, x: &str) -> String {
    let to = b.code.element("%q", x, 1024);
    b.code.effect(&format!("store i64 {x}, ptr {to}"));
    let from = b.code.op(&format!("getelementptr i64, ptr %p, i64 {x}"));
    let read = |code: &mut Code| code.op(&format!("load i64, ptr {from}"));
    b.code.either(x, read, |code| code.mix(x, &["%n".to_owned()], 2))
}

/// Nested conditions.
fn ifs(b: &mut Body<'_>, x: &str) -> String {
    let value = b.code.mix(x, &["%n".to_owned()], 4);
    if b.left() < 14 {
        return value;
    }
    let size = b.size.saturating_sub(12);
    b.code.either(&value, |code| ifs(&mut Body { code, size }, &value), |code| code.mix(&value, &["%n".to_owned()], 2))
}

/// Many phis at many joins.
fn phi_web(b: &mut Body<'_>, x: &str) -> String {
    let mut values: Vec<String> = (0..24).map(|i| b.code.op(&format!("add i64 {x}, {i}"))).collect();
    while b.left() > 3 * values.len() + 10 {
        let condition = b.code.op(&format!("trunc i64 {} to i1", values[0]));
        let [yes, no, end] = ["yes", "no", "end"].map(|what| b.code.name(what));
        b.code.effect(&format!("br i1 {condition}, label %{yes}, label %{no}"));
        b.code.label(&yes);
        let changed: Vec<String> = values.iter().map(|v| b.code.op(&format!("xor i64 {v}, %n"))).collect();
        b.code.jump(&end);
        b.code.label(&no);
        b.code.jump(&end);
        b.code.label(&end);
        values.rotate_left(1);
        let merge = |(a, c): (&String, &String)| b.code.op(&format!("phi i64 [ {a}, %{yes} ], [ {c}, %{no} ]"));
        values = changed.iter().zip(&values).map(merge).collect();
    }
    values.iter().fold(x.to_owned(), |sum, v| b.code.op(&format!("add i64 {sum}, {v}")))
}

/// An irreducible loop, with two entries.
fn irreducible(b: &mut Body<'_>, x: &str) -> String {
    let (before, [left, right, exit]) = (b.code.block(), ["left", "right", "exit"].map(|what| b.code.name(what)));
    let [a, c, a1, c1] = ["a", "c", "a1", "c1"].map(|what| format!("%{}", b.code.name(what)));
    let odd = b.code.op(&format!("trunc i64 {x} to i1"));
    b.code.effect(&format!("br i1 {odd}, label %{left}, label %{right}"));
    b.code.label(&left);
    b.code.effect(&format!("{a} = phi i64 [ {x}, %{before} ], [ {c1}, %{right} ]"));
    b.code.effect(&format!("{a1} = add i64 {a}, 3"));
    b.code.jump(&right);
    b.code.label(&right);
    b.code.effect(&format!("{c} = phi i64 [ {x}, %{before} ], [ {a1}, %{left} ]"));
    b.code.effect(&format!("{c1} = mul i64 {c}, %n"));
    let more = b.code.op(&format!("icmp ult i64 {c1}, 1000"));
    b.code.effect(&format!("br i1 {more}, label %{left}, label %{exit}"));
    b.code.label(&exit);
    c1
}

const BARRIER: &str = "call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)";
const DECLARED_BARRIER: &str = "declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent";

fn exchange(code: &mut Code, x: &str) -> String {
    let to = code.element("%q", x, 256);
    code.effect(&format!("store i64 {x}, ptr {to}"));
    code.effect(BARRIER);
    let from = code.element("%q", "%n", 256);
    let other = code.op(&format!("load i64, ptr {from}"));
    code.op(&format!("add i64 {other}, {x}"))
}

fn barriers(b: &mut Body<'_>, x: &str) -> String {
    b.code.declare(DECLARED_BARRIER);
    exchange(b.code, x)
}

fn barriers_in_nest(b: &mut Body<'_>, x: &str) -> String {
    b.code.declare(DECLARED_BARRIER);
    let body = &mut |code: &mut Code, value: String, indices: &[String]| {
        let mixed = code.mix(&value, indices, 4);
        exchange(code, &mixed)
    };
    nested(b.code, x.to_owned(), &[4, 4, 4], &mut vec![x.to_owned()], body, Pragma::None)
}

/// Every value is needed behind the last barrier.
fn barriers_kept(b: &mut Body<'_>, x: &str) -> String {
    let mut kept = vec![x.to_owned()];
    while b.left() > kept.len() + 12 {
        let value = barriers(b, &kept[kept.len() - 1]);
        kept.push(value);
    }
    kept.iter().fold(x.to_owned(), |sum, value| b.code.op(&format!("xor i64 {sum}, {value}")))
}

fn collective(b: &mut Body<'_>, x: &str) -> String {
    b.code.declare("declare i64 @__acpp_sscp_work_group_reduce_i64(i32, i64) convergent");
    let mixed = b.code.mix(x, &["%n".to_owned()], 6);
    b.code.op(&format!("call i64 @__acpp_sscp_work_group_reduce_i64(i32 0, i64 {mixed})"))
}

fn vectors(b: &mut Body<'_>, x: &str) -> String {
    let at = b.code.element("%q", x, 64);
    let mut value = b.code.op(&format!("load <16 x i64>, ptr {at}, align 8"));
    for operation in ["mul", "add", "xor", "lshr"] {
        value = b.code.op(&format!("{operation} <16 x i64> {value}, splat (i64 5)"));
    }
    let order: Vec<String> = (0..16).map(|i| format!("i32 {}", (i * 5 + 3) % 16)).collect();
    let turned =
        b.code.op(&format!("shufflevector <16 x i64> {value}, <16 x i64> poison, <16 x i32> <{}>", order.join(", ")));
    let sum = b.code.op(&format!("add <16 x i64> {value}, {turned}"));
    b.code.op(&format!("extractelement <16 x i64> {sum}, i64 3"))
}

fn mathematics(b: &mut Body<'_>, x: &str) -> String {
    let name = *b.code.random.pick(&["pow", "sin", "tgamma", "exp", "log"]);
    let (parameters, second) = if name == "pow" { ("double, double", ", double 1.7") } else { ("double", "") };
    b.code.declare(&format!("declare double @__acpp_sscp_{name}_f64({parameters})"));
    let float = b.code.op(&format!("uitofp i64 {x} to double"));
    let result = b.code.op(&format!("call double @__acpp_sscp_{name}_f64(double {float}{second})"));
    let bits = b.code.op(&format!("bitcast double {result} to i64"));
    b.code.op(&format!("xor i64 {bits}, {x}"))
}

fn atomics(b: &mut Body<'_>, x: &str) -> String {
    let at = b.code.element("%q", x, 64);
    let order = *b.code.random.pick(&["monotonic", "acq_rel", "seq_cst"]);
    let kind = *b.code.random.pick(&["add", "max", "nand", "xchg"]);
    b.code.op(&format!("atomicrmw {kind} ptr {at}, i64 {x} {order}"))
}

/// A search with an early exit, in a nest.
fn breaks(b: &mut Body<'_>, x: &str) -> String {
    let body = &mut |code: &mut Code, value: String, indices: &[String]| {
        let other = indices[indices.len() - 1].clone();
        let inner = code.mix(&value, indices, 4);
        code.either(
            &inner,
            |code| code.mix(&inner, std::slice::from_ref(&other), 3),
            |code| code.mix(&value, std::slice::from_ref(&other), 3),
        )
    };
    nested(b.code, x.to_owned(), &[8, 16, 8], &mut vec![x.to_owned()], body, Pragma::None)
}
