import { Metadata, TypeRegistry } from '@polkadot/types'
import metadataHex from '@polkadot/types-support/metadata/v14/polkadot-hex'
import version from '@polkadot/types-support/metadata/v14/polkadot-ver'
import { blake2AsHex, xxhashAsHex } from '@polkadot/util-crypto'

/** Genesis hash of the local chain. */
export const genesisHash = blake2AsHex('Hawser devnet', 256)

/** CAIP-2 chain id: the first 32 digits of the genesis hash. */
export const caip2 = `polkadot:${genesisHash.slice(2, 34)}`

/** What `state_getMetadata` answers: that of Polkadot. */
export const metadata = /** @type {`0x${string}`} */ (metadataHex)

/** What `state_getRuntimeVersion` answers. */
export const runtimeVersion = version

/** Every type of the chain by the reference implementation, beside which the product's own code is tested. */
export const registry = createRegistry()

/** Prefix of addresses (SS58). */
export const prefix = /** @type {number} */ (constant('System', 'SS58Prefix').toJSON())

/** Plancks below which an account does not exist. */
export const existentialDeposit = BigInt(constant('Balances', 'ExistentialDeposit').toString())

/** Storage keys, or their beginning. */
export const storageKeys = {
  accounts: entryKey('System', 'Account'),
  events: entryKey('System', 'Events'),
  number: entryKey('System', 'Number'),
}

function createRegistry() {
  const created = new TypeRegistry()
  created.setMetadata(new Metadata(created, metadata))
  return created
}

/** @param {string} name */
function pallet(name) {
  const found = registry.metadata.pallets.find((each) => each.name.toString() === name)
  if (!found) throw new Error(`the metadata has no pallet ${name}`)
  return found
}

/**
 * Encodes an event of a pallet.
 *
 * @param {string} palletName
 * @param {string} name
 * @param {unknown[]} values in the order of its fields
 * @returns {Uint8Array}
 */
export function encodeEvent(palletName, name, ...values) {
  const { index, events } = pallet(palletName)
  const variant = variantOf(events.unwrap().type, name)
  const fields = variant.fields.map((field, at) =>
    registry.createType(registry.createLookupType(field.type), values[at]).toU8a(),
  )
  return Buffer.concat([Uint8Array.of(index.toNumber(), variant.index.toNumber()), ...fields])
}

/**
 * Returns the two bytes that a call begins with.
 *
 * @param {string} palletName
 * @param {string} name
 * @returns {Uint8Array}
 */
export function callIndex(palletName, name) {
  const { index, calls } = pallet(palletName)
  return Uint8Array.of(index.toNumber(), variantOf(calls.unwrap().type, name).index.toNumber())
}

/**
 * Returns the value of an error of a pallet, as `DispatchError` has it.
 *
 * @param {string} palletName
 * @param {string} name
 */
export function moduleError(palletName, name) {
  const { index, errors } = pallet(palletName)
  const error = variantOf(errors.unwrap().type, name).index.toNumber()
  return { Module: { index: index.toNumber(), error: Uint8Array.of(error, 0, 0, 0) } }
}

/**
 * @param {import('@polkadot/types/interfaces').SiLookupTypeId} type
 * @param {string} name
 */
function variantOf(type, name) {
  const found = registry.lookup
    .getSiType(type)
    .def.asVariant.variants.find((variant) => variant.name.toString() === name)
  if (!found) throw new Error(`the metadata has no ${name}`)
  return found
}

/**
 * @param {string} palletName
 * @param {string} name
 */
function constant(palletName, name) {
  const found = pallet(palletName).constants.find((each) => each.name.toString() === name)
  if (!found) throw new Error(`the metadata has no constant ${name}`)
  return registry.createType(registry.createLookupType(found.type), found.value.toU8a(true))
}

/**
 * @param {string} palletName
 * @param {string} entry
 */
function entryKey(palletName, entry) {
  return xxhashAsHex(palletName, 128) + xxhashAsHex(entry, 128).slice(2)
}
