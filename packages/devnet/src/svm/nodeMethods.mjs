import { RpcError } from '../jsonRpcServer.mjs'
import { invalidParams } from './errors.mjs'
import { minter } from './keys.mjs'
import { blockhashSlots, genesisHash, slotAt } from './network.mjs'

/** @typedef {import('./chain.mjs').Chain} Chain */

const slotsPerEpoch = 432_000
const mostBlocks = 500_000

/**
 * Returns the methods about the node, its slots and its blocks.
 *
 * @param {Chain} chain
 * @returns {Record<string, (params: any[]) => unknown>}
 */
export function nodeMethods(chain) {
  /** @param {unknown} value */
  const inContext = (value) => ({ context: { apiVersion: '3.0.0', slot: chain.slot }, value })
  /** @param {{ commitment?: string, minContextSlot?: number }} [config] */
  const slotOf = (config) => {
    if ((config?.minContextSlot ?? 0) > chain.slot) {
      throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot: chain.slot })
    }
    return slotAt(chain.slot, config?.commitment)
  }
  /** @param {number} slot */
  const blockAt = (slot) => {
    const block = chain.history.block(slot)
    if (block) return block
    if (slot > chain.slot) throw new RpcError(-32004, `Block not available for slot ${slot}`)
    const [first] = chain.history.slots
    throw new RpcError(
      -32001,
      `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`,
    )
  }
  return {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': '3.0.0', 'feature-set': 0 }),
    getGenesisHash: () => genesisHash,
    getIdentity: () => ({ identity: minter.address }),
    getSlot: ([config]) => slotOf(config),
    getBlockHeight: ([config]) => slotOf(config),
    getTransactionCount: () => chain.history.count,
    // Old blocks are dropped, but the transactions of all blocks are kept.
    getFirstAvailableBlock: () => 0,
    minimumLedgerSlot: () => chain.history.slots[0],
    getEpochInfo: ([config]) => {
      const slot = slotOf(config)
      return {
        absoluteSlot: slot,
        blockHeight: slot,
        epoch: 0,
        slotIndex: slot,
        slotsInEpoch: slotsPerEpoch,
        transactionCount: chain.history.count,
      }
    },
    getLatestBlockhash: ([config]) => {
      const slot = slotOf(config)
      const blockhash = chain.history.block(slot)?.blockhash ?? chain.blockhash
      return inContext({ blockhash, lastValidBlockHeight: slot + blockhashSlots })
    },
    isBlockhashValid: ([blockhash]) => inContext(chain.isBlockhashValid(blockhash)),
    getBlock: ([slot, config]) => {
      const { transactionDetails = 'full', rewards = true } = config ?? {}
      const block = blockAt(slot)
      if (transactionDetails === 'full' || transactionDetails === 'accounts') {
        throw invalidParams('transactionDetails must be signatures or none')
      }
      return {
        blockhash: block.blockhash,
        previousBlockhash: block.previousBlockhash,
        parentSlot: slot - 1,
        blockHeight: slot,
        blockTime: block.blockTime,
        ...(transactionDetails === 'signatures' && { signatures: block.signatures }),
        ...(rewards && { rewards: [] }),
      }
    },
    getBlocks: ([first, last, config]) => {
      const newest = slotAt(chain.slot, config?.commitment)
      const end = Math.min(typeof last === 'number' ? last : newest, newest)
      if (end - first > mostBlocks) throw invalidParams(`Slot range too large; max ${mostBlocks}`)
      return chain.history.slots.filter((slot) => slot >= first && slot <= end)
    },
    getBlockTime: ([slot]) => blockAt(slot).blockTime,
    devnet_advanceSlots: ([count]) => {
      for (let done = 0; done < count; done++) chain.advance()
      return chain.slot
    },
  }
}
