import type { Hex } from 'viem'
import { canDelegate, isOffered, UNSUPPORTED_CHAIN } from './accountChain.ts'
import { type BundlerClient, BundlerError } from './bundlerClient.ts'
import type { AccountChain } from './bundlerTypes.ts'
import type { HybridAccount } from './hybridAccount.ts'
import { hasPinnedAccounts } from './pinned.ts'

export interface SmartAccountsOptions {
  readonly bundler: BundlerClient
  /** Calls a JSON-RPC method of a network's nodes. */
  readonly node: (chainId: string, method: string, params: readonly unknown[]) => Promise<unknown>
}

/** What the actions of smart accounts call. */
export interface AccountsClient extends SmartAccountsOptions {
  /** Returns what smart accounts can do on each network. It is fetched once. */
  chains(): Promise<readonly AccountChain[]>
}

/** Prefix of the code of an account that delegates (EIP-7702). */
const DELEGATION = '0xef0100'

/** Creates the client. */
export function createAccountsClient({ bundler, node }: SmartAccountsOptions): AccountsClient {
  let known: Promise<readonly AccountChain[]> | undefined
  return {
    bundler,
    node,
    chains() {
      known ??= bundler
        .call('ListAccountChains', {})
        .then((answer) => answer.chains ?? [])
        .catch((error) => {
          known = undefined
          throw error
        })
      return known
    },
  }
}

/** Returns the networks that have smart accounts, by contracts that this build knows. */
export async function offeredChains(client: AccountsClient): Promise<readonly AccountChain[]> {
  return (await client.chains()).filter((chain) => isOffered(chain) && hasPinnedAccounts(chain))
}

/** Returns what is offered on a network; undefined on one without smart accounts. */
export async function findChain(client: AccountsClient, chainId: string): Promise<AccountChain | undefined> {
  return (await offeredChains(client)).find((chain) => chain.chainId === chainId)
}

/** Returns what is offered on a network. @throws BundlerError 5710 on one without smart accounts */
export async function requireChain(client: AccountsClient, chainId: string): Promise<AccountChain> {
  const found = await findChain(client, chainId)
  if (found) return found
  const isNamed = (await client.chains()).some((named) => named.chainId === chainId && isOffered(named))
  throw new BundlerError(
    UNSUPPORTED_CHAIN,
    isNamed
      ? 'The server names contracts of smart accounts that this wallet does not know'
      : 'The network has no smart accounts',
  )
}

/** Returns what is offered on a network whose accounts can delegate. @throws BundlerError 5710 on another one */
export async function requireDelegation(client: AccountsClient, chainId: string): Promise<AccountChain> {
  const found = await requireChain(client, chainId)
  if (!canDelegate(found))
    throw new BundlerError(UNSUPPORTED_CHAIN, 'Accounts of the network cannot delegate')
  return found
}

/** Reports whether the contract of a key is deployed. */
export async function isHybridDeployed(
  { node }: AccountsClient,
  chainId: string,
  { address }: HybridAccount,
): Promise<boolean> {
  return (await node(chainId, 'eth_getCode', [address, 'latest'])) !== '0x'
}

/** Reports whether an account delegates to an implementation (EIP-7702). */
export async function isDelegatedTo(
  { node }: AccountsClient,
  chainId: string,
  account: Hex,
  implementation: string,
): Promise<boolean> {
  const code = String(await node(chainId, 'eth_getCode', [account, 'latest']))
  return code.toLowerCase() === (DELEGATION + implementation.slice(2)).toLowerCase()
}
