import type { Hex } from 'viem'
import { vi } from 'vitest'
import { addressesOf, deriveKeys, entropyOf } from '../keys/derive.ts'
import { signWith } from '../keys/signer.ts'
import type { SmartAccounts } from '../smartAccount/smartAccount.ts'
import type { Vault } from '../vault/vault.ts'
import { createApprovals, type Sheet } from '../wallet/approvals.ts'
import type { Node } from '../wallet/node.ts'
import { createRequests } from '../wallet/requests.ts'

/** The account of a published mnemonic. */
export const ADDRESS = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'
export const TO: Hex = `0x${'22'.repeat(20)}`
export const CHAIN = 'eip155:31337'
export const SOLANA_CHAIN = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'

/** Answers of a node, by method. */
export const answers: Record<string, unknown> = {
  eth_getTransactionCount: '0x7',
  eth_estimateGas: '0x5208',
  eth_getBlockByNumber: { baseFeePerGas: '0x3b9aca00' },
  eth_maxPriorityFeePerGas: '0x1',
  eth_sendRawTransaction: `0x${'ab'.repeat(32)}`,
  eth_blockNumber: '0x10',
}

/** Creates a frame whose user has the wallet of a published mnemonic; `decide` is called with every sheet. */
export async function openRequests(
  decide: (sheet: Sheet) => void = (sheet) => sheet.kind === 'approval' && sheet.approve(),
  preferredAccount: () => 'eoa' | 'smartAccount' = () => 'smartAccount',
) {
  const keys = await deriveKeys(entropyOf(`${'abandon '.repeat(11)}about`) ?? new Uint8Array())
  const addresses = addressesOf(keys)
  const vault = {
    isSignedIn: vi.fn(async () => true),
    getUser: async () => ({ addresses }),
    unlock: vi.fn(async () => ({ isOpen: true })),
    sign: vi.fn(async (request: Parameters<Vault['sign']>[0]) => signWith(keys, request)),
  }
  const approvals = createApprovals()
  const views: Sheet[] = []
  approvals.subscribe((sheet) => {
    if (!sheet || views.includes(sheet)) return
    views.push(sheet)
    decide(sheet)
  })
  const sent = vi.fn<Node>(async (_, method) => answers[method])
  const smartAccounts = {
    addresses: vi.fn(async (): Promise<readonly Hex[]> => []),
    contractSignature: vi.fn(),
    capabilities: vi.fn(
      async (): Promise<Record<string, unknown>> => ({ atomic: { status: 'unsupported' } }),
    ),
    prepare: vi.fn(),
    prepareWithMinimums: vi.fn(async (prepared: unknown) => prepared),
    send: vi.fn(),
    status: vi.fn(),
  } as unknown as SmartAccounts
  const isListed = vi.fn(async (chainId: string) => [CHAIN, 'eip155:1', SOLANA_CHAIN].includes(chainId))
  const request = createRequests({
    vault: vault as unknown as Vault,
    node: sent,
    approvals,
    site: 'https://shop.example',
    network: () => CHAIN,
    isListed,
    smartAccounts,
    bundler: { rpc: vi.fn(), call: vi.fn() },
    now: Date.now,
    preferredAccount,
  })
  const contents = () => views.flatMap((sheet) => (sheet.kind === 'approval' ? [sheet.view.content] : []))
  return { request, vault, node: sent, views, contents, approvals, addresses, smartAccounts, isListed }
}
