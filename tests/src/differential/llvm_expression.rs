//! Emits expressions and memory accesses as IR.
//!
//! In: an expression. Out: instructions, and the operand with its value. *Invariant:* every value
//! is an `i32`.

use super::{
    language::*,
    llvm::{Writer, llvm_type},
};

impl Writer<'_> {
    /// The value of an expression.
    pub(super) fn value(&mut self, e: &Expr) -> String {
        match e {
            Expr::Constant(value) => value.to_string(),
            Expr::Variable(variable) => self.load_variable(*variable),
            Expr::Uniform(variable) => self.assign(&format!("load i32, ptr %uniform.{variable}")),
            Expr::Argument(number) => format!("%argument.{number}"),
            Expr::Element(index) => {
                let place = self.element(index);
                self.assign(&format!("load i32, ptr {place}"))
            }
            Expr::LocalId(dimension) => {
                let name = ["x", "y", "z"][*dimension];
                let id = self.assign(&format!("call i64 @__acpp_sscp_get_local_id_{name}()"));
                self.assign(&format!("trunc i64 {id} to i32"))
            }
            Expr::LocalLinear => self.assign("call i32 @local_linear()"),
            Expr::GroupSize => self.assign("call i32 @group_size()"),
            Expr::GroupLinear => self.assign("call i32 @group_linear()"),
            Expr::Input(index) => {
                let index = self.value(index);
                let index = self.assign(&format!("urem i32 {index}, {INPUTS}"));
                let place = self.assign(&format!("getelementptr i32, ptr %input, i32 {index}"));
                self.assign(&format!("load i32, ptr {place}"))
            }
            Expr::Own(array) => {
                let position = self.value(&Expr::LocalLinear);
                self.load_slot(*array, &position)
            }
            Expr::Slot(array, index) => {
                let (index, size) = (self.value(index), self.value(&Expr::GroupSize));
                let slot = self.assign(&format!("urem i32 {index}, {size}"));
                self.load_slot(*array, &slot)
            }
            Expr::Cell(cell) => {
                let (place, pointer) = self.cell(*cell);
                self.assign(&format!("load i32, {pointer} {place}"))
            }
            Expr::SubGroup(query) => {
                let name = match query {
                    Query::Lane => "get_subgroup_local_id",
                    Query::Size => "get_subgroup_size",
                    Query::Number => "get_subgroup_id",
                    Query::Count => "get_num_subgroups",
                };
                self.assign(&format!("call i32 @__acpp_sscp_{name}()"))
            }
            Expr::Mixed(inner) => {
                let value = self.value(inner);
                self.assign(&format!("call i32 @mixed(i32 {value})"))
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.binary(*op, &a, &b)
            }
        }
    }

    fn binary(&mut self, op: Op, a: &str, b: &str) -> String {
        let name = match op {
            Op::Add => "add",
            Op::Subtract => "sub",
            Op::Multiply => "mul",
            Op::And => "and",
            Op::Or => "or",
            Op::Xor => "xor",
            Op::ShiftRight => {
                let steps = self.assign(&format!("and i32 {b}, 31"));
                return self.assign(&format!("lshr i32 {a}, {steps}"));
            }
            Op::Remainder => {
                let divisor = self.assign(&format!("or i32 {b}, 1"));
                return self.assign(&format!("urem i32 {a}, {divisor}"));
            }
            Op::Less | Op::Equal => {
                let predicate = if op == Op::Less { "ult" } else { "eq" };
                let bit = self.assign(&format!("icmp {predicate} i32 {a}, {b}"));
                return self.assign(&format!("zext i1 {bit} to i32"));
            }
        };
        self.assign(&format!("{name} i32 {a}, {b}"))
    }

    /// `i1` that is true if a value is not 0.
    pub(super) fn condition(&mut self, e: &Expr) -> String {
        let value = self.value(e);
        self.assign(&format!("icmp ne i32 {value}, 0"))
    }

    /// The address of an element of the private array.
    pub(super) fn element(&mut self, index: &Expr) -> String {
        let index = self.value(index);
        let index = self.assign(&format!("urem i32 {index}, {ELEMENTS}"));
        self.assign(&format!("getelementptr [{ELEMENTS} x i32], ptr %elements, i32 0, i32 {index}"))
    }

    /// The address of a slot, and the type of a pointer to it.
    pub(super) fn slot(&mut self, array: usize, slot: &str) -> (String, &'static str) {
        if array == GLOBAL_ARRAY {
            let (group, size) = (self.value(&Expr::GroupLinear), self.value(&Expr::GroupSize));
            let start = self.assign(&format!("mul i32 {group}, {size}"));
            let index = self.assign(&format!("add i32 {start}, {slot}"));
            return (self.assign(&format!("getelementptr i32, ptr %arrays, i32 {index}")), "ptr");
        }
        let name = if array == 0 { "@tile.0" } else { "%requested" };
        self.local(name, slot)
    }

    /// The address of a cell in local memory, and the type of a pointer to it.
    pub(super) fn cell(&mut self, cell: usize) -> (String, &'static str) {
        self.local("@counters", &cell.to_string())
    }

    fn local(&mut self, name: &str, index: &str) -> (String, &'static str) {
        if self.style.generic_pointers {
            let generic = self.assign(&format!("addrspacecast ptr addrspace(3) {name} to ptr"));
            return (self.assign(&format!("getelementptr i32, ptr {generic}, i32 {index}")), "ptr");
        }
        let place = self.assign(&format!("getelementptr i32, ptr addrspace(3) {name}, i32 {index}"));
        (place, "ptr addrspace(3)")
    }

    fn load_slot(&mut self, array: usize, slot: &str) -> String {
        let (place, pointer) = self.slot(array, slot);
        self.assign(&format!("load i32, {pointer} {place}"))
    }

    /// The value of a private variable.
    pub(super) fn load_variable(&mut self, variable: usize) -> String {
        let ty = self.kernel.types[variable];
        let stored = self.assign(&format!("load {}, ptr %variable.{variable}", llvm_type(ty)));
        match ty {
            Type::U8 | Type::U16 => self.assign(&format!("zext {} {stored} to i32", llvm_type(ty))),
            Type::U32 => stored,
            Type::U64 => {
                let upper = self.assign(&format!("lshr i64 {stored}, 32"));
                self.assign(&format!("trunc i64 {upper} to i32"))
            }
            Type::F32 => self.assign(&format!("fptoui float {stored} to i32")),
            Type::Vector => {
                let lane = self.assign(&format!("extractelement <4 x i32> {stored}, i32 3"));
                self.assign(&format!("xor i32 {lane}, -1"))
            }
        }
    }

    /// Sets a private variable.
    pub(super) fn store_variable(&mut self, variable: usize, value: &str) {
        let ty = self.kernel.types[variable];
        let stored = match ty {
            Type::U8 | Type::U16 => self.assign(&format!("trunc i32 {value} to {}", llvm_type(ty))),
            Type::U32 => value.to_owned(),
            Type::U64 => {
                let wide = self.assign(&format!("zext i32 {value} to i64"));
                let upper = self.assign(&format!("shl i64 {wide}, 32"));
                self.assign(&format!("or i64 {upper}, 77"))
            }
            Type::F32 => {
                let kept = self.assign(&format!("and i32 {value}, 65535"));
                self.assign(&format!("uitofp i32 {kept} to float"))
            }
            Type::Vector => {
                let lane = self.assign(&format!("xor i32 {value}, -1"));
                let lanes = self.assign(&format!("insertelement <4 x i32> zeroinitializer, i32 {value}, i32 0"));
                self.assign(&format!("insertelement <4 x i32> {lanes}, i32 {lane}, i32 3"))
            }
        };
        self.line(&format!("store {} {stored}, ptr %variable.{variable}", llvm_type(ty)));
    }
}
