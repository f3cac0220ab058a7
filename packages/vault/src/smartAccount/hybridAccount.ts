import { type Address, concat, encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { type AccountContracts, encodeDeploy, proxyAddress } from './proxyAccount.ts'

const abi = parseAbi(['function initialize(address owner, string[] keyIds, uint256[] x, uint256[] y)'])

/** The mark at the end of signatures of accounts that are not deployed yet (ERC-6492). */
const UNDEPLOYED_MARK: Hex = `0x${'6492'.repeat(16)}`

/** A HybridDeleGator of one key: the smart account of networks without EIP-7702. */
export interface HybridAccount {
  readonly address: Address
  readonly factory: Address
  /** The call of the factory that deploys the account. */
  readonly factoryData: Hex
}

/** Returns the HybridDeleGator of an owner. Its address is known before it is deployed, and it has no passkeys. */
export function hybridAccount(owner: Address, contracts: AccountContracts): HybridAccount {
  const initialization = encodeFunctionData({ abi, args: [owner, [], [], []] })
  return {
    address: proxyAddress(contracts, initialization),
    factory: contracts.factory,
    factoryData: encodeDeploy(contracts, initialization),
  }
}

/** Wraps a signature of an account that is not deployed yet, so that a verifier deploys it first (ERC-6492). */
export function undeployedSignature({ factory, factoryData }: HybridAccount, signature: Hex): Hex {
  const parameters = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
  return concat([encodeAbiParameters(parameters, [factory, factoryData, signature]), UNDEPLOYED_MARK])
}
