//! Generates the page of builtins.
//!
//! In: the table. Out: `docs/builtins.md`, a table for each group. *Invariant:* a column that is
//! empty for all lines of a group is omitted.

use crate::{BUILTINS, FAMILIES, FUNCTIONS, Family, Function, Llvm, Provider, TARGETS};

const HEAD: &str = "# Builtins

The functions that device code may call, and who provides them on each target. The names are those
of the device interface of generic containers ([abi.md](abi.md)): `__acpp_sscp_` and what the table
says, unless it starts with two underscores. `{T}` stands for one of the types, `{a,b}` for one of
the words. The column of a target says *library* (C++ in `kernels/builtins`, linked and inlined into
the kernel), *backend* (emitted by the translator) or *libc* (a call of the C library).

Functions on numbers also say what they are elsewhere: in the C library (for `double`; `float` has
the suffix `f`), as an operation of LLVM, and in SYCL (*yes*: on numbers of these types and on
vectors of them; *test*: with a result of type `bool`). *ulp* is how far a result may be from the
exact one in units in the last place, where the standard says it; 0 is correctly rounded.

The page is made of `kernels/builtins/table/builtins.txt` by
`SINTER_BLESS=1 cargo test -p sinter-builtins --test generated`. A new builtin is a row there and
its code.

Sums over a work-group are taken in an order that depends on its size alone, so that they are the
same in every run; on the host also on every CPU, for all rows of items and in all modes. There a
sum or product has 16 parts, of the items whose linear IDs differ by multiples of 16, and a tree
joins the parts; a scan has a tree for each 8 items, one after the other. On GPUs there is a tree in
each sub-group, then sub-group by sub-group. Sums over a sub-group depend on the items that take
part, too. Reductions of minima and maxima give the first of equal values. Atomic additions of f32
in global memory flush subnormal numbers on NVIDIA's GPUs. An assertion that fails on an AMD GPU
ends the kernel without its message.

On devices that take SPIR-V, sums over a sub-group are taken in the order of the device's
instructions, as are those over a work-group where the device has instructions for all operations;
math functions are as accurate as OpenCL asks of the device. An assertion that fails there writes to
address 0 and does not return: a CPU ends the process, a GPU's driver reports a fault or that the
kernel does not end.
";

/// A column: its heading, and the function that returns a line's cell.
type Column = (&'static str, fn(&Family) -> String);

const FIXED: [Column; 4] = [
    ("function", |family| format!("`{}`", family.name)),
    ("types", |family| family.types.join(" ")),
    ("signature", |family| format!("`{}({})`", family.result, family.parameters.join(", "))),
    ("", marks),
];
const ELSEWHERE: [Column; 4] = [
    ("C library", |family| each(family, |function| function.c.join(" "))),
    ("LLVM", |family| each(family, |function| function.llvm.map(operation).unwrap_or_default())),
    ("SYCL", sycl),
    ("ulp", bound),
];

/// `docs/builtins.md`
pub fn page() -> String {
    let mut groups: Vec<&str> = FAMILIES.iter().map(|family| family.group).collect();
    groups.dedup();
    groups.into_iter().fold(HEAD.to_owned(), |page, name| page + &group(name))
}

fn group(name: &str) -> String {
    let families: Vec<&Family> = FAMILIES.iter().filter(|family| family.group == name).collect();
    let is_filled = |(_, cell): &&Column| families.iter().any(|family| !cell(family).is_empty());
    let columns: Vec<&Column> = FIXED.iter().chain(ELSEWHERE.iter().filter(is_filled)).collect();
    let targets = if families.iter().any(|family| family.is_builtin()) { TARGETS } else { &[] };
    let headings: Vec<&str> = columns.iter().map(|(heading, _)| *heading).chain(targets.iter().copied()).collect();
    let rows = families.iter().map(|family| {
        let providers = family.providers.iter().map(|provider| word(*provider));
        line(columns.iter().map(|(_, cell)| cell(family)).chain(providers))
    });
    let rule = format!("|{}\n", "---|".repeat(headings.len()));
    let heading = line(headings.iter().map(|word| (*word).to_owned()));
    format!("\n## {name} ({})\n\n{heading}{rule}{}", count(name), rows.collect::<String>())
}

/// Number of builtins in a group, or of functions if it has none.
fn count(group: &str) -> usize {
    let builtins = BUILTINS.iter().filter(|builtin| builtin.family.group == group).count();
    if builtins > 0 { builtins } else { FUNCTIONS.iter().filter(|function| function.family.group == group).count() }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    cells.fold("|".to_owned(), |line, cell| line + " " + &cell + " |") + "\n"
}

fn marks(family: &Family) -> String {
    let marks = [(family.is_pure, "pure"), (family.is_convergent, "convergent"), (!family.returns, "does not return")];
    marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect::<Vec<_>>().join(", ")
}

/// The functions of a line.
fn functions(family: &Family) -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter().filter(move |function| std::ptr::eq(function.family, family))
}

/// The cell's content once if it is the same for all functions of a line, else one after the other.
fn each(family: &Family, cell: impl Fn(&Function) -> String) -> String {
    let mut cells: Vec<String> = functions(family).map(cell).collect();
    cells.dedup();
    cells.join(" ").trim().to_owned()
}

fn operation(operation: Llvm) -> String {
    match operation {
        Llvm::Intrinsic(name) => name.trim_start_matches("llvm.").to_owned(),
        Llvm::Remainder => "frem".to_owned(),
        Llvm::SinCos => "sin, cos".to_owned(),
        Llvm::Class(mask) => format!("is.fpclass {mask:#x}"),
    }
}

fn sycl(family: &Family) -> String {
    let spaces = |word: &str| word.strip_suffix("::").map(str::to_owned);
    let word = |function: &Function| match function.sycl {
        [] => String::new(),
        ["test", ..] => "test".to_owned(),
        ["=", ..] => "yes".to_owned(),
        words => words.iter().filter_map(|word| spaces(word)).collect::<Vec<_>>().join(", "),
    };
    each(family, word)
}

fn bound(family: &Family) -> String {
    each(family, |function| function.bound.as_ref().and_then(|bound| bound.ulps).unwrap_or_default().to_owned())
}

fn word(provider: Provider) -> String {
    match provider {
        Provider::Library => "library".to_owned(),
        Provider::Backend => "backend".to_owned(),
        Provider::LibC => "libc".to_owned(),
        Provider::Refused(reason) => format!("refused: {reason}"),
    }
}
