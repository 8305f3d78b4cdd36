// LLVM functions that stage 1 needs and that the C interface lacks. Each makes one change to IR
// that the caller owns; decisions about kernels are made by the caller.
#include "llvm-c/Core.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace {

void dropNamedMetadata(Module &module, function_ref<bool(StringRef)> keep) {
  for (NamedMDNode &node : make_early_inc_range(module.named_metadata()))
    if (!keep(node.getName()))
      node.eraseFromParent();
}

// Folds the instructions in `work` and their users; collects the blocks whose terminator has become
// constant.
void foldAll(SmallSetVector<Instruction *, 16> &work, SmallPtrSetImpl<BasicBlock *> &blocks) {
  while (!work.empty()) {
    Instruction *next = work.pop_back_val();
    if (next->isTerminator()) {
      blocks.insert(next->getParent());
      continue;
    }
    Constant *folded = ConstantFoldInstruction(next, next->getModule()->getDataLayout());
    if (!folded || next->mayHaveSideEffects())
      continue;
    for (User *user : next->users())
      work.insert(cast<Instruction>(user));
    next->replaceAllUsesWith(folded);
    work.remove(next);
    next->eraseFromParent();
  }
}

// `isLate`: behind the inliner, and before code is vectorised.
using RunStage1 = bool (*)(LLVMModuleRef, unsigned level, bool isLate);
RunStage1 runStage1 = nullptr;

struct Stage1Pass : PassInfoMixin<Stage1Pass> {
  unsigned level;
  bool isLate;
  Stage1Pass(unsigned level, bool isLate) : level(level), isLate(isLate) {}
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    return runStage1(wrap(&module), level, isLate) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

void registerStage1(PassBuilder &builder) {
  builder.registerPipelineStartEPCallback([](ModulePassManager &manager, OptimizationLevel level) {
    manager.addPass(Stage1Pass(level.getSpeedupLevel(), false));
  });
  builder.registerOptimizerEarlyEPCallback([](ModulePassManager &manager, OptimizationLevel level) {
    if (level != OptimizationLevel::O0)
      manager.addPass(Stage1Pass(level.getSpeedupLevel(), true));
  });
}

// True for memory whose address nobody but its function has, and for constants.
bool isUnknownToOthers(const Value *pointer) {
  const Value *object = getUnderlyingObject(pointer);
  if (auto *variable = dyn_cast<GlobalVariable>(object))
    return variable->isConstant();
  return isa<AllocaInst>(object) && !PointerMayBeCaptured(object, /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
}

} // namespace

extern "C" {

// Gives an integer variable its value, replaces loads of it, and removes the code that becomes
// unreachable.
void sinter_fold_loads(LLVMValueRef value, uint64_t number) {
  auto *variable = unwrap<GlobalVariable>(value);
  SmallPtrSet<BasicBlock *, 8> blocks;
  SmallSetVector<Function *, 8> functions;
  SmallSetVector<Instruction *, 16> work;
  for (User *user : make_early_inc_range(variable->users())) {
    auto *load = dyn_cast<LoadInst>(user);
    if (!load || !load->getType()->isIntegerTy())
      continue;
    functions.insert(load->getFunction());
    for (User *loadUser : load->users())
      work.insert(cast<Instruction>(loadUser));
    load->replaceAllUsesWith(ConstantInt::get(load->getType(), number));
    load->eraseFromParent();
  }
  foldAll(work, blocks);
  for (BasicBlock *block : blocks)
    ConstantFoldTerminator(block, /*DeleteDeadConditions=*/true);
  for (Function *function : functions)
    removeUnreachableBlocks(*function);
  if (variable->getValueType()->isIntegerTy()) {
    variable->setInitializer(ConstantInt::get(variable->getValueType(), number));
    variable->setLinkage(GlobalValue::InternalLinkage);
  }
}

// Turns invokes into calls; nothing unwinds in device code.
void sinter_invokes_to_calls(LLVMValueRef function) {
  Function &body = *unwrap<Function>(function);
  for (BasicBlock &block : body)
    if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator()))
      changeToCall(invoke);
  removeUnreachableBlocks(body);
  body.setPersonalityFn(nullptr);
}

// An invoke continues at its normal destination.
void sinter_erase_call(LLVMValueRef instruction) {
  CallBase *call = unwrap<CallBase>(instruction);
  if (auto *invoke = dyn_cast<InvokeInst>(call))
    call = changeToCall(invoke);
  call->eraseFromParent();
}

// "abort", "terminate" or "exception" if calls of the function become traps for that reason,
// otherwise empty. The names are those of the Itanium C++ ABI for exceptions; the standard library
// throws through `std::__throw_*`.
static StringRef trapCause(StringRef ending) {
  if (ending == "abort")
    return "abort";
  if (ending == "_ZSt9terminatev" || ending == "__clang_call_terminate" || ending == "__cxa_call_unexpected" ||
      ending == "__cxa_pure_virtual" || ending == "__cxa_deleted_virtual")
    return "terminate";
  const bool throws = ending.starts_with("__cxa_throw") || ending == "__cxa_rethrow" ||
                      ending == "__cxa_allocate_exception" || ending.starts_with("__cxa_bad_") ||
                      ending.starts_with("_Unwind_") || (ending.starts_with("_ZSt") && ending.contains("__throw_"));
  return throws ? "exception" : "";
}

// Ends the block at `at` with a trap. If it replaces a call of `ending`, an attribute has the
// cause.
static void trapAt(Instruction *at, StringRef ending) {
  Function *trap = Intrinsic::getDeclaration(at->getModule(), Intrinsic::trap);
  CallInst *call = CallInst::Create(trap, "", at->getIterator());
  call->setDebugLoc(at->getDebugLoc());
  if (StringRef cause = trapCause(ending); !cause.empty())
    call->addFnAttr(Attribute::get(at->getContext(), "sinter-trap", cause));
  changeToUnreachable(at);
}

// Ends the block at `instruction` with a trap. The block's other instructions are erased.
void sinter_trap_at(LLVMValueRef instruction) {
  auto *at = unwrap<Instruction>(instruction);
  auto *call = dyn_cast<CallBase>(at);
  const Function *ending = call ? call->getCalledFunction() : nullptr;
  trapAt(at, ending ? ending->getName() : StringRef());
}

void sinter_remove_unreachable(LLVMValueRef function) { removeUnreachableBlocks(*unwrap<Function>(function)); }

// Gives `function` an internal body that traps.
void sinter_define_as_trap(LLVMValueRef value) {
  auto *function = unwrap<Function>(value);
  function->deleteBody();
  function->clearMetadata();
  function->setComdat(nullptr);
  function->setVisibility(GlobalValue::DefaultVisibility);
  function->setLinkage(GlobalValue::InternalLinkage);
  auto *block = BasicBlock::Create(function->getContext(), "", function);
  trapAt(new UnreachableInst(function->getContext(), block), function->getName());
}

// Moves the body of `function` into a new function of type `type` that takes its name and
// attributes. `function` keeps its arguments, which the body still uses.
LLVMValueRef sinter_move_body(LLVMValueRef function, LLVMTypeRef type) {
  Function *from = unwrap<Function>(function);
  auto *to = Function::Create(unwrap<FunctionType>(type), GlobalValue::ExternalLinkage, from->getAddressSpace(), "",
                              from->getParent());
  LLVMContext &context = from->getContext();
  AttrBuilder attributes(context, from->getAttributes().getFnAttrs());
  to->setAttributes(AttributeList::get(context, AttributeList::FunctionIndex, attributes));
  to->takeName(from);
  to->setSubprogram(from->getSubprogram());
  from->setSubprogram(nullptr);
  to->splice(to->begin(), from);
  return wrap(to);
}

// Replaces references to `dropped` in the initialiser of a variable by null.
void sinter_null_in_value(LLVMValueRef value, LLVMValueRef *dropped, size_t count) {
  auto *variable = unwrap<GlobalVariable>(value);
  ValueToValueMapTy map;
  for (size_t i = 0; i < count; ++i)
    map[unwrap(dropped[i])] = Constant::getNullValue(unwrap(dropped[i])->getType());
  variable->setInitializer(MapValue(variable->getInitializer(), map));
}

// Gives a variable name, linkage and the like of another one, which then has no name.
void sinter_copy_properties(LLVMValueRef to, LLVMValueRef from) {
  auto *made = unwrap<GlobalVariable>(to), *old = unwrap<GlobalVariable>(from);
  made->copyAttributesFrom(old);
  made->setAlignment(old->getPointerAlignment(made->getDataLayout()));
  made->setComdat(old->getComdat());
  made->setLinkage(old->getLinkage());
  made->setConstant(old->isConstant());
  made->takeName(old);
}

// Replaces a variable by the result of a call at the start of each function that uses it.
void sinter_replace_by_call(LLVMValueRef value, LLVMValueRef callee) {
  auto *variable = unwrap<GlobalVariable>(value);
  convertUsersOfConstantsToInstructions({variable});
  DenseMap<Function *, Value *> results;
  for (Use &use : make_early_inc_range(variable->uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      continue;
    Value *&result = results[user->getFunction()];
    if (!result) {
      IRBuilder<> builder(&*user->getFunction()->getEntryBlock().getFirstInsertionPt());
      result = builder.CreateAddrSpaceCast(builder.CreateCall(unwrap<Function>(callee)), variable->getType());
    }
    use.set(result);
  }
}

// Removes properties that tie a global to one object file format or to the host's instrumentation.
// Of its metadata only debug information is kept.
void sinter_neutralize(LLVMValueRef value) {
  auto *global = unwrap<GlobalValue>(value);
  global->removeSanitizerMetadata();
  global->setVisibility(GlobalValue::DefaultVisibility);
  global->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  global->setDSOLocal(false);
  global->setPartition("");
  if (auto *object = dyn_cast<GlobalObject>(global)) {
    object->setComdat(nullptr);
    object->setSection("");
    object->eraseMetadataIf([](unsigned kind, MDNode *) { return kind != LLVMContext::MD_dbg; });
  }
}

void sinter_drop_alias(LLVMValueRef value) {
  auto *alias = unwrap<GlobalAlias>(value);
  alias->replaceAllUsesWith(alias->getAliasee());
  alias->eraseFromParent();
}

void sinter_drop_host_metadata(LLVMModuleRef module, int debug) {
  if (!debug)
    StripDebugInfo(*unwrap(module));
  unwrap(module)->setModuleIdentifier("");
  unwrap(module)->setSourceFileName("");
  unwrap(module)->setTargetTriple("");
  unwrap(module)->setModuleInlineAsm("");
  dropNamedMetadata(*unwrap(module), [&](StringRef name) { return debug && name == "llvm.dbg.cu"; });
  for (DICompileUnit *unit : unwrap(module)->debug_compile_units()) {
    unit->replaceEnumTypes({});
    unit->replaceRetainedTypes({});
    unit->replaceImportedEntities({});
  }
  if (debug)
    unwrap(module)->addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
}

// True if a compile unit requests debug information; clang also attaches units that only locate
// diagnostics.
int sinter_has_debug_info(LLVMModuleRef module) {
  return any_of(unwrap(module)->debug_compile_units(),
                [](auto *unit) { return unit->getEmissionKind() != DICompileUnit::NoDebug; });
}

void sinter_append_used(LLVMValueRef value) {
  auto *global = unwrap<GlobalValue>(value);
  appendToUsed(*global->getParent(), {global});
}

void sinter_append_hook(LLVMValueRef function, int priority, int atExit) {
  auto append = atExit ? appendToGlobalDtors : appendToGlobalCtors;
  append(*unwrap<GlobalValue>(function)->getParent(), unwrap<Function>(function), priority, nullptr);
}

// Reports a missed optimisation (0), a warning (1) or an error through the context's diagnostic
// handler; `function` and `instruction` may be null.
void sinter_diagnose(LLVMModuleRef module, LLVMValueRef function, LLVMValueRef instruction, const char *text,
                     int severity) {
  LLVMContext &context = unwrap(module)->getContext();
  if (!function)
    return context.emitError(text);
  DiagnosticLocation location;
  if (instruction)
    location = DiagnosticLocation(unwrap<Instruction>(instruction)->getDebugLoc());
  if (severity == 0)
    return context.diagnose(
        OptimizationRemarkMissed("sinter-stdpar", "Host", location, &unwrap<Function>(function)->front()) << text);
  const DiagnosticSeverity kind = severity == 1 ? DS_Warning : DS_Error;
  context.diagnose(DiagnosticInfoUnsupported(*unwrap<Function>(function), text, location, kind));
}

// A copy of `function` under another name, which the linker merges with copies of that name.
LLVMValueRef sinter_clone(LLVMValueRef function, const char *name) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(unwrap<Function>(function), map);
  copy->setName(name);
  copy->setLinkage(GlobalValue::LinkOnceODRLinkage);
  copy->setComdat(copy->getParent()->getOrInsertComdat(copy->getName()));
  return wrap(copy);
}

// Makes a direct call one of another function of the same type.
void sinter_set_callee(LLVMValueRef call, LLVMValueRef function) {
  unwrap<CallBase>(call)->setCalledFunction(unwrap<Function>(function));
}

// Gives the edge to the normal successor of an invoke a block of its own.
void sinter_split_normal_edge(LLVMValueRef invoke) {
  auto *call = unwrap<InvokeInst>(invoke);
  SplitEdge(call->getParent(), call->getNormalDest());
}

// True for a call of malloc and its kin: nobody knows the block yet, nor the books of the
// allocator. An operator new may be the program's; free lets others have a block.
static bool allocatesAsC(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || !call->doesNotThrow() || call->getFnAttr("alloc-family").getValueAsString() != "malloc")
    return false;
  const Attribute kind = call->getFnAttr(Attribute::AllocKind);
  const AllocFnKind others = AllocFnKind::Realloc | AllocFnKind::Free;
  return kind.isValid() && (kind.getAllocKind() & AllocFnKind::Alloc) != AllocFnKind::Unknown &&
         (kind.getAllocKind() & others) == AllocFnKind::Unknown;
}

// True if control reaches the next instruction or a successor, and if no memory is touched but
// constants and what nobody outside the function can know.
int sinter_is_private(LLVMValueRef value) {
  const auto *instruction = unwrap<Instruction>(value);
  if (allocatesAsC(*instruction))
    return true;
  if (!isGuaranteedToTransferExecutionToSuccessor(instruction))
    return false;
  // The end of a life lets other variables have the memory.
  if (auto *end = dyn_cast<LifetimeIntrinsic>(instruction); end && end->getIntrinsicID() == Intrinsic::lifetime_end)
    return isUnknownToOthers(end->getArgOperand(1));
  if (!instruction->mayReadOrWriteMemory())
    return true;
  if (auto *marker = dyn_cast<IntrinsicInst>(instruction); marker && marker->isAssumeLikeIntrinsic())
    return true;
  if (instruction->isVolatile() || instruction->isAtomic())
    return false;
  if (auto *copy = dyn_cast<MemTransferInst>(instruction))
    return isUnknownToOthers(copy->getRawDest()) && isUnknownToOthers(copy->getRawSource());
  if (auto *fill = dyn_cast<MemSetInst>(instruction))
    return isUnknownToOthers(fill->getRawDest());
  const Value *pointer = getLoadStorePointerOperand(instruction);
  return pointer && isUnknownToOthers(pointer);
}

// True if nobody outside a function knows its variables, or a parameter that lies in its frame.
int sinter_has_private_frame(LLVMValueRef function) {
  auto isPrivate = [](const Value &value) { return !isa<AllocaInst>(value) || isUnknownToOthers(&value); };
  return all_of(instructions(unwrap<Function>(function)), isPrivate) &&
         none_of(unwrap<Function>(function)->args(), [](const Argument &a) { return a.hasByValAttr(); });
}

// Removes `llvm.used` and `llvm.compiler.used`.
void sinter_drop_used_lists(LLVMModuleRef module) {
  removeFromUsedLists(*unwrap(module), [](Constant *) { return true; });
}

// Puts a function into a comdat of its own name.
void sinter_set_comdat(LLVMValueRef function) {
  auto *own = unwrap<Function>(function);
  own->setComdat(own->getParent()->getOrInsertComdat(own->getName()));
}

// The value of clang's option `-sinter-stdpar`; the first call registers the option.
const char *sinter_stdpar() {
  static cl::opt<std::string> option("sinter-stdpar", cl::desc("Run parallel algorithms on devices"), cl::Hidden);
  return option.c_str();
}

// The value of clang's option `-sinter-emit-hcf`; the first call registers the option.
const char *sinter_emit_hcf() {
  static cl::opt<std::string> option("sinter-emit-hcf", cl::desc("Also write the container to this file"), cl::Hidden);
  return option.c_str();
}

// The file in clang's option `-sinter-device-module=SOURCE=FILE` for a source; empty without one.
// The first call registers the option.
const char *sinter_device_module(const char *source) {
  static cl::list<std::string> modules("sinter-device-module", cl::desc("Read device code from a module"), cl::Hidden);
  for (const std::string &module : modules)
    if (StringRef(module).starts_with(Twine(source).concat("=").str()))
      return module.c_str() + strlen(source) + 1;
  return "";
}

PassPluginLibraryInfo sinter_plugin_info(RunStage1 run) {
  runStage1 = run;
  return {LLVM_PLUGIN_API_VERSION, "sinter-stage1", "0.1.0", registerStage1};
}

} // extern "C"
