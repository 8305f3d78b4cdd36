//! The functions whose calls are interposed.
//!
//! In: a function of a module. Out: its row, if it has the type that the C or C++ library gives it.
//! *Invariant:* a function that the unit defines itself is not in the table: the program has an
//! allocator of its own.

use sinter_llvm::inkwell::{types::BasicTypeEnum, values::FunctionValue};

/// How the result is returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The function returns the block.
    Returns,
    /// The first argument is an old block. Only where it is null is a block allocated.
    Grows,
    /// The block is stored where the first argument points, and 0 is returned.
    Stores,
    /// The first argument is a block that is freed.
    Frees,
}

/// Memory that is zero (`sinter_stdpar_allocate`).
const ZEROED: u64 = 1;
/// An allocation by `operator new`.
const BY_NEW: u64 = 2;

/// A function that allocates or frees. Arguments are named by their numbers.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) form: Form,
    /// The arguments of the function: `p` a pointer, `n` a number.
    pub(super) arguments: &'static str,
    /// The number of elements; none means one.
    pub(super) count: Option<u32>,
    /// Bytes of an element.
    pub(super) size: u32,
    pub(super) alignment: Option<u32>,
    pub(super) flags: u64,
    /// The name by which LLVM knows the functions that free such a block.
    pub(super) family: &'static str,
    /// The function of the process that takes a block of ours. None for a function that every
    /// process has once, and that knows our blocks itself.
    pub(super) of_process: Option<&'static str>,
}

const fn c(
    name: &'static str,
    form: Form,
    arguments: &'static str,
    count: Option<u32>,
    size: u32,
    alignment: Option<u32>,
    flags: u64,
) -> Row {
    Row { name, form, arguments, count, size, alignment, flags, family: "malloc", of_process: None }
}

/// A function that the C library has beside the one of the process.
const fn beside(row: Row, of_process: &'static str) -> Row {
    Row { of_process: Some(of_process), ..row }
}

const fn new(name: &'static str, arguments: &'static str, alignment: Option<u32>, family: &'static str) -> Row {
    Row {
        name,
        form: Form::Returns,
        arguments,
        count: None,
        size: 0,
        alignment,
        flags: BY_NEW,
        family,
        of_process: None,
    }
}

/// All functions that are interposed.
pub(super) const TABLE: &[Row] = &[
    c("malloc", Form::Returns, "n", None, 0, None, 0),
    c("__libc_malloc", Form::Returns, "n", None, 0, None, 0),
    c("calloc", Form::Returns, "nn", Some(0), 1, None, ZEROED),
    c("__libc_calloc", Form::Returns, "nn", Some(0), 1, None, ZEROED),
    c("valloc", Form::Returns, "n", None, 0, None, 0),
    c("aligned_alloc", Form::Returns, "nn", None, 1, Some(0), 0),
    c("memalign", Form::Returns, "nn", None, 1, Some(0), 0),
    c("__libc_memalign", Form::Returns, "nn", None, 1, Some(0), 0),
    c("posix_memalign", Form::Stores, "pnn", None, 2, Some(1), 0),
    c("realloc", Form::Grows, "pn", None, 1, None, 0),
    beside(c("__libc_realloc", Form::Grows, "pn", None, 1, None, 0), "realloc"),
    c("reallocarray", Form::Grows, "pnn", Some(1), 2, None, 0),
    beside(c("__libc_free", Form::Frees, "p", None, 0, None, 0), "free"),
    new("_Znwm", "n", None, "_Znwm"),
    new("_Znam", "n", None, "_Znam"),
    new("_ZnwmRKSt9nothrow_t", "np", None, "_Znwm"),
    new("_ZnamRKSt9nothrow_t", "np", None, "_Znam"),
    new("_ZnwmSt11align_val_t", "nn", Some(1), "_ZnwmSt11align_val_t"),
    new("_ZnamSt11align_val_t", "nn", Some(1), "_ZnamSt11align_val_t"),
    new("_ZnwmSt11align_val_tRKSt9nothrow_t", "nnp", Some(1), "_ZnwmSt11align_val_t"),
    new("_ZnamSt11align_val_tRKSt9nothrow_t", "nnp", Some(1), "_ZnamSt11align_val_t"),
];

impl Row {
    /// True for the forms of `operator new`.
    pub(super) fn is_new(&self) -> bool {
        self.flags & BY_NEW != 0
    }

    /// True if this is the function of the library: declared alone, with the type of the row.
    pub(super) fn fits(&self, function: FunctionValue<'_>) -> bool {
        let types = function.get_type().get_param_types();
        let fits = |(ty, kind): (&_, char)| match kind {
            'p' => matches!(ty, sinter_llvm::inkwell::types::BasicMetadataTypeEnum::PointerType(_)),
            _ => {
                matches!(ty, sinter_llvm::inkwell::types::BasicMetadataTypeEnum::IntType(int) if int.get_bit_width() == 64)
            }
        };
        let result = match (self.form, function.get_type().get_return_type()) {
            (Form::Stores, Some(BasicTypeEnum::IntType(int))) => int.get_bit_width() == 32,
            (Form::Returns | Form::Grows, Some(BasicTypeEnum::PointerType(_))) => true,
            (Form::Frees, None) => true,
            _ => false,
        };
        let count = self.arguments.len();
        function.count_basic_blocks() == 0
            && result
            && types.len() == count
            && types.iter().zip(self.arguments.chars()).all(fits)
    }
}
