import { describeAccount, matches } from './accountMethods.mjs'
import { parseAddress } from './encoding.mjs'
import { invalidParams } from './errors.mjs'
import { slotAt } from './network.mjs'

/**
 * @typedef {import('./chain.mjs').Chain} Chain
 * @typedef {import('./history.mjs').Entry} Entry
 */

/**
 * What a client subscribed to. Both return what to send, if anything.
 * @typedef {object} Subscription
 * @property {string} name of its notifications
 * @property {string} [commitment]
 * @property {boolean} [once] ends with its first notification
 * @property {(slot: number) => unknown} [onSlot]
 * @property {(entry: Entry, written: string[]) => unknown[]} [onTransaction]
 * @property {Entry | undefined} [past] a transaction that was carried out before
 */

/**
 * Reads a request to subscribe.
 *
 * @param {Chain} chain
 * @param {string} method
 * @param {any[]} params
 * @returns {Subscription | undefined} undefined for another method
 */
function openSubscription(chain, method, params) {
  /**
   * @param {number} slot
   * @param {unknown} value
   */
  const inContext = (slot, value) => ({ context: { slot }, value })
  const [what, config] = params
  const commitment = config?.commitment ?? 'finalized'
  switch (method) {
    case 'slotSubscribe':
      return { name: 'slotNotification', onSlot: (slot) => ({ slot, parent: slot - 1, root: slotAt(slot) }) }
    case 'accountSubscribe': {
      const address = parseAddress(what)
      return {
        name: 'accountNotification',
        commitment,
        onTransaction: ({ slot }, written) =>
          written.includes(address)
            ? [inContext(slot, describeAccount(chain, chain.account(address), config))]
            : [],
      }
    }
    case 'programSubscribe': {
      const program = parseAddress(what)
      return {
        name: 'programNotification',
        commitment,
        onTransaction: ({ slot }, written) =>
          written.flatMap((pubkey) => {
            const account = chain.account(pubkey)
            if (account?.programAddress !== program || !matches(account, config?.filters)) return []
            return [inContext(slot, { pubkey, account: describeAccount(chain, account, config) })]
          }),
      }
    }
    case 'signatureSubscribe':
      return {
        name: 'signatureNotification',
        commitment,
        once: true,
        onTransaction: ({ signature, slot, err }) => (signature === what ? [inContext(slot, { err })] : []),
        past: chain.history.get(what),
      }
    case 'logsSubscribe': {
      const mentioned = what?.mentions?.map(parseAddress)
      if (!mentioned && what !== 'all' && what !== 'allWithVotes') throw invalidParams('unknown filter')
      return {
        name: 'logsNotification',
        commitment,
        onTransaction: ({ signature, slot, err, meta, keys }) =>
          !mentioned || mentioned.some((/** @type {string} */ address) => keys.includes(address))
            ? [inContext(slot, { signature, err, logs: meta.logMessages })]
            : [],
      }
    }
    default:
      return undefined
  }
}

/**
 * Delay in milliseconds before a client is notified of a transaction that was carried out before it
 * subscribed, so that it knows the subscription first.
 */
const pastDelay = 200

/** The subscriptions of one client. Notifications wait until what they are about has the commitment. */
export class Subscriptions {
  #chain
  #send
  #next = 1
  /** @type {Map<number, Subscription>} */
  #open = new Map()
  /** @type {{ slot: number, id: number, result: unknown }[]} */
  #waiting = []

  /**
   * @param {Chain} chain
   * @param {(message: unknown) => void} send
   */
  constructor(chain, send) {
    this.#chain = chain
    this.#send = send
    chain.on('slot', this.#onSlot)
    chain.on('transaction', this.#onTransaction)
  }

  /** Ends every subscription. */
  close() {
    this.#chain.off('slot', this.#onSlot)
    this.#chain.off('transaction', this.#onTransaction)
    this.#open.clear()
  }

  /**
   * Answers a request to subscribe or unsubscribe.
   *
   * @param {string} method
   * @param {any[]} params
   * @returns {number | boolean | undefined} undefined for another method
   */
  call(method, params) {
    if (method.endsWith('Unsubscribe')) return this.#open.delete(params[0])
    const subscription = openSubscription(this.#chain, method, params)
    if (!subscription) return undefined
    const id = this.#next++
    this.#open.set(id, subscription)
    const { past } = subscription
    if (past) setTimeout(() => this.#notify(id, subscription, past, []), pastDelay)
    return id
  }

  #onSlot = (/** @type {number} */ slot) => {
    for (const [id, { onSlot }] of this.#open) {
      if (onSlot) this.#deliver(id, onSlot(slot))
    }
    const due = this.#waiting.filter((message) => message.slot <= slotAt(slot))
    this.#waiting = this.#waiting.filter((message) => !due.includes(message))
    for (const { id, result } of due) this.#deliver(id, result)
  }

  #onTransaction = (/** @type {Entry} */ entry, /** @type {string[]} */ written) => {
    for (const [id, subscription] of this.#open) this.#notify(id, subscription, entry, written)
  }

  /**
   * @param {number} id
   * @param {Subscription} subscription
   * @param {Entry} entry
   * @param {string[]} written
   */
  #notify(id, { onTransaction, commitment }, entry, written) {
    for (const result of onTransaction?.(entry, written) ?? []) {
      if (entry.slot <= slotAt(this.#chain.slot, commitment)) this.#deliver(id, result)
      else this.#waiting.push({ slot: entry.slot, id, result })
    }
  }

  /**
   * @param {number} id
   * @param {unknown} result
   */
  #deliver(id, result) {
    const subscription = this.#open.get(id)
    if (!subscription) return
    if (subscription.once) this.#open.delete(id)
    this.#send({ jsonrpc: '2.0', method: subscription.name, params: { result, subscription: id } })
  }
}
