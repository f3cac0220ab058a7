import { blake2AsHex } from '@polkadot/util-crypto'
import { existentialDeposit, moduleError, registry, storageKeys } from './runtime.mjs'

/**
 * An account of the local Polkadot chain, in plancks.
 * @typedef {object} Account
 * @property {number} nonce
 * @property {bigint} free
 * @property {bigint} reserved
 * @property {bigint} frozen what may not be spent, of both together
 */

/** An extrinsic failed: its changes are undone, except for its fee. */
export class DispatchFailure extends Error {
  /** @param {string | Record<string, unknown>} error as `DispatchError` has it */
  constructor(error) {
    super('The extrinsic failed')
    this.error = error
  }
}

/** @type {Account} */
const none = { nonce: 0, free: 0n, reserved: 0n, frozen: 0n }

/** The accounts after a block, by public key in hex. Accounts are replaced, never changed. */
export class Accounts {
  /** @param {ReadonlyMap<string, Account>} [accounts] */
  constructor(accounts = new Map()) {
    this.#accounts = new Map(accounts)
  }

  /** @type {Map<string, Account>} */
  #accounts

  copy() {
    return new Accounts(this.#accounts)
  }

  /** @param {string} id */
  get(id) {
    return this.#accounts.get(id) ?? none
  }

  /** @param {string} id */
  has(id) {
    return this.#accounts.has(id)
  }

  /**
   * @param {string} id
   * @param {Partial<Account>} change
   */
  set(id, change) {
    this.#accounts.set(id, { ...this.get(id), ...change })
  }

  /**
   * Moves plancks as the Balances pallet does.
   *
   * @param {string} from
   * @param {string} to
   * @param {bigint} amount
   * @param {boolean} keepAlive whether the sender's account has to stay
   * @returns {boolean} whether the receiver's account was made
   * @throws {DispatchFailure}
   */
  transfer(from, to, amount, keepAlive) {
    const [sender, receiver] = [this.get(from), this.get(to)]
    if (amount > sender.free) throw new DispatchFailure({ Token: 'FundsUnavailable' })
    if (amount > spendable(sender, false)) throw new DispatchFailure({ Token: 'Frozen' })
    if (keepAlive && amount > spendable(sender, true)) throw new DispatchFailure({ Token: 'NotExpendable' })
    if (receiver.free + amount < existentialDeposit) throw new DispatchFailure({ Token: 'BelowMinimum' })
    if (from === to) return false
    const isNew = !this.has(to)
    const left = sender.free - amount
    if (left + sender.reserved < existentialDeposit) this.#accounts.delete(from)
    else this.set(from, { free: left })
    this.set(to, { free: receiver.free + amount })
    return isNew
  }

  /** @param {string} id */
  storageValue(id) {
    if (!this.has(id)) return null
    const { nonce, free, reserved, frozen } = this.get(id)
    const data = { free, reserved, frozen, flags: 1n << 127n }
    return registry
      .createType('FrameSystemAccountInfo', { nonce, consumers: 0, providers: 1, sufficients: 0, data })
      .toHex()
  }
}

/**
 * Returns what an account may spend.
 *
 * @param {Account} account
 * @param {boolean} keepAlive
 */
export function spendable({ free, reserved, frozen }, keepAlive) {
  const locked = frozen > reserved ? frozen - reserved : 0n
  const kept = keepAlive && existentialDeposit > locked ? existentialDeposit : locked
  return free > kept ? free - kept : 0n
}

/**
 * Returns the public key whose account a storage key is of; undefined for other keys.
 *
 * @param {string} key
 */
export function accountOfKey(key) {
  if (!key.startsWith(storageKeys.accounts)) return undefined
  const id = `0x${key.slice(-64)}`
  return key === storageKeys.accounts + blake2AsHex(id, 128).slice(2) + id.slice(2) ? id : undefined
}

/** @returns {DispatchFailure} for calls that the local chain does not carry out */
export function callFiltered() {
  return new DispatchFailure(moduleError('System', 'CallFiltered'))
}
