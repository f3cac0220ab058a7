import { createHash } from 'node:crypto'
import {
  AccountRole,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getAddressEncoder,
  getProgramDerivedAddress,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { associatedTokenProgram, systemProgram, token2022Program } from './programs.mjs'

/**
 * @typedef {import('@solana/kit').Address} Address
 * @typedef {import('@solana/kit').Instruction} Instruction
 */

const addressEncoder = getAddressEncoder()

/** @param {Address} address */
export const bytesOf = (address) => Buffer.from(addressEncoder.encode(address))

/** @param {bigint} value */
export function u64(value) {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

/** @param {number} value */
export function u32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** @param {number} value */
export function u16(value) {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

/**
 * Encodes a text as Borsh does: its length in bytes and its bytes.
 *
 * @param {string} value
 */
export function text(value) {
  const bytes = Buffer.from(value)
  return Buffer.concat([u32(bytes.length), bytes])
}

/**
 * @param {Address} programAddress
 * @param {string[]} accounts each an address after its flags: s signs, w is written, such as `sw:11…`
 * @param {Buffer} data
 * @returns {Instruction}
 */
function instruction(programAddress, accounts, data) {
  return {
    programAddress,
    accounts: accounts.map((account) => {
      const [flags = '', address = ''] = account.split(':')
      const signs = flags.includes('s')
      const written = flags.includes('w')
      const role = signs
        ? written
          ? AccountRole.WRITABLE_SIGNER
          : AccountRole.READONLY_SIGNER
        : written
          ? AccountRole.WRITABLE
          : AccountRole.READONLY
      return { address: /** @type {Address} */ (address), role }
    }),
    data,
  }
}

/** @param {{ from: Address, to: Address, lamports: bigint }} options */
export function transferSol({ from, to, lamports }) {
  return instruction(systemProgram, [`sw:${from}`, `w:${to}`], Buffer.concat([u32(2), u64(lamports)]))
}

/** @param {{ payer: Address, account: Address, lamports: bigint, space: bigint, owner: Address }} options */
export function createAccount({ payer, account, lamports, space, owner }) {
  const data = Buffer.concat([u32(0), u64(lamports), u64(space), bytesOf(owner)])
  return instruction(systemProgram, [`sw:${payer}`, `sw:${account}`], data)
}

/** @param {{ program: Address, mint: Address, decimals: number, authority: Address }} options */
export function initializeMint({ program, mint, decimals, authority }) {
  const data = Buffer.concat([
    Buffer.from([20, decimals]),
    bytesOf(authority),
    Buffer.from([1]),
    bytesOf(authority),
  ])
  return instruction(program, [`w:${mint}`], data)
}

/** @param {{ program: Address, mint: Address, account: Address, authority: Address, amount: bigint }} options */
export function mintTo({ program, mint, account, authority, amount }) {
  const data = Buffer.concat([Buffer.from([7]), u64(amount)])
  return instruction(program, [`w:${mint}`, `w:${account}`, `s:${authority}`], data)
}

/** @param {{ program: Address, source: Address, mint: Address, account: Address, owner: Address, amount: bigint, decimals: number }} options */
export function transferTokens({ program, source, mint, account, owner, amount, decimals }) {
  const data = Buffer.concat([Buffer.from([12]), u64(amount), Buffer.from([decimals])])
  return instruction(program, [`w:${source}`, `:${mint}`, `w:${account}`, `s:${owner}`], data)
}

/** @param {{ program: Address, mint: Address, account: Address, authority: Address }} options */
export function freeze({ program, mint, account, authority }) {
  return instruction(program, [`w:${account}`, `:${mint}`, `s:${authority}`], Buffer.from([10]))
}

/** @param {{ program: Address, mint: Address, owner: Address }} options */
export async function associatedAccount({ program, mint, owner }) {
  const seeds = [bytesOf(owner), bytesOf(program), bytesOf(mint)]
  const [address] = await getProgramDerivedAddress({ programAddress: associatedTokenProgram, seeds })
  return address
}

/** @param {{ payer: Address, account: Address, program: Address, mint: Address, owner: Address }} options */
export function createAssociatedAccount({ payer, account, program, mint, owner }) {
  const accounts = [
    `sw:${payer}`,
    `w:${account}`,
    `:${owner}`,
    `:${mint}`,
    `:${systemProgram}`,
    `:${program}`,
  ]
  return instruction(associatedTokenProgram, accounts, Buffer.from([1]))
}

/** @param {{ mint: Address, authority: Address, basisPoints: number, maximum: bigint }} options */
export function initializeTransferFee({ mint, authority, basisPoints, maximum }) {
  const some = Buffer.concat([Buffer.from([1]), bytesOf(authority)])
  const data = Buffer.concat([Buffer.from([26, 0]), some, some, u16(basisPoints), u64(maximum)])
  return instruction(token2022Program, [`w:${mint}`], data)
}

/**
 * Sets a mint as the place of its own metadata.
 *
 * @param {{ mint: Address, authority: Address }} options
 */
export function initializeMetadataPointer({ mint, authority }) {
  const data = Buffer.concat([Buffer.from([39, 0]), bytesOf(authority), bytesOf(mint)])
  return instruction(token2022Program, [`w:${mint}`], data)
}

/** @param {{ mint: Address, authority: Address, name: string, symbol: string, uri: string }} options */
export function initializeTokenMetadata({ mint, authority, name, symbol, uri }) {
  const discriminator = createHash('sha256')
    .update('spl_token_metadata_interface:initialize_account')
    .digest()
  const data = Buffer.concat([discriminator.subarray(0, 8), text(name), text(symbol), text(uri)])
  return instruction(token2022Program, [`w:${mint}`, `:${authority}`, `:${mint}`, `s:${authority}`], data)
}

/** Makes a token account refuse transfers without a memo. @param {{ payer: Address, account: Address, owner: Address }} options */
export function requireMemo({ payer, account, owner }) {
  const memoTransfer = 8
  const grow = Buffer.concat([Buffer.from([29]), u16(memoTransfer)])
  return [
    instruction(token2022Program, [`w:${account}`, `sw:${payer}`, `:${systemProgram}`, `s:${owner}`], grow),
    instruction(token2022Program, [`w:${account}`, `s:${owner}`], Buffer.from([30, 0])),
  ]
}

/**
 * Returns a transaction without its signatures.
 *
 * @param {Address} payer
 * @param {string} latest blockhash
 * @param {Instruction[]} instructions
 */
export function compile(payer, latest, instructions) {
  const lifetime = { blockhash: blockhash(latest), lastValidBlockHeight: 0n }
  return compileTransaction(
    pipe(
      createTransactionMessage({ version: 'legacy' }),
      (empty) => setTransactionMessageFeePayer(payer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (timed) => appendTransactionMessageInstructions(instructions, timed),
    ),
  )
}
