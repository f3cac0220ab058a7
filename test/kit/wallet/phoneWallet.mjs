import { createWalletClient } from '@hawser/walletconnect/wallet'
import { WebSocket } from 'ws'

/** @typedef {import('@hawser/walletconnect/wallet').Proposal} Proposal */
/** @typedef {import('@hawser/walletconnect/wallet').WalletRequest} WalletRequest */
/** @typedef {import('@hawser/walletconnect/wallet').AuthenticationProposal} AuthenticationProposal */
/** @typedef {import('@hawser/walletconnect').Session} Session */

const methods = ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4', 'wallet_switchEthereumChain']
const events = ['accountsChanged', 'chainChanged']
// The relay has not acknowledged an answer when the wallet is closed; the page shows what it did not receive.
const ignore = () => {}
const declined = { code: 5000, message: 'User rejected.' }

/**
 * A test wallet on a phone: it scans the code of a pairing, and reaches the page through a relay alone. Prompts are
 * decided by the `approvals` of the test wallet.
 */
export class PhoneWallet {
  /**
   * @param {object} options
   * @param {import('./testWallet.mjs').TestWallet} options.wallet
   * @param {string} options.relayUrl
   * @param {string} options.projectId
   * @param {boolean} [options.signsIn] whether it signs in with the pairing (one-click authentication)
   */
  constructor({ wallet, relayUrl, projectId, signsIn = false }) {
    this.wallet = wallet
    /** Sessions that the page ended, by topic. @type {string[]} */
    this.ended = []
    this.client = createWalletClient(
      {
        relays: [{ url: relayUrl, projectId }],
        metadata: {
          name: wallet.info.name,
          description: '',
          url: 'https://phone.test',
          icons: [wallet.info.icon],
        },
        environment: { openSocket: (url) => /** @type {any} */ (new WebSocket(url)) },
      },
      {
        proposed: (proposal) => void this.#decide(proposal).catch(ignore),
        requested: (request) => void this.#answer(request).catch(ignore),
        deleted: ({ topic }) => void this.ended.push(topic),
        ...(signsIn && { authenticate: (proposal) => void this.#signIn(proposal).catch(ignore) }),
      },
    )
  }

  /** The newest session; undefined without one. */
  get session() {
    return this.client.sessions().at(-1)
  }

  /** @param {string} uri of a pairing */
  scan(uri) {
    this.client.pair(uri)
  }

  /** Ends the session, as the person would. */
  async disconnect() {
    if (this.session) await this.client.disconnect(this.session.topic)
  }

  /**
   * Chooses another account for the site, as the person would.
   *
   * @param {number} index
   */
  async switchAccount(index) {
    this.wallet.switchAccount(index)
    const { topic, namespaces } = this.session ?? {}
    if (topic) await this.client.update(topic, this.#namespaces(namespaces?.eip155?.chains ?? []))
  }

  close() {
    this.client.close()
  }

  /** @param {Proposal} proposal */
  async #decide({ optionalNamespaces, requiredNamespaces, proposer, approve, reject }) {
    try {
      await this.wallet.approvals.ask()
    } catch {
      return reject(declined)
    }
    const wanted = { ...optionalNamespaces.eip155, ...requiredNamespaces.eip155 }
    const chains = (wanted.chains ?? []).filter((chain) => this.wallet.chains.knows(numberOf(chain)))
    this.wallet.grantedOrigins.add(proposer.metadata.url)
    await approve({ namespaces: this.#namespaces(chains) })
  }

  /** @param {AuthenticationProposal} proposal */
  async #signIn({ payload, requester, approve, reject }) {
    try {
      await this.wallet.approvals.ask()
    } catch {
      return reject(declined)
    }
    const { formatCacaoMessage } = await import('@hawser/walletconnect')
    const chains = payload.chains.filter((chain) => this.wallet.chains.knows(numberOf(chain)))
    const { url } = requester.metadata
    this.wallet.grantedOrigins.add(url)
    const p = { ...payload, iss: `did:pkh:${chains[0]}:${this.wallet.address}` }
    const params = [formatCacaoMessage(p), this.wallet.address]
    const s = String(await this.wallet.request(url, { method: 'personal_sign', params }))
    await approve([{ h: { t: 'caip122' }, p, s: { t: 'eip191', s } }], this.#namespaces(chains))
  }

  /** @param {WalletRequest} request */
  async #answer({ session, chainId, method, params, respond, reject }) {
    this.wallet.chainId = numberOf(chainId)
    try {
      await respond(await this.wallet.request(session.peer.metadata.url, { method, params }))
    } catch (error) {
      const { code = -32603, message = '' } = /** @type {{ code?: number, message?: string }} */ (error)
      await reject({ code, message })
    }
  }

  /** @param {readonly string[]} chains CAIP-2 */
  #namespaces(chains) {
    const accounts = chains.map((chain) => `${chain}:${this.wallet.address}`)
    return { eip155: { chains, accounts, methods, events } }
  }
}

/** @param {string} chainId CAIP-2 */
function numberOf(chainId) {
  return Number(chainId.split(':')[1])
}
