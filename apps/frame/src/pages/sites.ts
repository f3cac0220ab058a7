import {
  createSmartAccounts,
  decodeContext,
  disable,
  disableAll,
  type Grant,
  isDisabled,
  listSessionContracts,
  type SessionContracts,
  type SmartSession,
  type Vault,
} from '@hawser/frame/wallet'
import type { Unit } from '../locale/amount.ts'
import { loadNetwork, type NetworkInfo } from '../networks.ts'
import { loadToken } from '../tokens.ts'
import type { Network } from './network.ts'

/**
 * What a site may do, with the data to show its amounts: a session of the service, or a grant that only this
 * browser has.
 */
export interface Row {
  readonly key: string
  readonly contracts: SessionContracts
  readonly network: NetworkInfo
  readonly tokens: ReadonlyMap<string, Unit>
  /** Undefined for what the service does not list. */
  readonly session: SmartSession | undefined
  readonly grant: Grant | undefined
}

/** What sites may do with an account on every network that has sessions. */
export interface Sites {
  readonly chains: readonly SessionContracts[]
  readonly rows: readonly Row[]
  /** Whether every network could be read. */
  readonly isComplete: boolean
}

/** The account whose sessions are shown, and how they are reached. */
export interface SitesOptions {
  readonly vault: Vault
  readonly network: Network
  readonly address: `0x${string}`
}

/** States of the sessions that are listed. */
const LISTED: readonly string[] = ['SESSION_STATE_ACTIVE', 'SESSION_STATE_REVOKING']

/** Returns what sites may do, without the networks that cannot be read. */
export async function loadSites(options: SitesOptions): Promise<Sites> {
  const chains = await listSessionContracts(options.network.bundler)
  const grants = await options.vault.listGrants()
  const lists = chains.map((contracts) => loadRows(options, contracts, grants).catch(() => undefined))
  const read = await Promise.all(lists)
  return { chains, rows: read.flatMap((rows) => rows ?? []), isComplete: !read.includes(undefined) }
}

/** Ends a session: first at the service, then on chain. */
export async function endSite(options: SitesOptions, { session, grant, contracts }: Row): Promise<void> {
  const { vault, address } = options
  if (session && session.state !== 'SESSION_STATE_REVOKING')
    await vault.revokeSmartSession(`${contracts.chainId}:${address}`, session.pci ?? '')
  const context = session?.context ?? grant?.context
  if (context) await disable(endingOf(options), contracts, decodeContext(context))
}

/**
 * Ends all sessions on every network, including those that are not listed: first at the service, then on
 * chain for accounts that run code. Returns the names of the networks where it failed.
 */
export async function endAllSites(
  options: SitesOptions,
  { chains, rows }: Sites,
): Promise<readonly string[]> {
  const { vault, network, address } = options
  const ending = endingOf(options)
  const revoked = await Promise.allSettled(
    chains.map(({ chainId }) => vault.revokeAllSmartSessions(`${chainId}:${address}`)),
  )
  const failed: string[] = []
  for (const [at, contracts] of chains.entries()) {
    const { chainId } = contracts
    try {
      // No delegate can act for an account that runs no code.
      const isUsed =
        rows.some((row) => row.contracts.chainId === chainId) ||
        (await ending.smartAccounts.isDelegated(chainId, address))
      if (isUsed) await disableAll(ending, contracts, address)
      if (revoked[at]?.status === 'rejected') throw revoked[at].reason
    } catch {
      failed.push((await loadNetwork(network.projectId, chainId)).name)
    }
  }
  return failed
}

const endingOf = ({ vault, network }: SitesOptions) => ({
  vault,
  smartAccounts: createSmartAccounts(network),
})

/** Returns the sessions and grants of a network that have not ended. */
async function loadRows(
  { vault, network: { projectId, node }, address }: SitesOptions,
  contracts: SessionContracts,
  grants: readonly Grant[],
): Promise<Row[]> {
  const { chainId } = contracts
  const [sessions, network] = await Promise.all([
    vault.listSmartSessions(`${chainId}:${address}`),
    loadNetwork(projectId, chainId),
  ])
  const open = sessions.filter(({ state }) => LISTED.includes(state ?? ''))
  const names = new Set(open.flatMap(({ allowances = [] }) => allowances.map(({ token = '' }) => token)))
  const calls = { projectId, fetch: (...args: Parameters<typeof fetch>) => fetch(...args) }
  const known = [...names].flatMap((token) =>
    token ? [[token, loadToken(calls, chainId, token)] as const] : [],
  )
  const tokens = new Map(await Promise.all(known.map(async ([token, info]) => [token, await info] as const)))
  const listed = new Set(sessions.map(({ context }) => context?.toLowerCase()))
  const own = grants.filter((grant) => grant.chainId === chainId && !listed.has(grant.context.toLowerCase()))
  const unlisted = own.map(async (grant) => {
    const delegation = decodeContext(grant.context)
    const isOwn = delegation.delegator.toLowerCase() === address.toLowerCase()
    return isOwn && !(await isDisabled(node, contracts, delegation)) ? [grant] : []
  })
  const shown = { contracts, network, tokens }
  return [
    ...open.map((session) => ({ ...shown, key: session.pci ?? '', session, grant: undefined })),
    ...(await Promise.all(unlisted))
      .flat()
      .map((grant) => ({ ...shown, key: grant.context, session: undefined, grant })),
  ]
}
