import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit'
import { fromBase58, toAddress, toBase58 } from './encoding.mjs'
import { invalidParams } from './errors.mjs'
import { computeBudgetProgram } from './programs.mjs'

/** @typedef {Exclude<import('@solana/kit').CompiledTransactionMessage, { version: 1 }> & { lifetimeToken: string }} Message */

/**
 * A transaction as it arrived.
 * @typedef {object} WireTransaction
 * @property {Buffer} bytes
 * @property {import('@solana/kit').Transaction} transaction
 * @property {Message} message
 * @property {string} signature of the fee payer; the id of the transaction
 * @property {string} blockhash that it expires with
 * @property {string[]} keys static accounts, then those of lookup tables: writable ones first
 * @property {{ writable: string[], readonly: string[] }} loaded accounts of lookup tables
 * @property {(index: number) => boolean} isWritable
 */

/** Largest transaction, in bytes. */
const sizeLimit = 1232
/** Offset of the addresses in an account of the lookup table program. */
const tableHeader = 56
const lamportsPerSignature = 5000n
const defaultUnits = 200_000
const mostUnits = 1_400_000

const transactionDecoder = getTransactionDecoder()
const messageDecoder = getCompiledTransactionMessageDecoder()

/**
 * Decodes a transaction.
 *
 * @param {unknown} text
 * @param {string} encoding base58 or base64
 * @param {(address: string) => Uint8Array | undefined} dataOf data of an account, for lookup tables
 * @returns {WireTransaction}
 * @throws {RpcError} when it cannot be decoded
 */
export function decodeTransaction(text, encoding, dataOf) {
  if (typeof text !== 'string') throw invalidParams('invalid type: expected a string')
  const bytes = decodeBytes(text, encoding)
  if (bytes.length > sizeLimit) {
    throw invalidParams(`decoded transaction too large: ${bytes.length} bytes (max: ${sizeLimit} bytes)`)
  }
  try {
    const transaction = transactionDecoder.decode(bytes)
    const message = decodeMessage(transaction.messageBytes)
    const [first] = Object.values(transaction.signatures)
    const loaded = loadAccounts(message, dataOf)
    return {
      bytes,
      transaction,
      message,
      signature: toBase58(first ?? new Uint8Array(64)),
      blockhash: message.lifetimeToken,
      keys: [...message.staticAccounts, ...loaded.writable, ...loaded.readonly],
      loaded,
      isWritable: (index) => isWritable(message, loaded, index),
    }
  } catch (error) {
    throw invalidParams(
      `failed to deserialize transaction: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/**
 * Decodes a legacy message or one of version 0.
 *
 * @param {import('@solana/kit').ReadonlyUint8Array} bytes
 * @returns {Message}
 */
export function decodeMessage(bytes) {
  const message = messageDecoder.decode(bytes)
  if (message.version === 1) throw new Error('version 1 is not supported')
  return /** @type {Message} */ (message)
}

/**
 * @param {string} text
 * @param {string} encoding
 */
function decodeBytes(text, encoding) {
  if (encoding === 'base64') return Buffer.from(text, 'base64')
  if (encoding !== 'base58') throw invalidParams(`unsupported encoding: ${encoding}`)
  try {
    return fromBase58(text)
  } catch {
    throw invalidParams('invalid base58 encoding')
  }
}

/**
 * @param {Message} message
 * @param {(address: string) => Uint8Array | undefined} dataOf
 */
function loadAccounts(message, dataOf) {
  const lookups = 'addressTableLookups' in message ? (message.addressTableLookups ?? []) : []
  /** @param {'writableIndexes' | 'readonlyIndexes'} which */
  const load = (which) =>
    lookups.flatMap((lookup) => {
      const data = dataOf(lookup.lookupTableAddress) ?? new Uint8Array()
      return lookup[which].map((index) => {
        const start = tableHeader + 32 * index
        return toAddress(data.subarray(start, start + 32))
      })
    })
  return { writable: load('writableIndexes'), readonly: load('readonlyIndexes') }
}

/**
 * @param {Message} message
 * @param {WireTransaction['loaded']} loaded
 * @param {number} index
 */
function isWritable({ header, staticAccounts }, loaded, index) {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  if (index >= staticAccounts.length) return index - staticAccounts.length < loaded.writable.length
  if (index < numSignerAccounts) return index < numSignerAccounts - numReadonlySignerAccounts
  return index < staticAccounts.length - numReadonlyNonSignerAccounts
}

/**
 * Returns what a message costs in lamports: each signature, and the priority fee.
 *
 * @param {Message} message
 */
export function feeOf(message) {
  let price = 0n
  let units
  let others = 0
  for (const { programAddressIndex, data = new Uint8Array() } of message.instructions) {
    if (message.staticAccounts[programAddressIndex] !== computeBudgetProgram) {
      others++
      continue
    }
    const bytes = Buffer.from(data)
    if (bytes[0] === 2 && bytes.length >= 5) units = bytes.readUInt32LE(1)
    if (bytes[0] === 3 && bytes.length >= 9) price = bytes.readBigUInt64LE(1)
  }
  const limit = BigInt(Math.min(units ?? others * defaultUnits, mostUnits))
  const priority = (price * limit + 999_999n) / 1_000_000n
  return BigInt(message.header.numSignerAccounts) * lamportsPerSignature + priority
}

/**
 * Returns a transaction in the JSON of nodes.
 *
 * @param {WireTransaction} wire
 * @param {string} encoding json, jsonParsed, base64 or base58
 */
export function describeTransaction({ bytes, transaction, message, keys, isWritable }, encoding) {
  if (encoding === 'base64') return [bytes.toString('base64'), 'base64']
  if (encoding === 'base58') return [toBase58(bytes), 'base58']
  const { header, staticAccounts, lifetimeToken } = message
  const parsed = encoding === 'jsonParsed'
  const tables = 'addressTableLookups' in message ? message.addressTableLookups : undefined
  return {
    signatures: Object.values(transaction.signatures).map((bytes) => toBase58(bytes ?? new Uint8Array(64))),
    message: {
      accountKeys: parsed
        ? keys.map((pubkey, index) => ({
            pubkey,
            signer: index < header.numSignerAccounts,
            writable: isWritable(index),
            source: index < staticAccounts.length ? 'transaction' : 'lookupTable',
          }))
        : staticAccounts,
      ...(!parsed && {
        header: {
          numRequiredSignatures: header.numSignerAccounts,
          numReadonlySignedAccounts: header.numReadonlySignerAccounts,
          numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
        },
      }),
      recentBlockhash: lifetimeToken,
      instructions: message.instructions.map((instruction) =>
        describeInstruction(
          {
            program: instruction.programAddressIndex,
            accounts: [...(instruction.accountIndices ?? [])],
            data: instruction.data ?? new Uint8Array(),
          },
          keys,
          parsed,
        ),
      ),
      ...(message.version !== 'legacy' && {
        addressTableLookups: (tables ?? []).map(
          ({ lookupTableAddress, writableIndexes, readonlyIndexes }) => ({
            accountKey: lookupTableAddress,
            writableIndexes: [...writableIndexes],
            readonlyIndexes: [...readonlyIndexes],
          }),
        ),
      }),
    },
  }
}

/**
 * Returns an instruction in the JSON of nodes. With `parsed` it is in the form that nodes have for programs they do not know.
 *
 * @param {{ program: number, accounts: number[], data: import('@solana/kit').ReadonlyUint8Array, stackHeight?: number }} instruction
 * @param {string[]} keys
 * @param {boolean} parsed
 */
export function describeInstruction({ program, accounts, data, stackHeight }, keys, parsed) {
  const common = { data: toBase58(data), stackHeight: stackHeight ?? null }
  if (!parsed) return { programIdIndex: program, accounts, ...common }
  return { programId: keys[program], accounts: accounts.map((index) => keys[index]), ...common }
}
