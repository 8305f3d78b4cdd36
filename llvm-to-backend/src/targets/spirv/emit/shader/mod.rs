//! Emits the kernel as a shader for Vulkan.
//!
//! In: a kernel with nested control flow, and functions that are not inlined into it. Out: those
//! functions, and one without parameters that reads its arguments from push constants. *Invariant:*
//! pointers are integers, 64 bits for those that lead to global memory and 32 bits for the others,
//! and become pointers of SPIR-V where memory is accessed; so shaders need no rule for pointers as
//! values.
//!
//! Phis are variables, which drivers turn into phis again: so blocks for merges can be added
//! without regard to them. Where the driver would lose values that leave loops, [`exits`] keeps
//! them in memory instead.

mod arguments;
mod atomics;
mod choices;
mod comparisons;
mod constants;
mod exits;
mod extended;
mod floats;
mod homes;
mod integers;
mod memory;
mod named;
mod pointers;
mod prints;
mod roots;
mod rounds;
pub(super) mod state;
mod structure;
mod tables;
mod updates;
mod words;

pub(super) use self::{atomics::Access, pointers::address_width};

use self::{
    comparisons::Comparisons,
    homes::Homes,
    state::BIAS,
    structure::{End, Graph, Merge, Unstructured},
};
use super::{Body, Emitter, assembly::id};
use crate::{
    device_module::{DeviceModule, Optimised},
    failure::{Failure, Outcome},
    targets::local_memory::{lay_out, variables},
    targets::spirv::local_memory::{GRANT, is_dynamic},
};
use rspirv::{
    dr::Operand,
    spirv::{BuiltIn, Capability, Decoration, ExecutionMode, LoopControl, Op, SelectionControl, StorageClass, Word},
};
use sinter_core::{SpirvFeature, spirv::push_constants};
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Value},
    types::TypeView,
};
use std::collections::HashMap;

/// Parts of the names of calls that depend on the order of the items in sub-groups.
const SUB_GROUPS: [&str; 3] = ["_builtin_Subgroup", "_builtin_NumSubgroups", "_op_Group"];

/// Execution modes of arithmetic, and the features of devices that have them.
const FLOAT_CONTROLS: [(SpirvFeature, ExecutionMode); 3] = [
    (SpirvFeature::FloatControls, ExecutionMode::SignedZeroInfNanPreserve),
    (SpirvFeature::Subnormals, ExecutionMode::DenormPreserve),
    (SpirvFeature::RoundToNearest, ExecutionMode::RoundingModeRTE),
];
/// Widths of floating-point types, and the capabilities of modules that have them.
const FLOAT_WIDTHS: [(u32, Capability); 3] =
    [(16, Capability::Float16), (32, Capability::Shader), (64, Capability::Float64)];

/// Lanes of lavapipe's vectors at most.
const MOST_LANES: u64 = 16;

impl<'s> Emitter<'_, 's> {
    /// Emits the kernel and its entry point.
    pub(super) fn shader(&mut self, m: &DeviceModule<'s, Optimised>) -> Outcome<()> {
        let capabilities = [
            Capability::Shader,
            Capability::PhysicalStorageBufferAddresses,
            Capability::VulkanMemoryModel,
            Capability::VulkanMemoryModelDeviceScope,
        ];
        capabilities.into_iter().for_each(|capability| self.out.needs.add(capability));
        self.homes(m)?;
        let others = m.defined().into_iter().filter(|function| *function != m.kernel);
        for function in [m.kernel].into_iter().chain(others) {
            self.shader_function(m, function)?;
        }
        let kernel = self.emitted(m.kernel)?;
        self.shader_entry(m, kernel)
    }

    fn emitted(&self, function: Value<'s>) -> Outcome<Word> {
        self.functions.get(&function).copied().ok_or_else(|| Failure::internal("a function was lost"))
    }

    fn shader_function(&mut self, m: &DeviceModule<'s, Optimised>, function: Value<'s>) -> Outcome<()> {
        self.body = Body { kernel: Some(m.kernel), ..Body::default() };
        self.out.needs.place = function.instructions().into_iter().find_map(Value::location);
        let blocks = function.blocks();
        let graph = self.structured(function, &blocks)?;
        self.shader_header(function, function == m.kernel)?;
        let labels: Vec<Word> = graph.ends.iter().map(|_| self.out.fresh()).collect();
        let instructions: Vec<Value<'s>> = blocks.iter().flat_map(|block| block.instructions()).collect();
        self.shader.comparisons = Comparisons::among(&instructions);
        if !self.target.has(SpirvFeature::DivergentFences) {
            self.shader.leaving = exits::leaving(&graph, &blocks);
        }
        for instruction in instructions.iter().filter(|instruction| instruction.ty().view() != TypeView::Void) {
            let result = self.out.fresh();
            self.body.values.insert(*instruction, result);
        }
        let entry = self.out.fresh();
        self.out.begin_block(entry);
        self.phi_variables(&instructions)?;
        let count = self.array_of_rounds(&graph);
        if function == m.kernel {
            self.place_arguments(m);
            self.private_variables()?;
            self.pass_arguments(m)?;
        }
        self.places_of_leaving(&instructions)?;
        self.start_rounds(&graph, count)?;
        self.addresses_of_objects(&instructions)?;
        let ends = graph.order().into_iter().filter(|node| graph.ends[*node] == End::Leave).count();
        let is_guarded = function == m.kernel && ends == 1 && !self.target.has(SpirvFeature::DivergentFences);
        match is_guarded {
            true => self.guard(labels[0]),
            false => self.out.act(Op::Branch, vec![id(labels[0])]),
        }
        for node in graph.order() {
            self.out.begin_block(labels[node]);
            let content = graph.content(node, blocks.len()).map(|index| blocks[index]);
            self.shader_block(&graph, node, content, &labels)?;
        }
        if let Some(end) = self.body.end {
            self.out.begin_block(end);
            self.out.act(Op::Return, vec![]);
        }
        self.out.end_function();
        Ok(())
    }

    /// Branches to the kernel's code for items of the group alone. Lavapipe runs rows of items in
    /// vectors, and the rest of the last one takes part in loops: if all items have left a loop, it
    /// goes on and overwrites their values.
    fn guard(&mut self, code: Word) {
        let (sizes, boolean, end) = (self.group_sizes(), self.boolean(), self.out.fresh());
        let mut row = sizes[0];
        if self.shader.is_linear {
            row = self.items_of_group();
        }
        let item = self.component(BuiltIn::LocalInvocationId, "LocalInvocationId", 0);
        let mut is_item = self.out.value(Op::ULessThan, boolean, vec![id(item), id(row)]);
        if self.target.has(SpirvFeature::SubGroups) {
            // In a row of one item lavapipe takes the place of the item for a constant. It compiles
            // branches by the lane slowly, so they are for rows that are shorter than its vectors.
            let lane = self.scalar(BuiltIn::SubgroupLocalInvocationId, "SubgroupLocalInvocationId");
            let lanes = self.integer_constant(32, MOST_LANES);
            let is_lane = self.out.value(Op::ULessThan, boolean, vec![id(lane), id(row)]);
            let is_wide = self.out.value(Op::UGreaterThanEqual, boolean, vec![id(row), id(lanes)]);
            let fits = self.out.value(Op::LogicalOr, boolean, vec![id(is_wide), id(is_lane)]);
            is_item = self.out.value(Op::LogicalAnd, boolean, vec![id(is_item), id(fits)]);
        }
        let control = Operand::SelectionControl(SelectionControl::NONE);
        self.out.act(Op::SelectionMerge, vec![id(end), control]);
        self.out.act(Op::BranchConditional, [is_item, code, end].map(id).to_vec());
        self.body.end = Some(end);
    }

    /// Begins a function. The kernel's has no parameters.
    fn shader_header(&mut self, function: Value<'s>, is_kernel: bool) -> Outcome<()> {
        let result = self.emitted(function)?;
        let parameters = if is_kernel { Vec::new() } else { function.parameters() };
        let returned = if is_kernel { self.void() } else { self.ty(function.return_type())? };
        let mut types = Vec::new();
        for (index, parameter) in (0u32..).zip(&parameters) {
            if function.by_value_type(index).is_some() {
                return Err(Failure::internal("a structure in memory as parameter was not inlined"));
            }
            types.push(self.ty(parameter.ty())?);
        }
        let operands = [returned].iter().chain(&types).copied().map(id).collect();
        let ty = self.out.global(Op::TypeFunction, None, operands);
        self.out.begin_function(returned, ty, result);
        self.out.name(result, &function.name());
        for (parameter, ty) in parameters.into_iter().zip(types) {
            let made = self.out.fresh();
            self.out.parameter(ty, made);
            self.body.values.insert(parameter, made);
        }
        Ok(())
    }

    fn structured(&self, function: Value<'s>, blocks: &[Block<'s>]) -> Outcome<Graph> {
        let numbers: HashMap<_, _> = blocks.iter().enumerate().map(|(number, block)| (*block, number)).collect();
        let mut ends = Vec::new();
        for block in blocks {
            let ways: Option<Vec<usize>> = block.successors().iter().map(|next| numbers.get(next).copied()).collect();
            ends.push(match ways.as_deref() {
                Some([]) => End::Leave,
                Some([next]) => End::Go(*next),
                Some([yes, no]) => End::Choose(*yes, *no),
                _ => return Err(Failure::internal("a branch with many successors was not lowered")),
            });
        }
        Graph::new(ends).structured().map_err(|error| {
            let (what, hint) = match error {
                Unstructured::Endless => ("a loop that never ends", "shaders have no such loop; give it an exit"),
                Unstructured::Crossed => ("control flow that is not nested", "use loops and branches without `goto`"),
                Unstructured::TooDeep => {
                    ("more than 1023 branches and loops in each other", "use a `switch` or a table, or fewer branches")
                }
            };
            let place = function.instructions().into_iter().find_map(Value::location);
            self.cx.unsupported(what, place, hint).into()
        })
    }

    fn shader_block(&mut self, graph: &Graph, node: usize, content: Option<Block<'s>>, labels: &[Word]) -> Outcome<()> {
        let mut condition = None;
        for instruction in content.map(Block::instructions).unwrap_or_default() {
            self.out.needs.place = instruction.location();
            self.line(instruction);
            match instruction.opcode() {
                Opcode::LLVMBr => condition = instruction.branch_condition(),
                Opcode::LLVMRet | Opcode::LLVMUnreachable => {}
                Opcode::LLVMPHI => {
                    let variable = self.phi_variable(instruction)?;
                    self.define(instruction, Op::Load, vec![id(variable)])?;
                }
                _ => self.instruction(instruction)?,
            }
        }
        content.into_iter().try_for_each(|block| self.pass_values(block))?;
        let condition = condition.map(|condition| self.id(condition)).transpose()?;
        self.count_rounds(graph, node, condition);
        match graph.merges.get(&node) {
            Some(Merge::Loop(merge, next)) => {
                let control = Operand::LoopControl(LoopControl::NONE);
                self.out.act(Op::LoopMerge, vec![id(labels[*merge]), id(labels[*next]), control]);
            }
            Some(Merge::Selection(merge)) => {
                let control = Operand::SelectionControl(SelectionControl::NONE);
                self.out.act(Op::SelectionMerge, vec![id(labels[*merge]), control]);
            }
            None => {}
        }
        match (graph.ends[node], condition) {
            (End::Leave, _) => self.shader_end(content)?,
            (End::Go(next), _) => self.out.act(Op::Branch, vec![id(labels[next])]),
            (End::Choose(yes, no), Some(condition)) => {
                self.out.act(Op::BranchConditional, [condition, labels[yes], labels[no]].map(id).to_vec());
            }
            (End::Choose(..), None) => return Err(Failure::internal("a branch without a condition")),
        }
        Ok(())
    }

    fn shader_end(&mut self, content: Option<Block<'s>>) -> Outcome<()> {
        self.report_rounds()?;
        if let Some(end) = self.body.end {
            self.out.act(Op::Branch, vec![id(end)]);
            return Ok(());
        }
        let end = content.and_then(Block::terminator);
        match end.and_then(|end| end.operands().first().copied()) {
            Some(value) => {
                let value = self.id(value)?;
                self.out.act(Op::ReturnValue, vec![id(value)]);
            }
            None => self.out.act(Op::Return, vec![]),
        }
        Ok(())
    }

    fn phi_variables(&mut self, instructions: &[Value<'s>]) -> Outcome<()> {
        for phi in instructions.iter().filter(|instruction| instruction.opcode() == Opcode::LLVMPHI) {
            let ty = self.ty(phi.ty())?;
            let variable = match self.shader.leaving.contains(phi) {
                true => self.leaving_array(ty),
                false => self.function_variable(ty),
            };
            self.shader.phis.insert(*phi, variable);
        }
        Ok(())
    }

    fn function_variable(&mut self, ty: Word) -> Word {
        let pointer = self.pointer_to(StorageClass::Function, ty);
        self.out.value(Op::Variable, pointer, vec![Operand::StorageClass(StorageClass::Function)])
    }

    fn phi_variable(&self, phi: Value<'s>) -> Outcome<Word> {
        self.shader.phis.get(&phi).copied().ok_or_else(|| Failure::internal("a phi without a variable"))
    }

    /// Stores the values that a block passes to the phis of its successors.
    fn pass_values(&mut self, block: Block<'s>) -> Outcome<()> {
        let mut done = Vec::new();
        for next in block.successors() {
            if done.contains(&next) {
                continue;
            }
            done.push(next);
            let instructions = next.instructions();
            for phi in instructions.into_iter().take_while(|first| first.opcode() == Opcode::LLVMPHI) {
                let Some((_, value)) = phi.incoming().into_iter().find(|(from, _)| *from == block) else { continue };
                if value.is_undefined() {
                    continue;
                }
                let (variable, value) = (self.phi_variable(phi)?, self.id(value)?);
                self.out.act(Op::Store, vec![id(variable), id(value)]);
            }
        }
        Ok(())
    }

    /// Finds the memory of the pointers, and lays out local memory.
    fn homes(&mut self, m: &DeviceModule<'s, Optimised>) -> Outcome<()> {
        let functions = m.defined();
        let homes = Homes::of(m.kernel, &functions);
        let instructions: Vec<_> = functions.iter().flat_map(|function| function.instructions()).collect();
        self.shader.has_functions = functions.len() > 1;
        self.shader.is_linear = instructions.iter().any(|call| {
            call.is_call()
                && call.callee().is_some_and(|callee| SUB_GROUPS.iter().any(|name| callee.name().contains(name)))
        });
        self.shader.local_is_wide = instructions.into_iter().any(|instruction| {
            let pointer = atomic_on_64_bits(instruction).map(|pointer| self.origin(pointer));
            let class = pointer.and_then(|pointer| homes.class(pointer)).and_then(|class| homes.classes.get(&class));
            class.is_some_and(|class| class.kinds.local)
        }) && self.target.has(SpirvFeature::LocalInt64Atomics);
        let static_variables: Vec<_> =
            variables(m).into_iter().filter(|variable| variable.initializer().is_some()).collect();
        let placed = lay_out(self.cx, static_variables, GRANT)?;
        self.shader.local_size = m.facts.local_memory.max(placed.size);
        for (variable, offset) in placed.variables {
            self.shader.addresses.insert(variable, offset + BIAS);
        }
        if self.shader.local_size > 0 || is_dynamic(m) {
            self.local_array();
        }
        self.shader.homes = homes;
        Ok(())
    }

    /// Emits the entry point and its execution modes.
    fn shader_entry(&mut self, m: &DeviceModule<'s, Optimised>, kernel: Word) -> Outcome<()> {
        let mut interface: Vec<Word> = self.built_in.values().copied().chain(self.interface.iter().copied()).collect();
        interface.sort_unstable();
        interface.dedup();
        self.out.entry_point(kernel, push_constants::entry_name(&m.kernel.name()), &interface);
        let mut sizes = self.group_sizes();
        if self.shader.is_linear {
            let (word, one) = (self.integer(32), self.integer_constant(32, 1));
            let product = |emitter: &mut Self, a: Word, b: Word| {
                let operands = vec![Operand::LiteralSpecConstantOpInteger(Op::IMul), id(a), id(b)];
                emitter.out.distinct_global(Op::SpecConstantOp, Some(word), operands)
            };
            let plane = product(self, sizes[0], sizes[1]);
            sizes = [product(self, plane, sizes[2]), one, one];
        }
        self.out.execution_mode(kernel, ExecutionMode::LocalSizeId, sizes.into_iter().map(id).collect());
        self.float_controls(kernel);
        if let Some(size) = self.cx.config().sub_group_size {
            self.out.process(&push_constants::sub_group_size_fact(size));
        }
        for fact in push_constants::table_facts(&self.shader.filled) {
            self.out.process(&fact);
        }
        for (number, message) in (1..).zip(std::mem::take(&mut self.shader.traps)) {
            self.out.process(&push_constants::trap_fact(number, &message));
        }
        for (number, print) in (1..).zip(std::mem::take(&mut self.shader.prints)) {
            let (types, format) = print.split_once('=').unwrap_or_default();
            self.out.process(&push_constants::print_fact(number, types, format));
        }
        Ok(())
    }

    /// Asks for the arithmetic of IEEE 754 in every floating-point type, as far as the device can.
    fn float_controls(&mut self, kernel: Word) {
        let flushes = self.cx.config().approximations.flush_denormals;
        // Devices may need the same mode for all widths.
        let is_wanted = |mode| mode != ExecutionMode::DenormPreserve || !flushes;
        for (_, mode) in FLOAT_CONTROLS.into_iter().filter(|(f, mode)| self.target.has(*f) && is_wanted(*mode)) {
            for (width, capability) in FLOAT_WIDTHS {
                if self.out.needs.has(capability) {
                    self.out.execution_mode(kernel, mode, vec![Operand::LiteralBit32(width)]);
                }
            }
        }
    }

    /// The size of the work-group, along each dimension: constants that a launch sets, unless they
    /// are known.
    fn group_sizes(&mut self) -> [Word; 3] {
        if let Some(known) = self.shader.group_size {
            return known;
        }
        let made = match self.cx.config().launched_group(self.cx.target()) {
            Some(sizes) => sizes.map(|size| self.integer_constant(32, size.into())),
            None => push_constants::GROUP_SIZE.map(|number| self.specialization(number, 1)),
        };
        self.shader.group_size = Some(made);
        made
    }

    /// A specialization constant of 32 bits.
    fn specialization(&mut self, number: u32, default: u32) -> Word {
        let word = self.integer(32);
        let made = self.out.distinct_global(Op::SpecConstant, Some(word), vec![Operand::LiteralBit32(default)]);
        self.out.annotate(made, Decoration::SpecId, vec![Operand::LiteralBit32(number)]);
        made
    }
}

/// The pointer of an atomic operation on 64 bits.
fn atomic_on_64_bits(instruction: Value<'_>) -> Option<Value<'_>> {
    let is_store = instruction.opcode() == Opcode::LLVMStore;
    let (pointer, ty) = match instruction.is_call() {
        true => {
            let name = instruction.callee()?.name();
            let is_atomic = name.starts_with("__sinter_spirv_op_Atomic");
            let arguments = instruction.arguments();
            let pointer = arguments.first().copied().filter(|_| is_atomic)?;
            let ty = if instruction.ty().view() == TypeView::Void { arguments.last()?.ty() } else { instruction.ty() };
            (pointer, ty)
        }
        false if instruction.is_atomic() && instruction.opcode() != Opcode::LLVMFence => {
            let operands = instruction.operands();
            let is_load = instruction.opcode() == Opcode::LLVMLoad;
            let ty = if is_load { instruction.ty() } else { operands.get(usize::from(!is_store))?.ty() };
            (*operands.get(usize::from(is_store))?, ty)
        }
        false => return None,
    };
    matches!(ty.view(), TypeView::Integer(64) | TypeView::Float(64)).then_some(pointer)
}
