import type { Hex } from 'viem'
import { addressesOf, canDelegate, hybridAt, hybridOf } from './accountChain.ts'
import {
  type AccountsClient,
  findChain,
  isDelegatedTo,
  isHybridDeployed,
  requireChain,
  requireDelegation,
} from './accountsClient.ts'
import { undeployedSignature } from './hybridAccount.ts'

/** Returns the addresses of the smart accounts of a key, as `SmartAccounts.addresses` does. */
export async function accountAddresses(
  client: AccountsClient,
  chainId: string,
  owner: Hex,
): Promise<readonly Hex[]> {
  const found = await findChain(client, chainId)
  return found ? addressesOf(found, owner) : []
}

/** Reports whether the first smart account of a key runs its code. */
export async function isDeployed(client: AccountsClient, chainId: string, owner: Hex): Promise<boolean> {
  const found = await findChain(client, chainId)
  if (!found) return false
  const hybrid = canDelegate(found) ? undefined : hybridOf(found, owner)
  return hybrid
    ? isHybridDeployed(client, chainId, hybrid)
    : isDelegatedTo(client, chainId, owner, found.implementation ?? '')
}

/** Answers `wallet_getCapabilities`, as `SmartAccounts.capabilities` does. */
export async function capabilities(
  client: AccountsClient,
  chainId: string,
  account: string,
  owner: Hex,
): Promise<Record<string, unknown>> {
  const found = await findChain(client, chainId)
  const isOwn = found && addressesOf(found, owner).some((own) => own.toLowerCase() === account.toLowerCase())
  if (!isOwn) return { atomic: { status: 'unsupported' } }
  return { atomic: { status: 'supported' }, paymasterService: { supported: found.paymaster === true } }
}

/** Reports whether an account delegates to the known code (EIP-7702). @throws BundlerError 5710 where accounts cannot */
export async function isDelegated(client: AccountsClient, chainId: string, account: Hex): Promise<boolean> {
  const { implementation = '' } = await requireDelegation(client, chainId)
  return isDelegatedTo(client, chainId, account, implementation)
}

/** Wraps a signature of the key as one of its contract, as `SmartAccounts.contractSignature` does. */
export async function contractSignature(
  client: AccountsClient,
  chainId: string,
  owner: Hex,
  account: Hex,
  signature: Hex,
): Promise<Hex> {
  const hybrid = hybridAt(await requireChain(client, chainId), owner, account)
  return (await isHybridDeployed(client, chainId, hybrid))
    ? signature
    : undeployedSignature(hybrid, signature)
}
