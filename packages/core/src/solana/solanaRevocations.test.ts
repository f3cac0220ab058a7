import {
  type Address,
  address,
  getBase58Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit'
import { describe, expect, it, vi } from 'vitest'
import type { Approval } from '../types/access.ts'
import type { WalletSession } from '../types/adapter.ts'
import type { NodeRequest } from '../types/environment.ts'
import { createSolanaRevocations } from './solanaRevocations.ts'

const ALICE = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV' as Address
const MINT = 'So11111111111111111111111111111111111111112'
const DOLLARS = 'SysvarRent111111111111111111111111111111111'
const SHARES = 'SysvarC1ock11111111111111111111111111111111'
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
/** The instruction `Revoke` of both token programs. */
const REVOKE = 5

const caipNetworkId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const { signal } = new AbortController()

function delegated(tokenAccount: string): Approval {
  return {
    id: tokenAccount,
    kind: 'delegate',
    token: {
      address: `${caipNetworkId}:${MINT}`,
      name: '',
      symbol: 'SOL',
      decimals: 9,
      iconUrl: '',
      warning: '',
    },
    tokenId: '',
    spender: { address: `${caipNetworkId}:${MINT}`, name: '', hasNoCode: false },
    allowance: '5',
    unlimited: false,
    expiresAt: 0n,
    atRisk: '5',
    changedAt: '',
    changedBy: '',
    tokenAccount,
  }
}

/** Answers for token accounts by the programs that own them. */
function nodeWith(owners: Readonly<Record<string, string>>): NodeRequest {
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    getMultipleAccounts: ([addresses]) => ({
      value: (addresses as string[]).map((each) => owners[each] && { owner: owners[each], data: ['', ''] }),
    }),
    getLatestBlockhash: () => ({ value: { blockhash: MINT, lastValidBlockHeight: 900 } }),
    simulateTransaction: () => ({ value: { err: null, unitsConsumed: 1_000 } }),
    getRecentPrioritizationFees: () => [{ prioritizationFee: 7 }],
    sendTransaction: () => 'sent',
  }
  return vi.fn(async (method, params) => answers[method]?.(params ?? []))
}

/** Returns the instructions of a transaction, without those of the compute budget. */
function instructionsOf(transaction: Uint8Array) {
  const { messageBytes } = getTransactionDecoder().decode(transaction)
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (!('instructions' in message)) throw new Error('The message has another form')
  const at = (index: number) => message.staticAccounts[index]
  return message.instructions
    .map(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
      program: at(programAddressIndex),
      accounts: accountIndices.map(at),
      data: [...data],
    }))
    .filter(({ program }) => !program?.startsWith('ComputeBudget'))
}

describe('ending what delegates may take', () => {
  const owners = { [DOLLARS]: TOKEN_PROGRAM, [SHARES]: TOKEN_2022_PROGRAM }
  const approvals = [delegated(DOLLARS), delegated(SHARES)]
  const revoked = [
    { program: TOKEN_PROGRAM, accounts: [DOLLARS, ALICE], data: [REVOKE] },
    { program: TOKEN_2022_PROGRAM, accounts: [SHARES, ALICE], data: [REVOKE] },
  ]

  it('revokes all of them in one transaction, each with its program', async () => {
    const { subject, divide } = createSolanaRevocations(new Map())
    const node = nodeWith(owners)
    const built = await subject({ caipNetworkId, node }, ALICE, approvals, signal)
    if (!('transaction' in built)) throw new Error('There is no transaction')
    const bytes = Uint8Array.from(atob(built.transaction), (character) => character.charCodeAt(0))
    expect(instructionsOf(bytes)).toEqual(revoked)
    expect(await divide({} as WalletSession<'solana'>, ALICE, approvals, { caipNetworkId, node })).toEqual([
      approvals,
    ])
  })

  it('has the wallet sign that, and keeps until when it can be included', async () => {
    const expiries = new Map<string, bigint>()
    const node = nodeWith(owners)
    const signTransaction = vi.fn(async (_from: string, transaction: Uint8Array) => {
      const signed = Uint8Array.from(transaction)
      signed.fill(9, 1, 65)
      return signed
    })
    const session = { provider: { signTransaction } } as unknown as WalletSession<'solana'>
    const access = { caipNetworkId, node } as const
    const sent = await createSolanaRevocations(expiries).send(session, ALICE, approvals, access, false)
    expect(instructionsOf(signTransaction.mock.calls[0]?.[1] as Uint8Array)).toEqual(revoked)
    if (!('hash' in sent)) throw new Error('There is no signature')
    expect([...getBase58Encoder().encode(sent.hash)]).toEqual(Array(64).fill(9))
    expect(expiries.get(sent.hash)).toBe(900n)
    expect(node).toHaveBeenCalledWith('sendTransaction', expect.anything())
  })

  it('is refused for what is no token account', async () => {
    const { subject } = createSolanaRevocations(new Map())
    const node = nodeWith({ [DOLLARS]: address(MINT) })
    await expect(subject({ caipNetworkId, node }, ALICE, approvals, signal)).rejects.toThrow('no tokens')
  })
})
