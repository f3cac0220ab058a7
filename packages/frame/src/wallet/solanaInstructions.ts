import { base58 } from '@scure/base'

/** What one instruction of a transaction does. Addresses are in base 58, amounts in base units. */
export type SolanaInstruction =
  /** `to` receives lamports. */
  | { readonly kind: 'transfer'; readonly to: string; readonly lamports: bigint }
  /** The token account `to` receives tokens. The mint and its decimals are unknown where the instruction does not name them. */
  | {
      readonly kind: 'tokenTransfer'
      readonly to: string
      readonly amount: bigint
      readonly mint: string | undefined
      readonly decimals: number | undefined
    }
  /** `delegate` may take tokens from an account. */
  | { readonly kind: 'tokenApproval'; readonly delegate: string; readonly amount: bigint }
  /** A token account gets another owner or other rights: whoever has them can take all of its tokens. */
  | { readonly kind: 'tokenAuthority'; readonly to: string | undefined }
  /** A token account is made for `owner`. */
  | { readonly kind: 'tokenAccount'; readonly owner: string; readonly mint: string }
  | { readonly kind: 'memo'; readonly text: string }
  /** Any other call: what it does is up to the program. */
  | { readonly kind: 'call'; readonly program: string; readonly dataLength: number }

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

const KEY_LENGTH = 32
const VERSIONED = 0x80

/**
 * Reads the instructions of a transaction's message, without those that only set its fee. Undefined for a message that is malformed, or takes
 * accounts from a table on the chain (address lookup tables of version 0): what is in the table is not known here.
 */
export function readInstructions(message: Uint8Array): readonly SolanaInstruction[] | undefined {
  const reader = createReader(message)
  try {
    const isVersioned = ((message[0] ?? 0) & VERSIONED) !== 0
    if (isVersioned && reader.byte() !== VERSIONED) return undefined
    reader.bytes(3)
    const accounts = Array.from({ length: reader.length() }, () => base58.encode(reader.bytes(KEY_LENGTH)))
    reader.bytes(KEY_LENGTH)
    const instructions = Array.from({ length: reader.length() }, () => ({
      program: reader.byte(),
      accounts: [...reader.bytes(reader.length())],
      data: reader.bytes(reader.length()),
    }))
    const tables = isVersioned ? reader.length() : 0
    if (tables > 0 || !reader.isAtEnd()) return undefined
    return instructions.flatMap(({ program, accounts: indexes, data }) => {
      const at = (index: number) => {
        const account = accounts[index]
        if (account === undefined) throw new RangeError('no such account')
        return account
      }
      const read = readInstruction(at(program), indexes.map(at), data)
      return read ? [read] : []
    })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Reads one instruction; undefined for one that only sets the fee. */
function readInstruction(
  program: string,
  accounts: readonly string[],
  data: Uint8Array,
): SolanaInstruction | undefined {
  if (program === COMPUTE_BUDGET) return undefined
  if (program === SYSTEM) return readTransfer(accounts, data) ?? callOf(program, data)
  if (tokenPrograms.includes(program)) return readTokenInstruction(accounts, data) ?? callOf(program, data)
  if (memoPrograms.includes(program)) return readMemo(data) ?? callOf(program, data)
  const [, , owner, mint] = accounts
  // 0 is Create, which may have no data; 1 is CreateIdempotent.
  const creates =
    program === ASSOCIATED_TOKEN && (data.length === 0 || (data.length === 1 && (data[0] ?? 2) <= 1))
  if (creates && owner && mint) return { kind: 'tokenAccount', owner, mint }
  return callOf(program, data)
}

function callOf(program: string, { length }: Uint8Array): SolanaInstruction {
  return { kind: 'call', program, dataLength: length }
}

/** Reads `Transfer` of the System program. */
function readTransfer([, to]: readonly string[], data: Uint8Array): SolanaInstruction | undefined {
  const view = viewOf(data)
  if (data.length !== 12 || view.getUint32(0, true) !== 2 || !to) return undefined
  return { kind: 'transfer', to, lamports: view.getBigUint64(4, true) }
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
    /** Reads a length of 7 bits per byte, the lowest first, of at most two bytes. */
    length(): number {
      const low = byte()
      if (low < 0x80) return low
      const high = byte()
      if (high >= 0x80) throw new RangeError('the length is too large')
      return (low & 0x7f) | (high << 7)
    },
    isAtEnd: () => position === message.length,
  }
}
