//! Random functions that call each other, in IR.
//!
//! In: a seed. Out: a kernel that calls them and stores what they compute. *Invariant:* the kernel
//! ends, accesses only memory of its own, its argument `%in`, and the part of `%out` that belongs
//! to the work-item, and computes only with integers and with floating-point numbers that are
//! exact.

use std::fmt::Write;

/// 32-bit values of the input.
pub(crate) const INPUTS: usize = 64;
/// 32-bit values of the output for each work-item.
pub(crate) const ITEM: usize = 16;
/// Elements of a private array.
const ELEMENTS: u32 = 8;
/// Variables of a function.
const VARIABLES: usize = 4;
/// Statements that a function may have. More would be too slow for LLVM, less would be inlined.
const STATEMENTS: usize = 22;

/// The type of a parameter or of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Nothing,
    Bool,
    Byte,
    Word,
    Long,
    Double,
    Half,
    /// Two `i32`, as a vector.
    Pair,
    /// An `i64` and an `i1`, as a structure.
    Both,
    /// The address of a private array.
    Array,
    /// The address of the input.
    Input,
    /// The address of the work-item's output.
    Own,
    /// A private array by value.
    Copy,
}

impl Type {
    fn text(self) -> &'static str {
        match self {
            Type::Nothing => "void",
            Type::Bool => "i1",
            Type::Byte => "i8",
            Type::Word => "i32",
            Type::Long => "i64",
            Type::Double => "double",
            Type::Half => "half",
            Type::Pair => "<2 x i32>",
            Type::Both => "{ i64, i1 }",
            Type::Array | Type::Input | Type::Own => "ptr",
            Type::Copy => "ptr byval([8 x i32]) align 4",
        }
    }
}

const PARAMETERS: [Type; 12] = [
    Type::Bool,
    Type::Byte,
    Type::Word,
    Type::Word,
    Type::Long,
    Type::Double,
    Type::Half,
    Type::Pair,
    Type::Array,
    Type::Input,
    Type::Own,
    Type::Copy,
];
const RESULTS: [Type; 8] =
    [Type::Nothing, Type::Bool, Type::Word, Type::Word, Type::Long, Type::Double, Type::Pair, Type::Both];

/// Parameters behind the depth, the address of the input and that of the work-item's output.
struct Signature {
    parameters: Vec<Type>,
    result: Type,
}

/// Pseudo-random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn choose<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// The code of one function.
struct Writer<'a> {
    random: &'a mut Random,
    signatures: &'a [Signature],
    text: String,
    /// Numbers of values and of blocks that are taken.
    names: usize,
    left: usize,
    /// The result of the function.
    result: Type,
    /// Addresses of private arrays.
    arrays: Vec<String>,
    /// Loops around a statement, with the blocks of their next round and behind them.
    loops: Vec<(usize, usize)>,
}

/// The kernel and its functions.
pub(crate) fn kernel(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(77_777) + 3);
    let count = 1 + random.below(3);
    let signature = |random: &mut Random| {
        let parameters = (0..1 + random.below(4)).map(|_| random.choose(&PARAMETERS)).collect();
        Signature { parameters, result: random.choose(&RESULTS) }
    };
    let signatures: Vec<_> = (0..count).map(|_| signature(&mut random)).collect();
    let mut text = String::from(
        "declare i64 @__acpp_sscp_get_local_id_x()\ndeclare i64 @__acpp_sscp_get_group_id_x()\n\
         declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n",
    );
    for number in 0..count {
        text += &function(&mut random, &signatures, number);
    }
    text + &body_of_kernel(&mut random, &signatures)
}

fn function(random: &mut Random, signatures: &[Signature], number: usize) -> String {
    let Signature { parameters, result } = &signatures[number];
    let mut writer = Writer::new(random, signatures, STATEMENTS, *result);
    let list: String = parameters.iter().enumerate().map(|(index, ty)| format!(", {} %p{index}", ty.text())).collect();
    let head = format!("define internal {} @f{number}(i32 %depth, ptr %in, ptr %own{list}) {{\n", result.text());
    writer.variables();
    for (index, ty) in parameters.iter().enumerate() {
        if [Type::Array, Type::Copy].contains(ty) {
            writer.arrays.push(format!("%p{index}"));
        }
        let value = writer.word_of(*ty, &format!("%p{index}"));
        writer.line(&format!("store i32 {value}, ptr %v{}", index % VARIABLES));
    }
    writer.block(0);
    writer.give_back();
    format!("{head}{}}}\n", writer.text)
}

fn body_of_kernel(random: &mut Random, signatures: &[Signature]) -> String {
    let mut writer = Writer::new(random, signatures, 6, Type::Nothing);
    writer.line("%l = call i64 @__acpp_sscp_get_local_id_x()");
    writer.line("%g = call i64 @__acpp_sscp_get_group_id_x()");
    writer.line("%base = mul i64 %g, 50");
    writer.line("%i = add i64 %base, %l");
    writer.line(&format!("%first = mul i64 %i, {ITEM}"));
    writer.line("%own = getelementptr inbounds i32, ptr %out, i64 %first");
    writer.line("%slot = and i64 %i, 63");
    writer.line("%from = getelementptr inbounds i32, ptr %in, i64 %slot");
    writer.line("%start = load i32, ptr %from");
    let bits = writer.random.below(2);
    writer.line(&format!("%deeper = and i32 %start, {bits}"));
    writer.line("%depth = add i32 %deeper, 2");
    writer.variables();
    writer.line("%index = trunc i64 %i to i32");
    writer.line("store i32 %index, ptr %v0");
    writer.line("store i32 %start, ptr %v1");
    writer.call();
    writer.block(0);
    writer.call();
    for index in 0..VARIABLES {
        let value = writer.load(&format!("%v{index}"));
        let to = writer.value(&format!("getelementptr inbounds i32, ptr %own, i64 {}", 12 + index));
        writer.line(&format!("store i32 {value}, ptr {to}"));
    }
    writer.line("ret void");
    format!("define void @kernel(ptr %in, ptr %out) {{\n{}}}\n", writer.text)
}

impl<'a> Writer<'a> {
    fn new(random: &'a mut Random, signatures: &'a [Signature], left: usize, result: Type) -> Self {
        let arrays = vec!["%mine".to_owned()];
        Writer { random, signatures, text: String::new(), names: 0, left, result, arrays, loops: Vec::new() }
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    fn name(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    fn value(&mut self, operation: &str) -> String {
        let name = self.name();
        self.line(&format!("%t{name} = {operation}"));
        format!("%t{name}")
    }

    fn load(&mut self, from: &str) -> String {
        self.value(&format!("load i32, ptr {from}"))
    }

    fn label(&mut self, block: usize) {
        let _ = writeln!(self.text, "b{block}:");
    }

    /// Variables, and a private array.
    fn variables(&mut self) {
        for index in 0..VARIABLES {
            self.line(&format!("%v{index} = alloca i32"));
            self.line(&format!("store i32 {index}, ptr %v{index}"));
        }
        self.line("%mine = alloca [8 x i32], align 4");
        for index in 0..ELEMENTS {
            let to = self.value(&format!("getelementptr inbounds i32, ptr %mine, i64 {index}"));
            self.line(&format!("store i32 {}, ptr {to}", index * 3));
        }
    }

    /// A number that depends on an argument.
    fn word_of(&mut self, ty: Type, value: &str) -> String {
        match ty {
            Type::Nothing | Type::Own => "5".to_owned(),
            Type::Word => value.to_owned(),
            Type::Bool => self.value(&format!("zext i1 {value} to i32")),
            Type::Byte => self.value(&format!("sext i8 {value} to i32")),
            Type::Long => {
                let high = self.value(&format!("lshr i64 {value}, 7"));
                self.value(&format!("trunc i64 {high} to i32"))
            }
            Type::Double => self.value(&format!("fptosi double {value} to i32")),
            Type::Half => self.value(&format!("fptosi half {value} to i32")),
            Type::Pair => {
                let [a, b] = [0, 1].map(|at| self.value(&format!("extractelement <2 x i32> {value}, i64 {at}")));
                self.value(&format!("sub i32 {a}, {b}"))
            }
            Type::Both => {
                let [a, b] = [0, 1].map(|at| self.value(&format!("extractvalue {{ i64, i1 }} {value}, {at}")));
                let [a, b] = [self.value(&format!("trunc i64 {a} to i32")), self.value(&format!("zext i1 {b} to i32"))];
                self.value(&format!("xor i32 {a}, {b}"))
            }
            Type::Array | Type::Input | Type::Copy => {
                let at = self.value(&format!("getelementptr inbounds i32, ptr {value}, i64 2"));
                self.load(&at)
            }
        }
    }

    /// An argument or result made of a number.
    fn of_word(&mut self, ty: Type, word: &str) -> String {
        match ty {
            Type::Nothing => String::new(),
            Type::Word => word.to_owned(),
            Type::Bool => {
                let limit = self.random.below(100);
                self.value(&format!("icmp sgt i32 {word}, {limit}"))
            }
            Type::Byte => self.value(&format!("trunc i32 {word} to i8")),
            Type::Long => {
                let long = self.value(&format!("zext i32 {word} to i64"));
                self.value(&format!("mul i64 {long}, 300"))
            }
            Type::Double => {
                let small = self.value(&format!("and i32 {word}, 65535"));
                let number = self.value(&format!("sitofp i32 {small} to double"));
                self.value(&format!("fmul double {number}, 2.0"))
            }
            Type::Half => {
                let small = self.value(&format!("and i32 {word}, 255"));
                self.value(&format!("sitofp i32 {small} to half"))
            }
            Type::Pair => {
                let other = self.word();
                let one = self.value(&format!("insertelement <2 x i32> poison, i32 {word}, i64 0"));
                self.value(&format!("insertelement <2 x i32> {one}, i32 {other}, i64 1"))
            }
            Type::Both => {
                let [long, flag] = [self.of_word(Type::Long, word), self.of_word(Type::Bool, word)];
                let one = self.value(&format!("insertvalue {{ i64, i1 }} poison, i64 {long}, 0"));
                self.value(&format!("insertvalue {{ i64, i1 }} {one}, i1 {flag}, 1"))
            }
            Type::Array | Type::Copy => self.array(),
            Type::Input => {
                let index = self.value(&format!("and i32 {word}, 31"));
                let index = self.value(&format!("zext i32 {index} to i64"));
                self.value(&format!("getelementptr inbounds i32, ptr %in, i64 {index}"))
            }
            Type::Own => "%own".to_owned(),
        }
    }

    fn array(&mut self) -> String {
        self.arrays[self.random.below(self.arrays.len())].clone()
    }

    /// The address of an element of a private array.
    fn element(&mut self) -> String {
        let word = self.word();
        let index = self.value(&format!("and i32 {word}, {}", ELEMENTS - 1));
        let index = self.value(&format!("zext i32 {index} to i64"));
        let array = self.array();
        self.value(&format!("getelementptr inbounds [8 x i32], ptr {array}, i64 0, i64 {index}"))
    }

    /// A random number.
    fn word(&mut self) -> String {
        match self.random.below(12) {
            0 => format!("{}", self.random.below(40)),
            1 => "%depth".to_owned(),
            2 => {
                let from = self.element();
                self.load(&from)
            }
            3 => {
                let word = self.word();
                let from = self.of_word(Type::Input, &word);
                self.load(&from)
            }
            4..=8 => {
                let from = format!("%v{}", self.random.below(VARIABLES));
                self.load(&from)
            }
            _ => {
                let [a, b] = [self.word(), self.word()];
                match self.random.below(8) {
                    0 => self.value(&format!("sub i32 {a}, {b}")),
                    1 => self.value(&format!("mul i32 {a}, {b}")),
                    2 => self.value(&format!("xor i32 {a}, {b}")),
                    3 => {
                        let by = self.value(&format!("and i32 {b}, 31"));
                        self.value(&format!("lshr i32 {a}, {by}"))
                    }
                    4 => {
                        let by = self.value(&format!("or i32 {b}, 1"));
                        self.value(&format!("urem i32 {a}, {by}"))
                    }
                    _ => self.value(&format!("add i32 {a}, {b}")),
                }
            }
        }
    }

    fn condition(&mut self) -> String {
        let [a, b] = [self.word(), self.word()];
        match self.random.below(3) {
            0 => self.value(&format!("icmp ult i32 {a}, {b}")),
            1 => {
                let bits = self.value(&format!("and i32 {a}, 3"));
                let number = self.random.below(4);
                self.value(&format!("icmp eq i32 {bits}, {number}"))
            }
            _ => self.value(&format!("icmp sgt i32 {a}, {b}")),
        }
    }

    fn block(&mut self, nesting: usize) {
        for _ in 0..2 + self.random.below(4) {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            self.statement(nesting);
        }
    }

    fn statement(&mut self, nesting: usize) {
        match self.random.below(12) {
            0..=1 => self.assign(),
            2 => {
                let (to, value) = (self.element(), self.word());
                self.line(&format!("store i32 {value}, ptr {to}"));
            }
            3 => self.store_own(),
            4..=6 if nesting < 3 => self.branch(nesting),
            7 if nesting < 2 => self.repeat(nesting),
            8 if !self.loops.is_empty() => self.jump(),
            9 if nesting > 0 => {
                let [here, on] = [self.name(), self.name()];
                let condition = self.condition();
                self.line(&format!("br i1 {condition}, label %b{here}, label %b{on}"));
                self.label(here);
                self.give_back();
                self.label(on);
            }
            _ => self.call(),
        }
    }

    fn assign(&mut self) {
        let value = self.word();
        let to = self.random.below(VARIABLES);
        self.line(&format!("store i32 {value}, ptr %v{to}"));
    }

    fn store_own(&mut self) {
        let (index, value) = (self.random.below(12), self.word());
        let to = self.value(&format!("getelementptr inbounds i32, ptr %own, i64 {index}"));
        let old = self.load(&to);
        let new = self.value(&format!("add i32 {old}, {value}"));
        self.line(&format!("store i32 {new}, ptr {to}"));
    }

    fn branch(&mut self, nesting: usize) {
        let [then, otherwise, join] = [self.name(), self.name(), self.name()];
        let condition = self.condition();
        self.line(&format!("br i1 {condition}, label %b{then}, label %b{otherwise}"));
        for block in [then, otherwise] {
            self.label(block);
            self.block(nesting + 1);
            self.line(&format!("br label %b{join}"));
        }
        self.label(join);
    }

    /// A loop of at most three rounds.
    fn repeat(&mut self, nesting: usize) {
        let [head, body, next, behind] = [self.name(), self.name(), self.name(), self.name()];
        let counter = format!("%c{head}");
        let word = self.word();
        let count = self.value(&format!("and i32 {word}, 3"));
        let before = self.name();
        self.line(&format!("br label %b{before}"));
        self.label(before);
        self.line(&format!("br label %b{head}"));
        self.label(head);
        self.line(&format!("{counter} = phi i32 [ 0, %b{before} ], [ %n{head}, %b{next} ]"));
        let more = self.value(&format!("icmp ult i32 {counter}, {count}"));
        self.line(&format!("br i1 {more}, label %b{body}, label %b{behind}"));
        self.label(body);
        self.loops.push((next, behind));
        self.block(nesting + 1);
        self.loops.pop();
        self.line(&format!("br label %b{next}"));
        self.label(next);
        self.line(&format!("%n{head} = add i32 {counter}, 1"));
        self.line(&format!("br label %b{head}"));
        self.label(behind);
    }

    /// Goes on with the next round of a loop, or behind it.
    fn jump(&mut self) {
        let (next, behind) = self.random.choose(&self.loops.clone());
        let target = if self.random.below(2) == 0 { next } else { behind };
        let on = self.name();
        let condition = self.condition();
        self.line(&format!("br i1 {condition}, label %b{target}, label %b{on}"));
        self.label(on);
    }

    /// Calls a function, unless the depth is reached.
    fn call(&mut self) {
        let number = self.random.below(self.signatures.len());
        let [inside, behind] = [self.name(), self.name()];
        let more = self.value("icmp sgt i32 %depth, 0");
        self.line(&format!("br i1 {more}, label %b{inside}, label %b{behind}"));
        self.label(inside);
        let depth = self.value("sub i32 %depth, 1");
        let mut arguments = format!("i32 {depth}, ptr %in, ptr %own");
        for index in 0..self.signatures[number].parameters.len() {
            let ty = self.signatures[number].parameters[index];
            let word = self.word();
            let value = self.of_word(ty, &word);
            let _ = write!(arguments, ", {} {value}", ty.text());
        }
        let result = self.signatures[number].result;
        let call = format!("call {} @f{number}({arguments})", result.text());
        if result == Type::Nothing {
            self.line(&call);
        } else {
            let value = self.value(&call);
            let word = self.word_of(result, &value);
            let to = self.random.below(VARIABLES);
            self.line(&format!("store i32 {word}, ptr %v{to}"));
        }
        self.line(&format!("br label %b{behind}"));
        self.label(behind);
    }

    fn give_back(&mut self) {
        if self.result == Type::Nothing {
            self.line("ret void");
            return;
        }
        let word = self.word();
        let value = self.of_word(self.result, &word);
        self.line(&format!("ret {} {value}", self.result.text()));
    }
}
