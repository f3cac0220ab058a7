/** Genesis hash of the local chain: 32 bytes in base58, chosen to be recognised. */
export const genesisHash = 'HawserDevnet1111111111111111111111111111111'

/** CAIP-2 chain id: the first 32 characters of the genesis hash. */
export const caip2 = `solana:${genesisHash.slice(0, 32)}`

/** Slots after which a transaction is final. */
const slotsToFinality = 32

/** Slots for which a blockhash can be used. */
export const blockhashSlots = 150

/** Milliseconds between two slots. */
export const slotTime = 400

/**
 * Returns the newest slot that has a commitment. One node leads and votes: what is processed is confirmed.
 *
 * @param {number} slot the newest
 * @param {string} [commitment] finalized by default, as nodes have it
 */
export function slotAt(slot, commitment = 'finalized') {
  return commitment === 'finalized' ? Math.max(0, slot - slotsToFinality) : slot
}
