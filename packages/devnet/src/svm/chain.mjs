import { EventEmitter } from 'node:events'
import { getTransactionEncoder } from '@solana/kit'
import { Clock, FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { toAddress } from './encoding.mjs'
import { describeError, isCarriedOut } from './errors.mjs'
import { History } from './history.mjs'
import { compile, transferSol } from './instructions.mjs'
import { faucet, signWith } from './keys.mjs'
import { blockhashSlots } from './network.mjs'
import { describeAmount, isMint, isTokenAccount, readMint, readTokenAccount } from './tokenData.mjs'
import { decodeTransaction, describeInstruction, feeOf } from './transaction.mjs'

/**
 * @typedef {import('@solana/kit').Address} Address
 * @typedef {import('./transaction.mjs').WireTransaction} WireTransaction
 * @typedef {Omit<import('@solana/kit').EncodedAccount, 'data'> & { data: Uint8Array }} Account
 * @typedef {{ lamports: bigint[], tokens: unknown[] }} Balances
 */

/** The first slot of a fresh chain. */
const firstSlot = 1_000

/** Programs that write a memo, whose data history shows. */
const memoProgram = /^Memo/

/**
 * The local Solana chain: one node that leads every slot and carries out a transaction at once. A slot has at most one transaction.
 *
 * Emits `slot` with the new slot's number, and `transaction` with the entry of history and the addresses of written accounts.
 *
 * @extends {EventEmitter<{ slot: [number], transaction: [import('./history.mjs').Entry, string[]] }>}
 */
export class Chain extends EventEmitter {
  #svm
  #slot
  /** Last slots of the blockhashes that can be used. @type {Map<string, number>} */
  #lastSlots = new Map()
  #blockhash = ''

  /**
   * @param {LiteSVM} svm
   * @param {{ slot: number, history: History }} [kept] of an earlier run
   */
  constructor(svm, kept = { slot: firstSlot, history: new History() }) {
    super()
    this.#svm = svm
    this.#slot = kept.slot
    this.history = kept.history
    this.setMaxListeners(0)
    this.advance()
  }

  /** The newest slot. */
  get slot() {
    return this.#slot
  }

  /** The newest blockhash. */
  get blockhash() {
    return this.#blockhash
  }

  /** Begins a slot with a blockhash of its own. */
  advance() {
    const blockTime = Math.floor(Date.now() / 1000)
    this.#slot++
    this.#svm.expireBlockhash()
    const { epoch, epochStartTimestamp, leaderScheduleEpoch } = this.#svm.getClock()
    this.#svm.setClock(
      new Clock(BigInt(this.#slot), epochStartTimestamp, epoch, leaderScheduleEpoch, BigInt(blockTime)),
    )
    const previousBlockhash = this.#blockhash
    this.#blockhash = this.#svm.latestBlockhash()
    this.#lastSlots.set(this.#blockhash, this.#slot + blockhashSlots)
    for (const [blockhash, last] of this.#lastSlots) {
      if (last >= this.#slot) break
      this.#lastSlots.delete(blockhash)
    }
    const block = {
      slot: this.#slot,
      blockhash: this.#blockhash,
      previousBlockhash,
      blockTime,
      signatures: [],
    }
    this.history.addBlock(block)
    this.emit('slot', this.#slot)
  }

  /** @param {string} blockhash */
  isBlockhashValid(blockhash) {
    return this.#lastSlots.has(blockhash)
  }

  /** @param {string} address */
  account(address) {
    const found = this.#svm.getAccount(/** @type {Address} */ (address))
    return found.exists && found.lamports > 0n ? /** @type {Account} */ (found) : undefined
  }

  /** @param {string} address */
  balance(address) {
    return this.#svm.getBalance(/** @type {Address} */ (address)) ?? 0n
  }

  /** @param {string} program */
  programAccounts(program) {
    const found = this.#svm.getProgramAccounts(/** @type {Address} */ (program))
    return /** @type {Account[]} */ (found).filter(({ lamports }) => lamports > 0n)
  }

  /** @param {bigint} space bytes */
  rentExemption(space) {
    return this.#svm.minimumBalanceForRentExemption(space)
  }

  /**
   * Writes an account, which is not possible on a real chain.
   *
   * @param {import('@solana/kit').EncodedAccount} account
   */
  setAccount(account) {
    this.#svm.setAccount(account)
  }

  /** @param {string} mint */
  decimalsOf = (mint) => {
    const account = this.account(mint)
    return account && isMint(account) ? readMint(account).decimals : 0
  }

  /**
   * @param {unknown} text
   * @param {string} encoding
   */
  decode(text, encoding) {
    return decodeTransaction(text, encoding, (address) => this.account(address)?.data)
  }

  /**
   * Carries out a transaction without keeping what it does.
   *
   * @param {WireTransaction} wire
   * @param {{ verify?: boolean, checkBlockhash?: boolean }} [options] true by default
   */
  simulate(wire, { verify = true, checkBlockhash = true } = {}) {
    const refused = this.#refuse(wire, checkBlockhash)
    if (refused) return { err: refused, logs: [], units: 0n, accounts: [], returned: null, inner: [] }
    this.#svm.withSigverify(verify)
    try {
      const result = this.#svm.simulateTransaction(wire.transaction)
      const meta = result.meta()
      return {
        err: result instanceof FailedTransactionMetadata ? describeError(result.err()) : null,
        logs: meta.logs(),
        units: meta.computeUnitsConsumed(),
        accounts:
          result instanceof FailedTransactionMetadata ? [] : /** @type {Account[]} */ (result.postAccounts()),
        returned: describeReturn(meta),
        inner: describeInner(meta, wire, true),
      }
    } catch {
      // litesvm throws when a signature is missing.
      return { err: 'SignatureFailure', logs: [], units: 0n, accounts: [], returned: null, inner: [] }
    } finally {
      this.#svm.withSigverify(true)
    }
  }

  /**
   * Carries out a transaction and begins a new slot. One that cannot pay, has expired, or was sent before changes nothing.
   *
   * @param {WireTransaction} wire
   */
  execute(wire) {
    if (this.#refuse(wire, true)) return
    const before = this.#balancesOf(wire.keys)
    const result = this.#svm.sendTransaction(wire.transaction)
    const err = result instanceof FailedTransactionMetadata ? describeError(result.err()) : null
    if (err && !isCarriedOut(err)) return
    this.#record(wire, err, result instanceof FailedTransactionMetadata ? result.meta() : result, before)
  }

  /**
   * Pays lamports out of the faucet.
   *
   * @param {string} address
   * @param {bigint} amount
   * @returns {string} signature
   */
  airdrop(address, amount) {
    const to = /** @type {Address} */ (address)
    const transfer = transferSol({ from: faucet.address, to, lamports: amount })
    const compiled = compile(faucet.address, this.#blockhash, [transfer])
    const signatures = { [faucet.address]: signWith(faucet, compiled.messageBytes) }
    const bytes = getTransactionEncoder().encode({ ...compiled, signatures })
    const wire = this.decode(Buffer.from(bytes).toString('base64'), 'base64')
    this.execute(wire)
    return wire.signature
  }

  /** Returns what {@link openChain} continues from. */
  save() {
    return { svm: this.#svm.toBytes(), state: JSON.stringify({ slot: this.#slot, history: this.history }) }
  }

  /**
   * @param {WireTransaction} wire
   * @param {boolean} checkBlockhash
   * @returns {string | undefined} the error
   */
  #refuse({ signature, blockhash }, checkBlockhash) {
    if (this.history.get(signature)) return 'AlreadyProcessed'
    if (checkBlockhash && !this.isBlockhashValid(blockhash)) return 'BlockhashNotFound'
    return undefined
  }

  /**
   * @param {WireTransaction} wire
   * @param {string | Record<string, unknown> | null} err
   * @param {import('litesvm').TransactionMetadata} meta
   * @param {Balances} before
   */
  #record(wire, err, meta, before) {
    const after = this.#balancesOf(wire.keys)
    const logs = meta.logs()
    const described = describeMeta({
      err,
      fee: feeOf(wire.message),
      before,
      after,
      logs,
      units: meta.computeUnitsConsumed(),
      inner: describeInner(meta, wire, false),
      returned: describeReturn(meta),
    })
    const entry = {
      signature: wire.signature,
      slot: this.#slot,
      blockTime: Math.floor(Date.now() / 1000),
      wire: wire.bytes.toString('base64'),
      keys: wire.keys,
      memo: memoOf(wire),
      err,
      preBalances: before.lamports.map(String),
      postBalances: after.lamports.map(String),
      loadedAddresses: wire.loaded,
      meta: described,
    }
    const written = wire.keys.filter((_, index) => wire.isWritable(index))
    this.history.add(entry)
    this.emit('transaction', entry, written)
    this.advance()
  }

  /** @param {string[]} keys */
  #balancesOf(keys) {
    return {
      lamports: keys.map((key) => this.balance(key)),
      tokens: keys.flatMap((key, accountIndex) => {
        const account = this.account(key)
        if (!account || !isTokenAccount(account)) return []
        const { mint, owner, amount, decimals } = readTokenAccount(account, this.decimalsOf)
        const uiTokenAmount = describeAmount(amount, decimals)
        return [{ accountIndex, mint, owner, programId: account.programAddress, uiTokenAmount }]
      }),
    }
  }
}

/**
 * Opens a chain that was saved.
 *
 * @param {Uint8Array} svm
 * @param {string} state
 */
export function openChain(svm, state) {
  const { slot, history } = JSON.parse(state)
  const opened = LiteSVM.fromBytes(svm)
    .withTransactionHistory(0n)
    .withBlockhashCheck(false)
    .withSigverify(true)
  return new Chain(opened, { slot, history: History.from(history) })
}

/**
 * Returns what a transaction did but to the balances of lamports, in the JSON of nodes.
 *
 * @param {object} options
 * @param {string | Record<string, unknown> | null} options.err
 * @param {bigint} options.fee lamports
 * @param {Balances} options.before
 * @param {Balances} options.after
 * @param {string[]} options.logs
 * @param {bigint} options.units
 * @param {unknown[]} options.inner
 * @param {unknown} options.returned
 */
function describeMeta({ err, fee, before, after, logs, units, inner, returned }) {
  return {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    fee: Number(fee),
    preTokenBalances: before.tokens,
    postTokenBalances: after.tokens,
    innerInstructions: inner,
    logMessages: logs,
    computeUnitsConsumed: Number(units),
    ...(returned !== null && { returnData: returned }),
    rewards: [],
  }
}

/**
 * @param {import('litesvm').TransactionMetadata} meta
 * @param {WireTransaction} wire
 * @param {boolean} parsed
 */
function describeInner(meta, wire, parsed) {
  return meta.innerInstructions().flatMap((list, index) => {
    if (list.length === 0) return []
    const instructions = list.map((inner) => {
      const instruction = inner.instruction()
      const described = {
        program: instruction.programIdIndex(),
        accounts: [...instruction.accounts()],
        data: instruction.data(),
        stackHeight: inner.stackHeight(),
      }
      return describeInstruction(described, wire.keys, parsed)
    })
    return [{ index, instructions }]
  })
}

/** @param {import('litesvm').TransactionMetadata} meta */
function describeReturn(meta) {
  const returned = meta.returnData()
  const data = returned.data()
  if (data.length === 0) return null
  return {
    programId: toAddress(returned.programId()),
    data: [Buffer.from(data).toString('base64'), 'base64'],
  }
}

/**
 * Returns the memos of a transaction as nodes list them, such as `[5] hello`; null without one.
 *
 * @param {WireTransaction} wire
 */
function memoOf({ message, keys }) {
  const memos = message.instructions
    .filter(({ programAddressIndex }) => memoProgram.test(keys[programAddressIndex] ?? ''))
    .map(({ data }) => `[${data?.length ?? 0}] ${Buffer.from(data ?? []).toString('utf8')}`)
  return memos.length > 0 ? memos.join('; ') : null
}
