import { createHash } from 'node:crypto'
import { address, getProgramDerivedAddress, lamports } from '@solana/kit'
import { associatedAccount, bytesOf, u16, u32, u64 } from './instructions.mjs'
import { accounts, signWith } from './keys.mjs'
import {
  nameOffersProgram,
  nameProgram,
  nameTokenizerProgram,
  recordServiceProgram,
  solRegistrarProgram,
  token2022Program,
  tokenProgram,
} from './programs.mjs'

/**
 * A name of the local chain, in the layouts of the SPL Name Service, SNS-IP 3 and 5, and the Solana Record Service.
 *
 * @typedef {object} NamePlan
 * @property {string} name `label.sns`, `sub.label.sns` or `label.sol`
 * @property {number} owner index of the account
 * @property {number} [paid] index of the account that the SOL record (version 2) names
 * @property {number} [paidBefore] index of the account that the SOL record (version 1) names
 * @property {number} [stale] index of an earlier owner, who wrote the SOL record
 * @property {boolean} [unconfirmed] whether the destination has not confirmed the SOL record
 * @property {boolean} [wrapped] whether the owner holds the name as an NFT
 * @property {boolean} [lost] whether a program holds that NFT
 * @property {boolean} [primary] whether it is the primary name of its owner
 * @property {bigint} [expires] seconds since 1970
 */

const root = address('58PwtjSDuFHuUkYjH9BYnnQKHfwo9reZhC2zMJv9JPkx')
const reverseClass = address('33m47vH6Eav6jr5Ry86XjhRft2jRBLDnDgPSHoquXi2Z')
const recordClass = address('2pMnqHvei2N5oDcVGCRdZx48gqti199wr5CsyTTafsbo')
const none = address('11111111111111111111111111111111')

/** @type {NamePlan[]} */
const namePlans = [
  { name: 'harbor.sns', owner: 1, primary: true },
  { name: 'harbor.sol', owner: 1 },
  { name: 'pay.harbor.sns', owner: 8, primary: true },
  { name: 'buoy.sns', owner: 3, paid: 4 },
  { name: 'anchor.sns', owner: 3, paidBefore: 5 },
  { name: 'knot.sns', owner: 6, wrapped: true },
  { name: 'knot.sol', owner: 6, wrapped: true },
  // These resolve to no address.
  { name: 'reef.sns', owner: 7 },
  { name: 'reef.sol', owner: 8 },
  { name: 'ebb.sns', owner: 7, paid: 4, stale: 8 },
  { name: 'flood.sns', owner: 7, paid: 4, unconfirmed: true },
  { name: 'wreck.sns', owner: 7, wrapped: true, lost: true },
  { name: 'tide.sns', owner: 7 },
  { name: 'tide.sol', owner: 7, expires: 1_700_000_000n },
  { name: 'gull.sol', owner: 7 },
]

/** Names that resolve to a wallet, for the description of the chain. */
const shown = ['harbor.sns', 'harbor.sol', 'pay.harbor.sns', 'knot.sns']

/** Returns the description of the names that resolve to a wallet. */
export function describeNames() {
  return shown.map((name) => ({
    name,
    address: ownerOf(/** @type {NamePlan} */ (namePlans.find((plan) => plan.name === name))),
  }))
}

/**
 * Writes the names.
 *
 * @param {import('./chain.mjs').Chain} chain
 */
export async function writeNames(chain) {
  /** @type {Write} */
  const write = (account, programAddress, ...parts) => {
    const data = Buffer.concat(parts)
    chain.setAccount({
      address: account,
      lamports: lamports(chain.rentExemption(BigInt(data.length))),
      data,
      programAddress,
      executable: false,
      space: BigInt(data.length),
    })
  }
  for (const plan of namePlans)
    await (plan.name.endsWith('.sol') ? writeSol(write, plan) : writeSns(write, plan))
}

/**
 * @typedef {import('@solana/kit').Address} Address
 * @typedef {(account: Address, program: Address, ...parts: Uint8Array[]) => void} Write
 */

/** @param {NamePlan} plan */
function ownerOf({ owner }) {
  return accountOf(owner).address
}

/** @param {number} index */
function accountOf(index) {
  return /** @type {import('./keys.mjs').SolanaAccount} */ (accounts[index])
}

/**
 * @param {Write} write
 * @param {NamePlan} plan
 */
async function writeSns(write, plan) {
  const owner = ownerOf(plan)
  const labels = plan.name.split('.').slice(0, -1)
  const [label = ''] = labels.slice(-1)
  const top = await nameAccount(label, none, root)
  const isSub = labels.length > 1
  const account = isSub ? await nameAccount(`\0${labels[0]}`, none, top) : top
  const parent = isSub ? top : root
  const [nftRecord] = await derive(nameTokenizerProgram, Buffer.from('nft_record'), bytesOf(account))
  write(account, nameProgram, ...header(parent, plan.wrapped ? nftRecord : owner, none))

  const text = Buffer.from(isSub ? `\0${labels[0]}` : label)
  const reverseParent = isSub ? parent : none
  const reverse = await nameAccount(account, reverseClass, reverseParent)
  write(reverse, nameProgram, ...header(reverseParent, none, reverseClass), u32(text.length), text)
  if (plan.primary) {
    const [primary] = await derive(nameOffersProgram, Buffer.from('favourite_domain'), bytesOf(owner))
    write(primary, nameOffersProgram, Buffer.from([4]), bytesOf(account))
  }
  if (plan.wrapped) {
    const [mint] = await derive(nameTokenizerProgram, Buffer.from('tokenized_name'), bytesOf(account))
    write(
      nftRecord,
      nameTokenizerProgram,
      Buffer.from([2, 255]),
      bytesOf(account),
      bytesOf(owner),
      bytesOf(mint),
    )
    await writeNft(write, { mint, program: tokenProgram, holder: plan.lost ? nftRecord : owner })
  }
  if (plan.paid !== undefined) await writeRecordV2(write, plan, account)
  if (plan.paidBefore !== undefined) await writeRecordV1(write, plan, account)
}

/**
 * @param {Write} write
 * @param {NamePlan} plan
 * @param {Address} parent
 */
async function writeRecordV2(write, plan, parent) {
  const solana = u16(1)
  const unverified = u16(3)
  const destination = bytesOf(accountOf(plan.paid ?? 0).address)
  write(
    await nameAccount('\u0002SOL', recordClass, parent),
    nameProgram,
    ...header(parent, ownerOf(plan), recordClass),
    solana,
    plan.unconfirmed ? unverified : solana,
    u32(destination.length),
    bytesOf(accountOf(plan.stale ?? plan.owner).address),
    destination,
    destination,
  )
}

/**
 * @param {Write} write
 * @param {NamePlan} plan
 * @param {Address} parent
 */
async function writeRecordV1(write, plan, parent) {
  const record = await nameAccount('\u0001SOL', none, parent)
  const destination = bytesOf(accountOf(plan.paidBefore ?? 0).address)
  const signed = Buffer.from(Buffer.concat([destination, bytesOf(record)]).toString('hex'))
  const signature = signWith(accountOf(plan.owner), signed)
  write(record, nameProgram, ...header(parent, ownerOf(plan), none), destination, signature)
}

/**
 * @param {Write} write
 * @param {NamePlan} plan
 */
async function writeSol(write, plan) {
  const [label = ''] = plan.name.split('.')
  const [authority] = await derive(solRegistrarProgram, Buffer.from('central_state'))
  const solClass = await derive(
    recordServiceProgram,
    Buffer.from('class'),
    bytesOf(authority),
    Buffer.from('.sol'),
  )
  const hashed = createHash('sha256').update(`name${label}`).digest()
  const [record] = await derive(recordServiceProgram, Buffer.from('record'), bytesOf(solClass[0]), hashed)
  const [mint] = await derive(recordServiceProgram, Buffer.from('mint'), bytesOf(record))
  write(
    record,
    recordServiceProgram,
    Buffer.from([2]),
    bytesOf(solClass[0]),
    Buffer.from([plan.wrapped ? 1 : 0]),
    bytesOf(plan.wrapped ? mint : ownerOf(plan)),
    Buffer.from([0]), // not frozen
    u64(plan.expires ?? 0n),
    Buffer.from([label.length]),
    Buffer.from(label),
  )
  if (plan.wrapped) await writeNft(write, { mint, program: token2022Program, holder: ownerOf(plan) })
}

/**
 * @param {Write} write
 * @param {{ mint: Address, program: Address, holder: Address }} nft
 */
async function writeNft(write, { mint, program, holder }) {
  const noAuthority = [u32(0), Buffer.alloc(32)]
  write(mint, program, ...noAuthority, u64(1n), Buffer.from([0, 1]), ...noAuthority)
  const account = await associatedAccount({ program, mint, owner: holder })
  const initialized = Buffer.from([1])
  const rights = [
    u32(0),
    Buffer.alloc(32),
    initialized,
    Buffer.alloc(12),
    Buffer.alloc(8),
    u32(0),
    Buffer.alloc(32),
  ]
  write(account, program, bytesOf(mint), bytesOf(holder), u64(1n), ...rights)
}

/**
 * Returns the header of an account of the SPL Name Service.
 *
 * @param {Address} parent
 * @param {Address} owner
 * @param {Address} nameClass
 */
function header(parent, owner, nameClass) {
  return [bytesOf(parent), bytesOf(owner), bytesOf(nameClass)]
}

/**
 * @param {string} name
 * @param {Address} nameClass
 * @param {Address} parent
 */
async function nameAccount(name, nameClass, parent) {
  const hashed = createHash('sha256').update(`SPL Name Service${name}`).digest()
  const [account] = await derive(nameProgram, hashed, bytesOf(nameClass), bytesOf(parent))
  return account
}

/**
 * @param {Address} programAddress
 * @param {...import('@solana/kit').ReadonlyUint8Array} seeds
 */
function derive(programAddress, ...seeds) {
  return getProgramDerivedAddress({ programAddress, seeds })
}
