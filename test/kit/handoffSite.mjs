import { after } from 'node:test'
import { createSignClient } from '@hawser/walletconnect'
import { WebSocket } from 'ws'
import { site } from './site.mjs'

/** @typedef {import('@hawser/walletconnect').PendingHandoff} PendingHandoff */
/** @typedef {import('@hawser/walletconnect').Session} Session */

/** @type {HandoffSite[]} */
const sites = []
after(() => {
  for (const each of sites) each.close()
})

const methods = [
  'personal_sign',
  'eth_sendTransaction',
  'eth_signTypedData_v4',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
]

/** What a site proposes by default. */
const proposed = {
  eip155: { chains: ['eip155:31337', 'eip155:31338'], methods, events: ['accountsChanged', 'chainChanged'] },
}

/** A site's page at a desk, which continues in a wallet on a phone. Its origin is that of the demo page. */
export class HandoffSite {
  constructor() {
    /** Events of the wallet. @type {{ name: string, data: unknown }[]} */
    this.events = []
    this.client = createSignClient(
      {
        relays: [{ url: `${site.gatewayUrl.replace(/^http/, 'ws')}/v1/relay`, projectId: site.projectId }],
        metadata: { name: 'Shop', description: '', url: this.origin, icons: [] },
        environment: { openSocket: (url) => /** @type {any} */ (new WebSocket(url)) },
      },
      { event: (_session, event) => void this.events.push(event) },
    )
    sites.push(this)
  }

  get origin() {
    return new URL(site.url).origin
  }

  /** Starts a hand-off. Returns it with the link that the code on the screen has. */
  async start(
    optionalNamespaces = /** @type {import('@hawser/walletconnect').ProposedNamespaces} */ (proposed),
  ) {
    const pending = await this.client.handOff({ optionalNamespaces }, this.#gateway())
    pending.approval.catch(() => {}) // a journey reads it if it is about that
    return { pending, link: `${site.gatewayUrl}/open/${pending.id}` }
  }

  /**
   * Sends a request to the wallet.
   *
   * @param {Session} session
   * @param {string} method
   * @param {unknown} params
   * @param {string} [chainId]
   */
  request({ topic }, method, params, chainId = 'eip155:31337') {
    const answer = this.client.request({ topic, chainId, method, params })
    answer.catch(() => {}) // read later
    return answer
  }

  /** The session as it is now. @param {Session} session */
  now({ topic }) {
    return this.client.sessions().find((session) => session.topic === topic)
  }

  close() {
    this.client.close()
  }

  /** @returns {import('@hawser/walletconnect').SiteGateway} */
  #gateway() {
    const { projectId } = site
    return {
      create: async (commitment) => {
        const created = await this.#call('CreateHandoff', { commitment: base64Of(commitment) })
        return { ...created, projectId, origin: this.origin, expiresAt: Date.parse(created.expiresAt) }
      },
      find: async (id, secret) => {
        const { publicKey = '', refusedClaims = 0 } = await this.#call('GetHandoff', { id, secret })
        const walletKey = publicKey ? Buffer.from(publicKey, 'base64').toString('hex') : undefined
        return { walletKey, refusedClaims }
      },
    }
  }

  /**
   * @param {string} procedure
   * @param {object} body
   */
  async #call(procedure, body) {
    const url = new URL(`/hawser.handoff.v1.HandoffService/${procedure}`, site.gatewayUrl)
    url.searchParams.set('projectId', site.projectId)
    const headers = { 'content-type': 'application/json', origin: this.origin }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${procedure} answered ${JSON.stringify(answer)}`)
    return answer
  }
}

/** @param {string} hex */
function base64Of(hex) {
  return Buffer.from(hex, 'hex').toString('base64')
}
