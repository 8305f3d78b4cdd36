//! Initial values of variables, as bytes.
//!
//! In: a variable with an initial value of any type. Out: one with the same bytes. *Invariant:*
//! handles are used as `ir.rs` says; the old variable is deleted. Offsets and sizes are those of
//! the module's data layout.

use crate::{ir::Value, text::take_message};
use llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind, core::*, prelude::*, target::*};
use std::collections::BTreeMap;

/// Size of an address in bytes.
const ADDRESS: u64 = 8;

/// The content of a variable: bytes, and addresses that replace eight of them each.
struct Content {
    layout: LLVMTargetDataRef,
    bytes: Vec<u8>,
    addresses: BTreeMap<u64, LLVMValueRef>,
}

/// A bit string, least significant bit first.
struct Bits {
    bytes: Vec<u8>,
    width: u64,
}

fn type_of(value: LLVMValueRef) -> LLVMTypeRef {
    // SAFETY: a live constant.
    unsafe { LLVMTypeOf(value) }
}

fn kind(ty: LLVMTypeRef) -> LLVMTypeKind {
    // SAFETY: a live type.
    unsafe { LLVMGetTypeKind(ty) }
}

fn value_kind(value: LLVMValueRef) -> LLVMValueKind {
    // SAFETY: a live constant.
    unsafe { LLVMGetValueKind(value) }
}

fn operand(value: LLVMValueRef, index: u32) -> LLVMValueRef {
    // SAFETY: callers pass an expression that has the operand.
    unsafe { LLVMGetOperand(value, index) }
}

fn is_null(value: LLVMValueRef) -> bool {
    // SAFETY: a live constant.
    unsafe { LLVMIsNull(value) != 0 }
}

fn is_undefined(value: LLVMValueRef) -> bool {
    // SAFETY: a live constant.
    unsafe { LLVMIsUndef(value) != 0 }
}

/// The type of the elements of an array or vector.
fn element_type(ty: LLVMTypeRef) -> LLVMTypeRef {
    // SAFETY: callers pass arrays and vectors.
    unsafe { LLVMGetElementType(ty) }
}

fn structure_length(ty: LLVMTypeRef) -> u32 {
    // SAFETY: callers pass structures.
    unsafe { LLVMCountStructElementTypes(ty) }
}

fn member_type(ty: LLVMTypeRef, index: u32) -> LLVMTypeRef {
    // SAFETY: callers pass a structure that has the member.
    unsafe { LLVMStructGetTypeAtIndex(ty, index) }
}

/// The bits of an integer or floating-point literal; `None` for other constants.
fn literal(value: LLVMValueRef) -> Option<Bits> {
    match value_kind(value) {
        LLVMValueKind::LLVMConstantIntValueKind => Some(integer(value)),
        LLVMValueKind::LLVMConstantFPValueKind => {
            let width = match kind(type_of(value)) {
                LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind => 16,
                LLVMTypeKind::LLVMFloatTypeKind => 32,
                LLVMTypeKind::LLVMDoubleTypeKind => 64,
                _ => return None,
            };
            // SAFETY: a live type has a context.
            let integers = unsafe { LLVMIntTypeInContext(LLVMGetTypeContext(type_of(value)), width) };
            // SAFETY: a literal and an integer type of its width.
            Some(integer(unsafe { LLVMConstBitCast(value, integers) }))
        }
        _ => None,
    }
}

fn integer(value: LLVMValueRef) -> Bits {
    // SAFETY: callers pass integers.
    let width = u64::from(unsafe { LLVMGetIntTypeWidth(type_of(value)) });
    let bytes = match width {
        // SAFETY: a literal of at most 64 bits.
        0..=64 => unsafe { LLVMConstIntGetZExtValue(value) }.to_le_bytes().to_vec(),
        _ => wide(value, width),
    };
    Bits { bytes, width }
}

/// LLVM's C interface gives wider numbers only as a string: type, space, decimal digits.
fn wide(value: LLVMValueRef, width: u64) -> Vec<u8> {
    // SAFETY: a live constant; the text is ours.
    let text = take_message(unsafe { LLVMPrintValueToString(value) });
    let digits = text.rsplit(' ').next().unwrap_or_default();
    let mut bytes = vec![0u8; width.div_ceil(8) as usize];
    for digit in digits.bytes().filter(u8::is_ascii_digit) {
        let mut carry = u16::from(digit - b'0');
        for byte in &mut bytes {
            carry += u16::from(*byte) * 10;
            *byte = carry as u8;
            carry >>= 8;
        }
    }
    if digits.starts_with('-') { negated(bytes) } else { bytes }
}

/// The two's complement.
fn negated(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut carry = true;
    for byte in &mut bytes {
        let (sum, overflow) = (!*byte).overflowing_add(u8::from(carry));
        (*byte, carry) = (sum, overflow);
    }
    bytes
}

impl Content {
    /// The content of a variable; `None` if it contains an address expression that assembly cannot
    /// express.
    fn of(global: LLVMValueRef) -> Option<Self> {
        // SAFETY: callers pass variables, which belong to a module.
        let layout = unsafe { LLVMGetModuleDataLayout(LLVMGetGlobalParent(global)) };
        // SAFETY: a variable.
        let ty = unsafe { LLVMGlobalGetValueType(global) };
        let mut content = Content { layout, bytes: Vec::new(), addresses: BTreeMap::new() };
        content.bytes = vec![0; content.size(ty) as usize];
        // SAFETY: callers pass variables with an initial value.
        content.write(unsafe { LLVMGetInitializer(global) }, 0)?;
        Some(content)
    }

    fn size(&self, ty: LLVMTypeRef) -> u64 {
        // SAFETY: the module's layout and a sized type.
        unsafe { LLVMABISizeOfType(self.layout, ty) }
    }

    fn width(&self, ty: LLVMTypeRef) -> u64 {
        // SAFETY: the module's layout and a sized type.
        unsafe { LLVMSizeOfTypeInBits(self.layout, ty) }
    }

    fn member_offset(&self, ty: LLVMTypeRef, index: u32) -> u64 {
        // SAFETY: the module's layout and a structure that has the member.
        unsafe { LLVMOffsetOfElement(self.layout, ty, index) }
    }

    fn write(&mut self, value: LLVMValueRef, at: u64) -> Option<()> {
        if is_null(value) || is_undefined(value) {
            return Some(());
        }
        let ty = type_of(value);
        match kind(ty) {
            LLVMTypeKind::LLVMVectorTypeKind => self.write_vector(value, ty, at),
            LLVMTypeKind::LLVMStructTypeKind => (0..structure_length(ty))
                .try_for_each(|i| self.write_element(value, i.into(), at + self.member_offset(ty, i))),
            LLVMTypeKind::LLVMArrayTypeKind => {
                // SAFETY: an array.
                let (count, stride) = (unsafe { LLVMGetArrayLength2(ty) }, self.size(element_type(ty)));
                (0..count).try_for_each(|i| self.write_element(value, i, at + i * stride))
            }
            _ => self.write_scalar(value, at),
        }
    }

    fn write_scalar(&mut self, value: LLVMValueRef, at: u64) -> Option<()> {
        if let Some(bits) = literal(value) {
            self.put(&bits, at * 8);
            return Some(());
        }
        match kind(type_of(value)) {
            LLVMTypeKind::LLVMPointerTypeKind => self.write_address(value, at),
            _ => self.write_address(integer_of_address(value)?, at),
        }
    }

    fn write_element(&mut self, value: LLVMValueRef, index: u64, at: u64) -> Option<()> {
        self.write(element(value, index)?, at)
    }

    /// The elements of a vector are packed without padding bits.
    fn write_vector(&mut self, value: LLVMValueRef, ty: LLVMTypeRef, at: u64) -> Option<()> {
        let width = self.width(element_type(ty));
        // SAFETY: a vector.
        for index in 0..u64::from(unsafe { LLVMGetVectorSize(ty) }) {
            let (part, place) = (element(value, index)?, at * 8 + index * width);
            match literal(part) {
                Some(bits) => self.put(&bits, place),
                None => self.write(part, place / 8)?,
            }
        }
        Some(())
    }

    fn put(&mut self, bits: &Bits, at: u64) {
        for bit in 0..bits.width {
            let (from, to) = (bit as usize, (at + bit) as usize);
            self.bytes[to / 8] |= (bits.bytes[from / 8] >> (from % 8) & 1) << (to % 8);
        }
    }

    /// Writes an address that PTX can express: a variable or function plus an offset. A null
    /// address plus an offset is a number.
    fn write_address(&mut self, address: LLVMValueRef, at: u64) -> Option<()> {
        if self.width(type_of(address)) != ADDRESS * 8 {
            return None;
        }
        let (mut base, mut offset) = (address, 0i64);
        while value_kind(base) == LLVMValueKind::LLVMConstantExprValueKind {
            // SAFETY: a constant expression.
            match unsafe { LLVMGetConstOpcode(base) } {
                LLVMOpcode::LLVMGetElementPtr => offset = offset.wrapping_add(self.distance(base)?),
                LLVMOpcode::LLVMAddrSpaceCast => {}
                LLVMOpcode::LLVMIntToPtr => return self.write_number(operand(base, 0), offset, at),
                _ => return None,
            }
            base = operand(base, 0);
        }
        match value_kind(base) {
            _ if is_null(base) => self.put_word(offset.cast_unsigned(), at),
            LLVMValueKind::LLVMGlobalVariableValueKind | LLVMValueKind::LLVMFunctionValueKind if offset >= 0 => {
                self.addresses.insert(at, address);
            }
            _ => return None,
        }
        Some(())
    }

    fn write_number(&mut self, number: LLVMValueRef, offset: i64, at: u64) -> Option<()> {
        let bits = literal(number).filter(|bits| bits.width <= 64)?;
        let number = <[u8; 8]>::try_from(bits.bytes).ok().map(u64::from_le_bytes)?;
        self.put_word(number.wrapping_add(offset.cast_unsigned()), at);
        Some(())
    }

    fn put_word(&mut self, word: u64, at: u64) {
        self.put(&Bits { bytes: word.to_le_bytes().to_vec(), width: ADDRESS * 8 }, at * 8);
    }

    /// The constant byte offset of an address expression.
    fn distance(&self, expression: LLVMValueRef) -> Option<i64> {
        // SAFETY: a `getelementptr` expression.
        let mut ty = unsafe { LLVMGetGEPSourceElementType(expression) };
        let mut sum = index(expression, 1)?.wrapping_mul(self.size(ty).cast_signed());
        // SAFETY: a live expression.
        for position in 2..unsafe { LLVMGetNumOperands(expression) }.cast_unsigned() {
            let index = index(expression, position)?;
            let step = match kind(ty) {
                LLVMTypeKind::LLVMStructTypeKind => {
                    let member = u32::try_from(index).ok()?;
                    let offset = self.member_offset(ty, member);
                    ty = member_type(ty, member);
                    offset.cast_signed()
                }
                LLVMTypeKind::LLVMArrayTypeKind => {
                    ty = element_type(ty);
                    index.wrapping_mul(self.size(ty).cast_signed())
                }
                _ => return None,
            };
            sum = sum.wrapping_add(step);
        }
        Some(sum)
    }

    /// Arrays of bytes, with the addresses between them.
    fn packed(&self, context: LLVMContextRef) -> LLVMValueRef {
        let (mut parts, mut done) = (Vec::new(), 0);
        let end = self.bytes.len() as u64;
        for (at, address) in self.addresses.iter().map(|(at, address)| (*at, Some(*address))).chain([(end, None)]) {
            if at > done {
                parts.push(array(context, &self.bytes[done as usize..at as usize]));
            }
            parts.extend(address);
            done = at + ADDRESS;
        }
        match parts[..] {
            [only] => only,
            // SAFETY: live constants of the context, as many as said; members without gaps.
            _ => unsafe { LLVMConstStructInContext(context, parts.as_mut_ptr(), parts.len() as u32, 1) },
        }
    }
}

fn element(value: LLVMValueRef, index: u64) -> Option<LLVMValueRef> {
    // SAFETY: callers pass a constant with elements; one that has no such element gives null.
    let element = unsafe { LLVMGetAggregateElement(value, u32::try_from(index).ok()?) };
    (!element.is_null()).then_some(element)
}

/// The address in a `ptrtoint` expression.
fn integer_of_address(value: LLVMValueRef) -> Option<LLVMValueRef> {
    if value_kind(value) != LLVMValueKind::LLVMConstantExprValueKind {
        return None;
    }
    // SAFETY: a constant expression.
    let is_cast = unsafe { LLVMGetConstOpcode(value) } == LLVMOpcode::LLVMPtrToInt;
    // SAFETY: a live type, which is an integer after such a cast.
    let fits = is_cast && unsafe { LLVMGetIntTypeWidth(type_of(value)) } == 64;
    fits.then(|| operand(value, 0))
}

/// An index of an address expression, if it is a literal.
fn index(expression: LLVMValueRef, position: u32) -> Option<i64> {
    let index = operand(expression, position);
    let is_literal = value_kind(index) == LLVMValueKind::LLVMConstantIntValueKind;
    // SAFETY: a literal; indices have at most 64 bits.
    is_literal.then(|| unsafe { LLVMConstIntGetSExtValue(index) })
}

fn array(context: LLVMContextRef, bytes: &[u8]) -> LLVMValueRef {
    // SAFETY: a live context; start and length of a slice, which LLVM copies.
    unsafe { LLVMConstStringInContext2(context, bytes.as_ptr().cast(), bytes.len(), 1) }
}

/// True if LLVM's PTX printer, which omits the padding between elements, writes a value of the type
/// as it lies in memory.
fn lies_as_written(ty: LLVMTypeRef) -> bool {
    match kind(ty) {
        LLVMTypeKind::LLVMArrayTypeKind => lies_as_written(element_type(ty)),
        LLVMTypeKind::LLVMStructTypeKind => (0..structure_length(ty)).all(|i| lies_as_written(member_type(ty, i))),
        // SAFETY: an integer type.
        LLVMTypeKind::LLVMIntegerTypeKind => [8, 16, 32, 64].contains(&unsafe { LLVMGetIntTypeWidth(ty) }),
        other => matches!(
            other,
            LLVMTypeKind::LLVMFloatTypeKind | LLVMTypeKind::LLVMDoubleTypeKind | LLVMTypeKind::LLVMPointerTypeKind
        ),
    }
}

impl<'s> Value<'s> {
    /// True if a variable's type has no padding that LLVM's PTX printer would omit.
    pub fn has_printed_padding(self) -> bool {
        // SAFETY: callers pass variables.
        lies_as_written(unsafe { LLVMGlobalGetValueType(self.raw()) })
    }

    /// True if a variable's initial value consists of literals and of addresses with a non-negative
    /// offset.
    pub fn is_spelled(self) -> bool {
        Content::of(self.raw()).is_some()
    }

    /// Replaces a variable by one of bytes and addresses, with the same alignment. `None`, without
    /// any change, if its value has no such form.
    pub fn lower_to_bytes(self) -> Option<Value<'s>> {
        let content = Content::of(self.raw())?;
        // SAFETY: a live value has a context.
        let bytes = content.packed(unsafe { LLVMGetTypeContext(type_of(self.raw())) });
        let (name, space) = (self.name(), self.address_space().unwrap_or_default());
        // SAFETY: a variable belongs to a module; a type of its context.
        let made = unsafe {
            LLVMAddGlobalInAddressSpace(LLVMGetGlobalParent(self.raw()), type_of(bytes), c"".as_ptr(), space)
        };
        // SAFETY: a variable and a constant of its type.
        unsafe { LLVMSetInitializer(made, bytes) };
        // SAFETY: two variables.
        unsafe { LLVMSetGlobalConstant(made, LLVMIsGlobalConstant(self.raw())) };
        // SAFETY: two variables.
        unsafe { LLVMSetLinkage(made, LLVMGetLinkage(self.raw())) };
        // SAFETY: the module's layout and a variable: what it asks for, or what its type prefers.
        let preferred = unsafe { LLVMPreferredAlignmentOfGlobal(content.layout, self.raw()) };
        let alignment = if self.alignment() == 0 { preferred } else { self.alignment() };
        // SAFETY: a variable.
        unsafe { LLVMSetAlignment(made, alignment) };
        let made = Value::new(made);
        self.replace_uses(made);
        self.delete_global();
        made.set_name(&name);
        Some(made)
    }
}
