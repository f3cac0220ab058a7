import { rpc } from './rpc.mjs'

/** The address Multicall3 has on every chain. */
export const multicall3Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/**
 * Puts Multicall3 at its canonical address. The key of its deployer is not available, so the code is taken
 * from running the constructor and placed directly.
 *
 * @param {string} url of an anvil node
 * @param {`0x${string}`} bytecode creation code
 */
export async function placeMulticall3(url, bytecode) {
  const code = await rpc(url, 'eth_call', [{ data: bytecode }, 'latest'])
  await rpc(url, 'anvil_setCode', [multicall3Address, code])
}
