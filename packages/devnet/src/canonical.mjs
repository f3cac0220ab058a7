import { encodeDeployData } from 'viem'
import { farcasterUsers } from './accounts.mjs'
import { rpc } from './rpc.mjs'

/** The address Multicall3 has on every chain. */
export const multicall3Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** The addresses of Farcaster's IdRegistry and KeyRegistry. */
const farcasterAddresses = [
  '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b',
  '0x00000000Fc1237824fb747aBDE0FF18990E59b7e',
]

/**
 * Returns the creation code of the contracts at canonical addresses, by address.
 *
 * @param {import('./transactions.mjs').Transactions} transactions
 * @returns {Record<string, `0x${string}`>}
 */
export function planPlaced(transactions) {
  const args = farcasterUsers.map(({ address }) => address)
  const registry = encodeDeployData({ ...transactions.artifact('FarcasterRegistry'), args })
  return {
    [multicall3Address]: transactions.artifact('Multicall3').bytecode,
    ...Object.fromEntries(farcasterAddresses.map((address) => [address, registry])),
  }
}

/**
 * Puts contracts at their canonical addresses. The keys of their deployers are not available, so the code is taken
 * from running the constructor and placed directly.
 *
 * @param {string} url of an anvil node
 * @param {Record<string, `0x${string}`>} placed creation code by address
 */
export async function placeContracts(url, placed) {
  for (const [address, bytecode] of Object.entries(placed)) {
    const code = await rpc(url, 'eth_call', [{ data: bytecode }, 'latest'])
    await rpc(url, 'anvil_setCode', [address, code])
  }
}
