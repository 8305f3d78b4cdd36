//! The table of device functions: their names, types and providers.
//!
//! In: `kernels/builtins/table/builtins.txt`, read when this crate is built. Out: constants, and
//! generated C++. *Invariant:* names of builtins are unique, and so are names of C library
//! functions.
#![forbid(unsafe_code)]

mod c_library;
mod complex;
pub mod lists;
mod shape;

pub use c_library::{Precision, c_function};
pub use complex::{COMPLEX_OPERATIONS, ComplexOperation};
pub use shape::Shape;

/// Functions that differ in a word of their name and a type: one line of the table.
#[derive(Debug)]
pub struct Family {
    /// Group of functions, a section of `docs/builtins.md`.
    pub group: &'static str,
    /// The name without the prefix `__acpp_sscp_`, unless it starts with `__`; `{T}` stands for the
    /// type, `{a,b}` for one of the words.
    pub name: &'static str,
    /// The types that `T` stands for.
    pub types: &'static [&'static str],
    /// Result type; may be `T`.
    pub result: &'static str,
    /// Parameter types; may be `T`.
    pub parameters: &'static [&'static str],
    /// True if the result depends only on the arguments and the work-item.
    pub is_pure: bool,
    /// True if all work-items of the group must call it together.
    pub is_convergent: bool,
    /// False for a function that ends the kernel.
    pub returns: bool,
    /// Source of the implementation on targets.
    pub origin: Origin,
    /// One for each of [`TARGETS`]; empty for a line that is not about builtins.
    pub providers: &'static [Provider],
}

/// A math function: a builtin of several types, or one of the C library or of SYCL only.
#[derive(Debug)]
pub struct Function {
    /// Its name in SYCL, and between the prefix and the type of builtins.
    pub name: &'static str,
    /// Its names in the C library for `double`.
    pub c: &'static [&'static str],
    /// The equivalent operation of LLVM.
    pub llvm: Option<Llvm>,
    /// Words in the column `sycl`.
    pub sycl: &'static [&'static str],
    /// Error bound, if it has one.
    pub bound: Option<Bound>,
    /// The line that defines it.
    pub family: &'static Family,
}

/// A function of the device interface.
#[derive(Debug)]
pub struct Builtin {
    /// Symbol, with the prefix.
    pub name: &'static str,
    /// Result type.
    pub result: &'static str,
    /// Parameter types.
    pub parameters: &'static [&'static str],
    /// The line that defines it.
    pub family: &'static Family,
}

/// Source of a function's implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An LLVM intrinsic that is exact on every target.
    Intrinsic,
    /// The vendor library and OpenCL.std have it under this name.
    Vendor,
    /// Only OpenCL.std has it under this name.
    OpenCl,
    /// Implemented by the builtins.
    Own,
}

/// An operation of LLVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Llvm {
    /// The intrinsic of this name, which begins with `llvm.`.
    Intrinsic(&'static str),
    /// The instruction `frem`.
    Remainder,
    /// `llvm.sin` and `llvm.cos`.
    SinCos,
    /// `llvm.is.fpclass` with these classes (`llvm::FPClassTest`, llvm/ADT/FloatingPointMode.h).
    Class(u32),
}

/// The error bound of a function, and the interval in which tests measure it.
#[derive(Debug, PartialEq, Eq)]
pub struct Bound {
    /// Units in the last place; `None` if the standard leaves them open.
    pub ulps: Option<&'static str>,
    /// The interval of most arguments in the tests.
    pub interval: [&'static str; 2],
}

/// Provider of a function on a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// The bitcode of the crate `sinter-kernels`.
    Library,
    /// The translator's backend.
    Backend,
    /// The target's own C library.
    LibC,
    /// Not available, for this reason.
    Refused(&'static str),
}

impl Builtin {
    /// The function's provider on the target of that name; `None` if there is no such target.
    pub fn provider(&self, target: &str) -> Option<Provider> {
        let column = TARGETS.iter().position(|name| *name == target)?;
        self.family.providers.get(column).copied()
    }
}

impl Family {
    /// False for functions of the C library or SYCL only.
    pub fn is_builtin(&self) -> bool {
        !self.providers.is_empty()
    }
}

impl Function {
    /// The shape of the signature, where `T` is the type; `None` if no list has it.
    pub fn shape(&self) -> Option<Shape> {
        Shape::of(self.family.result, self.family.parameters)
    }

    /// True if SYCL's function is the C library's of the same name.
    pub fn is_in_c(&self) -> bool {
        self.c.contains(&self.name)
    }

    /// True if the column `sycl` contains the word.
    pub fn has(&self, word: &str) -> bool {
        self.sycl.contains(&word)
    }

    /// The symbol of the builtin for a type such as `f32`; `None` if there is no builtin.
    pub fn builtin(&self, ty: &str) -> Option<String> {
        self.family.is_builtin().then(|| format!("__acpp_sscp_{}_{ty}", self.name))
    }
}

/// The builtin with this symbol.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}

include!(concat!(env!("OUT_DIR"), "/table.rs"));
