import { type Address, bytesToBigInt, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { randomBytes } from '../factors/seal.ts'
import { failures } from '../failures.ts'
import type { BundlerClient } from '../smartAccount/bundlerClient.ts'
import { hasPinnedSessions } from '../smartAccount/pinned.ts'
import { evmChainId } from '../wallet/chainId.ts'
import { FrameError, providerErrorCode } from '../wallet/frameError.ts'
import type { Node } from '../wallet/node.ts'
import type { SigningContext } from '../wallet/signingContext.ts'
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
    upgrade: upgrade && { delegate: upgrade.delegate ?? '', maxFee: upgrade.maxFee },
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
    const id = await smartAccounts.send(upgrade, (request) => vault.sign(request))
    await waitForCalls(context, delegator, id)
  }
  return { session, context: encodeContext([{ ...unsigned, signature }]) }
}

/** What is needed to end delegations on chain. */
type Ending = Pick<SigningContext, 'smartAccounts' | 'vault'>

/** Sends the operation that disables a delegation on chain. Returns its id. @throws BundlerError */
export function sendDisable(
  context: Ending,
  { chainId, delegationManager }: SessionContracts,
  delegation: Delegation,
): Promise<string> {
  return sendOwn(context, chainId, delegation.delegator, delegationManager, encodeDisable(delegation))
}

/** Disables a delegation on chain. Resolves when that is in a block. @throws BundlerError, FrameError */
export async function disable(
  context: Ending,
  contracts: SessionContracts,
  delegation: Delegation,
): Promise<void> {
  await waitForCalls(context, delegation.delegator, await sendDisable(context, contracts, delegation))
}

/** Ends all sessions of an account on a network. Resolves when that is in a block. @throws BundlerError, FrameError */
export async function disableAll(
  context: Ending,
  { chainId, delegationManager, enforcers }: SessionContracts,
  delegator: Address,
): Promise<void> {
  const enforcer = enforcers.NonceEnforcer as Address
  const id = await sendOwn(context, chainId, delegator, enforcer, encodeIncrementNonce(delegationManager))
  await waitForCalls(context, delegator, id)
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

async function sendOwn(
  context: Ending,
  chainId: string,
  account: Address,
  to: Address,
  data: Hex,
): Promise<string> {
  const { smartAccounts, vault } = context
  const prepared = await smartAccounts.prepare(chainId, account, [{ to, value: 0n, data }])
  return smartAccounts.send(prepared, (request) => vault.sign(request))
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
