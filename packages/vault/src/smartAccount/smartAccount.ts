import type { Hex } from 'viem'
import type { Sign } from '../keys/signer.ts'
import { accountAddresses, capabilities, contractSignature, isDelegated, isDeployed } from './accountFacts.ts'
import { createAccountsClient, offeredChains, type SmartAccountsOptions } from './accountsClient.ts'
import type { AccountChain, CallsStatus } from './bundlerTypes.ts'
import { callsStatus } from './callsStatus.ts'
import type { MinimumBalance } from './minimumBalances.ts'
import { type PreparedOperation, prepareOperation, prepareWithMinimums } from './prepareOperation.ts'
import { type PreparedRemoval, prepareRemoval, type RemovalPayer, sendRemoval } from './removal.ts'
import { sendOperation } from './sendOperation.ts'
import type { AccountCall } from './userOperation.ts'

/** The smart accounts of keys. Each method is an action in a module of its own. */
export interface SmartAccounts {
  /** Returns what smart accounts can do on each network. It is fetched once. */
  chains(): Promise<readonly AccountChain[]>
  /** Returns the networks that have smart accounts, as CAIP-2 ids. */
  networks(): Promise<readonly string[]>
  /**
   * Returns the addresses of the smart accounts of a key: first that of the key itself, or of its HybridDeleGator where accounts cannot delegate. On
   * networks whose accounts can, the HybridDeleGator is second, since it may hold tokens from before. Empty on networks without smart accounts.
   */
  addresses(chainId: string, owner: Hex): Promise<readonly Hex[]>
  /** Reports whether the first smart account of a key runs its code. */
  isDeployed(chainId: string, owner: Hex): Promise<boolean>
  /** Answers `wallet_getCapabilities` (EIP-5792) for an account on one network; `owner` is the address of the user's key. */
  capabilities(chainId: string, account: string, owner: Hex): Promise<Record<string, unknown>>
  /** Reports whether an account delegates to the known code (EIP-7702). @throws BundlerError 5710 where accounts cannot */
  isDelegated(chainId: string, account: Hex): Promise<boolean>
  /**
   * Wraps a signature of the key as one of its contract at `account` (ERC-1271, and ERC-6492 before it is
   * deployed).
   *
   * @throws BundlerError 5710
   */
  contractSignature(chainId: string, owner: Hex, account: Hex, signature: Hex): Promise<Hex>
  /** Fills in the gas, fees and paymaster of calls of a smart account of a key, the first by default. @throws FailingCallsError, BundlerError */
  prepare(
    chainId: string,
    owner: Hex,
    calls: readonly AccountCall[],
    account?: Hex,
  ): Promise<PreparedOperation>
  /**
   * Prepares an operation again, with the same fees for each unit of gas, and with a check after its calls: all of it reverts if the account then has less
   * than a minimum. Where the network has no such check, the operation stays as it is.
   *
   * @throws BundlerError when it would fail, when it would cost more than `maxFee` and `checkFee` of the first, and when the account would delegate to
   * other code
   */
  prepareWithMinimums(
    prepared: PreparedOperation,
    minimums: readonly MinimumBalance[],
  ): Promise<PreparedOperation>
  /** Signs and sends an operation, under an id of the site or a new one. Returns the id. @throws BundlerError */
  send(prepared: PreparedOperation, sign: Sign, id?: string): Promise<string>
  /**
   * Prepares what ends the delegation of an account: an authorization that a sponsor sends, or a transaction of the account, which pays for it, where no sponsor
   * does or `payer` is `account`.
   *
   * @throws BundlerError
   */
  prepareRemoval(chainId: string, account: Hex, payer?: RemovalPayer): Promise<PreparedRemoval>
  /** Signs and sends a removal. Returns the id of the calls. @throws BundlerError, also when the sponsor refuses */
  sendRemoval(prepared: PreparedRemoval, sign: Sign): Promise<string>
  /** Answers `wallet_getCallsStatus` (EIP-5792) for calls of any account of a key. @throws BundlerError 5730 */
  status(owner: Hex, id: string): Promise<CallsStatus>
}

/**
 * Creates the client of smart accounts: those of keys that delegate to EIP7702StatelessDeleGator, and a HybridDeleGator of the key on networks without
 * EIP-7702.
 */
export function createSmartAccounts(options: SmartAccountsOptions): SmartAccounts {
  const client = createAccountsClient(options)
  return {
    chains: client.chains,
    networks: async () => (await offeredChains(client)).map(({ chainId }) => String(chainId)),
    addresses: (...of) => accountAddresses(client, ...of),
    isDeployed: (...of) => isDeployed(client, ...of),
    capabilities: (...of) => capabilities(client, ...of),
    isDelegated: (...of) => isDelegated(client, ...of),
    contractSignature: (...of) => contractSignature(client, ...of),
    prepare: (...of) => prepareOperation(client, ...of),
    prepareWithMinimums: (...of) => prepareWithMinimums(client, ...of),
    send: (...of) => sendOperation(client, ...of),
    prepareRemoval: (chainId, account, payer = 'sponsor') => prepareRemoval(client, chainId, account, payer),
    sendRemoval: (...of) => sendRemoval(client, ...of),
    status: (...of) => callsStatus(client, ...of),
  }
}
