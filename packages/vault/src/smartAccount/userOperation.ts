import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  parseSignature,
  type TypedDataDefinition,
  zeroHash,
} from 'viem'

/** A call of an account: value in wei. */
export interface AccountCall {
  readonly to: Hex
  readonly value: bigint
  readonly data: Hex
}

/** An authorization of EIP-7702 in the JSON of ERC-7769. */
export interface AuthorizationJson {
  readonly chainId: Hex
  readonly address: Hex
  readonly nonce: Hex
  readonly yParity: Hex
  readonly r: Hex
  readonly s: Hex
}

/** Returns a signed authorization in that JSON. */
export function authorizationJson(
  { chainId, address, nonce }: { chainId: number; address: Hex; nonce: number },
  signature: Hex,
): AuthorizationJson {
  const { r, s, yParity } = parseSignature(signature)
  return { chainId: toHex(chainId), address, nonce: toHex(nonce), yParity: toHex(yParity ?? 0), r, s }
}

/** A user operation for EntryPoint v0.7 in the JSON of ERC-7769: quantities in hex, gas fees in wei. */
export interface UserOperation {
  readonly sender: Hex
  readonly nonce: Hex
  /** Deploys the sender, with `factoryData`; absent for an account that has code or delegates. */
  readonly factory?: Hex
  readonly factoryData?: Hex
  readonly callData: Hex
  readonly callGasLimit: Hex
  readonly verificationGasLimit: Hex
  readonly preVerificationGas: Hex
  readonly maxFeePerGas: Hex
  readonly maxPriorityFeePerGas: Hex
  readonly paymaster?: Hex
  readonly paymasterVerificationGasLimit?: Hex
  readonly paymasterPostOpGasLimit?: Hex
  readonly paymasterData?: Hex
  readonly signature: Hex
  readonly eip7702Auth?: AuthorizationJson
}

/** What a unit of gas may cost at most, in wei. */
export type OperationFees = Pick<UserOperation, 'maxFeePerGas' | 'maxPriorityFeePerGas'>

/** A well-formed signature that belongs to no account: verifying it uses as much gas as a real one. */
export const dummySignature: Hex =
  '0xfffffffffffffffffffffffffffffff0000000000000000000000000000000007aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1c'

const abi = parseAbi(['function execute(bytes32 mode, bytes executionCalldata)'])

/** Mode of ERC-7579: a batch that reverts as a whole. */
const BATCH_MODE = pad('0x01', { dir: 'right', size: 32 })

const batch = [
  {
    type: 'tuple[]',
    components: [
      { name: 'target', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'callData', type: 'bytes' },
    ],
  },
] as const

/** Encodes calls for `execute` of ERC-7579: all of them succeed, or none. */
export function encodeCalls(calls: readonly AccountCall[]): Hex {
  const [only] = calls
  if (only && calls.length === 1) {
    const single = encodePacked(['address', 'uint256', 'bytes'], [only.to, only.value, only.data])
    return encodeFunctionData({ abi, args: [zeroHash, single] })
  }
  const list = calls.map(({ to, value, data }) => ({ target: to, value, callData: data }))
  return encodeFunctionData({ abi, args: [BATCH_MODE, encodeAbiParameters(batch, [list])] })
}

/** Names of the code of accounts in their EIP-712 domains. */
export type AccountCode = 'EIP7702StatelessDeleGator' | 'HybridDeleGator'

/** Returns the typed data that the owner of an account signs for an operation. */
export function operationTypedData(
  operation: UserOperation,
  chainId: number,
  entryPoint: Hex,
  code: AccountCode,
): TypedDataDefinition {
  const two = (high: Hex, low: Hex) => concat([pad(high, { size: 16 }), pad(low, { size: 16 })])
  const {
    paymaster,
    paymasterVerificationGasLimit = '0x0',
    paymasterPostOpGasLimit = '0x0',
    paymasterData = '0x',
  } = operation
  return {
    domain: {
      name: code,
      version: '1',
      chainId,
      verifyingContract: operation.sender,
    },
    types: {
      PackedUserOperation: [
        { name: 'sender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'initCode', type: 'bytes' },
        { name: 'callData', type: 'bytes' },
        { name: 'accountGasLimits', type: 'bytes32' },
        { name: 'preVerificationGas', type: 'uint256' },
        { name: 'gasFees', type: 'bytes32' },
        { name: 'paymasterAndData', type: 'bytes' },
        { name: 'entryPoint', type: 'address' },
      ],
    },
    primaryType: 'PackedUserOperation',
    message: {
      sender: operation.sender,
      nonce: BigInt(operation.nonce),
      initCode: operation.factory ? concat([operation.factory, operation.factoryData ?? '0x']) : '0x',
      callData: operation.callData,
      accountGasLimits: two(operation.verificationGasLimit, operation.callGasLimit),
      preVerificationGas: BigInt(operation.preVerificationGas),
      gasFees: two(operation.maxPriorityFeePerGas, operation.maxFeePerGas),
      paymasterAndData: paymaster
        ? concat([paymaster, two(paymasterVerificationGasLimit, paymasterPostOpGasLimit), paymasterData])
        : '0x',
      entryPoint,
    },
  }
}

/** Returns the most that an operation can cost its payer, in wei. */
export function maxCostOf(operation: UserOperation): bigint {
  const gas = [
    operation.callGasLimit,
    operation.verificationGasLimit,
    operation.preVerificationGas,
    operation.paymasterVerificationGasLimit ?? '0x0',
    operation.paymasterPostOpGasLimit ?? '0x0',
  ].reduce((sum, limit) => sum + BigInt(limit), 0n)
  return gas * BigInt(operation.maxFeePerGas)
}

export const toHex = (value: bigint | number): Hex => numberToHex(value)
