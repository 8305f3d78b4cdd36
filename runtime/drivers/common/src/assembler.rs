//! Pairs machine code with the source that it was assembled from.
//!
//! In: code objects that hold source, or machine code that a vendor's compiler made from it. Out:
//! the form that a driver loads, and code objects with both forms. *Invariant:* an assembler's name
//! covers everything besides the source that the machine code depends on; machine code with another
//! name is assembled again.

use crate::{context::Context, vendor::Vendor};
use sinter_core::{Assembly, CodeFormat, CodeObject};
use sinter_driver::DriverError;
use std::sync::Arc;

/// A vendor's compiler for one device.
#[derive(Debug, Clone)]
pub struct Assembler {
    /// Driver, driver version and device; part of what identifies its machine code.
    pub name: String,
    /// Format that the compiler reads.
    pub source: CodeFormat,
    /// Format that the compiler writes.
    pub machine: CodeFormat,
}

impl Assembler {
    /// True for machine code that this assembler made, and for machine code without a source that
    /// it could assemble.
    pub fn is_ready(&self, code: &CodeObject) -> bool {
        let made = |assembly: &Assembly| assembly.assembler == self.name || assembly.format != self.source;
        code.format != self.source && code.assembly.as_ref().is_none_or(made)
    }

    /// The source in a code object, or the source that its machine code was assembled from.
    pub fn source_of<'c>(&self, code: &'c CodeObject) -> Option<&'c Arc<[u8]>> {
        match &code.assembly {
            _ if code.format == self.source => Some(&code.bytes),
            Some(assembly) if assembly.format == self.source => Some(&assembly.text),
            _ => None,
        }
    }

    /// Assembles a code object that is not ready.
    pub fn assemble(
        &self,
        code: &CodeObject,
        make: impl FnOnce(&[u8]) -> Result<Arc<[u8]>, DriverError>,
    ) -> Result<CodeObject, DriverError> {
        let text = self.source_of(code).unwrap_or(&code.bytes);
        let assembly = Assembly { format: self.source, text: Arc::clone(text), assembler: self.name.clone() };
        Ok(CodeObject {
            format: self.machine,
            bytes: make(text)?,
            entry: code.entry.clone(),
            assembly: Some(assembly),
            level: code.level,
        })
    }

    /// True for machine code, which is loaded directly; false for source, which has to be compiled
    /// first. Refuses every other format.
    pub fn is_machine<V: Vendor>(&self, context: &Context<V>, code: &CodeObject) -> Result<bool, DriverError> {
        if code.format == self.source || code.format == self.machine {
            return Ok(code.format == self.machine);
        }
        let [found, source, machine] = [code.format, self.source, self.machine].map(CodeFormat::name);
        let reason = format!("it is {found}, neither {source} nor {machine}");
        Err(context.refused(&code.entry.symbol, reason))
    }
}
