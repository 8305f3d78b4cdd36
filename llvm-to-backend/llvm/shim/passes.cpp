// Runs pipelines of LLVM passes, with our own passes that limit code growth by inlining and
// unrolling.
//
// LLVM's limits hold for one call or one loop; nested loops and call trees multiply them. The
// passes here count the whole module and mark the calls and loops that would let it grow past a
// limit, so that LLVM's passes skip them. Below the limit they change nothing.
#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LazyCallGraph.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include <cstring>

using namespace llvm;

namespace {

// LLVM fully unrolls loops up to these sizes, counted over all iterations: `-unroll-threshold` of
// 300 with its boost for values that become constant, and `-pragma-unroll-threshold` where the
// source asks for it. Targets may have higher ones, as AMD's for private arrays. Larger loops have
// no mark: LLVM does not unroll them completely, and a mark would keep it from unrolling a part.
constexpr uint64_t MostUnasked = 2000, MostAsked = 65536;
// The same for partial unrolling.
constexpr uint64_t MostInPart = 300;
// Factor by which short loops over private arrays may exceed the limit.
constexpr uint64_t Beyond = 2;
// Unroll count of a loop that the source asks to unroll and that is too large for full unrolling.
constexpr uint64_t MostRounds = 8;

// Calls with at most this growth are inlined into code of any size, while their growth together is
// below the second number.
constexpr uint64_t Little = 30, MostLittle = 500;
// Up to this weight of the callee LLVM may keep a call in one place and inline it in a copy:
// `-inline-threshold` of 225 at 5 for an instruction, 11 times as much on GPUs.
constexpr uint64_t Reconsidered = 500;

// Approximate number of machine instructions. GPUs have no instruction for integer division, and no
// target has one for 128 bits.
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

// The sum over the parts of a block, function or module.
template <class Whole> uint64_t weight(const Whole &whole) {
  uint64_t sum = 0;
  for (auto &part : whole)
    sum += weight(part);
  return sum;
}

uint64_t weight(const Loop &loop) {
  uint64_t sum = 0;
  for (auto *block : loop.blocks())
    sum += weight(*block);
  return sum;
}

bool isPrivate(const Value *pointer) { return isa<AllocaInst>(getUnderlyingObject(pointer)); }

// True for a loop over private variables, which stay in memory until the loop is unrolled.
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

// LLVM's threshold for full unrolling, or the highest one where values become constant.
uint64_t threshold(Loop &loop, ScalarEvolution &evolution, const TargetTransformInfo &target, bool boosted) {
  OptimizationRemarkEmitter remarks(loop.getHeader()->getParent());
  auto preferences =
      gatherUnrollingPreferences(&loop, evolution, target, nullptr, nullptr, remarks, 3, {}, {}, {}, {}, {}, {});
  return uint64_t(preferences.Threshold) * (boosted ? preferences.MaxPercentThresholdBoost : 100) / 100;
}

// Forbids full unrolling. An innermost loop that the source asks to unroll gets a count of up to
// `MostRounds` for which there is room. Returns the count.
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

// Runs before loops are fully unrolled, inner ones first.
struct LimitFullUnrolling : PassInfoMixin<LimitFullUnrolling> {
  uint64_t limit;
  // Bounds for the weight of the module: it was counted at a loop of the same function, and of the
  // loops visited since then each may have vanished or been copied by other passes. It is counted
  // again where they do not decide.
  static constexpr uint64_t Unknown = UINT64_MAX / 2;
  uint64_t least = 0, most = Unknown;
  const Function *function = nullptr;
  explicit LimitFullUnrolling(uint64_t limit) : limit(limit) {}

  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &analyses, LPMUpdater &) {
    uint64_t body = weight(loop);
    if (auto *current = loop.getHeader()->getParent(); function != current) {
      function = current;
      least = 0, most = Unknown;
    }
    most += consider(loop, body, analyses) + body;
    least -= std::min(least, body);
    return PreservedAnalyses::all();
  }

  // Returns the growth that it allows.
  uint64_t consider(Loop &loop, uint64_t body, LoopStandardAnalysisResults &analyses) {
    // A loop with an unroll count is not fully unrolled.
    if (getOptionalIntLoopAttribute(&loop, "llvm.loop.unroll.count"))
      return 0;
    uint64_t trips = analyses.SE.getSmallConstantTripCount(&loop);
    if (trips == 0 && isAsked(loop))
      trips = analyses.SE.getSmallConstantMaxTripCount(&loop);
    uint64_t whole = body * trips;
    if (trips < 2 || whole > MostAsked)
      return 0;
    if (!isAsked(loop) && whole > MostUnasked && whole > threshold(loop, analyses.SE, analyses.TTI, true))
      return 0;
    uint64_t growth = whole - body;
    uint64_t end = whole <= MostInPart && usesPrivateMemory(loop) ? Beyond * limit : limit;
    bool isRefused = least + growth > end && (!isAsked(loop) || least >= limit);
    if (!isRefused && most + growth > end)
      least = most = weight(*function->getParent());
    if (least + growth <= end)
      return growth;
    refuse(loop, body, limit > least ? limit - least : 0);
    return 0;
  }
};

// Runs before loops are unrolled in part.
struct LimitUnrolling : PassInfoMixin<LimitUnrolling> {
  uint64_t limit;
  explicit LimitUnrolling(uint64_t limit) : limit(limit) {}

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &info = analyses.getResult<LoopAnalysis>(function);
    if (info.empty())
      return PreservedAnalyses::all();
    uint64_t size = weight(*function.getParent());
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    auto &target = analyses.getResult<TargetIRAnalysis>(function);
    for (auto *loop : info)
      mark(*loop, size, [&](Loop &loop) { return std::max(MostInPart, threshold(loop, evolution, target, false)); });
    return PreservedAnalyses::all();
  }

  // Inner loops first, since outer ones repeat them. Returns the size that the loop may reach.
  uint64_t mark(Loop &loop, uint64_t &size, function_ref<uint64_t(Loop &)> unasked) {
    uint64_t body = weight(loop);
    for (auto *inner : loop.getSubLoops()) {
      uint64_t before = weight(*inner);
      body += mark(*inner, size, unasked) - before;
    }
    uint64_t most = isAsked(loop) ? body * asked(loop) : unasked(loop);
    if (body >= most || (hasUnrollTransformation(&loop) & TM_Disable) == TM_Disable)
      return body;
    uint64_t room = limit > size ? limit - size : 0;
    uint64_t whole = most - body <= room ? most : body * refuse(loop, body, room);
    size += whole - body;
    return whole;
  }

  // The unroll count that the source, or our hint, asks for.
  static uint64_t asked(const Loop &loop) {
    auto count = getOptionalIntLoopAttribute(&loop, "llvm.loop.unroll.count");
    return count && *count > 0 ? *count : MostRounds;
  }
};

// Runs before calls are inlined, callees first. A function with one caller moves and does not grow.
struct LimitInlining : PassInfoMixin<LimitInlining> {
  uint64_t limit, little = 0;
  explicit LimitInlining(uint64_t limit) : limit(limit) {}

  PreservedAnalyses run(LazyCallGraph::SCC &component, CGSCCAnalysisManager &, LazyCallGraph &, CGSCCUpdateResult &) {
    Callees known;
    std::optional<uint64_t> size;
    for (auto &node : component)
      mark(node.getFunction(), size, known);
    return PreservedAnalyses::all();
  }

  // The growth per inlined call of a function.
  struct Callee {
    uint64_t size;
    bool folds;
  };
  using Callees = DenseMap<const Function *, Callee>;

  // Small callees first. Adds the growth from calls that are left to LLVM's cost model to `size`.
  void mark(Function &function, std::optional<uint64_t> &size, Callees &known) {
    SmallVector<std::pair<uint64_t, CallBase *>> calls;
    for (auto &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || !grows(*call))
        continue;
      auto callee = describe(*call->getCalledFunction(), known);
      uint64_t growth = callee.folds ? 0 : growthBy(*call, callee.size);
      if (growth <= Little && little < MostLittle)
        little += growth;
      else if (growth > 0)
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

  // Inlining saves the call and its arguments.
  static uint64_t growthBy(const CallBase &call, uint64_t size) {
    uint64_t saved = 5 + 2 * call.arg_size();
    return size > saved ? size - saved : 0;
  }

  // Includes the small functions that it still calls: LLVM, which kept these calls, decides again
  // for each copy of them.
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

  // True for a function around an atomic operation whose order, scope and address space are
  // arguments. Where those are literals, all cases but one fold away.
  static bool folds(const Function &callee) {
    for (auto &instruction : instructions(callee)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      auto name = call && call->getCalledFunction() ? call->getCalledFunction()->getName() : StringRef();
      if (instruction.isAtomic() || name.starts_with("__acpp_sscp_atomic_") ||
          name.starts_with("__acpp_sscp_cmp_exch_"))
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

// True for instructions that order other accesses to memory. For a function with an acquiring load
// LLVM 19 infers `memory(argmem: readwrite)`, and then keeps values across its calls that were
// loaded before.
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

// Alias analyses without GlobalsAA, which infers that a call does not access globals that its
// callee does not name.
AAManager aliasesOfFunctions(TargetMachine *machine) {
  AAManager aliases;
  aliases.registerFunctionAnalysis<BasicAA>();
  aliases.registerFunctionAnalysis<ScopedNoAliasAA>();
  aliases.registerFunctionAnalysis<TypeBasedAA>();
  if (machine)
    machine->registerDefaultAliasAnalyses(aliases);
  return aliases;
}

// Larger modules skip passes whose time is superlinear in code size: for each loop `indvars`
// queries the facts of all earlier loops.
constexpr uint64_t Large = 2500;
// With more blocks the module is not vectorised either: the vectoriser walks the function again for
// each of its loops.
constexpr size_t ManyBlocks = 1000;

// Levels of a sum of sums beyond which passes over sums are skipped: scalar evolution writes each
// as a sum of all values, so that the time grows with the square of their number.
constexpr unsigned ManyLevels = 200;

bool hasLongSums(const Function &function) {
  DenseMap<const Value *, unsigned> levels;
  for (auto &instruction : instructions(function)) {
    if (instruction.getOpcode() != Instruction::Add && instruction.getOpcode() != Instruction::Sub)
      continue;
    unsigned level = 1 + std::max(levels.lookup(instruction.getOperand(0)), levels.lookup(instruction.getOperand(1)));
    if (level > ManyLevels)
      return true;
    levels[&instruction] = level;
  }
  return false;
}

void skipInLargeModules(PassInstrumentationCallbacks &callbacks, const Module &module) {
  if (weight(module) <= Large)
    return;
  size_t blocks = 0;
  for (auto &function : module)
    blocks += function.size();
  bool isOfSums = any_of(module, hasLongSums);
  callbacks.registerShouldRunOptionalPassCallback([=](StringRef pass, Any) {
    return pass != "IndVarSimplifyPass" && (pass != "LoopVectorizePass" || blocks <= ManyBlocks) &&
           (pass != "SLPVectorizerPass" || !isOfSums);
  });
}

void registerLimits(PassBuilder &builder, uint64_t limit) {
  using Elements = ArrayRef<PassBuilder::PipelineElement>;
  builder.registerPipelineParsingCallback([=](StringRef name, LoopPassManager &passes, Elements) {
    bool known = name == "limit-full-unrolling";
    if (known)
      passes.addPass(LimitFullUnrolling(limit));
    return known;
  });
  builder.registerPipelineParsingCallback([=](StringRef name, FunctionPassManager &passes, Elements) {
    bool known = name == "limit-unrolling";
    if (known)
      passes.addPass(LimitUnrolling(limit));
    return known;
  });
  // LLVM's scalarizer has options for accesses, but no name for them in a pipeline.
  builder.registerPipelineParsingCallback([=](StringRef name, FunctionPassManager &passes, Elements) {
    bool known = name == "scalarize-accesses";
    ScalarizerPassOptions options;
    options.ScalarizeLoadStore = true;
    if (known)
      passes.addPass(ScalarizerPass(options));
    return known;
  });
  builder.registerPipelineParsingCallback([=](StringRef name, CGSCCPassManager &passes, Elements) {
    bool known = name == "limit-inlining";
    if (known)
      passes.addPass(LimitInlining(limit));
    return known;
  });
  // In LLVM's own pipelines full unrolling follows the first extension point. Partial unrolling
  // follows the second, after the vectoriser.
  builder.registerLateLoopOptimizationsEPCallback([=](LoopPassManager &passes, OptimizationLevel) {
    passes.addPass(LimitFullUnrolling(limit));
  });
  builder.registerVectorizerStartEPCallback([=](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(LimitUnrolling(limit));
  });
}

} // namespace

extern "C" {

// The weight of a module, as the limits count it.
uint64_t sinter_weight(LLVMModuleRef module) { return weight(*unwrap(module)); }

// True for a module that skips slow passes.
bool sinter_is_large(LLVMModuleRef module) { return weight(*unwrap(module)) > Large; }

// True for a module that skips passes over sums.
bool sinter_has_long_sums(LLVMModuleRef module) { return any_of(*unwrap(module), hasLongSums); }

// Runs a pipeline. Returns null, or a message if the string is not a pipeline; the caller frees the
// message.
char *sinter_run_passes(LLVMModuleRef module, const char *pipeline, LLVMTargetMachineRef machine, uint64_t limit) {
  PipelineTuningOptions options;
  // As clang does.
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
