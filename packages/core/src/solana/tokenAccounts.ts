import { type Address, address, getBase58Decoder } from '@solana/kit'
import type { NodeRequest } from '../types/environment.ts'

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address

/** Size of a mint and of a token account without extensions, in bytes. */
const MINT_SIZE = 82
const TOKEN_ACCOUNT_SIZE = 165
/** Extensions of Token-2022 begin after the base layout of a token account and one byte for the kind of account. */
const EXTENSIONS_START = TOKEN_ACCOUNT_SIZE + 1

/** Extension types of Token-2022. */
const extensionType = { transferFeeConfig: 1, memoTransfer: 8 } as const

const FROZEN = 2

/** An account as a node returns it. */
export interface AccountData {
  readonly owner: string
  readonly data: Uint8Array
}

export interface Mint {
  readonly program: Address
  readonly decimals: number
  /** Absent without the extension. */
  readonly transferFee?: TransferFeeConfig
}

/** The fee that a token withholds from transfers; the newer one applies from its epoch on. */
export interface TransferFeeConfig {
  readonly older: TransferFee
  readonly newer: TransferFee & { readonly epoch: bigint }
}

interface TransferFee {
  /** Base units. */
  readonly maximum: bigint
  /** Hundredths of a percent. */
  readonly basisPoints: number
}

export interface TokenAccount {
  readonly address: Address
  readonly mint: string
  /**
   * The owner of the account, which can move its tokens: an authority may pass an account on to another
   * owner.
   */
  readonly owner: string
  /** Base units. */
  readonly amount: bigint
  readonly isFrozen: boolean
  /** True if the account accepts only transfers with a memo before them. */
  readonly needsMemo: boolean
}

interface RawAccount {
  readonly owner: string
  readonly data: readonly [string, string]
}

const encoding = { encoding: 'base64', commitment: 'confirmed' } as const

/** Reads accounts; undefined for those that do not exist. */
export async function readAccounts(
  node: NodeRequest,
  addresses: readonly string[],
  signal?: AbortSignal,
): Promise<readonly (AccountData | undefined)[]> {
  const { value } = (await node('getMultipleAccounts', [addresses, encoding], signal)) as {
    value: readonly (RawAccount | null)[]
  }
  return addresses.map((_, index) => {
    const raw = value[index]
    return raw ? { owner: raw.owner, data: bytesOf(raw) } : undefined
  })
}

/** Reads the accounts of one token that an owner has, the largest first. */
export async function readTokenAccounts(
  node: NodeRequest,
  owner: string,
  mint: string,
  signal?: AbortSignal,
): Promise<readonly TokenAccount[]> {
  const { value } = (await node('getTokenAccountsByOwner', [owner, { mint }, encoding], signal)) as {
    value: readonly { readonly pubkey: string; readonly account: RawAccount }[]
  }
  return value
    .flatMap(({ pubkey, account }) => parseTokenAccount(address(pubkey), bytesOf(account)) ?? [])
    .sort((a, b) => (a.amount < b.amount ? 1 : -1))
}

/** Parses a mint; undefined for another account. */
export function parseMint({ owner, data }: AccountData): Mint | undefined {
  if (!isTokenProgram(owner) || data.length < MINT_SIZE) return undefined
  const isMint = data.length === MINT_SIZE || data[TOKEN_ACCOUNT_SIZE] === 1
  if (!isMint) return undefined
  const fee = extensionOf(data, extensionType.transferFeeConfig)
  return {
    program: address(owner),
    decimals: data[44] as number,
    ...(fee && { transferFee: parseTransferFee(fee) }),
  }
}

/** Parses a token account of either program; undefined for another account. */
export function parseTokenAccount(at: Address, data: Uint8Array): TokenAccount | undefined {
  const isAccount = data.length === TOKEN_ACCOUNT_SIZE || data[TOKEN_ACCOUNT_SIZE] === 2
  if (!isAccount) return undefined
  return {
    address: at,
    mint: getBase58Decoder().decode(data.subarray(0, 32)),
    owner: getBase58Decoder().decode(data.subarray(32, 64)),
    amount: viewOf(data).getBigUint64(64, true),
    isFrozen: data[108] === FROZEN,
    needsMemo: extensionOf(data, extensionType.memoTransfer)?.[0] === 1,
  }
}

export function isTokenProgram(program: string): boolean {
  return program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM
}

/** Returns what a token withholds from a transfer in an epoch, in base units; rounded up, as the program does. */
export function transferFeeOf({ older, newer }: TransferFeeConfig, amount: bigint, epoch: bigint): bigint {
  const { basisPoints, maximum } = epoch >= newer.epoch ? newer : older
  const fee = (amount * BigInt(basisPoints) + 9_999n) / 10_000n
  return fee < maximum ? fee : maximum
}

/** Layout: two authorities, the withheld amount, then two fees of an epoch, a maximum and basis points. */
function parseTransferFee(data: Uint8Array): TransferFeeConfig {
  const view = viewOf(data)
  const feeAt = (offset: number) => ({
    maximum: view.getBigUint64(offset + 8, true),
    basisPoints: view.getUint16(offset + 16, true),
  })
  return { older: feeAt(72), newer: { ...feeAt(90), epoch: view.getBigUint64(90, true) } }
}

/** Finds an extension of Token-2022: each has a type and a length of two bytes before its data. */
function extensionOf(data: Uint8Array, type: number): Uint8Array | undefined {
  const view = viewOf(data)
  for (let at = EXTENSIONS_START; at + 4 <= data.length; ) {
    const length = view.getUint16(at + 2, true)
    if (view.getUint16(at, true) === type) return data.subarray(at + 4, at + 4 + length)
    at += 4 + length
  }
  return undefined
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}

function bytesOf({ data: [text] }: RawAccount): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}
