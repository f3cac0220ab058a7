import type { ConnectorContext } from '@hawser/core'
import type { SiteGateway } from '@hawser/walletconnect'
import { base64, hex } from '@scure/base'

const TIMEOUT_MS = 10_000

/** Returns the gateway's calls for the hand-offs of this page, in the protocol of Connect. They throw an Error with the `code` of Connect. */
export function createSiteGateway({
  gatewayUrl,
  projectId,
}: Pick<ConnectorContext, 'gatewayUrl' | 'projectId'>): SiteGateway {
  async function call(procedure: string, body: object): Promise<Record<string, unknown>> {
    const query = `projectId=${encodeURIComponent(projectId)}`
    const response = await fetch(`${gatewayUrl}/hawser.handoff.v1.HandoffService/${procedure}?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const answer = Object(await response.json().catch(() => undefined))
    if (response.ok) return answer
    throw Object.assign(new Error(`${procedure} answered ${response.status}`), { code: answer.code })
  }

  return {
    async create(commitment) {
      const created = await call('CreateHandoff', { commitment: base64.encode(hex.decode(commitment)) })
      const { id, secret, expiresAt } = created
      return {
        id: String(id),
        secret: String(secret),
        projectId,
        origin: location.origin,
        expiresAt: Date.parse(String(expiresAt)),
      }
    },
    async find(id, secret) {
      const { publicKey, refusedClaims = 0 } = await call('GetHandoff', { id, secret })
      return {
        walletKey: publicKey ? hex.encode(base64.decode(String(publicKey))) : undefined,
        refusedClaims: Number(refusedClaims),
      }
    },
  }
}
