import { idOf } from '../handoff/agreement.ts'
import type { CreatedHandoff, HandoffSite, SiteGateway, WalletGateway } from '../handoff/gateway.ts'

interface Entry extends CreatedHandoff {
  readonly commitment: string
  walletKey?: string
}

/** The hand-offs of a gateway inside the test, with the rules of `hawser.handoff.v1.HandoffService`. */
export interface TestGateway extends SiteGateway, WalletGateway {
  /** Keys that came too late, by the id of the hand-off. */
  readonly refused: { readonly id: string; readonly publicKey: string }[]
}

const LIFETIME_MS = 240_000

export function createTestGateway(
  now: () => number,
  { origin = 'https://site.test', projectId = '01' } = {},
): TestGateway {
  const entries = new Map<string, Entry>()
  const refused: TestGateway['refused'] = []

  function live(id: string): Entry {
    const entry = entries.get(id)
    if (!entry || entry.expiresAt <= now()) throw new Error('The link is unknown or expired')
    return entry
  }

  return {
    refused,
    async create(commitment) {
      const id = idOf(commitment)
      const entry = {
        id,
        secret: `secret of ${id}`,
        projectId,
        origin,
        commitment,
        expiresAt: now() + LIFETIME_MS,
      }
      entries.set(id, entry)
      return entry
    },
    async find(id, secret) {
      const entry = live(id)
      if (entry.secret !== secret) throw new Error('The link is unknown or expired')
      const refusedClaims = refused.filter((claim) => claim.id === id).length
      return { walletKey: entry.walletKey, refusedClaims }
    },
    async claim(id, publicKey): Promise<HandoffSite> {
      const entry = live(id)
      entry.walletKey ??= publicKey
      if (entry.walletKey !== publicKey) {
        refused.push({ id, publicKey })
        throw new Error('The link was opened on another device')
      }
      const { projectId, commitment, expiresAt } = entry
      return { projectId, projectName: 'Site', origin, commitment, expiresAt }
    },
  }
}
