import { base58 } from '@scure/base'

/** What one instruction of a transaction does. Addresses are in base 58, amounts in base units. */
export type SolanaInstruction =
  /** `to` receives lamports. */
  | { readonly kind: 'transfer'; readonly to: string; readonly lamports: bigint }
  /** A program becomes the owner of an account, with all that is in it. */
  | { readonly kind: 'assignment'; readonly account: string }
  /** The transaction stays valid until it is sent, however long that takes (durable nonce). */
  | { readonly kind: 'nonce' }
  /** The token account `to` receives tokens. The mint and its decimals are unknown where the instruction does not name them. */
  | ({ readonly kind: 'tokenTransfer'; readonly to: string } & TokenAmount)
  | ({ readonly kind: 'tokenBurn' } & TokenAmount)
  /** `delegate` may take tokens from an account. */
  | { readonly kind: 'tokenApproval'; readonly delegate: string; readonly amount: bigint }
  /** A token account gets another owner or other authorities, which can take all of its tokens. */
  | { readonly kind: 'tokenAuthority'; readonly to: string | undefined }
  /** A token account is made for `owner`. */
  | { readonly kind: 'tokenAccount'; readonly owner: string; readonly mint: string }
  /** A token account is closed: `to` receives its lamports, which are all of the SOL in one of wrapped SOL. */
  | { readonly kind: 'tokenClosing'; readonly to: string }
  | { readonly kind: 'memo'; readonly text: string }
  /** Any other call: what it does is up to the program. */
  | { readonly kind: 'call'; readonly program: string; readonly dataLength: number }

interface TokenAmount {
  readonly amount: bigint
  readonly mint: string | undefined
  readonly decimals: number | undefined
}

/** What is shown of the message of a transaction. */
export interface SolanaMessage {
  /** Base 58. */
  readonly feePayer: string
  /** The most that the network charges, in lamports. */
  readonly maxFee: bigint
  /**
   * Without those that only set the fee. Undefined where accounts are in a table on the chain (address lookup tables): what is in the table is
   * not known here.
   */
  readonly instructions: readonly SolanaInstruction[] | undefined
}

const SYSTEM = '11111111111111111111111111111111'
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const tokenPrograms = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]
const memoPrograms = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]

/** Programs that check signatures; the first byte of their data is how many. */
const signatureCheckers = [
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]

const KEY_LENGTH = 32
const VERSIONED = 0x80
/** Lamports for a signature. */
const SIGNATURE_FEE = 5000n
const MICRO = 1_000_000n
/** Compute units of an instruction and of a transaction that does not limit them. */
const UNITS_PER_INSTRUCTION = 200_000n
const MOST_UNITS = 1_400_000n

interface RawInstruction {
  readonly program: string
  /** Indexes of accounts. */
  readonly accounts: readonly number[]
  readonly data: Uint8Array
}

/** Reads the message of a transaction, legacy or of version 0; undefined for one that is malformed. */
export function readMessage(message: Uint8Array): SolanaMessage | undefined {
  const reader = createReader(message)
  try {
    const isVersioned = ((message[0] ?? 0) & VERSIONED) !== 0
    if (isVersioned && reader.byte() !== VERSIONED) return undefined
    const signatures = reader.byte()
    reader.bytes(2)
    const accounts = Array.from({ length: reader.length() }, () => base58.encode(reader.bytes(KEY_LENGTH)))
    const at = (index: number) => {
      const account = accounts[index]
      if (account === undefined) throw new RangeError('no such account')
      return account
    }
    reader.bytes(KEY_LENGTH)
    const raw = Array.from({ length: reader.length() }, () => ({
      program: at(reader.byte()),
      accounts: [...reader.bytes(reader.length())],
      data: reader.bytes(reader.length()),
    }))
    const tables = isVersioned ? reader.length() : 0
    for (let table = 0; table < tables; table += 1) {
      reader.bytes(KEY_LENGTH)
      reader.bytes(reader.length())
      reader.bytes(reader.length())
    }
    if (!reader.isAtEnd()) return undefined
    return {
      feePayer: at(0),
      maxFee: feeOf(signatures, raw),
      instructions:
        tables === 0 ? raw.flatMap((each, index) => readInstruction(each, at, index === 0)) : undefined,
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Returns the most that a transaction costs: for its signatures, and for priority by the compute units that it may use. */
function feeOf(signatures: number, instructions: readonly RawInstruction[]): bigint {
  let [price, limit, checked, calls] = [0n, undefined as bigint | undefined, 0, 0n]
  for (const { program, data } of instructions) {
    if (signatureCheckers.includes(program)) checked += data[0] ?? 0
    if (program !== COMPUTE_BUDGET) calls += 1n
    // The network ignores bytes after them.
    else if (data[0] === 2 && data.length >= 5) limit = BigInt(viewOf(data).getUint32(1, true))
    else if (data[0] === 3 && data.length >= 9) price = viewOf(data).getBigUint64(1, true)
  }
  const wanted = limit ?? calls * UNITS_PER_INSTRUCTION
  const units = wanted < MOST_UNITS ? wanted : MOST_UNITS
  return BigInt(signatures + checked) * SIGNATURE_FEE + (units * price + MICRO - 1n) / MICRO
}

/** Reads one instruction; empty for one that only sets the fee. */
function readInstruction(
  { program, accounts: indexes, data }: RawInstruction,
  at: (index: number) => string,
  isFirst: boolean,
): readonly SolanaInstruction[] {
  if (program === COMPUTE_BUDGET) return []
  const accounts = indexes.map(at)
  return [readKnown(program, accounts, data, isFirst) ?? callOf(program, data)]
}

function readKnown(
  program: string,
  accounts: readonly string[],
  data: Uint8Array,
  isFirst: boolean,
): SolanaInstruction | undefined {
  if (program === SYSTEM) return readSystemInstruction(accounts, data, isFirst)
  if (tokenPrograms.includes(program)) return readTokenInstruction(accounts, data)
  if (memoPrograms.includes(program)) return readMemo(data)
  const [, , owner, mint] = accounts
  // 0 is Create, which may have no data; 1 is CreateIdempotent.
  const creates = data.length === 0 || (data.length === 1 && (data[0] ?? 2) <= 1)
  if (program === ASSOCIATED_TOKEN && creates && owner && mint) return { kind: 'tokenAccount', owner, mint }
  return undefined
}

function callOf(program: string, { length }: Uint8Array): SolanaInstruction {
  return { kind: 'call', program, dataLength: length }
}

/** Reads the instructions of the System program that move lamports or give an account away. */
function readSystemInstruction(
  accounts: readonly string[],
  data: Uint8Array,
  isFirst: boolean,
): SolanaInstruction | undefined {
  if (data.length < 4) return undefined
  const view = viewOf(data)
  const [first, second, third] = accounts
  const transfer = (to: string | undefined, offset: number): SolanaInstruction | undefined =>
    to && data.length >= offset + 8
      ? { kind: 'transfer', to, lamports: view.getBigUint64(offset, true) }
      : undefined
  switch (view.getUint32(0, true)) {
    // CreateAccount: lamports, size, owner.
    case 0:
      return transfer(second, 4)
    // Assign, and AssignWithSeed.
    case 1:
    case 10:
      return first ? { kind: 'assignment', account: first } : undefined
    case 2:
      return data.length === 12 ? transfer(second, 4) : undefined
    // CreateAccountWithSeed: base, a seed with its length, lamports.
    case 3: {
      if (data.length < 44) return undefined
      const seed = view.getBigUint64(36, true)
      return seed <= BigInt(KEY_LENGTH) ? transfer(second, 44 + Number(seed)) : undefined
    }
    // AdvanceNonceAccount has its effect as the first instruction.
    case 4:
      return isFirst ? { kind: 'nonce' } : undefined
    // WithdrawNonceAccount.
    case 5:
      return transfer(second, 4)
    // TransferWithSeed: from, base, to.
    case 11:
      return transfer(third, 4)
    default:
      return undefined
  }
}

/** Reads the instructions of both token programs that move tokens or give rights to them. */
function readTokenInstruction(accounts: readonly string[], data: Uint8Array): SolanaInstruction | undefined {
  const [first, second, third] = accounts
  const view = viewOf(data)
  const amount = data.length >= 9 ? view.getBigUint64(1, true) : 0n
  switch (data[0]) {
    case 3:
      if (data.length !== 9 || !second) return undefined
      return { kind: 'tokenTransfer', to: second, amount, mint: undefined, decimals: undefined }
    case 12:
      if (data.length !== 10 || !second || !third) return undefined
      return { kind: 'tokenTransfer', to: third, amount, mint: second, decimals: data[9] }
    // TransferCheckedWithFee of Token-2022's extension for transfer fees.
    case 26:
      if (data.length !== 19 || data[1] !== 1 || !second || !third) return undefined
      return {
        kind: 'tokenTransfer',
        to: third,
        amount: view.getBigUint64(2, true),
        mint: second,
        decimals: data[10],
      }
    case 8:
      if (data.length !== 9 || !second) return undefined
      return { kind: 'tokenBurn', amount, mint: second, decimals: undefined }
    case 15:
      if (data.length !== 10 || !second) return undefined
      return { kind: 'tokenBurn', amount, mint: second, decimals: data[9] }
    case 9:
      return second ? { kind: 'tokenClosing', to: second } : undefined
    case 4:
      return data.length === 9 && second ? { kind: 'tokenApproval', delegate: second, amount } : undefined
    case 13:
      return data.length === 10 && third ? { kind: 'tokenApproval', delegate: third, amount } : undefined
    case 6: {
      const isGiven = data[2] === 1
      if (!first || (isGiven && data.length !== 35)) return undefined
      return { kind: 'tokenAuthority', to: isGiven ? base58.encode(data.slice(3)) : undefined }
    }
    default:
      return undefined
  }
}

function readMemo(data: Uint8Array): SolanaInstruction | undefined {
  try {
    return { kind: 'memo', text: new TextDecoder('utf-8', { fatal: true }).decode(data) }
  } catch {
    return undefined
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

/** Creates a reader of a message. Its methods throw a RangeError at the end. */
function createReader(message: Uint8Array) {
  let position = 0

  function bytes(count: number): Uint8Array {
    if (position + count > message.length) throw new RangeError('the message is too short')
    position += count
    return message.slice(position - count, position)
  }
  const byte = () => bytes(1)[0] ?? 0

  return {
    byte,
    bytes,
    /** Reads a length of 7 bits per byte, the lowest first, of at most two bytes, in its shortest form. */
    length(): number {
      const low = byte()
      if (low < 0x80) return low
      const high = byte()
      if (high >= 0x80 || high === 0)
        throw new RangeError('the length is not in its shortest form, or too large')
      return (low & 0x7f) | (high << 7)
    },
    isAtEnd: () => position === message.length,
  }
}
