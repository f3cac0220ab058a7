import { u8aToHex } from '@polkadot/util'
import { RpcError } from '../jsonRpcServer.mjs'
import { Accounts, accountOfKey, callFiltered, DispatchFailure, spendable } from './accounts.mjs'
import { decodeExtrinsic, invalidParams } from './extrinsic.mjs'
import { callIndex, encodeEvent, genesisHash, registry, storageKeys } from './runtime.mjs'

/** @typedef {import('./extrinsic.mjs').Extrinsic} Extrinsic */

/**
 * @typedef {object} Block
 * @property {number} number
 * @property {string} hash
 * @property {Record<string, unknown>} header
 * @property {string[]} extrinsics
 * @property {string} events value of System.Events
 * @property {Accounts} accounts after the block
 */

/** Blocks of which hashes and state are kept, as on Polkadot. */
const keptBlocks = 4_096

/** Blocks between the newest and the newest finalized one. */
const blocksToFinality = 2

/** Plancks of the fee for any extrinsic, and for each of its bytes. */
const baseFee = 150_000_000n
const byteFee = 100_000n

/** Extrinsics that wait for their block at most. */
const poolSize = 1_000

/**
 * The local Polkadot chain: one node that makes every block. It checks extrinsics as a node of Polkadot does, and carries out transfers and remarks
 * alone.
 */
export class Chain {
  /** @type {Map<number, Block>} */
  #blocks = new Map()
  /** @type {Map<string, Block>} */
  #byHash = new Map()
  /** @type {Extrinsic[]} */
  #pool = []
  #newest = 0

  /** @param {Accounts} accounts of the first block */
  constructor(accounts) {
    const header = headerOf(0, `0x${'00'.repeat(32)}`)
    this.#add({ number: 0, hash: genesisHash, header, extrinsics: [], events: '0x00', accounts })
  }

  /** The newest block. */
  get newest() {
    return /** @type {Block} */ (this.#blocks.get(this.#newest))
  }

  /** The newest finalized block. */
  get finalized() {
    return /** @type {Block} */ (this.#blocks.get(Math.max(0, this.#newest - blocksToFinality)))
  }

  /**
   * Finds a block; the newest without a hash.
   *
   * @param {unknown} [hash]
   * @returns {Block | undefined}
   */
  block(hash) {
    return hash === undefined || hash === null ? this.newest : this.#byHash.get(String(hash))
  }

  /** @param {number} number */
  blockHash(number) {
    return this.#blocks.get(number)?.hash
  }

  /**
   * Reads a storage value.
   *
   * @param {string} key
   * @param {unknown} [hash] of a block; the newest without
   * @returns {string | null}
   * @throws {RpcError} when the block is not known
   */
  storage(key, hash) {
    const block = this.block(hash)
    if (!block) throw new RpcError(4003, 'Client error: Api called for an unknown Block')
    if (key === storageKeys.events) return block.events
    if (key === storageKeys.number) return registry.createType('u32', block.number).toHex(true)
    const account = accountOfKey(key)
    return account ? block.accounts.storageValue(account) : null
  }

  /**
   * Returns the nonce of an account's next extrinsic, after those that wait.
   *
   * @param {string} id
   */
  nextNonce(id) {
    let next = this.newest.accounts.get(id).nonce
    while (this.#pool.some(({ signer, nonce }) => signer === id && nonce === next)) next++
    return next
  }

  /**
   * Returns what an extrinsic costs, whoever signed it.
   *
   * @param {unknown} hex
   */
  fee(hex) {
    return feeOf(decodeExtrinsic(hex))
  }

  /**
   * Takes an extrinsic into a block to come.
   *
   * @param {unknown} hex
   * @returns {string} its hash
   * @throws {RpcError} when it is not valid
   */
  submit(hex) {
    const extrinsic = decodeExtrinsic(hex)
    if (this.#pool.some(({ hash }) => hash === extrinsic.hash)) {
      throw new RpcError(1013, 'Transaction Already Imported', 'already imported')
    }
    if (this.#pool.length >= poolSize) throw new RpcError(1016, 'Immediately Dropped')
    const refused = this.#refuse(extrinsic, this.newest.accounts, this.#newest + 1)
    if (refused) throw new RpcError(1010, 'Invalid Transaction', refused)
    this.#pool.push(extrinsic)
    return extrinsic.hash
  }

  /** Forgets the extrinsics that wait, as a node may. */
  dropPool() {
    this.#pool = []
  }

  /**
   * Changes an account in the newest block, which is not possible on a real chain.
   *
   * @param {string} id
   * @param {Partial<import('./accounts.mjs').Account>} change
   */
  setAccount(id, change) {
    this.newest.accounts.set(id, change)
  }

  /** Makes a block of what waits. */
  advance() {
    const number = this.#newest + 1
    const accounts = this.newest.accounts.copy()
    const timestamp = registry.createType('Call', {
      callIndex: callIndex('Timestamp', 'set'),
      args: { now: Date.now() },
    })
    /** @type {string[]} */
    const extrinsics = [registry.createType('Extrinsic', timestamp, { version: 4 }).toHex()]
    const events = [record(0, succeeded())]
    const waiting = this.#pool
    this.#pool = []
    for (const extrinsic of waiting.sort((one, other) => one.nonce - other.nonce)) {
      if (this.#refuse(extrinsic, accounts, number)) continue
      if (extrinsic.nonce > accounts.get(extrinsic.signer).nonce) {
        this.#pool.push(extrinsic)
        continue
      }
      const index = extrinsics.push(extrinsic.hex) - 1
      events.push(...carryOut(extrinsic, accounts).map((event) => record(index, event)))
    }
    const header = headerOf(number, this.newest.hash)
    const hash = registry.createType('Header', header).hash.toHex()
    const count = registry.createType('Compact<u32>', events.length).toU8a()
    const encoded = Buffer.concat([count, ...events])
    this.#add({ number, hash, header, extrinsics, events: u8aToHex(encoded), accounts })
  }

  /**
   * Returns why an extrinsic cannot be in a block; undefined if it can, or could after others.
   *
   * @param {Extrinsic} extrinsic
   * @param {Accounts} accounts
   * @param {number} number of the block
   * @returns {string | undefined}
   */
  #refuse(extrinsic, accounts, number) {
    const { signer, nonce, tip, birth, mode } = extrinsic
    const birthHash = birth ? this.blockHash(birth(number)) : genesisHash
    if (!birthHash) return 'Transaction has an ancient birth block'
    if (mode !== 0 || !extrinsic.isSignedFor(birthHash)) return 'Transaction has a bad signature'
    const account = accounts.get(signer)
    if (nonce < account.nonce) return 'Transaction is outdated'
    if (feeOf(extrinsic) + tip > spendable(account, true)) {
      return 'Inability to pay some fees (e.g. account balance too low)'
    }
    return undefined
  }

  /** @param {Block} block */
  #add(block) {
    this.#blocks.set(block.number, block)
    this.#byHash.set(block.hash, block)
    this.#newest = block.number
    const old = this.#blocks.get(block.number - keptBlocks)
    if (!old || old.number === 0) return
    this.#blocks.delete(old.number)
    this.#byHash.delete(old.hash)
  }
}

/** @param {Extrinsic} extrinsic */
function feeOf({ hex }) {
  return baseFee + byteFee * BigInt(hex.length / 2 - 1)
}

/**
 * Takes the fee and does what the call says; if that fails, nothing but the fee is taken.
 *
 * @param {Extrinsic} extrinsic
 * @param {Accounts} accounts
 * @returns {Uint8Array[]} events
 */
function carryOut(extrinsic, accounts) {
  const { signer, tip } = extrinsic
  const fee = feeOf(extrinsic) + tip
  const { free, nonce } = accounts.get(signer)
  accounts.set(signer, { free: free - fee, nonce: nonce + 1 })
  const paid = encodeEvent('Balances', 'Withdraw', signer, fee)
  const noted = encodeEvent('TransactionPayment', 'TransactionFeePaid', signer, fee, tip)
  try {
    return [paid, ...dispatch(extrinsic, accounts), noted, succeeded()]
  } catch (error) {
    if (!(error instanceof DispatchFailure)) throw error
    return [paid, noted, encodeEvent('System', 'ExtrinsicFailed', error.error, dispatchInfo)]
  }
}

/**
 * @param {Extrinsic} extrinsic
 * @param {Accounts} accounts
 * @returns {Uint8Array[]} events
 * @throws {DispatchFailure}
 */
function dispatch({ call, args, signer }, accounts) {
  if (call === 'system.remark') return []
  const [dest, amount] = args
  const to = dest?.type === 'Id' ? dest.value.toHex() : undefined
  switch (call) {
    case 'balances.transferKeepAlive':
    case 'balances.transferAllowDeath': {
      const keepAlive = call === 'balances.transferKeepAlive'
      return transferred(accounts, signer, to, BigInt(amount.toString()), keepAlive)
    }
    case 'balances.transferAll': {
      const keepAlive = amount.isTrue
      return transferred(accounts, signer, to, spendable(accounts.get(signer), keepAlive), keepAlive)
    }
    default:
      throw callFiltered()
  }
}

/**
 * @param {Accounts} accounts
 * @param {string} from
 * @param {string | undefined} to
 * @param {bigint} amount
 * @param {boolean} keepAlive
 * @returns {Uint8Array[]} events
 * @throws {DispatchFailure}
 */
function transferred(accounts, from, to, amount, keepAlive) {
  if (!to) throw new DispatchFailure('CannotLookup')
  const isNew = accounts.transfer(from, to, amount, keepAlive)
  return [
    ...(isNew
      ? [encodeEvent('System', 'NewAccount', to), encodeEvent('Balances', 'Endowed', to, amount)]
      : []),
    encodeEvent('Balances', 'Transfer', from, to, amount),
  ]
}

const dispatchInfo = { weight: { refTime: 150_000_000, proofSize: 3_593 }, class: 'Normal', paysFee: 'Yes' }

function succeeded() {
  return encodeEvent('System', 'ExtrinsicSuccess', dispatchInfo)
}

/**
 * Encodes an event of an extrinsic, without topics.
 *
 * @param {number} index of the extrinsic
 * @param {Uint8Array} event
 */
function record(index, event) {
  const phase = Buffer.alloc(5)
  phase.writeUInt32LE(index, 1)
  return Buffer.concat([phase, event, Uint8Array.of(0)])
}

/**
 * @param {number} number
 * @param {string} parentHash
 */
function headerOf(number, parentHash) {
  const zero = `0x${'00'.repeat(32)}`
  return {
    parentHash,
    number: `0x${number.toString(16)}`,
    stateRoot: zero,
    extrinsicsRoot: zero,
    digest: { logs: [] },
  }
}

/**
 * Returns the public key of an address, hex.
 *
 * @param {unknown} address SS58
 * @throws {RpcError}
 */
export function parseAddress(address) {
  try {
    return registry.createType('AccountId32', address).toHex()
  } catch {
    throw invalidParams('bad address')
  }
}
