import { RpcError } from '../jsonRpcServer.mjs'
import { describeAccount } from './accountMethods.mjs'
import { parseAddress, parseSignature } from './encoding.mjs'
import { invalidParams, isCarriedOut } from './errors.mjs'
import { slotAt } from './network.mjs'
import { decodeMessage, describeTransaction, feeOf } from './transaction.mjs'

/** @typedef {import('./chain.mjs').Chain} Chain */

const maxStatuses = 256
const maxSignatures = 1_000
const maxAirdrop = 1_000_000_000_000n

/**
 * Returns the methods that send transactions and read them.
 *
 * @param {Chain} chain
 * @returns {Record<string, (params: any[]) => unknown>}
 */
export function transactionMethods(chain) {
  /** @param {unknown} value */
  const inContext = (value) => ({ context: { apiVersion: '3.0.0', slot: chain.slot }, value })
  /** @param {{ slot: number, err: unknown }} entry */
  const isVisible = (entry, commitment = 'finalized') => entry.slot <= slotAt(chain.slot, commitment)
  /** @param {{ slot: number }} entry */
  const commitmentOf = ({ slot }) => (slot <= slotAt(chain.slot) ? 'finalized' : 'confirmed')

  return {
    sendTransaction: ([text, config]) => {
      const wire = chain.decode(text, config?.encoding ?? 'base58')
      if (!config?.skipPreflight) {
        const { err, logs, units, returned } = chain.simulate(wire)
        if (err === 'SignatureFailure')
          throw new RpcError(-32003, 'Transaction signature verification failure')
        if (err) {
          throw new RpcError(-32002, `Transaction simulation failed: ${explain(err)}`, {
            accounts: null,
            err,
            innerInstructions: null,
            logs,
            replacementBlockhash: null,
            returnData: returned,
            unitsConsumed: Number(units),
          })
        }
      }
      chain.execute(wire)
      return wire.signature
    },
    simulateTransaction: ([text, config = {}]) => {
      const wire = chain.decode(text, config.encoding ?? 'base58')
      const { replaceRecentBlockhash = false, sigVerify = false, accounts: wanted } = config
      if (replaceRecentBlockhash && sigVerify) {
        throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
      }
      const addresses = wanted && postAddresses(wanted, wire.keys.length)
      const { err, logs, units, accounts, returned, inner } = chain.simulate(wire, {
        verify: sigVerify,
        checkBlockhash: !replaceRecentBlockhash,
      })
      const isPaid = err === null || isCarriedOut(err)
      return inContext({
        err,
        logs,
        accounts: addresses
          ? addresses.map((/** @type {string} */ key) => {
              const after =
                accounts.find(({ address }) => address === key) ?? (err ? undefined : chain.account(key))
              return describeAccount(chain, after, { encoding: wanted.encoding ?? 'base64' })
            })
          : null,
        unitsConsumed: Number(units),
        fee: isPaid ? feeOf(wire.message) : null,
        loadedAddresses: wire.loaded,
        returnData: returned,
        innerInstructions: config.innerInstructions ? inner : null,
        ...(replaceRecentBlockhash && {
          replacementBlockhash: { blockhash: chain.blockhash, lastValidBlockHeight: chain.slot + 150 },
        }),
      })
    },
    requestAirdrop: ([to, amount]) => {
      const lamports = BigInt(amount)
      if (lamports > maxAirdrop) throw invalidParams(`an airdrop is at most ${maxAirdrop} lamports`)
      return chain.airdrop(parseAddress(to), lamports)
    },
    getFeeForMessage: ([text]) => {
      const message = decodeMessage(Buffer.from(text, 'base64'))
      return inContext(chain.isBlockhashValid(message.lifetimeToken) ? feeOf(message) : null)
    },
    getRecentPrioritizationFees: () => [{ slot: chain.slot, prioritizationFee: 0 }],
    getSignatureStatuses: ([signatures]) => {
      if (signatures.length > maxStatuses) throw invalidParams(`Too many inputs provided; max ${maxStatuses}`)
      return inContext(
        signatures.map((/** @type {string} */ signature) => {
          const entry = chain.history.get(signature)
          if (!entry) return null
          const confirmationStatus = commitmentOf(entry)
          return {
            slot: entry.slot,
            confirmations: confirmationStatus === 'finalized' ? null : chain.slot - entry.slot,
            err: entry.err,
            status: entry.err === null ? { Ok: null } : { Err: entry.err },
            confirmationStatus,
          }
        }),
      )
    },
    getSignaturesForAddress: ([of, config]) => {
      const { limit = maxSignatures, before, until, commitment } = config ?? {}
      requireConfirmed(commitment)
      if (limit < 1 || limit > maxSignatures) throw invalidParams(`Invalid limit; max ${maxSignatures}`)
      const bounds = { before: before && parseSignature(before), until: until && parseSignature(until) }
      return chain.history
        .entriesOf(parseAddress(of), bounds)
        .filter((entry) => isVisible(entry, commitment))
        .slice(0, limit)
        .map((entry) => ({
          signature: entry.signature,
          slot: entry.slot,
          err: entry.err,
          memo: entry.memo,
          blockTime: entry.blockTime,
          confirmationStatus: commitmentOf(entry),
        }))
    },
    getTransaction: ([signature, config]) => {
      const {
        encoding = 'json',
        commitment,
        maxSupportedTransactionVersion,
      } = typeof config === 'string' ? { encoding: config } : (config ?? {})
      requireConfirmed(commitment)
      const entry = chain.history.get(parseSignature(signature))
      if (!entry || !isVisible(entry, commitment)) return null
      const wire = chain.decode(entry.wire, 'base64')
      const { version } = wire.message
      if (version !== 'legacy' && (maxSupportedTransactionVersion ?? -1) < version) {
        throw new RpcError(
          -32015,
          `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
        )
      }
      return {
        slot: entry.slot,
        blockTime: entry.blockTime,
        meta: describeEffects(entry, maxSupportedTransactionVersion !== undefined),
        transaction: describeTransaction(wire, encoding),
        ...(maxSupportedTransactionVersion !== undefined && { version }),
      }
    },
  }
}

/**
 * Returns the accounts whose state after a transaction is requested: at most as many as it has, and not in base58.
 *
 * @param {{ addresses: unknown[], encoding?: string }} wanted
 * @param {number} most
 */
function postAddresses({ addresses, encoding }, most) {
  if (encoding === 'base58' || encoding === 'binary') throw invalidParams('base58 encoding not supported')
  if (addresses.length > most) throw invalidParams(`Too many accounts provided; max ${most}`)
  return addresses.map(parseAddress)
}

/**
 * Returns what a transaction did: balances as whole numbers, and the accounts of lookup tables for clients
 * that support versions.
 *
 * @param {import('./history.mjs').Entry} entry
 * @param {boolean} isVersioned
 */
function describeEffects({ meta, preBalances, postBalances, loadedAddresses }, isVersioned) {
  return {
    ...meta,
    preBalances: preBalances.map(BigInt),
    postBalances: postBalances.map(BigInt),
    ...(isVersioned && { loadedAddresses }),
  }
}

/**
 * @param {string | undefined} commitment
 * @throws {RpcError} for the commitment `processed`, for which nodes keep no history
 */
function requireConfirmed(commitment) {
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`')
}

/** @param {string | Record<string, unknown>} err */
function explain(err) {
  if (err === 'BlockhashNotFound') return 'Blockhash not found'
  if (err === 'AlreadyProcessed') return 'This transaction has already been processed'
  if (err === 'AccountNotFound') return 'Attempt to debit an account but found no record of a prior credit.'
  if (typeof err === 'string') return err
  const [index, reason] = /** @type {[number, unknown]} */ (err.InstructionError ?? [0, JSON.stringify(err)])
  if (!err.InstructionError) return String(reason)
  const custom = /** @type {{ Custom?: number }} */ (reason)?.Custom
  const what = custom === undefined ? reason : `custom program error: 0x${custom.toString(16)}`
  return `Error processing Instruction ${index}: ${what}`
}
