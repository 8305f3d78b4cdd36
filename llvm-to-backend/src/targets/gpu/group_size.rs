//! Defines the queries of the work-group size that have constant answers.
//!
//! *Invariant:* the definitions stay visible until the library is linked, so that its collectives
//! are specialised to that size.

use crate::{context::Context, device_module::DeviceModule, failure::Outcome, passes::template::link_text};
use std::fmt::Write;

pub(crate) fn define<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let mut text = String::new();
    for (dimension, name) in ["x", "y", "z"].iter().enumerate() {
        let absent = dimension >= usize::from(cx.config().dimensions);
        let Some(size) = cx.config().group_size.map(|sizes| sizes[dimension]).or(absent.then_some(1)) else { continue };
        let name = format!("__acpp_sscp_get_local_size_{name}");
        if m.module.function(&name).is_none() {
            m.module.declare(&name, cx.session.integer(64), &[]);
        }
        let _ = writeln!(text, "define i64 @{name}() alwaysinline nounwind memory(none) {{\n  ret i64 {size}\n}}");
    }
    link_text(cx, m, &text).map(drop)
}
