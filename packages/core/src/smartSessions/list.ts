import { plainText } from '@hawser/client'
import { toast } from '../errors/messages.ts'
import { isUserRejection } from '../errors/walletFailure.ts'
import { reportSession } from '../modal/sessionFlows.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipAddress, CaipNetworkId } from '../types/network.ts'
import type { SmartSession, SmartSessionStatus, SmartSessionsState } from '../types/smartSessions.ts'
import { initialSmartSessions } from './initialSmartSessions.ts'
import { requireSessionOwner, type SessionOwner, sessionsPath } from './owner.ts'
import { proveAccount } from './proof.ts'

const PAGE_SIZE = 255

const none: readonly SmartSession[] = []

/** A session as the gateway lists it; fields that are zero are left out. */
interface ListedSession {
  readonly project?: { readonly id?: string; readonly name?: string; readonly url?: string | null }
  readonly pci: string
  readonly expiry?: number
  readonly createdAt?: number
  readonly permissions?: SmartSession['permissions']
  readonly context?: string | null
  readonly revokedAt?: number | null
  readonly chainId?: string
  readonly state?: string
  readonly allowances?: readonly {
    readonly token?: string
    readonly allowed?: string
    readonly spent?: string | null
    readonly period?: number
    readonly renewsAt?: number
  }[]
  readonly callsAllowed?: number
  readonly callsMade?: number | null
  readonly delegationHash?: string
}

interface ListedPage {
  readonly pcis?: readonly ListedSession[]
  /** Token of the next page. */
  readonly next?: string | null
}

const statuses: Readonly<Record<string, SmartSessionStatus>> = {
  SESSION_STATE_ACTIVE: 'active',
  SESSION_STATE_REVOKING: 'revoking',
  SESSION_STATE_REVOKED: 'revoked',
  SESSION_STATE_EXPIRED: 'expired',
}

/**
 * Reads the sessions of the active account, once the wallet has signed that it is the account that reads them. A failure
 * is shown, and leaves the sessions that were read before.
 */
export async function fetchSmartSessions(hawser: Hawser): Promise<readonly SmartSession[]> {
  const owner = requireSessionOwner(hawser)
  const { isCurrent } = hawser.latest.begin('smartSessions:list')
  const before = smartSessionsOf(hawser.smartSessions.getState(), owner.caipAddress)
  hawser.smartSessions.setState({ owner: owner.caipAddress, status: 'reading', sessions: before })
  try {
    const sessions = await readSessions(hawser, owner)
    if (isCurrent()) hawser.smartSessions.setState({ status: 'read', sessions })
    return sessions
  } catch (error) {
    if (!isCurrent()) return before
    hawser.smartSessions.setState({ status: 'failed' })
    if (!isUserRejection(error))
      reportSession(hawser, { kind: 'sessionsFailed', ...toast('smartSessionsFailed') })
    return before
  }
}

/** Returns the sessions that were read for an account. */
export function smartSessionsOf(
  { owner, sessions }: SmartSessionsState,
  account: CaipAddress | undefined,
): readonly SmartSession[] {
  return owner === account ? sessions : none
}

/** Drops the sessions that were read, as after a grant. */
export function forgetSmartSessions(hawser: Hawser): void {
  hawser.latest.abandon('smartSessions:list')
  hawser.smartSessions.setState(initialSmartSessions, true)
}

async function readSessions(hawser: Hawser, owner: SessionOwner): Promise<readonly SmartSession[]> {
  const sessions: SmartSession[] = []
  let pageToken: string | null | undefined
  do {
    // A proof is for one use.
    const proof = await proveAccount(hawser, owner, 'ListSessions')
    const body = { proof, pageSize: PAGE_SIZE, ...(pageToken && { pageToken }) }
    const answer = await hawser.client.rest(`${sessionsPath(owner)}/list`, { body })
    const { pcis = [], next } = Object(answer) as ListedPage
    const granted = pcis.flatMap((listed) => sessionOf(listed) ?? [])
    sessions.push(...granted)
    // Sessions that were only requested, which anyone can do, come after all others.
    pageToken = granted.length === pcis.length ? next : undefined
  } while (pageToken)
  return sessions
}

/** Returns a session that was granted; undefined for one that was only requested. */
function sessionOf(listed: ListedSession): SmartSession | undefined {
  const status = statuses[listed.state ?? '']
  if (!status) return undefined
  const { pci, project = {}, allowances = [] } = listed
  return {
    pci,
    project: { id: project.id ?? '', name: plainText(project.name ?? ''), url: project.url ?? undefined },
    caipNetworkId: (listed.chainId ?? '') as CaipNetworkId,
    status,
    createdAt: listed.createdAt ?? 0,
    expiry: listed.expiry ?? 0,
    revokedAt: listed.revokedAt ?? undefined,
    permissions: listed.permissions ?? [],
    allowances: allowances.map(({ token = '', allowed = '0', spent, period = 0, renewsAt = 0 }) => ({
      token,
      allowed: BigInt(allowed),
      spent: spent === undefined || spent === null ? undefined : BigInt(spent),
      period,
      renewsAt,
    })),
    callsAllowed: listed.callsAllowed ?? 0,
    callsMade: listed.callsMade ?? undefined,
    context: listed.context ?? undefined,
    delegationHash: listed.delegationHash ?? '',
  }
}
