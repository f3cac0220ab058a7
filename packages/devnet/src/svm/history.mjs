/**
 * A transaction that was carried out.
 * @typedef {object} Entry
 * @property {string} signature
 * @property {number} slot
 * @property {number} blockTime seconds since 1970
 * @property {string} wire base64
 * @property {string[]} keys
 * @property {string | null} memo
 * @property {string | Record<string, unknown> | null} err
 * @property {string[]} preBalances lamports by key, in decimal: JSON numbers of JavaScript are too small for the faucet's
 * @property {string[]} postBalances
 * @property {{ writable: string[], readonly: string[] }} loadedAddresses
 * @property {Record<string, unknown>} meta what else it did, in the JSON of nodes
 */

/**
 * A slot, which always has a block.
 * @typedef {object} Block
 * @property {number} slot
 * @property {string} blockhash
 * @property {string} previousBlockhash
 * @property {number} blockTime seconds since 1970
 * @property {string[]} signatures
 */

/** Number of newest blocks kept: more than an hour. */
const blocksKept = 10_000

/** All transactions of the chain, found by signature and by address, and its newest blocks. */
export class History {
  /** @type {Map<string, Entry>} */
  #entries = new Map()
  /** Positions in the order of the chain, by signature. @type {Map<string, number>} */
  #positions = new Map()
  /** Signatures by address, the oldest first. @type {Map<string, string[]>} */
  #byAddress = new Map()
  /** @type {Map<number, Block>} */
  #blocks = new Map()

  /** Number of transactions. */
  get count() {
    return this.#entries.size
  }

  /** @param {Entry} entry */
  add(entry) {
    this.#positions.set(entry.signature, this.#positions.size)
    this.#entries.set(entry.signature, entry)
    this.#blocks.get(entry.slot)?.signatures.push(entry.signature)
    for (const key of new Set(entry.keys)) {
      const list = this.#byAddress.get(key)
      if (list) list.push(entry.signature)
      else this.#byAddress.set(key, [entry.signature])
    }
  }

  /** @param {string} signature */
  get(signature) {
    return this.#entries.get(signature)
  }

  /**
   * Returns the transactions of an address, the newest first: those before a transaction and after another one, of any address.
   *
   * @param {string} address
   * @param {{ before?: string | undefined, until?: string | undefined }} [bounds] no transaction is before an unknown one, all are after one
   * @returns {Entry[]}
   */
  entriesOf(address, { before, until } = {}) {
    const end = before === undefined ? Infinity : (this.#positions.get(before) ?? -1)
    const start = until === undefined ? -1 : (this.#positions.get(until) ?? -1)
    const isWithin = (/** @type {string} */ signature) => {
      const position = this.#positions.get(signature) ?? -1
      return position > start && position < end
    }
    const signatures = (this.#byAddress.get(address) ?? []).filter(isWithin).reverse()
    return signatures.flatMap((signature) => this.#entries.get(signature) ?? [])
  }

  /** @param {Block} block */
  addBlock(block) {
    this.#blocks.set(block.slot, block)
    this.#blocks.delete(block.slot - blocksKept)
  }

  /** @param {number} slot */
  block(slot) {
    return this.#blocks.get(slot)
  }

  /** Slots whose blocks are kept, the oldest first. */
  get slots() {
    return [...this.#blocks.keys()]
  }

  toJSON() {
    return { entries: [...this.#entries.values()], blocks: [...this.#blocks.values()] }
  }

  /** @param {{ entries: Entry[], blocks: Block[] }} stored */
  static from({ entries, blocks }) {
    const history = new History()
    for (const block of blocks) history.addBlock({ ...block, signatures: [] })
    for (const entry of entries) history.add(entry)
    return history
  }
}
