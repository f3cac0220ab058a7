import { toAddress } from './encoding.mjs'
import { token2022Program, tokenProgram, wrappedMint } from './programs.mjs'

/**
 * A token account of either program.
 * @typedef {object} TokenAccount
 * @property {string} mint
 * @property {string} owner
 * @property {bigint} amount base units
 * @property {number} decimals of the mint
 * @property {string} [delegate]
 * @property {bigint} delegated base units
 * @property {'uninitialized' | 'initialized' | 'frozen'} state
 * @property {string} [closeAuthority]
 */

const accountSpace = 165
const mintSpace = 82
const states = /** @type {const} */ (['uninitialized', 'initialized', 'frozen'])

/** What follows 165 bytes of an extended account. */
const kinds = { mint: 1, account: 2 }

/** @param {import('./chain.mjs').Account} account */
export function isTokenAccount({ programAddress, data }) {
  if (programAddress !== tokenProgram && programAddress !== token2022Program) return false
  return data.length === accountSpace || (data.length > accountSpace && data[accountSpace] === kinds.account)
}

/** @param {import('./chain.mjs').Account} account */
export function isMint({ programAddress, data }) {
  if (programAddress !== tokenProgram && programAddress !== token2022Program) return false
  return data.length === mintSpace || (data.length > accountSpace && data[accountSpace] === kinds.mint)
}

/**
 * Reads a token account.
 *
 * @param {import('./chain.mjs').Account} account that {@link isTokenAccount}
 * @param {(mint: string) => number} decimalsOf
 * @returns {TokenAccount}
 */
export function readTokenAccount({ data }, decimalsOf) {
  const view = viewOf(data)
  const mint = toAddress(data.subarray(0, 32))
  return {
    mint,
    owner: toAddress(data.subarray(32, 64)),
    amount: view.readBigUInt64LE(64),
    decimals: decimalsOf(mint),
    ...(view.readUInt32LE(72) === 1 && { delegate: toAddress(data.subarray(76, 108)) }),
    state: states[data[108] ?? 0] ?? 'uninitialized',
    delegated: view.readBigUInt64LE(121),
    ...(view.readUInt32LE(129) === 1 && { closeAuthority: toAddress(data.subarray(133, 165)) }),
  }
}

/**
 * Reads a mint.
 *
 * @param {import('./chain.mjs').Account} account that {@link isMint}
 */
export function readMint({ data }) {
  const view = viewOf(data)
  return {
    mintAuthority: view.readUInt32LE(0) === 1 ? toAddress(data.subarray(4, 36)) : null,
    supply: view.readBigUInt64LE(36),
    decimals: data[44] ?? 0,
    isInitialized: data[45] === 1,
    freezeAuthority: view.readUInt32LE(46) === 1 ? toAddress(data.subarray(50, 82)) : null,
  }
}

/**
 * Returns a quantity as nodes write it: in base units, and in whole units with every digit.
 *
 * @param {bigint} amount base units
 * @param {number} decimals
 */
export function describeAmount(amount, decimals) {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const text = decimals > 0 && fraction ? `${whole}.${fraction}` : whole
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text }
}

/**
 * Returns the parsed form of a token account or a mint; undefined for any other account.
 *
 * @param {import('./chain.mjs').Account} account
 * @param {(mint: string) => number} decimalsOf
 */
export function parseTokenData(account, decimalsOf) {
  const program = account.programAddress === tokenProgram ? 'spl-token' : 'spl-token-2022'
  const space = account.data.length
  const extensions =
    program === 'spl-token-2022' && space > accountSpace ? { extensions: extensionsOf(account.data) } : {}
  if (isMint(account)) {
    const { supply, ...rest } = readMint(account)
    const info = { ...rest, supply: supply.toString(), ...extensions }
    return { program, parsed: { type: 'mint', info }, space }
  }
  if (!isTokenAccount(account)) return undefined
  const { mint, owner, amount, decimals, delegate, delegated, state, closeAuthority } = readTokenAccount(
    account,
    decimalsOf,
  )
  const info = {
    mint,
    owner,
    isNative: mint === wrappedMint,
    state,
    tokenAmount: describeAmount(amount, decimals),
    ...(delegate && { delegate, delegatedAmount: describeAmount(delegated, decimals) }),
    ...(closeAuthority && { closeAuthority }),
    ...extensions,
  }
  return { program, parsed: { type: 'account', info }, space }
}

/** Readers of the extensions that the chain uses, by their number. @type {Record<number, [string, (data: Buffer) => unknown]>} */
const readers = {
  1: [
    'transferFeeConfig',
    (data) => ({
      transferFeeConfigAuthority: optionalAddress(data.subarray(0, 32)),
      withdrawWithheldAuthority: optionalAddress(data.subarray(32, 64)),
      withheldAmount: data.readBigUInt64LE(64),
      olderTransferFee: readFee(data.subarray(72)),
      newerTransferFee: readFee(data.subarray(90)),
    }),
  ],
  2: ['transferFeeAmount', (data) => ({ withheldAmount: data.readBigUInt64LE(0) })],
  7: ['immutableOwner', () => undefined],
  8: ['memoTransfer', (data) => ({ requireIncomingTransferMemos: data[0] === 1 })],
  18: [
    'metadataPointer',
    (data) => ({
      authority: optionalAddress(data.subarray(0, 32)),
      metadataAddress: optionalAddress(data.subarray(32, 64)),
    }),
  ],
  19: ['tokenMetadata', readMetadata],
}

/** @param {Uint8Array} data */
function extensionsOf(data) {
  const view = viewOf(data)
  const found = []
  for (let offset = accountSpace + 1; offset + 4 <= view.length; ) {
    const type = view.readUInt16LE(offset)
    const end = offset + 4 + view.readUInt16LE(offset + 2)
    if (type === 0 || end > view.length) break
    const reader = readers[type]
    const state = reader?.[1](view.subarray(offset + 4, end))
    found.push(
      reader
        ? { extension: reader[0], ...(state !== undefined && { state }) }
        : { extension: 'unparseableExtension' },
    )
    offset = end
  }
  return found
}

/** @param {Buffer} data */
function readFee(data) {
  return {
    epoch: data.readBigUInt64LE(0),
    maximumFee: data.readBigUInt64LE(8),
    transferFeeBasisPoints: data.readUInt16LE(16),
  }
}

/** @param {Buffer} data */
function readMetadata(data) {
  let offset = 64
  const next = () => {
    const length = data.readUInt32LE(offset)
    const value = data.toString('utf8', offset + 4, offset + 4 + length)
    offset += 4 + length
    return value
  }
  return {
    updateAuthority: optionalAddress(data.subarray(0, 32)),
    mint: toAddress(data.subarray(32, 64)),
    name: next(),
    symbol: next(),
    uri: next(),
    additionalMetadata: [],
  }
}

/** @param {Buffer} bytes all zero for none */
function optionalAddress(bytes) {
  return bytes.every((byte) => byte === 0) ? null : toAddress(bytes)
}

/** @param {Uint8Array} data */
function viewOf(data) {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}
