// The closure of a kernel: what it reaches through code, constants and metadata.
//
// In: an image, or a module and its roots. Out: a module of the closure alone, and the canonical
// printed IR of which the kernel hash is the digest. Nothing outside the closure changes either.
#include "llvm-c/BitWriter.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/TypeFinder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

using Closure = SetVector<GlobalValue *>;

// Adds the global values that `root` reaches through constants.
void addGlobals(Value *root, Closure &closure) {
  SmallVector<Value *, 8> work{root};
  SmallPtrSet<Value *, 8> seen;
  while (!work.empty()) {
    auto *constant = dyn_cast<Constant>(work.pop_back_val());
    if (!constant || !seen.insert(constant).second)
      continue;
    if (auto *global = dyn_cast<GlobalValue>(constant))
      closure.insert(global);
    else
      append_range(work, constant->operands());
  }
}

// Adds the references of the definition of `global`, reading a body that is still in the bitcode.
Error addReferences(GlobalValue &global, Closure &closure) {
  if (Error error = global.materialize())
    return error;
  for (Value *operand : global.operands())
    addGlobals(operand, closure);
  if (auto *function = dyn_cast<Function>(&global))
    for (Instruction &instruction : instructions(*function))
      for (Value *operand : instruction.operands()) {
        addGlobals(operand, closure);
        if (auto *wrapped = dyn_cast<MetadataAsValue>(operand))
          if (auto *value = dyn_cast<ValueAsMetadata>(wrapped->getMetadata()))
            if (isa<Constant>(value->getValue()))
              addGlobals(value->getValue(), closure);
      }
  return Error::success();
}

// The set grows while it is walked, so its order is the order of discovery.
Error complete(Closure &closure) {
  for (size_t next = 0; next < closure.size(); ++next)
    if (Error error = addReferences(*closure[next], closure))
      return error;
  return Error::success();
}

SmallVector<GlobalValue *, 0> outside(Module &module, const Closure &closure) {
  SmallVector<GlobalValue *, 0> dropped;
  for (GlobalValue &global : module.global_values())
    if (!closure.contains(&global))
      dropped.push_back(&global);
  return dropped;
}

void clear(GlobalValue &global) {
  if (auto *function = dyn_cast<Function>(&global))
    function->deleteBody();
  else if (auto *variable = dyn_cast<GlobalVariable>(&global))
    variable->setInitializer(nullptr);
  if (auto *object = dyn_cast<GlobalObject>(&global))
    object->setComdat(nullptr);
}

void erase(ArrayRef<GlobalValue *> dropped) {
  for (GlobalValue *global : dropped)
    global->replaceAllUsesWith(PoisonValue::get(global->getType()));
  for (GlobalValue *global : dropped)
    global->eraseFromParent();
}

// Global values in order of discovery: declaration order depends on code outside the closure.
void sortGlobals(Module &module, const Closure &closure) {
  for (GlobalValue *global : closure)
    if (auto *function = dyn_cast<Function>(global)) {
      function->removeFromParent();
      module.getFunctionList().push_back(function);
    } else if (auto *variable = dyn_cast<GlobalVariable>(global)) {
      variable->removeFromParent();
      module.insertGlobalVariable(variable);
    }
}

// Names and named metadata of a module.
struct Names {
  SmallVector<std::pair<GlobalValue *, std::string>, 0> globals;
  SmallVector<std::pair<StructType *, std::string>, 0> types;
  SmallVector<std::pair<std::string, SmallVector<MDNode *, 4>>, 0> metadata;
};

// Removes the names of a module that depend on code outside the closure, and returns them.
Names takeNames(Module &module) {
  Names names;
  module.setModuleIdentifier("");
  module.setSourceFileName("");
  for (NamedMDNode &node : module.named_metadata())
    names.metadata.emplace_back(node.getName().str(), SmallVector<MDNode *, 4>(node.operands()));
  while (!module.named_metadata_empty())
    module.named_metadata_begin()->eraseFromParent();
  for (GlobalValue &global : module.global_values())
    if (global.hasLocalLinkage() && global.hasName()) {
      names.globals.emplace_back(&global, global.getName().str());
      global.setName("");
    }
  TypeFinder types;
  types.run(module, /*onlyNamed=*/true);
  for (StructType *type : types) {
    names.types.emplace_back(type, type->getName().str());
    type->setName("");
  }
  return names;
}

void giveNames(Module &module, const Names &names) {
  for (const auto &[name, nodes] : names.metadata) {
    NamedMDNode *list = module.getOrInsertNamedMetadata(name);
    for (MDNode *node : nodes)
      list->addOperand(node);
  }
  for (const auto &[global, name] : names.globals)
    global->setName(name);
  for (const auto &[type, name] : names.types)
    type->setName(name);
}

// Reads the closure of the kernels and of named global variables, and nothing else. `debug`: an
// image may have debug information.
Expected<std::unique_ptr<Module>> readClosure(MemoryBufferRef bitcode, ArrayRef<StringRef> names, bool debug,
                                              LLVMContext &context, Closure &closure) {
  Expected<std::unique_ptr<Module>> parsed = getLazyBitcodeModule(bitcode, context);
  if (!parsed)
    return parsed.takeError();
  Module &module = **parsed;
  if (!debug && !module.debug_compile_units().empty())
    return createStringError("the image has debug information");
  for (StringRef name : names)
    if (GlobalValue *root = module.getNamedValue(name); root && (!root->isDeclaration() || isa<GlobalVariable>(root)))
      closure.insert(root);
    else
      return createStringError("the image does not define this kernel");
  if (Error error = complete(closure))
    return std::move(error);
  SmallVector<GlobalValue *, 0> dropped = outside(module, closure);
  for (GlobalValue *global : dropped)
    clear(*global);
  auto functions = std::stable_partition(dropped.begin(), dropped.end(), [](auto *g) { return !isa<Function>(g); });
  erase(ArrayRef(dropped.begin(), functions));
  // All functions are read by now; this lets the reader finish its upgrades, and verify, before
  // functions are removed.
  if (Error error = module.materializeAll())
    return std::move(error);
  // The upgrade has removed old declarations of intrinsics and added new ones.
  dropped = outside(module, closure);
  for (GlobalValue *global : dropped)
    clear(*global);
  erase(dropped);
  return parsed;
}

// Removes debug information, and the order that depends on code outside the closure.
void makeCanonical(Module &module, const Closure &closure) {
  StripDebugInfo(module);
  sortGlobals(module, closure);
}

// The printed IR of a canonical module without names, which it has again afterwards.
std::string print(Module &module) {
  const Names names = takeNames(module);
  std::string text;
  raw_string_ostream stream(text);
  stream.SetBufferSize(1 << 16); // Unbuffered, the printer queries its position for each word.
  module.print(stream, nullptr);
  stream.flush();
  giveNames(module, names);
  return text;
}

// The canonical printed IR of the closure of the kernels and of named global variables. `own`
// receives it as bitcode, including debug information, if it is well formed.
Expected<std::string> canonicalKernels(MemoryBufferRef bitcode, ArrayRef<StringRef> names, LLVMMemoryBufferRef &own) {
  LLVMContext context;
  context.setDiscardValueNames(true);
  context.setDiagnosticHandlerCallBack([](const DiagnosticInfo *, void *) {});
  Closure closure;
  Expected<std::unique_ptr<Module>> module = readClosure(bitcode, names, /*debug=*/true, context, closure);
  if (!module)
    return module.takeError();
  own = verifyModule(**module) ? nullptr : LLVMWriteBitcodeToMemoryBuffer(wrap(module->get()));
  makeCanonical(**module, closure);
  return print(**module);
}

// The closure of a kernel. Null if it is damaged or has debug information, which the digest
// ignores. `text`, unless null, receives the canonical printed IR, if the module is well formed.
std::unique_ptr<Module> readKernel(LLVMContext &context, MemoryBufferRef bitcode, StringRef kernel, std::string *text) {
  const bool discards = context.shouldDiscardValueNames();
  context.setDiscardValueNames(true);
  Closure closure;
  Expected<std::unique_ptr<Module>> module = readClosure(bitcode, {kernel}, /*debug=*/false, context, closure);
  context.setDiscardValueNames(discards);
  if (!module) {
    consumeError(module.takeError());
    return nullptr;
  }
  if (text && verifyModule(**module))
    return nullptr;
  makeCanonical(**module, closure);
  if (text)
    *text = print(**module);
  (*module)->setModuleIdentifier(kernel);
  (*module)->setSourceFileName("");
  return std::move(*module);
}

} // namespace

extern "C" {

// The canonical printed IR of the closure of kernels, whose names are separated by zeros, or null
// and `*error`; both are freed with LLVMDisposeMessage. `*own` receives it as bitcode.
char *sinter_kernel_text(const char *bitcode, size_t size, const char *kernels, size_t kernelsSize,
                         LLVMMemoryBufferRef *own, char **error) {
  SmallVector<StringRef, 1> names;
  StringRef(kernels, kernelsSize).split(names, '\0');
  auto text = canonicalKernels(MemoryBufferRef(StringRef(bitcode, size), "image"), names, *own);
  if (text)
    return LLVMCreateMessage(text->c_str());
  *error = LLVMCreateMessage(toString(text.takeError()).c_str());
  return nullptr;
}

// The closure of a kernel as a module of `context`; null if it has to be read as bitcode. `text`
// may be null if the module is known to be well formed; it receives the canonical printed IR, which
// is freed with LLVMDisposeMessage.
LLVMModuleRef sinter_read_kernel(LLVMContextRef context, const char *bitcode, size_t size, const char *kernel,
                                 size_t kernelSize, char **text) {
  std::string printed;
  auto module = readKernel(*unwrap(context), MemoryBufferRef({bitcode, size}, "image"), {kernel, kernelSize},
                           text ? &printed : nullptr);
  if (module && text)
    *text = LLVMCreateMessage(printed.c_str());
  return wrap(module.release());
}

// Erases every global value that the roots do not reach.
void sinter_keep_reachable(LLVMModuleRef module, LLVMValueRef *roots, size_t count) {
  Closure closure;
  for (size_t i = 0; i < count; ++i)
    closure.insert(unwrap<GlobalValue>(roots[i]));
  cantFail(complete(closure));
  SmallVector<GlobalValue *, 0> dropped = outside(*unwrap(module), closure);
  for (GlobalValue *global : dropped)
    clear(*global);
  erase(dropped);
  for (GlobalValue *global : closure)
    global->removeDeadConstantUsers();
}

// 1 if the root reaches one of the global values.
int sinter_reaches(LLVMValueRef root, LLVMValueRef *wanted, size_t count) {
  Closure closure;
  closure.insert(unwrap<GlobalValue>(root));
  cantFail(complete(closure));
  return any_of(ArrayRef(wanted, count), [&](LLVMValueRef one) { return closure.contains(unwrap<GlobalValue>(one)); });
}

// A copy of the module with the definitions that the root reaches, and declarations of the others.
LLVMModuleRef sinter_clone_reachable(LLVMValueRef root) {
  Closure closure;
  closure.insert(unwrap<GlobalValue>(root));
  cantFail(complete(closure));
  ValueToValueMapTy copies;
  const Module &module = *unwrap<GlobalValue>(root)->getParent();
  const auto isReached = [&](const GlobalValue *global) { return closure.contains(const_cast<GlobalValue *>(global)); };
  return wrap(CloneModule(module, copies, isReached).release());
}

} // extern "C"
