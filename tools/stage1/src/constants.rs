//! Folds the constants that distinguish host from device code.
//!
//! In: loads of `__acpp_sscp_is_host` and `__acpp_sscp_is_device`. Out: literals, without the code
//! of the other side. *Invariant:* no load of the two remains.

use sinter_llvm::{inkwell::module::Module, stage1::surgery};

/// The half of the program that a module holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Host,
    Device,
}

pub(crate) fn fold(module: &Module<'_>, side: Side) {
    let is_host = side == Side::Host;
    for (name, value) in [("__acpp_sscp_is_host", is_host), ("__acpp_sscp_is_device", !is_host)] {
        if let Some(variable) = module.get_global(name) {
            surgery::fold_loads(variable, value.into());
        }
    }
}
