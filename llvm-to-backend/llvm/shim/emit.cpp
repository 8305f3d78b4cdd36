// Generates code, with less work for large modules.
//
// LLVM compares instructions of a block with each other when it selects and schedules them. So
// blocks of large modules are cut right before, where no pass joins them any more; the last passes
// of the code generator do.
#include "llvm-c/TargetMachine.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/StackProtector.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Pass.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

extern "C" bool sinter_is_large(LLVMModuleRef module);
extern "C" bool sinter_has_long_sums(LLVMModuleRef module);

namespace {

// Instructions of a block after it was cut.
constexpr ptrdiff_t Part = 400;
// Instructions at the end of a block that stay together, because targets mark branches in front of
// them.
constexpr ptrdiff_t End = 100;

class CutBlocks : public FunctionPass {
public:
  static char ID;
  CutBlocks() : FunctionPass(ID) {}
  StringRef getPassName() const override { return "Cut blocks"; }
  // Instruction selection takes its result.
  void getAnalysisUsage(AnalysisUsage &usage) const override { usage.addPreserved<StackProtector>(); }

  bool runOnFunction(Function &function) override {
    size_t before = function.size();
    for (auto &block : make_early_inc_range(function))
      cut(&block);
    return function.size() != before;
  }

private:
  static void cut(BasicBlock *block) {
    auto begin = block->getFirstInsertionPt();
    // Memory of a fixed size is allocated in a function's first block.
    for (auto place = begin; place != block->end(); ++place)
      if (isa<AllocaInst>(*place))
        begin = std::next(place);
    while (std::distance(begin, block->end()) > Part + End) {
      block = block->splitBasicBlock(std::next(begin, Part));
      begin = block->begin();
    }
  }
};

char CutBlocks::ID;

// Optional passes of the code generator that large modules skip.
class SlowPasses : public OptPassGate {
public:
  explicit SlowPasses(bool hasLongSums) : hasLongSums(hasLongSums) {}
  // The first pass, for AVX-512, compares all chains of instructions that might move to mask
  // registers. The second walks from a copy to its use for each copy that it removes; few are left
  // by then. The others write sums of sums.
  bool shouldRunPass(StringRef pass, StringRef) override {
    bool isOfSums = pass == "Nary reassociation" || pass == "Straight line strength reduction";
    return pass != "X86 Domain Reassignment Pass" && pass != "Machine Copy Propagation Pass" &&
           !(isOfSums && hasLongSums);
  }
  bool isEnabled() const override { return true; }

private:
  bool hasLongSums;
};

// The passes of LLVMTargetMachine::addPassesToEmitFile, and the one above. False if the target has
// no such code.
bool addPasses(LLVMTargetMachine &machine, legacy::PassManager &passes, raw_pwrite_stream &out, CodeGenFileType kind,
               bool isLarge) {
  auto *modules = new MachineModuleInfoWrapperPass(&machine);
  auto *config = machine.createPassConfig(passes);
  config->setDisableVerify(true);
  if (isLarge)
    config->insertPass(&StackProtector::ID, new CutBlocks);
  passes.add(config);
  passes.add(modules);
  if (config->addISelPasses())
    return false;
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(passes, out, nullptr, kind, modules->getMMI().getContext()))
    return false;
  passes.add(createFreeMachineFunctionPass());
  return true;
}

} // namespace

extern "C" {

// Generates code. Null if the target has no such code.
LLVMMemoryBufferRef sinter_emit(LLVMTargetMachineRef machine, LLVMModuleRef module, LLVMCodeGenFileType kind) {
  static auto &slow = *new SlowPasses(false), &slowWithSums = *new SlowPasses(true);
  auto &target = *reinterpret_cast<LLVMTargetMachine *>(machine);
  auto &code = *unwrap(module);
  bool isLarge = sinter_is_large(module);
  auto &slower = sinter_has_long_sums(module) ? slowWithSums : slow;
  code.getContext().setOptPassGate(isLarge ? slower : getGlobalPassGate());
  code.setDataLayout(target.createDataLayout());
  SmallString<0> bytes;
  raw_svector_ostream out(bytes);
  legacy::PassManager passes;
  auto file = kind == LLVMAssemblyFile ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile;
  if (!addPasses(target, passes, out, file, isLarge))
    return nullptr;
  passes.run(code);
  return wrap(new SmallVectorMemoryBuffer(std::move(bytes), false));
}

} // extern "C"
