import { type Address, bytesToBigInt, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { randomBytes } from '../factors/seal.ts'
import { failures } from '../failures.ts'
import type { BundlerClient } from '../smartAccount/bundlerClient.ts'
import { hasPinnedSessions } from '../smartAccount/pinned.ts'
import type { PreparedOperation } from '../smartAccount/prepareOperation.ts'
import { evmChainId } from '../wallet/chainId.ts'
import { FrameError, providerErrorCode } from '../wallet/frameError.ts'
import type { Node } from '../wallet/node.ts'
import { operationView } from '../wallet/operationView.ts'
import type { SigningContext } from '../wallet/signingContext.ts'
import { networkFees } from '../wallet/transaction.ts'
import { caveatsOf, rulesSalt } from './caveats.ts'
import {
  type Delegation,
  delegationHash,
  delegationTypedData,
  encodeContext,
  encodeCurrentNonce,
  encodeDisable,
  encodeIncrementNonce,
  ROOT,
} from './delegation.ts'
import { expectForeignContracts, type SessionContracts } from './framework.ts'
import type { Session } from './session.ts'

/** What a site requests of an account. */
export interface GrantRequest {
  readonly delegate: Address
  readonly session: Session
  readonly isAdjustable: boolean
  readonly justification: string
}

const managerAbi = parseAbi(['function disabledDelegations(bytes32 hash) view returns (bool)'])
/** Status of calls that are not in a block yet, and of those that succeeded (EIP-5792). */
const PENDING = 100
const CONFIRMED = 200
const POLL_MS = 1_000
const MAX_POLLS = 120

/** Returns the networks that sessions can be granted on. @throws BundlerError */
export async function listSessionContracts(bundler: BundlerClient): Promise<SessionContracts[]> {
  const { chains = [] } = await bundler.call('ListSessionChains', {})
  return chains.map((chain) => ({
    chainId: chain.chainId ?? '',
    delegationManager: chain.delegationManager as Address,
    factory: chain.factory as Address,
    implementation: chain.implementation as Address,
    enforcers: chain.enforcers ?? {},
  }))
}

/** Returns the contracts of a network. @throws FrameError 5710 */
export async function sessionContracts(bundler: BundlerClient, chainId: string): Promise<SessionContracts> {
  const found = (await listSessionContracts(bundler)).find((contracts) => contracts.chainId === chainId)
  if (!found) throw new FrameError('The network has no sessions', providerErrorCode.unsupportedChain)
  if (!hasPinnedSessions(found))
    throw new FrameError(
      'The server names contracts of sessions that this wallet does not know',
      providerErrorCode.unsupportedChain,
    )
  return found
}

/**
 * Shows a session, signs its delegation within the limits that the user chose, and makes the account a smart account if it is not one yet. Returns the
 * session and the delegation as a context. @throws FrameError 4001
 */
export async function grant(
  context: SigningContext,
  contracts: SessionContracts,
  { delegate, ...request }: GrantRequest,
): Promise<{ readonly session: Session; readonly context: Hex }> {
  const { addresses, approveGrant, chainId, node, smartAccounts, vault } = context
  const delegator = addresses.eip155 as Address
  expectForeignContracts(request.session, delegator, contracts)
  const isSmart = await smartAccounts.isDelegated(chainId, delegator)
  // An empty call, because only the authorization of the operation matters.
  const upgrade = isSmart
    ? undefined
    : await smartAccounts.prepare(chainId, delegator, [{ to: delegator, value: 0n, data: '0x' }])
  const session = await approveGrant({
    ...request,
    chainId,
    address: delegator,
    delegate,
    upgrade: upgrade && operationView(upgrade, await networkFees(node, chainId)),
  })
  const nonce = await nonceOf(node, contracts, delegator)
  const unsigned = {
    delegate,
    delegator,
    authority: ROOT,
    caveats: caveatsOf(session, delegate, nonce, contracts.enforcers),
    // Each delegation is counted on its own, by its hash.
    salt: rulesSalt(session) ?? bytesToBigInt(randomBytes(32)),
  }
  const data = delegationTypedData(unsigned, evmChainId(chainId), contracts.delegationManager)
  const signature = (await vault.sign({ kind: 'typedData', data })) as Hex
  if (upgrade) {
    await execute(context, upgrade)
  }
  return { session, context: encodeContext([{ ...unsigned, signature }]) }
}

/** What is needed to end delegations on chain. */
type Ending = Pick<SigningContext, 'smartAccounts' | 'vault'>

/** Returns the operation that disables a delegation on chain, which is not signed yet. @throws BundlerError */
export function prepareDisable(
  context: Ending,
  { chainId, delegationManager }: SessionContracts,
  delegation: Delegation,
): Promise<PreparedOperation> {
  const call = { to: delegationManager, value: 0n, data: encodeDisable(delegation) }
  return context.smartAccounts.prepare(chainId, delegation.delegator, [call])
}

/** Returns the operation that ends all sessions of an account on a network, which is not signed yet. @throws BundlerError */
export function prepareDisableAll(
  context: Ending,
  { chainId, delegationManager, enforcers }: SessionContracts,
  delegator: Address,
): Promise<PreparedOperation> {
  const to = enforcers.NonceEnforcer as Address
  const call = { to, value: 0n, data: encodeIncrementNonce(delegationManager) }
  return context.smartAccounts.prepare(chainId, delegator, [call])
}

/** Signs and sends a prepared operation. Returns its id. @throws BundlerError */
export function sendPrepared({ smartAccounts, vault }: Ending, prepared: PreparedOperation): Promise<string> {
  return smartAccounts.send(prepared, (request) => vault.sign(request))
}

/** Signs and sends a prepared operation. Resolves when it is in a block. @throws BundlerError, FrameError */
export async function execute(context: Ending, prepared: PreparedOperation): Promise<void> {
  await waitForCalls(context, prepared.owner, await sendPrepared(context, prepared))
}

/**
 * Reports whether the chain refuses a delegation: it was disabled, or all delegations of its account were.
 */
export async function isDisabled(
  node: Node,
  contracts: SessionContracts,
  delegation: Delegation,
): Promise<boolean> {
  const data = encodeFunctionData({ abi: managerAbi, args: [delegationHash(delegation)] })
  const [disabled, nonce] = await Promise.all([
    node(contracts.chainId, 'eth_call', [{ to: contracts.delegationManager, data }, 'latest']),
    nonceOf(node, contracts, delegation.delegator),
  ])
  const enforcer = contracts.enforcers.NonceEnforcer?.toLowerCase()
  const caveat = delegation.caveats.find((candidate) => candidate.enforcer.toLowerCase() === enforcer)
  return BigInt(String(disabled)) !== 0n || (caveat !== undefined && BigInt(caveat.terms) !== nonce)
}

async function nonceOf(node: Node, contracts: SessionContracts, delegator: Address): Promise<bigint> {
  const { chainId, delegationManager, enforcers } = contracts
  const data = encodeCurrentNonce(delegationManager, delegator)
  return BigInt(String(await node(chainId, 'eth_call', [{ to: enforcers.NonceEnforcer, data }, 'latest'])))
}

async function waitForCalls(
  { smartAccounts }: Pick<SigningContext, 'smartAccounts'>,
  account: Address,
  id: string,
): Promise<void> {
  let status = PENDING
  for (let polls = 0; status === PENDING && polls < MAX_POLLS; polls += 1) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    // A status that cannot be read does not tell whether the operation failed.
    status = (await smartAccounts.status(account, id).catch(() => undefined))?.status ?? PENDING
  }
  if (status !== CONFIRMED) throw new FrameError(failures.notExecuted, providerErrorCode.internal)
}
