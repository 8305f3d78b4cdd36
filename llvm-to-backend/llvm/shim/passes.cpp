// Runs pipelines of LLVM's passes, with passes of our own that bound how far inlining and unrolling may let code grow.
//
// LLVM's limits hold for one call or one loop; nests and trees of calls multiply what each of them allows. The passes here count
// the whole module and mark the calls and loops that would let it grow past a limit, so that LLVM's own leave them alone. Below
// the limit they change nothing.
#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LazyCallGraph.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include <cstring>

using namespace llvm;

namespace {

// Up to these sizes, all rounds together, LLVM may unroll a loop: `-unroll-threshold` of 300 with the boost by what becomes constant, and
// `-pragma-unroll-threshold` where the source asks for it. Larger loops are left to LLVM, which does not unroll them completely but
// may in part, as it could not if they were marked.
constexpr uint64_t MostUnasked = 2000, MostAsked = 65536;
// The same for loops that are unrolled in part.
constexpr uint64_t MostInPart = 300;
// Times the limit that short loops over private arrays may let a module grow to.
constexpr uint64_t Beyond = 2;
// Rounds at a time of a loop that the source wants unrolled and that is too large for it.
constexpr uint64_t MostRounds = 8;

// Functions that make code grow by no more are inlined into code of any size.
constexpr uint64_t Little = 30;
// Calls of functions up to this weight LLVM may leave in one place and inline in a copy of it: `-inline-threshold` of 225 at 5 for an
// instruction, 11 times as much on GPUs.
constexpr uint64_t Reconsidered = 500;

// Machine instructions that an operation becomes, roughly. GPUs have no division of integers, and none has one of 128 bits.
uint64_t weight(const Instruction &instruction) {
  if (isa<PHINode>(instruction) || isa<DbgInfoIntrinsic>(instruction))
    return 0;
  auto *integer = dyn_cast<IntegerType>(instruction.getType()->getScalarType());
  uint64_t words = integer ? (integer->getBitWidth() + 63) / 64 : 1;
  bool divides = instruction.getOpcode() == Instruction::UDiv || instruction.getOpcode() == Instruction::SDiv ||
                 instruction.getOpcode() == Instruction::URem || instruction.getOpcode() == Instruction::SRem;
  uint64_t factor = !divides ? 1 : isa<Constant>(instruction.getOperand(1)) ? 4 : 24 * words;
  return factor * words * words;
}

uint64_t weight(const BasicBlock &block) {
  uint64_t sum = 0;
  for (auto &instruction : block)
    sum += weight(instruction);
  return sum;
}

uint64_t weight(const Function &function) {
  uint64_t sum = 0;
  for (auto &block : function)
    sum += weight(block);
  return sum;
}

uint64_t weight(const Module &module) {
  uint64_t sum = 0;
  for (auto &function : module)
    sum += weight(function);
  return sum;
}

uint64_t weight(const Loop &loop) {
  uint64_t sum = 0;
  for (auto *block : loop.blocks())
    sum += weight(*block);
  return sum;
}

bool isPrivate(const Value *pointer) { return isa<AllocaInst>(getUnderlyingObject(pointer)); }

// Whether a loop reads or writes variables of its work-item, which are in memory as long as it is a loop.
bool usesPrivateMemory(const Loop &loop) {
  for (auto *block : loop.blocks())
    for (auto &instruction : *block)
      if (auto *pointer = getLoadStorePointerOperand(&instruction); pointer && isPrivate(pointer))
        return true;
  return false;
}

bool isAsked(const Loop &loop) {
  auto said = hasUnrollTransformation(&loop);
  return (said & TM_ForcedByUser) == TM_ForcedByUser;
}

// Takes back that a loop is to be unrolled; one of which the source wanted it keeps as many rounds as there is room for.
// Returns how many.
uint64_t refuse(Loop &loop, uint64_t body, uint64_t room) {
  uint64_t rounds = isAsked(loop) && loop.isInnermost() ? MostRounds : 1;
  while (rounds > 1 && body * (rounds - 1) > room)
    rounds /= 2;
  loop.setLoopAlreadyUnrolled();
  if (rounds == 1)
    return rounds;
  auto &context = loop.getHeader()->getContext();
  auto *count = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), rounds));
  auto *node = MDNode::get(context, {MDString::get(context, "llvm.loop.unroll.count"), count});
  loop.setLoopID(makePostTransformationMetadata(context, loop.getLoopID(), {"llvm.loop.unroll."}, {node}));
  return rounds;
}

// Before loops are unrolled completely, inner ones first.
struct LimitFullUnrolling : PassInfoMixin<LimitFullUnrolling> {
  uint64_t limit;
  explicit LimitFullUnrolling(uint64_t limit) : limit(limit) {}

  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &analyses, LPMUpdater &) {
    // A loop for which rounds at a time are asked is not unrolled completely.
    if (getOptionalIntLoopAttribute(&loop, "llvm.loop.unroll.count"))
      return PreservedAnalyses::all();
    uint64_t trips = analyses.SE.getSmallConstantTripCount(&loop);
    if (trips == 0 && isAsked(loop))
      trips = analyses.SE.getSmallConstantMaxTripCount(&loop);
    uint64_t body = weight(loop), whole = body * trips;
    if (trips < 2 || whole > (isAsked(loop) ? MostAsked : MostUnasked))
      return PreservedAnalyses::all();
    uint64_t size = weight(*loop.getHeader()->getModule());
    bool isShort = whole <= MostInPart && usesPrivateMemory(loop);
    if (size + whole - body > (isShort ? Beyond * limit : limit))
      refuse(loop, body, limit > size ? limit - size : 0);
    return PreservedAnalyses::all();
  }
};

// Before loops are unrolled in part.
struct LimitUnrolling : PassInfoMixin<LimitUnrolling> {
  uint64_t limit;
  explicit LimitUnrolling(uint64_t limit) : limit(limit) {}

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &info = analyses.getResult<LoopAnalysis>(function);
    uint64_t size = info.empty() ? 0 : weight(*function.getParent());
    for (auto *loop : info)
      mark(*loop, size);
    return PreservedAnalyses::all();
  }

  // Inner loops first, since outer ones repeat what these become. Returns how large the loop may become.
  uint64_t mark(Loop &loop, uint64_t &size) {
    uint64_t body = weight(loop);
    for (auto *inner : loop.getSubLoops()) {
      uint64_t before = weight(*inner);
      body += mark(*inner, size) - before;
    }
    uint64_t most = isAsked(loop) ? body * asked(loop) : MostInPart;
    if (body >= most || (hasUnrollTransformation(&loop) & TM_Disable) == TM_Disable)
      return body;
    uint64_t room = limit > size ? limit - size : 0;
    uint64_t whole = most - body <= room ? most : body * refuse(loop, body, room);
    size += whole - body;
    return whole;
  }

  // Rounds at a time that the source, or a hint of ours, asks for.
  static uint64_t asked(const Loop &loop) {
    auto count = getOptionalIntLoopAttribute(&loop, "llvm.loop.unroll.count");
    return count && *count > 0 ? *count : MostRounds;
  }
};

// Before calls are inlined, callees first. A function with one caller moves and does not grow.
struct LimitInlining : PassInfoMixin<LimitInlining> {
  uint64_t limit;
  explicit LimitInlining(uint64_t limit) : limit(limit) {}

  PreservedAnalyses run(LazyCallGraph::SCC &component, CGSCCAnalysisManager &, LazyCallGraph &, CGSCCUpdateResult &) {
    Callees known;
    std::optional<uint64_t> size;
    for (auto &node : component)
      mark(node.getFunction(), size, known);
    return PreservedAnalyses::all();
  }

  // What inlining a function brings.
  struct Callee {
    uint64_t size;
    bool folds;
  };
  using Callees = DenseMap<const Function *, Callee>;

  // Small callees first. Counts in `size` how large the module may become by what is left to LLVM.
  void mark(Function &function, std::optional<uint64_t> &size, Callees &known) {
    SmallVector<std::pair<uint64_t, CallBase *>> calls;
    for (auto &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || !grows(*call))
        continue;
      auto callee = describe(*call->getCalledFunction(), known);
      if (uint64_t growth = growthBy(*call, callee.size); growth > Little && !callee.folds)
        calls.emplace_back(growth, call);
    }
    if (calls.empty())
      return;
    if (!size)
      size = weight(*function.getParent());
    stable_sort(calls, [](auto &a, auto &b) { return a.first < b.first; });
    for (auto [growth, call] : calls) {
      if (*size + growth > limit)
        call->setIsNoInline();
      else
        *size += growth;
    }
  }

  // A call takes instructions too, and what it passes.
  static uint64_t growthBy(const CallBase &call, uint64_t size) {
    uint64_t saved = 5 + 2 * call.arg_size();
    return size > saved ? size - saved : 0;
  }

  // With the small functions that it still calls: LLVM, which left these calls, asks again for each copy of them.
  static Callee describe(const Function &function, Callees &known) {
    auto [entry, isNew] = known.try_emplace(&function, Callee{0, false});
    if (!isNew)
      return entry->second;
    Callee callee{weight(function), folds(function)};
    for (auto &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || !grows(*call))
        continue;
      uint64_t size = describe(*call->getCalledFunction(), known).size;
      callee.size += size <= Reconsidered ? growthBy(*call, size) : 0;
    }
    known[&function] = callee;
    return callee;
  }

  // An atomic operation of which order, scope and address space are arguments: all but one case goes where they are literals.
  static bool folds(const Function &callee) {
    for (auto &instruction : instructions(callee)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      auto name = call && call->getCalledFunction() ? call->getCalledFunction()->getName() : StringRef();
      if (instruction.isAtomic() || name.starts_with("__acpp_sscp_atomic_") || name.starts_with("__acpp_sscp_cmp_exch_"))
        return true;
    }
    return false;
  }

  static bool grows(const CallBase &call) {
    auto *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || call.isNoInline() || callee->hasFnAttribute(Attribute::AlwaysInline))
      return false;
    return !(callee->hasLocalLinkage() && callee->hasOneUse());
  }
};

// Functions that synchronise must not be taken for functions that leave memory alone: LLVM 19 infers `memory(argmem: readwrite)` for
// one that loads and acquires, and then keeps what was loaded before its calls.
bool synchronises(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return isStrongerThanMonotonic(load->getOrdering());
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return isStrongerThanMonotonic(store->getOrdering());
  if (auto *change = dyn_cast<AtomicRMWInst>(&instruction))
    return isStrongerThanMonotonic(change->getOrdering());
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return isStrongerThanMonotonic(exchange->getMergedOrdering());
  return isa<FenceInst>(&instruction);
}

bool synchronises(const Module &module) {
  return any_of(module, [](const Function &function) {
    return any_of(instructions(function), [](const Instruction &instruction) { return synchronises(instruction); });
  });
}

void inferNoEffects(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, Any) { return !pass.contains("FunctionAttrs"); });
}

// What is known of aliases, without what is inferred of globals that functions do not name themselves.
AAManager aliasesOfFunctions(TargetMachine *machine) {
  AAManager aliases;
  aliases.registerFunctionAnalysis<BasicAA>();
  aliases.registerFunctionAnalysis<ScopedNoAliasAA>();
  aliases.registerFunctionAnalysis<TypeBasedAA>();
  if (machine)
    machine->registerDefaultAliasAnalyses(aliases);
  return aliases;
}

// From this weight on a module goes without passes whose time grows faster than the code: `indvars` asks about every loop what is known
// of all that are before it.
constexpr uint64_t Large = 2500;
// From so many blocks on it is not vectorised either: the vectoriser walks the function again for each of its loops.
constexpr size_t ManyBlocks = 1000;

// From so many instructions in a block on they stay in their order: the scheduler compares accesses to memory with one another.
constexpr size_t HugeBlock = 2000;

bool hasHugeBlock(const Module &module) {
  return any_of(module, [](const Function &function) {
    return any_of(function, [](const BasicBlock &block) { return block.size() > HugeBlock; });
  });
}

// Optional passes of code generators that large modules go without.
class SlowPasses : public OptPassGate {
  bool schedules;

public:
  explicit SlowPasses(bool schedules) : schedules(schedules) {}

  // The first one, for AVX-512, compares all chains of instructions that might move to mask registers.
  bool shouldRunPass(StringRef pass, StringRef) override {
    return pass != "X86 Domain Reassignment Pass" && (schedules || pass != "Machine Instruction Scheduler");
  }
  bool isEnabled() const override { return true; }
};

void skipInLargeModules(PassInstrumentationCallbacks &callbacks, const Module &module) {
  if (weight(module) <= Large)
    return;
  size_t blocks = 0;
  for (auto &function : module)
    blocks += function.size();
  callbacks.registerShouldRunOptionalPassCallback([=](StringRef pass, Any) {
    return pass != "IndVarSimplifyPass" && (pass != "LoopVectorizePass" || blocks <= ManyBlocks);
  });
}

void registerLimits(PassBuilder &builder, uint64_t limit) {
  builder.registerPipelineParsingCallback([=](StringRef name, LoopPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
    bool known = name == "limit-full-unrolling";
    if (known)
      passes.addPass(LimitFullUnrolling(limit));
    return known;
  });
  builder.registerPipelineParsingCallback([=](StringRef name, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
    bool known = name == "limit-unrolling";
    if (known)
      passes.addPass(LimitUnrolling(limit));
    return known;
  });
  builder.registerPipelineParsingCallback([=](StringRef name, CGSCCPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
    bool known = name == "limit-inlining";
    if (known)
      passes.addPass(LimitInlining(limit));
    return known;
  });
  // Where LLVM's own pipelines unroll completely and, past the vectoriser, in part.
  builder.registerLateLoopOptimizationsEPCallback([=](LoopPassManager &passes, OptimizationLevel) {
    passes.addPass(LimitFullUnrolling(limit));
  });
  builder.registerVectorizerStartEPCallback([=](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(LimitUnrolling(limit));
  });
}

} // namespace

extern "C" {

// The instructions of a module, weighed as the limits weigh them.
uint64_t sinter_weight(LLVMModuleRef module) { return weight(*unwrap(module)); }

// Chooses the optional passes of the code generator that is run next in the module's context.
void sinter_limit_code_generator(LLVMModuleRef module) {
  static auto &large = *new SlowPasses(true), &huge = *new SlowPasses(false);
  auto &context = unwrap(module)->getContext();
  if (weight(*unwrap(module)) <= Large)
    context.setOptPassGate(getGlobalPassGate());
  else
    context.setOptPassGate(hasHugeBlock(*unwrap(module)) ? huge : large);
}

// Runs a pipeline that is written as text. Returns null, or why the text is none; the message is the caller's to free.
char *sinter_run_passes(LLVMModuleRef module, const char *pipeline, LLVMTargetMachineRef machine, uint64_t limit) {
  PipelineTuningOptions options;
  // clang turns it on.
  options.SLPVectorization = true;
  PassInstrumentationCallbacks callbacks;
  skipInLargeModules(callbacks, *unwrap(module));
  auto *target = reinterpret_cast<TargetMachine *>(machine);
  PassBuilder builder(target, options, std::nullopt, &callbacks);
  registerLimits(builder, limit);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  if (synchronises(*unwrap(module))) {
    inferNoEffects(callbacks);
    functions.registerPass([=] { return aliasesOfFunctions(target); });
  }
  builder.registerLoopAnalyses(loops);
  builder.registerFunctionAnalyses(functions);
  builder.registerCGSCCAnalyses(components);
  builder.registerModuleAnalyses(modules);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager passes;
  if (auto error = builder.parsePassPipeline(passes, pipeline))
    return strdup(toString(std::move(error)).c_str());
  passes.run(*unwrap(module), modules);
  return nullptr;
}

} // extern "C"
