//! Generates random LLVM IR kernels for the SPIR-V emitter, from a seed.
//!
//! *Invariant:* the IR is well-formed: every definition dominates its uses. The results do not
//! matter, because no kernel is run.

use std::fmt::Write;

/// Random numbers (xorshift, Marsaglia 2003).
struct Source(u64);

impl Source {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

const INTEGERS: [&str; 8] = ["i1", "i8", "i16", "i32", "i64", "i24", "i33", "i128"];
const FLOATS: [&str; 3] = ["half", "float", "double"];
const COUNTS: [u32; 6] = [2, 3, 4, 5, 8, 16];
const ARITHMETIC: [&str; 13] =
    ["add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor"];
const FLOAT_ARITHMETIC: [&str; 7] = ["fadd", "fsub", "fmul", "fdiv", "frem", "fadd fast", "fmul contract"];
const PREDICATES: [&str; 10] = ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"];
const FLOAT_PREDICATES: [&str; 8] = ["oeq", "one", "olt", "oge", "uno", "ord", "ult", "une"];
/// Structures of memory accesses, with members that fit the steps of [`Program::step`].
const STRUCTURES: [&str; 4] = [
    "{ i8, [4 x i32], <4 x float> }",
    "<{ i16, [4 x double], i8 }>",
    "{ i32, [4 x { i8, i64 }], half }",
    "[8 x [4 x i16]]",
];
const ATOMICS: [&str; 8] = ["xchg", "add", "sub", "and", "nand", "or", "umax", "min"];
const ORDERS: [&str; 3] = ["monotonic", "acq_rel", "seq_cst"];
const SCOPES: [&str; 4] = ["", "syncscope(\"device\") ", "syncscope(\"workgroup\") ", "syncscope(\"subgroup\") "];
const UNARY: [&str; 6] = ["fabs", "floor", "rint", "sqrt", "trunc", "round"];
const BINARY: [&str; 7] = ["smin", "umax", "sadd.sat", "usub.sat", "fshl", "fshr", "umin"];

/// A kernel under construction.
pub struct Program {
    source: Source,
    text: String,
    declarations: Vec<String>,
    /// Type and name.
    values: Vec<(String, String)>,
    /// Type of the pointer, and name.
    pointers: Vec<(&'static str, String)>,
    count: usize,
    block: String,
}

/// The kernel `k` of a seed.
pub fn program(seed: u64) -> String {
    let mut program = Program {
        source: Source(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
        text: String::new(),
        declarations: Vec::new(),
        values: [("i32", "%n"), ("i1", "%c"), ("float", "%f"), ("i64", "%w"), ("i64", "%i")].map(owned).to_vec(),
        pointers: vec![
            ("ptr", "%p".into()),
            ("ptr", "%q".into()),
            ("ptr", "@g".into()),
            ("ptr addrspace(3)", "@l".into()),
        ],
        count: 0,
        block: "entry".into(),
    };
    program.pointers.extend(["%a", "%b"].map(|name| ("ptr", name.to_owned())));
    program.statements(24, 3);
    program.finish()
}

fn owned((ty, name): (&str, &str)) -> (String, String) {
    (ty.to_owned(), name.to_owned())
}

fn element(ty: &str) -> &str {
    ty.strip_prefix('<').and_then(|rest| rest.split_once(" x ")).map_or(ty, |(_, rest)| rest.trim_end_matches('>'))
}

/// A type with the same number of elements but another scalar type.
fn like(ty: &str, scalar: &str) -> String {
    match ty.strip_prefix('<').and_then(|rest| rest.split_once(" x ")) {
        Some((count, _)) => format!("<{count} x {scalar}>"),
        None => scalar.to_owned(),
    }
}

fn is_integer(ty: &str) -> bool {
    element(ty).starts_with('i')
}

/// Spelling of a type in the name of an intrinsic.
fn suffix(ty: &str) -> String {
    let scalar = match element(ty) {
        "half" => "f16",
        "float" => "f32",
        "double" => "f64",
        integer => integer,
    };
    let count = ty.strip_prefix('<').and_then(|rest| rest.split_once(" x ")).map(|(count, _)| format!("v{count}"));
    count.unwrap_or_default() + scalar
}

impl Program {
    fn finish(mut self) -> String {
        for (index, (ty, name)) in std::mem::take(&mut self.values).iter().enumerate().skip(5) {
            let _ = writeln!(self.text, "  %out{index} = getelementptr i8, ptr %p, i64 {}", index * 64);
            let _ = writeln!(self.text, "  store volatile {ty} {name}, ptr %out{index}");
        }
        self.declarations.sort();
        self.declarations.dedup();
        format!(
            "@g = internal global [64 x i64] zeroinitializer, align 16\n@l = internal addrspace(3) global [64 x i64] undef, align 16\n{}\n\
             define internal i32 @helper(ptr %x, i32 %y) noinline optnone {{\n  %v = load volatile i32, ptr %x\n  %r = add i32 %v, %y\n  ret i32 %r\n}}\n\
             define void @k(ptr %p, ptr %q, i32 %n, i1 %c, float %f, i64 %w, i64 %i) {{\nentry:\n  %a = alloca [64 x i64], align 16\n  \
             %b = alloca {{ i32, [63 x i64] }}, align 8\n{}  ret void\n}}\n",
            self.declarations.join("\n"),
            self.text
        )
    }

    fn fresh(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    /// Defines a value.
    fn define(&mut self, ty: String, definition: &str) {
        let name = self.fresh();
        self.line(&format!("{name} = {definition}"));
        self.values.push((ty, name));
    }

    fn ty(&mut self) -> String {
        let scalar = match self.source.below(3) {
            0 => self.source.one_of(&FLOATS),
            _ => self.source.one_of(&INTEGERS),
        };
        match self.source.below(3) {
            0 => format!("<{} x {scalar}>", self.source.one_of(&COUNTS)),
            _ => scalar.to_owned(),
        }
    }

    fn any(&mut self) -> (String, String) {
        let index = self.source.below(self.values.len());
        self.values[index].clone()
    }

    /// Returns a value of a type; loads one if there is none.
    fn of(&mut self, ty: &str) -> String {
        let known: Vec<String> =
            self.values.iter().filter(|(known, _)| known == ty).map(|(_, name)| name.clone()).collect();
        if !known.is_empty() && self.source.below(8) != 0 {
            return known[self.source.below(known.len())].clone();
        }
        self.load(ty);
        self.values.last().map(|(_, name)| name.clone()).unwrap_or_default()
    }

    fn pointer(&mut self) -> (&'static str, String) {
        let index = self.source.below(self.pointers.len());
        self.pointers[index].clone()
    }

    fn load(&mut self, ty: &str) {
        let ((space, pointer), volatile) = (self.pointer(), self.source.one_of(&["", "volatile "]));
        let alignment = self.source.one_of(&["", ", align 1", ", align 16"]);
        self.define(ty.to_owned(), &format!("load {volatile}{ty}, {space} {pointer}{alignment}"));
    }

    fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.source.below(if depth > 0 { 18 } else { 14 }) {
            0 => {
                let ty = self.ty();
                self.load(&ty);
            }
            1 => self.store(),
            2 | 3 => self.arithmetic(),
            4 => self.comparison(),
            5 | 6 => self.cast(),
            7 => self.choice(),
            8 => self.step(),
            9 => self.part(),
            10 => self.atomic(),
            11 => self.intrinsic(),
            12 => self.shuffle(),
            13 => self.call(),
            14 | 15 => self.branch(depth),
            16 => self.repeat(depth),
            _ => self.switch(depth),
        }
    }

    fn store(&mut self) {
        let ((ty, name), (space, pointer)) = (self.any(), self.pointer());
        self.line(&format!("store {ty} {name}, {space} {pointer}, align 1"));
    }

    fn arithmetic(&mut self) {
        let (ty, first) = self.any();
        let second = self.of(&ty);
        let list: &[&str] = if is_integer(&ty) { &ARITHMETIC } else { &FLOAT_ARITHMETIC };
        let operation = self.source.one_of(list);
        self.define(ty.clone(), &format!("{operation} {ty} {first}, {second}"));
    }

    fn comparison(&mut self) {
        let (ty, first) = self.any();
        let second = self.of(&ty);
        let operation = match is_integer(&ty) {
            true => format!("icmp {}", self.source.one_of(&PREDICATES)),
            false => format!("fcmp {}", self.source.one_of(&FLOAT_PREDICATES)),
        };
        self.define(like(&ty, "i1"), &format!("{operation} {ty} {first}, {second}"));
    }

    fn cast(&mut self) {
        let (ty, value) = self.any();
        let from = element(&ty).to_owned();
        let to = if self.source.below(3) == 0 { self.source.one_of(&FLOATS) } else { self.source.one_of(&INTEGERS) };
        let bits = |ty: &str| match ty {
            "half" => 16,
            "float" => 32,
            "double" => 64,
            integer => integer[1..].parse::<u32>().expect("a width"),
        };
        // No instruction of SPIR-V converts between floating-point values and integers of more than
        // 64 bits.
        let wide = [from.as_str(), to].contains(&"i128") && is_integer(&from) != is_integer(to);
        let operation = match (is_integer(&from), is_integer(to), bits(&from).cmp(&bits(to))) {
            _ if wide || from == to => return,
            (true, true, std::cmp::Ordering::Less) => self.source.one_of(&["zext", "sext"]),
            (true, true, _) => "trunc",
            (false, false, std::cmp::Ordering::Less) => "fpext",
            (false, false, _) => "fptrunc",
            (true, false, std::cmp::Ordering::Equal) | (false, true, std::cmp::Ordering::Equal) => "bitcast",
            (true, false, _) => self.source.one_of(&["sitofp", "uitofp"]),
            (false, true, _) => self.source.one_of(&["fptosi", "fptoui"]),
        };
        let result = like(&ty, to);
        self.define(result.clone(), &format!("{operation} {ty} {value} to {result}"));
    }

    fn choice(&mut self) {
        let (ty, first) = self.any();
        let second = self.of(&ty);
        let truth = if self.source.below(2) == 0 { "i1".to_owned() } else { like(&ty, "i1") };
        let condition = self.of(&truth);
        self.define(ty.clone(), &format!("select {truth} {condition}, {ty} {first}, {ty} {second}"));
        let (one, two) = (self.pointer(), self.pointer());
        if one.0 == two.0 {
            let (name, condition) = (self.fresh(), self.of("i1"));
            self.line(&format!("{name} = select i1 {condition}, {} {}, {} {}", one.0, one.1, two.0, two.1));
            self.pointers.push((one.0, name));
        }
    }

    fn step(&mut self) {
        let ((space, pointer), structure) = (self.pointer(), self.source.one_of(&STRUCTURES));
        let indices = ["i8", "i16", "i32", "i64"].map(|ty| (ty, self.of(ty)));
        let [(first, one), (second, two)] =
            [self.source.one_of(&[0, 1, 2, 3]), self.source.one_of(&[0, 1, 2, 3])].map(|index| indices[index].clone());
        let inside = self.source.one_of(&["", "inbounds "]);
        let name = self.fresh();
        self.line(&format!(
            "{name} = getelementptr {inside}{structure}, {space} {pointer}, {first} {one}, i32 1, {second} {two}"
        ));
        self.pointers.push((space, name));
    }

    fn part(&mut self) {
        let ty = format!("<{} x {}>", self.source.one_of(&COUNTS), self.source.one_of(&INTEGERS));
        let (vector, scalar) = (self.of(&ty), element(&ty).to_owned());
        let index = if self.source.below(2) == 0 { "1".to_owned() } else { self.of("i32") };
        self.define(scalar.clone(), &format!("extractelement {ty} {vector}, i32 {index}"));
        let part = self.of(&scalar);
        self.define(ty.clone(), &format!("insertelement {ty} {vector}, {scalar} {part}, i32 {index}"));
        let structure = "{ i8, <2 x float>, [2 x i33] }";
        let (whole, member) = (self.of(structure), self.of("i33"));
        self.define(structure.to_owned(), &format!("insertvalue {structure} {whole}, i33 {member}, 2, 1"));
        self.define("<2 x float>".to_owned(), &format!("extractvalue {structure} {whole}, 1"));
        // Operations on arbitrary values do not support structures.
        self.values.retain(|(ty, _)| ty != structure);
    }

    fn atomic(&mut self) {
        let ((space, pointer), ty) = (self.pointer(), self.source.one_of(&["i8", "i16", "i32", "i64"]));
        let (value, scope, order) = (self.of(ty), self.source.one_of(&SCOPES), self.source.one_of(&ORDERS));
        match self.source.below(4) {
            0 => self.line(&format!("fence {scope}seq_cst")),
            1 => {
                let (name, expected) = (self.fresh(), self.of(ty));
                self.line(&format!(
                    "{name} = cmpxchg {space} {pointer}, {ty} {expected}, {ty} {value} {scope}{order} monotonic"
                ));
                self.define("i1".to_owned(), &format!("extractvalue {{ {ty}, i1 }} {name}, 1"));
            }
            _ => {
                let operation = self.source.one_of(&ATOMICS);
                self.define(
                    ty.to_owned(),
                    &format!("atomicrmw {operation} {space} {pointer}, {ty} {value} {scope}{order}"),
                );
            }
        }
    }

    fn intrinsic(&mut self) {
        let (ty, first) = self.any();
        let (name, count) = match is_integer(&ty) {
            true => self.source.one_of(&BINARY.map(|name| (name, if name.starts_with("fsh") { 3 } else { 2 }))),
            false => (self.source.one_of(&UNARY), 1),
        };
        let others: Vec<String> = (1..count).map(|_| format!("{ty} {}", self.of(&ty))).collect();
        let arguments = [vec![format!("{ty} {first}")], others].concat().join(", ");
        let types = vec![ty.as_str(); count].join(", ");
        let name = format!("@llvm.{name}.{}", suffix(&ty));
        self.declarations.push(format!("declare {ty} {name}({types})"));
        self.define(ty.clone(), &format!("call {ty} {name}({arguments})"));
    }

    fn shuffle(&mut self) {
        let (count, result) = (self.source.one_of(&COUNTS), self.source.one_of(&COUNTS));
        let scalar = self.source.one_of(&["i1", "i8", "i32", "float", "i24"]);
        let ty = format!("<{count} x {scalar}>");
        let (first, second) = (self.of(&ty), self.of(&ty));
        let index = |source: &mut Source| match source.below(6) {
            0 => "i32 poison".to_owned(),
            _ => format!("i32 {}", source.below(2 * count as usize)),
        };
        let mask = (0..result).map(|_| index(&mut self.source)).collect::<Vec<_>>().join(", ");
        let definition = format!("shufflevector {ty} {first}, {ty} {second}, <{result} x i32> <{mask}>");
        self.define(format!("<{result} x {scalar}>"), &definition);
    }

    fn call(&mut self) {
        let ((space, pointer), number) = (self.pointer(), self.of("i32"));
        if space == "ptr" {
            self.define("i32".to_owned(), &format!("call i32 @helper(ptr {pointer}, i32 {number})"));
        }
    }

    fn label(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
        label.clone_into(&mut self.block);
    }

    /// Emits statements whose values are dropped, and one value of a type, which is returned with
    /// its block.
    fn arm(&mut self, label: &str, ty: &str, depth: usize) -> (String, String) {
        let (values, pointers) = (self.values.len(), self.pointers.len());
        self.label(label);
        let count = self.source.below(5);
        self.statements(count, depth - 1);
        let value = self.of(ty);
        self.values.truncate(values);
        self.pointers.truncate(pointers);
        (value, self.block.clone())
    }

    fn branch(&mut self, depth: usize) {
        let (ty, condition, number) = (self.ty(), self.of("i1"), self.count);
        self.count += 1;
        let outside = (self.of(&ty), self.block.clone());
        self.line(&format!("br i1 {condition}, label %then{number}, label %end{number}"));
        let inside = self.arm(&format!("then{number}"), &ty, depth);
        self.line(&format!("br label %end{number}"));
        self.label(&format!("end{number}"));
        self.define(
            ty.clone(),
            &format!("phi {ty} [ {}, %{} ], [ {}, %{} ]", outside.0, outside.1, inside.0, inside.1),
        );
    }

    fn repeat(&mut self, depth: usize) {
        let (ty, number) = (self.ty(), self.count);
        self.count += 1;
        let (start, before) = (self.of(&ty), self.block.clone());
        self.line(&format!("br label %loop{number}"));
        // The value at the end of the loop is known only later.
        let at = self.text.len();
        let name = self.fresh();
        self.values.push((ty.clone(), name.clone()));
        let (next, last) = self.arm(&format!("loop{number}"), &ty, depth);
        let header = format!("loop{number}:\n  {name} = phi {ty} [ {start}, %{before} ], [ {next}, %{last} ]\n");
        self.text.replace_range(at..at + format!("loop{number}:\n").len(), &header);
        let again = self.fresh();
        self.line(&format!("{again} = load volatile i1, ptr %p"));
        self.line(&format!("br i1 {again}, label %loop{number}, label %done{number}"));
        self.label(&format!("done{number}"));
    }

    fn switch(&mut self, depth: usize) {
        let (ty, selector, number) = (self.ty(), self.source.one_of(&["i8", "i16", "i32", "i64", "i33"]), self.count);
        self.count += 1;
        let (value, outside, before) = (self.of(selector), self.of(&ty), self.block.clone());
        self.line(&format!(
            "switch {selector} {value}, label %end{number} [ {selector} -3, label %case{number} {selector} 5, label %end{number} {selector} 7, label %case{number} ]"
        ));
        let inside = self.arm(&format!("case{number}"), &ty, depth);
        self.line(&format!("br label %end{number}"));
        self.label(&format!("end{number}"));
        let twice = format!("[ {outside}, %{before} ], [ {outside}, %{before} ]");
        self.define(ty.clone(), &format!("phi {ty} {twice}, [ {}, %{} ]", inside.0, inside.1));
    }
}
