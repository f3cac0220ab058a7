import { concat, encodeFunctionData, getCreate2Address, type Hex, parseAbi, zeroHash } from 'viem'
import { minimumBalancesCode } from './minimumBalancesCode.ts'
import type { AccountCall } from './userOperation.ts'

/** The least that an account must have of an asset after its calls. */
export interface MinimumBalance {
  /** Contract of the token; the zero address for the native one. */
  readonly token: Hex
  /** Base units. */
  readonly amount: bigint
}

/** The deterministic deployment proxy, which has this address on nearly every EVM network. It creates by CREATE2 what follows a salt of 32 bytes. */
const DEPLOYER: Hex = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** The contract MinimumBalances: its address follows from its code, so that no other code can be there. */
export const MINIMUM_BALANCES: Hex = getCreate2Address({
  from: DEPLOYER,
  salt: zeroHash,
  bytecode: minimumBalancesCode,
})

const abi = parseAbi([
  'struct Minimum { address token; uint256 amount; }',
  'function check(Minimum[] minimums) view',
])

/** Returns the call that reverts, with all calls of its batch, if the account has less. */
function checkCall(minimums: readonly MinimumBalance[]): AccountCall {
  const data = encodeFunctionData({ abi, args: [[...minimums]] })
  return { to: MINIMUM_BALANCES, value: 0n, data }
}

/** Deploys the contract: the first batch of a network does. */
const deployCall: AccountCall = { to: DEPLOYER, value: 0n, data: concat([zeroHash, minimumBalancesCode]) }

/** Whether a network has the contract, or what creates it. */
export type CheckSupport = 'deployed' | 'deployable' | 'unsupported'

/** Gas of a check of the most assets, `MOST_ASSETS`, whose contracts are proxies. */
const CHECK_GAS = 120_000n
/** Gas that the deployment adds. */
const DEPLOY_GAS = 200_000n
/** Assets of a batch whose balances are checked; the first of them if there are more, which the sheet warns of. */
export const MOST_ASSETS = 8

/** Returns the most gas that a check adds to an operation. */
export function checkGas(support: CheckSupport): bigint {
  if (support === 'unsupported') return 0n
  return support === 'deployed' ? CHECK_GAS : CHECK_GAS + DEPLOY_GAS
}

/** Reads whether a network has the contract. @param codeOf returns the code of an address, 0x for none */
export async function checkSupport(codeOf: (address: Hex) => Promise<unknown>): Promise<CheckSupport> {
  const [check, deployer] = await Promise.all([codeOf(MINIMUM_BALANCES), codeOf(DEPLOYER)])
  if (hasCode(check)) return 'deployed'
  return hasCode(deployer) ? 'deployable' : 'unsupported'
}

/** Returns calls with a check of the balances after them. Without a minimum, or where no check is possible, they are unchanged. */
export function withCheck(
  calls: readonly AccountCall[],
  minimums: readonly MinimumBalance[],
  support: CheckSupport,
): readonly AccountCall[] {
  if (minimums.length === 0 || support === 'unsupported') return calls
  const check = checkCall(minimums.slice(0, MOST_ASSETS))
  return support === 'deployed' ? [...calls, check] : [...calls, deployCall, check]
}

const hasCode = (code: unknown) => typeof code === 'string' && code.length > 2
