import * as fc from 'fast-check'
import {
  decodeAbiParameters,
  decodeFunctionData,
  type Hex,
  hashTypedData,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { toPackedUserOperation } from 'viem/account-abstraction'
import { expect, it } from 'vitest'
import { dummySignature, encodeCalls, operationTypedData, type UserOperation } from './userOperation.ts'

const abi = parseAbi(['function execute(bytes32 mode, bytes executionCalldata)'])
const address = fc.stringMatching(/^0x[1-9a-f][0-9a-f]{39}$/).map((text) => text as Hex)
const data = fc.stringMatching(/^0x([0-9a-f]{2}){0,40}$/).map((text) => text as Hex)
const wei = fc.bigInt({ min: 0n, max: 2n ** 128n })
const quantity = fc.bigInt({ min: 0n, max: 2n ** 120n }).map((value) => `0x${value.toString(16)}` as Hex)

it('calls are decoded from what encodes them', () => {
  const call = fc.record({ to: address, value: wei, data })
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 5 }), (calls) => {
      const [mode, execution] = decodeFunctionData({ abi, data: encodeCalls(calls) }).args
      if (BigInt(mode) === 0n) {
        const [only] = calls
        expect(execution.slice(0, 42)).toBe(only?.to)
        expect(BigInt(execution.slice(0, 2) + execution.slice(42, 106))).toBe(only?.value)
        expect(`0x${execution.slice(106)}`).toBe(only?.data)
        return
      }
      const [decoded] = decodeAbiParameters(parseAbiParameters('(address,uint256,bytes)[]'), execution)
      expect(decoded.map(([to, value, data]) => ({ to: to.toLowerCase(), value, data }))).toEqual(calls)
    }),
  )
})

it('the typed data of an operation has the fields that EntryPoint v0.7 packs', () => {
  const operation = fc.record({
    sender: address,
    nonce: quantity,
    factory: address,
    factoryData: data,
    callData: data,
    callGasLimit: quantity,
    verificationGasLimit: quantity,
    preVerificationGas: quantity,
    maxFeePerGas: quantity,
    maxPriorityFeePerGas: quantity,
    paymaster: address,
    paymasterVerificationGasLimit: quantity,
    paymasterPostOpGasLimit: quantity,
    paymasterData: data,
  })
  fc.assert(
    fc.property(operation, (fields) => {
      const signed: UserOperation = { ...fields, signature: dummySignature }
      const { message } = operationTypedData(signed, 1, fields.sender, 'HybridDeleGator')
      const packed = toPackedUserOperation({
        sender: fields.sender,
        nonce: BigInt(fields.nonce),
        factory: fields.factory,
        factoryData: fields.factoryData,
        callData: fields.callData,
        callGasLimit: BigInt(fields.callGasLimit),
        verificationGasLimit: BigInt(fields.verificationGasLimit),
        preVerificationGas: BigInt(fields.preVerificationGas),
        maxFeePerGas: BigInt(fields.maxFeePerGas),
        maxPriorityFeePerGas: BigInt(fields.maxPriorityFeePerGas),
        paymaster: fields.paymaster,
        paymasterVerificationGasLimit: BigInt(fields.paymasterVerificationGasLimit),
        paymasterPostOpGasLimit: BigInt(fields.paymasterPostOpGasLimit),
        paymasterData: fields.paymasterData,
        signature: dummySignature,
      })
      const { signature: _, ...expected } = packed
      const { entryPoint, ...own } = message as Record<string, unknown>
      expect(own).toEqual(expected)
      expect(hashTypedData(operationTypedData(signed, 1, fields.sender, 'HybridDeleGator'))).toMatch(/^0x/)
      expect(entryPoint).toBe(fields.sender)
    }),
  )
})
