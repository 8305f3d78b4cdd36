//! The table of device functions: what they are called, where, with which types, and who provides them.
//!
//! In: `kernels/builtins/table/builtins.txt`, read when this crate is built. Out: constants, and the C++ that is made of
//! them. *Invariant:* names of builtins are unique, and so are names of the C library.
#![forbid(unsafe_code)]

mod c_library;
pub mod lists;
mod shape;

pub use c_library::{Precision, c_function};
pub use shape::Shape;

/// Functions that differ in a word of their name and a type: one line of the table.
#[derive(Debug)]
pub struct Family {
    /// What kind of functions they are.
    pub group: &'static str,
    /// The name without the prefix `__acpp_sscp_`, unless it starts with `__`; `{T}` stands for the type, `{a,b}` for one
    /// of the words.
    pub name: &'static str,
    /// The types that `T` stands for.
    pub types: &'static [&'static str],
    /// Type of the result.
    pub result: &'static str,
    /// Types of the parameters.
    pub parameters: &'static [&'static str],
    /// It depends on nothing but its arguments and the work-item.
    pub is_pure: bool,
    /// All work-items of the group call it together.
    pub is_convergent: bool,
    /// False for what ends the kernel.
    pub returns: bool,
    /// Where targets get it from.
    pub origin: Origin,
    /// One for each of [`TARGETS`], none for what is no builtin.
    pub providers: &'static [Provider],
}

/// A function on numbers: a builtin of several types, or one of the C library or of SYCL alone.
#[derive(Debug)]
pub struct Function {
    /// Its name in SYCL, and between the prefix and the type of builtins.
    pub name: &'static str,
    /// Its names in the C library for `double`.
    pub c: &'static [&'static str],
    /// The operation of LLVM that is the same.
    pub llvm: Option<Llvm>,
    /// The words of the column.
    pub sycl: &'static [&'static str],
    /// Its accuracy.
    pub bound: Option<Bound>,
    /// The line it is from.
    pub family: &'static Family,
}

/// One builtin.
#[derive(Debug)]
pub struct Builtin {
    /// Its symbol.
    pub name: &'static str,
    /// Type of the result.
    pub result: &'static str,
    /// Types of the parameters.
    pub parameters: &'static [&'static str],
    /// The line it is from.
    pub family: &'static Family,
}

/// Where targets get a function from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An intrinsic of LLVM, which every target has exact code for.
    Intrinsic,
    /// The vendor's library and OpenCL's instructions have it under this name.
    Vendor,
    /// OpenCL's instructions alone have it under this name.
    OpenCl,
    /// Code of the builtins.
    Own,
}

/// An operation of LLVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Llvm {
    /// The intrinsic of this name.
    Intrinsic(&'static str),
    /// The instruction `frem`.
    Remainder,
    /// `llvm.sin` and `llvm.cos`.
    SinCos,
    /// `llvm.is.fpclass` with these classes (`llvm::FPClassTest`, llvm/ADT/FloatingPointMode.h).
    Class(u32),
}

/// The accuracy of a function, and where tests measure it.
#[derive(Debug, PartialEq, Eq)]
pub struct Bound {
    /// Units in the last place, `None` where the standard leaves them open.
    pub ulps: Option<&'static str>,
    /// The interval of most arguments.
    pub interval: [&'static str; 2],
}

/// Who provides a function on a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// The bitcode of the crate `sinter-kernels`.
    Library,
    /// The translator's backend.
    Backend,
    /// The target's own C library.
    LibC,
    /// Nobody, and why.
    Refused(&'static str),
}

impl Builtin {
    /// Who provides this function on the target of that name, `None` if there is no such target.
    pub fn provider(&self, target: &str) -> Option<Provider> {
        let column = TARGETS.iter().position(|name| *name == target)?;
        self.family.providers.get(column).copied()
    }
}

impl Family {
    /// False for what only the C library or SYCL has.
    pub fn is_builtin(&self) -> bool {
        !self.providers.is_empty()
    }
}

impl Function {
    /// The result and the parameters, where `T` is the type.
    pub fn shape(&self) -> Option<Shape> {
        Shape::of(self.family.result, &self.family.parameters)
    }

    /// SYCL's function is the C library's of the same name.
    pub fn is_in_c(&self) -> bool {
        self.c.contains(&self.name)
    }

    /// The word is in the column `sycl`.
    pub fn has(&self, word: &str) -> bool {
        self.sycl.contains(&word)
    }

    /// The symbol of the builtin for a type such as `f32`; `None` if there is no builtin.
    pub fn builtin(&self, ty: &str) -> Option<String> {
        self.family.is_builtin().then(|| format!("__acpp_sscp_{}_{ty}", self.name))
    }
}

/// The builtin of that name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}

include!(concat!(env!("OUT_DIR"), "/table.rs"));
