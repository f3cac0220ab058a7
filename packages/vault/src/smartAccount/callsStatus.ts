import type { Hex } from 'viem'
import { hybridOf } from './accountChain.ts'
import { type AccountsClient, offeredChains } from './accountsClient.ts'
import { BundlerError } from './bundlerClient.ts'
import type { CallsStatus } from './bundlerTypes.ts'
import { toHex } from './userOperation.ts'

const UNKNOWN_CALLS = 5730

/** Answers `wallet_getCallsStatus`, as `SmartAccounts.status` does. */
export async function callsStatus(client: AccountsClient, owner: Hex, id: string): Promise<CallsStatus> {
  const { chainId = '', ...found } = await callsOf(client, owner, id)
  return {
    version: '2.0.0',
    id,
    chainId: toHex(BigInt(chainId.slice('eip155:'.length))),
    status: found.status ?? 0,
    atomic: found.atomic === true,
    receipts: (found.receipts ?? []).map(({ logs = [], ...receipt }) => ({
      ...receipt,
      logs: logs.map(({ topics = [], ...log }) => ({ ...log, topics })),
    })),
  }
}

/** Returns the calls under an id, of the first account that sent any. */
async function callsOf(client: AccountsClient, owner: Hex, id: string) {
  const hybrids = (await offeredChains(client)).flatMap((chain) => hybridOf(chain, owner)?.address ?? [])
  let unknown: unknown
  for (const account of new Set([owner, ...hybrids])) {
    try {
      return await client.bundler.call('GetCalls', { account, id })
    } catch (error) {
      if (!(error instanceof BundlerError) || error.code !== UNKNOWN_CALLS) throw error
      unknown = error
    }
  }
  throw unknown
}
