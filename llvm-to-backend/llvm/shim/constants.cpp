// Constants as bytes. Each function does one thing to IR that the caller owns.
#include "llvm-c/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <map>
#include <vector>

using namespace llvm;

namespace {

// The content of a variable: bytes, and addresses that stand over eight of them.
struct Content {
  const DataLayout &layout;
  std::vector<uint8_t> bytes;
  std::map<uint64_t, Constant *> addresses;

  bool write(Constant *value, uint64_t at);
  bool writeVector(Constant *value, FixedVectorType *type, uint64_t at);
  bool writeElements(Constant *value, uint64_t at);
  bool writeAddress(Constant *address, uint64_t at);
  void writeBits(const APInt &bits, uint64_t at);
};

void Content::writeBits(const APInt &bits, uint64_t at) {
  APInt wide = bits.zext(alignTo(bits.getBitWidth(), 8));
  for (unsigned i = 0; i < wide.getBitWidth() / 8; ++i)
    bytes[at + i] = static_cast<uint8_t>(wide.extractBitsAsZExtValue(8, i * 8));
}

// An address is one that a PTX text can name: a variable or function, and bytes behind it.
bool Content::writeAddress(Constant *address, uint64_t at) {
  if (layout.getTypeStoreSize(address->getType()) != 8)
    return false;
  APInt offset(64, 0);
  Constant *base = address;
  while (auto *expression = dyn_cast<ConstantExpr>(base)) {
    if (auto *step = dyn_cast<GEPOperator>(expression)) {
      APInt distance(layout.getIndexTypeSizeInBits(step->getType()), 0);
      if (!step->accumulateConstantOffset(layout, distance))
        return false;
      offset += distance.sextOrTrunc(64);
    } else if (expression->getOpcode() == Instruction::IntToPtr && isa<ConstantInt>(expression->getOperand(0))) {
      return writeBits(offset + cast<ConstantInt>(expression->getOperand(0))->getValue().zextOrTrunc(64), at), true;
    } else if (expression->getOpcode() != Instruction::AddrSpaceCast) {
      return false;
    }
    base = cast<Constant>(expression->getOperand(0));
  }
  if (base->isNullValue()) // What is left of a table of the C++ run-time library.
    return writeBits(offset, at), true;
  if (!isa<GlobalObject>(base) || offset.isNegative())
    return false;
  addresses[at] = address;
  return true;
}

// The elements of a vector follow each other without gaps, bit by bit.
bool Content::writeVector(Constant *value, FixedVectorType *type, uint64_t at) {
  Type *element = type->getElementType();
  unsigned width = layout.getTypeSizeInBits(element), count = type->getNumElements();
  APInt bits(width * count, 0);
  for (unsigned i = 0; i < count; ++i) {
    Constant *part = value->getAggregateElement(i);
    if (!part)
      return false;
    if (auto *integer = dyn_cast<ConstantInt>(part))
      bits.insertBits(integer->getValue(), i * width);
    else if (auto *number = dyn_cast<ConstantFP>(part))
      bits.insertBits(number->getValueAPF().bitcastToAPInt(), i * width);
    else if (!isa<UndefValue, ConstantPointerNull>(part) && !writeAddress(part, at + i * width / 8))
      return false;
  }
  writeBits(bits, at);
  return true;
}

bool Content::writeElements(Constant *value, uint64_t at) {
  auto *structure = dyn_cast<StructType>(value->getType());
  const StructLayout *places = structure ? layout.getStructLayout(structure) : nullptr;
  uint64_t count = structure ? structure->getNumElements() : cast<ArrayType>(value->getType())->getNumElements();
  uint64_t stride = structure ? 0 : layout.getTypeAllocSize(cast<ArrayType>(value->getType())->getElementType());
  for (uint64_t i = 0; i < count; ++i) {
    Constant *part = value->getAggregateElement(static_cast<unsigned>(i));
    if (!part || !write(part, at + (places ? places->getElementOffset(i).getFixedValue() : i * stride)))
      return false;
  }
  return true;
}

bool Content::write(Constant *value, uint64_t at) {
  if (value->isNullValue() || isa<UndefValue>(value))
    return true;
  // Before a literal, which may stand for all elements of a vector.
  if (auto *vector = dyn_cast<FixedVectorType>(value->getType()))
    return writeVector(value, vector, at);
  if (auto *integer = dyn_cast<ConstantInt>(value))
    return writeBits(integer->getValue(), at), true;
  if (auto *number = dyn_cast<ConstantFP>(value))
    return writeBits(number->getValueAPF().bitcastToAPInt(), at), true;
  if (isa<ConstantAggregate, ConstantDataSequential>(value))
    return writeElements(value, at);
  if (auto *expression = dyn_cast<ConstantExpr>(value))
    if (expression->getOpcode() == Instruction::PtrToInt && expression->getType()->isIntegerTy(64))
      return writeAddress(expression->getOperand(0), at);
  return value->getType()->isPointerTy() && writeAddress(value, at);
}

// Bytes in arrays, between them the addresses.
Constant *packed(const Content &content, LLVMContext &context) {
  SmallVector<Constant *, 8> parts;
  uint64_t done = 0, size = content.bytes.size();
  auto copyUpTo = [&](uint64_t end) {
    if (end > done)
      parts.push_back(ConstantDataArray::get(context, ArrayRef<uint8_t>(content.bytes).slice(done, end - done)));
  };
  for (auto [at, address] : content.addresses) {
    copyUpTo(at);
    parts.push_back(address);
    done = at + 8;
  }
  copyUpTo(size);
  return parts.size() == 1 ? parts.front() : ConstantStruct::getAnon(context, parts, /*Packed=*/true);
}

// Whether LLVM's printer of PTX, which leaves out the gaps between elements, writes a type as it lies in memory.
bool isWrittenAsItLies(Type *type, const DataLayout &layout) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return isWrittenAsItLies(array->getElementType(), layout);
  if (auto *structure = dyn_cast<StructType>(type))
    return all_of(structure->elements(), [&](Type *part) { return isWrittenAsItLies(part, layout); });
  if (auto *integer = dyn_cast<IntegerType>(type))
    return is_contained({8u, 16u, 32u, 64u}, integer->getBitWidth());
  return type->isFloatTy() || type->isDoubleTy() || type->isPointerTy();
}

} // namespace

extern "C" {

// Whether a variable may stay as it is.
bool sinter_is_written_as_it_lies(LLVMValueRef value) {
  auto *global = unwrap<GlobalVariable>(value);
  return isWrittenAsItLies(global->getValueType(), global->getParent()->getDataLayout());
}

// Whether a variable's initial value consists of literals and of addresses with an offset that is not negative.
bool sinter_is_spelled(LLVMValueRef value) {
  auto *global = unwrap<GlobalVariable>(value);
  const DataLayout &layout = global->getParent()->getDataLayout();
  Content content{layout, std::vector<uint8_t>(layout.getTypeAllocSize(global->getValueType())), {}};
  return content.write(global->getInitializer(), 0);
}

// Gives a variable with an initial value a type of bytes and addresses, at the same alignment. Returns the variable that
// takes its place, null where the value has no such form.
LLVMValueRef sinter_spell_as_bytes(LLVMValueRef value) {
  auto *global = unwrap<GlobalVariable>(value);
  const DataLayout &layout = global->getParent()->getDataLayout();
  Content content{layout, std::vector<uint8_t>(layout.getTypeAllocSize(global->getValueType())), {}};
  if (!content.write(global->getInitializer(), 0))
    return nullptr;
  Constant *bytes = packed(content, global->getContext());
  auto *made = new GlobalVariable(*global->getParent(), bytes->getType(), global->isConstant(), global->getLinkage(), bytes,
                                  "", global, global->getThreadLocalMode(), global->getAddressSpace());
  made->copyAttributesFrom(global);
  made->setAlignment(global->getAlign().value_or(layout.getPreferredAlign(global)));
  made->copyMetadata(global, 0);
  made->takeName(global);
  global->replaceAllUsesWith(made);
  global->eraseFromParent();
  return wrap(made);
}

} // extern "C"
