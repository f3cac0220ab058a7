import { type Address, address, createNoopSigner, type Instruction } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import { DecimalsError } from '../account/requireDecimals.ts'
import { UnsendableError } from '../send/unsendable.ts'
import type { TransferDraft } from '../types/adapter.ts'
import type { NodeRequest } from '../types/environment.ts'
import {
  type AccountData,
  isTokenProgram,
  type Mint,
  parseMint,
  parseTokenAccount,
  readAccounts,
  readTokenAccounts,
  type TokenAccount,
  transferFeeOf,
} from './tokenAccounts.ts'

/** The program that owns the accounts of wallets. There is no key for its own address. */
const SYSTEM_PROGRAM = '11111111111111111111111111111111'
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address
/** The memo of transfers to accounts that require one; its content is the sender's choice. */
const MEMO = 'Transfer'
/**
 * Maximum number of source accounts: a balance may be spread over several, and a transaction has room for
 * this many.
 */
const MOST_SOURCES = 8

/** The instructions of a transfer, without those that set its fee. */
export interface TransferPlan {
  readonly instructions: readonly Instruction[]
  /** Accounts that the transfer writes to; their recent fees determine its priority fee. */
  readonly written: readonly Address[]
  /** The receiver's token account, if the transfer makes it. */
  readonly created?: Address
  /** Base units that the token withholds from the receiver. */
  readonly tokenFee?: bigint
}

/**
 * Plans a transfer.
 *
 * @throws DecimalsError when the mint has other decimals than the draft; UnsendableError when the receiver of
 * SOL is not a wallet or that of a token cannot hold it, or the sender's accounts do not cover the amount.
 */
export async function planTransfer(
  node: NodeRequest,
  draft: TransferDraft,
  signal?: AbortSignal,
): Promise<TransferPlan> {
  const { from, to, tokenAddress, amount } = draft
  if (to === SYSTEM_PROGRAM) throw new UnsendableError('program')
  if (tokenAddress) return planTokenTransfer(node, { ...draft, tokenAddress }, signal)
  const source = createNoopSigner(address(from))
  const destination = address(to)
  const [receiver] = await readAccounts(node, [destination], signal)
  // Nothing can be taken out of mints and programs, and out of token accounts only by closing them.
  if (receiver && receiver.owner !== SYSTEM_PROGRAM) throw new UnsendableError('noWallet')
  return {
    instructions: [getTransferSolInstruction({ source, destination, amount })],
    written: [source.address, destination],
  }
}

async function planTokenTransfer(
  node: NodeRequest,
  { from, to, tokenAddress, amount, decimals: shown }: TransferDraft & { readonly tokenAddress: string },
  signal?: AbortSignal,
): Promise<TransferPlan> {
  const authority = createNoopSigner(address(from))
  const mintAddress = address(tokenAddress)
  const [found, owned] = await Promise.all([
    readAccounts(node, [mintAddress], signal),
    readTokenAccounts(node, from, mintAddress, signal),
  ])
  const mint = found[0] && parseMint(found[0])
  if (!mint) throw new UnsendableError('noMint')
  if (shown !== undefined && shown !== mint.decimals) {
    throw new DecimalsError(`The token has ${mint.decimals} decimals, not ${shown}`)
  }
  const destination = await destinationOf(node, to, mintAddress, mint, signal)
  const memo = destination.needsMemo ? [memoInstruction()] : []
  const { program: programAddress, decimals } = mint
  const sources = sourcesFor(owned, amount)
  const transfers = sources.flatMap(({ source, part }) => [
    ...memo,
    getTransferCheckedInstruction(
      { source, mint: mintAddress, destination: destination.address, authority, amount: part, decimals },
      { programAddress },
    ),
  ])
  const create = getCreateAssociatedTokenIdempotentInstruction({
    payer: authority,
    ata: destination.address,
    owner: address(to),
    mint: mintAddress,
    tokenProgram: programAddress,
  })
  const tokenFee = await withheld(node, mint, sources, signal)
  return {
    instructions: [...(destination.isNew ? [create] : []), ...transfers],
    written: [authority.address, ...sources.map(({ source }) => source), destination.address],
    ...(destination.isNew && { created: destination.address }),
    ...(tokenFee !== undefined && { tokenFee }),
  }
}

interface Destination {
  readonly address: Address
  readonly isNew: boolean
  readonly needsMemo: boolean
}

/** Returns the token account that receives: the given one if it is one of the token, else the receiver's associated one. */
async function destinationOf(
  node: NodeRequest,
  to: string,
  mintAddress: Address,
  { program }: Mint,
  signal?: AbortSignal,
): Promise<Destination> {
  const receiver = address(to)
  const [associated] = await findAssociatedTokenPda({
    owner: receiver,
    tokenProgram: program,
    mint: mintAddress,
  })
  const [account, existing] = await readAccounts(node, [receiver, associated], signal)
  if (account && isTokenProgram(account.owner)) {
    return { ...requireHolder(receiver, account, mintAddress), isNew: false }
  }
  if (!existing) return { address: associated, isNew: true, needsMemo: false }
  const holder = requireHolder(associated, existing, mintAddress)
  if (holder.owner !== receiver) throw new UnsendableError('otherOwner')
  return { ...holder, isNew: false }
}

/**
 * Verifies that an account can hold the token.
 *
 * @throws UnsendableError for an account of another kind or token.
 */
function requireHolder(at: Address, { data }: AccountData, mint: Address): TokenAccount {
  const account = parseTokenAccount(at, data)
  if (account?.mint !== mint) throw new UnsendableError('otherToken')
  return account
}

interface Source {
  readonly source: Address
  /** Base units. */
  readonly part: bigint
}

/** Selects the accounts that an amount is taken from, the largest first. */
function sourcesFor(owned: readonly TokenAccount[], amount: bigint): readonly Source[] {
  const sources: Source[] = []
  let left = amount
  for (const { address: source, amount: held, isFrozen } of owned) {
    if (isFrozen || left === 0n || sources.length === MOST_SOURCES) continue
    const part = left - held > 0n ? held : left
    if (part === 0n && amount > 0n) continue
    sources.push({ source, part })
    left -= part
  }
  if (left > 0n || sources.length === 0) throw new UnsendableError('notCovered')
  return sources
}

async function withheld(
  node: NodeRequest,
  { transferFee }: Mint,
  sources: readonly Source[],
  signal?: AbortSignal,
): Promise<bigint | undefined> {
  if (!transferFee) return undefined
  const { epoch } = (await node('getEpochInfo', [{ commitment: 'confirmed' }], signal)) as { epoch: number }
  return sources.reduce((sum, { part }) => sum + transferFeeOf(transferFee, part, BigInt(epoch)), 0n)
}

function memoInstruction(): Instruction {
  return { programAddress: MEMO_PROGRAM, accounts: [], data: new TextEncoder().encode(MEMO) }
}
