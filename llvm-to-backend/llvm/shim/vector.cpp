// The vector forms of scalar instructions, for vector.rs.
#include "llvm-c/Core.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

extern "C" {

// Takes over the flags of another instruction with the same operation.
void sinter_copy_flags(LLVMValueRef to, LLVMValueRef from) {
  llvm::unwrap<llvm::Instruction>(to)->copyIRFlags(llvm::unwrap(from));
}

// Removes flags and metadata that make a result poison for some operands.
void sinter_drop_flags(LLVMValueRef instruction) {
  llvm::unwrap<llvm::Instruction>(instruction)->dropPoisonGeneratingAnnotations();
}

// Declares the vector form of the intrinsic that `call` calls; null where there is none.
LLVMValueRef sinter_wide_intrinsic(LLVMValueRef call, unsigned lanes) {
  auto *scalar = llvm::dyn_cast<llvm::IntrinsicInst>(llvm::unwrap(call));
  if (!scalar || !llvm::isTriviallyVectorizable(scalar->getIntrinsicID()))
    return nullptr;
  auto id = scalar->getIntrinsicID();
  auto wide = [&](llvm::Type *type) { return llvm::VectorType::get(type, lanes, false); };
  llvm::SmallVector<llvm::Type *, 2> types;
  if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) {
    if (!llvm::VectorType::isValidElementType(scalar->getType()))
      return nullptr;
    types.push_back(wide(scalar->getType()));
  }
  for (unsigned index = 0; index < scalar->arg_size(); ++index) {
    auto *type = scalar->getArgOperand(index)->getType();
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, index))
      types.push_back(llvm::isVectorIntrinsicWithScalarOpAtArg(id, index) ? type : wide(type));
  }
  return llvm::wrap(llvm::Intrinsic::getDeclaration(scalar->getModule(), id, types));
}

// True for an argument that stays a scalar in the vector form.
bool sinter_keeps_scalar(LLVMValueRef call, unsigned argument) {
  auto *scalar = llvm::unwrap<llvm::IntrinsicInst>(call);
  return llvm::isVectorIntrinsicWithScalarOpAtArg(scalar->getIntrinsicID(), argument);
}

} // extern "C"
