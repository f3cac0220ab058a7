import type { SessionJson } from '@hawser/client/sessions'
import type { VaultContext } from './vaultContext.ts'

/** A session that a site was granted. */
export type SmartSession = SessionJson

/** What was granted on this device. */
export interface Grant {
  /** Delegation chain, ABI-encoded. */
  readonly context: string
  /** Unix time in seconds. */
  readonly expiry: number
  /** CAIP-2. */
  readonly chainId: string
  /** Origin of the site; absent in what was stored before it was. */
  readonly site?: string
  /** The answer to the site, in the form of ERC-7715; absent for the form before it. */
  readonly answer?: Readonly<Record<string, unknown>>
}

/** What sites may do for an account. */
export interface GrantVault {
  /** Returns what sites may do with an account (CAIP-10). */
  listSmartSessions(account: string): Promise<readonly SmartSession[]>
  /** Revokes a smart session at the service; disable its delegation on chain as well. */
  revokeSmartSession(account: string, pci: string): Promise<void>
  revokeAllSmartSessions(account: string): Promise<void>
  /** Returns what was granted to this site on this device, the newest last, without what has expired. */
  listGrants(): Promise<readonly Grant[]>
  /** Stores what was granted to this site. */
  addGrant(grant: Grant): Promise<void>
}

const GRANTS = 'grants'
/** Older grants are not listed any more; the service of sessions lists its own. */
const MAX_GRANTS = 100

/** Creates the part of a page's vault that lists, stores and revokes grants. */
export function createGrantVault({ sessions, store, now, exclusively }: VaultContext): GrantVault {
  async function listGrants(): Promise<readonly Grant[]> {
    const stored = (await store.get<readonly Grant[]>(GRANTS)) ?? []
    return stored.filter(({ expiry }) => expiry > now() / 1_000)
  }

  return {
    async listSmartSessions(account) {
      const found: SmartSession[] = []
      let pageToken: string | null | undefined = ''
      while (pageToken !== null && pageToken !== undefined) {
        const page: { pcis?: SmartSession[]; next?: string | null } = await sessions.call(
          'SmartSessionsService/ListSessions',
          { account, pageToken },
        )
        found.push(...(page.pcis ?? []))
        pageToken = page.next || undefined
      }
      return found
    },
    async revokeSmartSession(account, pci) {
      await sessions.call('SmartSessionsService/RevokeSession', { account, pci })
    },
    async revokeAllSmartSessions(account) {
      await sessions.call('SmartSessionsService/RevokeAllSessions', { account })
    },
    listGrants,
    async addGrant(grant) {
      await exclusively(async () => store.put(GRANTS, [...(await listGrants()), grant].slice(-MAX_GRANTS)))
    },
  }
}
