import { RpcError } from '../jsonRpcServer.mjs'
import { parseAddress } from './chain.mjs'
import { existentialDeposit, metadata, prefix, runtimeVersion } from './runtime.mjs'

/** @typedef {import('./chain.mjs').Chain} Chain */

/**
 * Makes and stops blocks; a test drives it.
 * @typedef {object} Blocks
 * @property {boolean} isHeld whether no block is made until the test says so
 */

/**
 * Returns the methods of a Substrate node that wallets and pages call, and some that only tests do.
 *
 * @param {Chain} chain
 * @param {Blocks} blocks
 * @returns {Record<string, (params: any[]) => unknown>}
 */
export function nodeMethods(chain, blocks) {
  const names = () => Object.keys(methods).filter((name) => !name.startsWith('devnet_'))
  /** @type {Record<string, (params: any[]) => unknown>} */
  const methods = {
    system_chain: () => 'Polkadot Local',
    system_chainType: () => 'Local',
    system_name: () => 'Hawser devnet',
    system_version: () => '1.0.0',
    system_health: () => ({ peers: 0, isSyncing: false, shouldHavePeers: false }),
    system_properties: () => ({ ss58Format: prefix, tokenDecimals: 10, tokenSymbol: 'DOT' }),
    system_accountNextIndex: ([address]) => chain.nextNonce(parseAddress(address)),
    rpc_methods: () => ({ methods: names() }),
    chain_getHeader: ([hash]) => chain.block(hash)?.header ?? null,
    chain_getFinalizedHead: () => chain.finalized.hash,
    chain_getBlockHash: ([number]) => chain.blockHash(Number(number ?? chain.newest.number)) ?? null,
    chain_getBlock: ([hash]) => {
      const block = chain.block(hash)
      if (!block) return null
      return { block: { header: block.header, extrinsics: block.extrinsics }, justifications: null }
    },
    state_getMetadata: () => metadata,
    state_getRuntimeVersion: () => runtimeVersion,
    state_getStorage: ([key, hash]) => chain.storage(key, hash),
    payment_queryInfo: ([extrinsic]) => ({
      weight: { ref_time: 150_000_000, proof_size: 3_593 },
      class: 'normal',
      partialFee: chain.fee(extrinsic).toString(),
    }),
    author_submitExtrinsic: ([extrinsic]) => chain.submit(extrinsic),

    devnet_balance: ([address]) => chain.newest.accounts.get(parseAddress(address)).free.toString(),
    devnet_setAccount: ([address, { free, frozen }]) => {
      chain.setAccount(parseAddress(address), {
        ...(free !== undefined && { free: BigInt(free) }),
        ...(frozen !== undefined && { frozen: BigInt(frozen) }),
      })
      return null
    },
    devnet_airdrop: ([address, amount]) => {
      const id = parseAddress(address)
      const free = chain.newest.accounts.get(id).free + BigInt(amount)
      if (free < existentialDeposit) throw new RpcError(-32602, 'Below the existential deposit')
      chain.setAccount(id, { free })
      return null
    },
    devnet_hold: ([isHeld]) => {
      blocks.isHeld = isHeld === true
      return null
    },
    devnet_dropPool: () => {
      chain.dropPool()
      return null
    },
    devnet_mine: ([count]) => {
      for (let left = Math.min(Number(count), 1_000); left > 0; left--) chain.advance()
      return null
    },
  }
  return methods
}
