//! Tells a module which side it is.
//!
//! In: loads of `__acpp_sscp_is_host` and `__acpp_sscp_is_device`. Out: literals, and no code of
//! the other side. *Invariant:* no load of the two is left.

use sinter_llvm::{inkwell::module::Module, stage1::surgery};

/// Which half of the program a module is.
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
