import {
  BundlerError,
  createSmartAccounts,
  decodeContext,
  execute,
  type Grant,
  hasPinnedSessions,
  isDisabled,
  listSessionContracts,
  type PreparedOperation,
  prepareDisable,
  prepareDisableAll,
  type SessionContracts,
  type SmartSession,
  UNSUPPORTED_CHAIN,
  type Vault,
} from '@hawser/vault'
import type { Unit } from '../locale/amount.ts'
import { loadNetwork, type NetworkInfo } from '../networks.ts'
import { loadToken } from '../tokens.ts'
import { type FeeStep, viewOf } from './feeStep.ts'
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
  /** Undefined for what was granted in another browser. */
  readonly grant: Grant | undefined
}

/** Returns the site of a row; undefined if it is not known. The service has the origin that a script created the session with, and this browser that of the page that it was granted to. */
export function siteOf({ session, grant }: Row): string | undefined {
  const { project } = session ?? {}
  return grant?.site || project?.url || project?.name || undefined
}

/** What sites may do with an account on every network that has sessions. */
export interface Sites {
  readonly chains: readonly SessionContracts[]
  readonly rows: readonly Row[]
  /** Whether every network could be read, and has contracts that this build knows. */
  readonly isComplete: boolean
}

/** The account whose sessions are shown, and how they are reached. */
export interface SitesOptions {
  readonly vault: Vault
  readonly network: Network
  readonly address: `0x${string}`
}

/** An end of what sites may do, which is not signed yet. */
export interface Ending {
  /** One for each network. */
  readonly steps: readonly EndingStep[]
  /** Signs and sends it. Returns the names of the networks where a part failed. @throws BundlerError, FrameError, CallError */
  finish(): Promise<readonly string[]>
}

/** The operation of a network that ends what sites may do. */
interface EndingStep extends FeeStep {
  readonly chainId: string
  /** Rejects where it cannot be sent now. */
  readonly prepared: Promise<PreparedOperation>
}

/** States of the sessions that are listed. */
const LISTED: readonly string[] = ['SESSION_STATE_ACTIVE', 'SESSION_STATE_REVOKING']

/** Returns what sites may do, without the networks that cannot be read, or whose contracts of sessions this build does not know. */
export async function loadSites(options: SitesOptions): Promise<Sites> {
  const named = await listSessionContracts(options.network.bundler)
  const chains = named.filter(hasPinnedSessions)
  const grants = await options.vault.listGrants()
  const lists = chains.map((contracts) => loadRows(options, contracts, grants).catch(() => undefined))
  const read = await Promise.all(lists)
  const isComplete = chains.length === named.length && !read.includes(undefined)
  return { chains, rows: read.flatMap((rows) => rows ?? []), isComplete }
}

/**
 * Prepares the end of a session: first at the service, which needs no fee, then on chain. What cannot be sent on chain now fails after the service has
 * revoked the session.
 */
export async function endSite(options: SitesOptions, row: Row): Promise<Ending> {
  const { vault, address } = options
  const { session, grant, contracts } = row
  const ending = endingOf(options)
  const context = session?.context ?? grant?.context
  const steps = context
    ? [await stepOf(options, contracts, () => prepareDisable(ending, contracts, decodeContext(context)))]
    : []
  return {
    steps,
    async finish() {
      if (session && session.state !== 'SESSION_STATE_REVOKING')
        await vault.revokeSmartSession(`${contracts.chainId}:${address}`, session.pci ?? '')
      for (const { prepared } of steps) await execute(ending, await prepared)
      return []
    },
  }
}

/** Prepares the end of all sessions on every network, including those that are not listed: on chain for accounts that run code, as no delegate can act for another. */
export async function endAllSites(options: SitesOptions, { chains, rows }: Sites): Promise<Ending> {
  const { vault, network, address } = options
  const ending = endingOf(options)
  const isUsed = async ({ chainId }: SessionContracts) =>
    rows.some((row) => row.contracts.chainId === chainId) ||
    ending.smartAccounts.isDelegated(chainId, address).catch(canRunCode)
  const used = await Promise.all(chains.map(async (chain) => ((await isUsed(chain)) ? [chain] : [])))
  const steps = await Promise.all(
    used.flat().map((chain) => stepOf(options, chain, () => prepareDisableAll(ending, chain, address))),
  )
  return {
    steps,
    async finish() {
      const revoked = await Promise.allSettled(
        chains.map(({ chainId }) => vault.revokeAllSmartSessions(`${chainId}:${address}`)),
      )
      const failed = new Set(chains.filter((_, at) => revoked[at]?.status === 'rejected').map(idOf))
      for (const { chainId, prepared } of steps) {
        const isSent = await prepared
          .then((operation) => execute(ending, operation))
          .then(
            () => true,
            () => false,
          )
        if (!isSent) failed.add(chainId)
      }
      const names = [...failed].map((chainId) => loadNetwork(network.projectId, chainId))
      return (await Promise.all(names)).map(({ name }) => name)
    },
  }
}

/** Returns false for a network whose accounts cannot delegate. One that cannot be read may have a delegate that acts. */
const canRunCode = (error: unknown) => !(error instanceof BundlerError && error.code === UNSUPPORTED_CHAIN)

const idOf = ({ chainId }: SessionContracts) => chainId

/** Prepares an operation, and returns how it is shown. */
async function stepOf(
  { network: { projectId, node } }: SitesOptions,
  { chainId }: SessionContracts,
  prepare: () => Promise<PreparedOperation>,
): Promise<EndingStep> {
  const preparing = prepare()
  const viewing = viewOf(node, chainId, preparing)
  // What is not shown is not signed.
  const prepared = viewing.then(() => preparing)
  prepared.catch(() => undefined)
  const [shown, view] = await Promise.all([loadNetwork(projectId, chainId), viewing.catch(() => undefined)])
  return { chainId, network: shown, view, prepared }
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
  const grantOf = ({ context }: SmartSession) =>
    grants.find(
      (grant) => grant.chainId === chainId && grant.context.toLowerCase() === context?.toLowerCase(),
    )
  const listed = new Set(sessions.map(({ context }) => context?.toLowerCase()))
  const own = grants.filter((grant) => grant.chainId === chainId && !listed.has(grant.context.toLowerCase()))
  const unlisted = own.map(async (grant) => {
    const delegation = decodeContext(grant.context)
    const isOwn = delegation.delegator.toLowerCase() === address.toLowerCase()
    return isOwn && !(await isDisabled(node, contracts, delegation)) ? [grant] : []
  })
  const shown = { contracts, network, tokens }
  return [
    ...open.map((session) => ({ ...shown, key: session.pci ?? '', session, grant: grantOf(session) })),
    ...(await Promise.all(unlisted))
      .flat()
      .map((grant) => ({ ...shown, key: grant.context, session: undefined, grant })),
  ]
}
