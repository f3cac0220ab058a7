import { GatewayError } from '@hawser/client'
import { contractsOf, nodeOf } from '../chain/adapters.ts'
import { toast } from '../errors/messages.ts'
import { isUserRejection, walletErrorCode, walletFailureMessage } from '../errors/walletFailure.ts'
import { chainIdIn, requireNetwork } from '../evm/chainId.ts'
import { reportSession } from '../modal/sessionFlows.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SmartSession, SmartSessionStatus } from '../types/smartSessions.ts'
import { SmartSessionError } from './error.ts'
import { requireSessionOwner, type SessionOwner, sessionsPath } from './owner.ts'
import { proveAccount } from './proof.ts'

/** `disableDelegation((address,address,bytes32,(address,bytes,bytes)[],uint256,bytes))` of the DelegationManager (ERC-7710). */
const DISABLE_SELECTOR = '0x49934047'
/** `disabledDelegations(bytes32)` of the DelegationManager. */
const DISABLED_SELECTOR = '0x2d40d052'
const LANDING_POLL_MS = 2_000
/** Ten minutes of polls; after that the status comes from the gateway's list. */
const LANDING_POLLS = 300
/** EIP-1193 and JSON-RPC: the wallet does not know the method. */
const unknownMethodCodes = [4200, -32601]

/**
 * Ends a session: the gateway stops signing for it at once, and the account disables its delegation on chain. The status is
 * `revoking` until the chain refuses the session. A failure is shown.
 *
 * @returns whether the gateway has revoked the session.
 */
export async function revokeSmartSession(hawser: Hawser, session: SmartSession): Promise<boolean> {
  const owner = requireSessionOwner(hawser)
  if (session.caipNetworkId !== owner.network.caipNetworkId)
    throw new SmartSessionError('The session is on another network than the active one')
  hawser.smartSessions.setState({ revoking: session.pci })
  try {
    const isByWallet = await revokeWithWallet(hawser, owner, session)
    if (!isByWallet) await revokeWithProof(hawser, owner, session)
    setStatus(hawser, session, 'revoking')
    void followRevocation(hawser, owner, session, !isByWallet)
    return true
  } catch (error) {
    const message = isUserRejection(error)
      ? toast('signatureDeclined')
      : walletFailureMessage(error, toast('smartSessionRevokeFailed'))
    reportSession(hawser, { kind: 'revocationFailed', ...message, isDeclined: isUserRejection(error) })
    return false
  } finally {
    hawser.smartSessions.setState({ revoking: undefined })
  }
}

/** Lets a wallet revoke by `wallet_revokePermissions`, which disables the delegation as well. False for a wallet without that method. */
async function revokeWithWallet(
  hawser: Hawser,
  owner: SessionOwner,
  session: SmartSession,
): Promise<boolean> {
  const { provider } = owner.wallet
  const { pci, permissions, expiry, context } = session
  await requireNetwork(provider, session.caipNetworkId)
  const asked = {
    pci,
    permissions,
    expiry,
    context,
    address: owner.address,
    chainId: chainIdIn(session.caipNetworkId),
  }
  try {
    const signature = await provider.request({ method: 'wallet_revokePermissions', params: [asked] })
    // A wallet that is logged in at the gateway has revoked the session there itself.
    if (typeof signature === 'string') await postRevocation(hawser, owner, { pci, signature })
    return true
  } catch (error) {
    if (unknownMethodCodes.includes(walletErrorCode(error) ?? 0)) return false
    throw error
  }
}

async function revokeWithProof(hawser: Hawser, owner: SessionOwner, { pci }: SmartSession): Promise<void> {
  const proof = await proveAccount(hawser, owner, 'RevokeSession', pci)
  await postRevocation(hawser, owner, { pci, proof })
}

/**
 * Revokes a session at the gateway. A session that was already revoked, as on the pages of its wallet, is no
 * failure.
 */
async function postRevocation(hawser: Hawser, owner: SessionOwner, body: object): Promise<void> {
  try {
    await hawser.client.rest(`${sessionsPath(owner)}/revoke`, { body })
  } catch (error) {
    if (!(error instanceof GatewayError && error.reason === 'SESSION_REVOKED')) throw error
  }
}

/** Disables the delegation, if the wallet did not, and waits until it is disabled on chain. */
async function followRevocation(
  hawser: Hawser,
  owner: SessionOwner,
  session: SmartSession,
  isSent: boolean,
): Promise<void> {
  const { signal } = hawser.latest.begin(`smartSessions:revoke:${session.pci}`)
  try {
    const manager = await delegationManager(hawser, session)
    if (isSent && session.context) {
      const contracts = await contractsOf(hawser, owner.network.chainNamespace)
      const call = { to: manager, data: disableData(session.context), value: 0n }
      await contracts.send(owner.wallet, owner.address, call, session.caipNetworkId)
    }
    const node = nodeOf(hawser, owner.network)
    const data = DISABLED_SELECTOR + session.delegationHash.slice(2)
    for (let polls = 0; polls < LANDING_POLLS && !signal.aborted; polls += 1) {
      const isDisabled = await node('eth_call', [{ to: manager, data }, 'latest'], signal).catch(() => '0x0')
      if (BigInt(String(isDisabled)) === 1n) return setStatus(hawser, session, 'revoked')
      await new Promise<void>((resolve) => hawser.clock.after(LANDING_POLL_MS, resolve))
    }
  } catch {
    // The session stays at `revoking`, which is still correct.
  }
}

async function delegationManager(hawser: Hawser, { caipNetworkId }: SmartSession): Promise<string> {
  const answer = await hawser.client.rest('/v1/session-chains')
  const { chains = [] } = Object(answer) as { chains?: { chainId?: string; delegationManager?: string }[] }
  const manager = chains.find(({ chainId }) => chainId === caipNetworkId)?.delegationManager
  if (!manager) throw new SmartSessionError('The network has no sessions')
  return manager
}

/**
 * Returns the call data that disables the delegation of a context. The context is a list of one delegation,
 * whose encoding is moved.
 */
function disableData(context: string): string {
  const [list, count, first] = [0, 1, 2].map((word) => context.slice(2 + 64 * word, 66 + 64 * word))
  if (BigInt(`0x${list}`) !== 32n || BigInt(`0x${count}`) !== 1n || BigInt(`0x${first}`) !== 32n)
    throw new SmartSessionError('The context is not one delegation')
  return DISABLE_SELECTOR + first + context.slice(2 + 64 * 3)
}

function setStatus(hawser: Hawser, { pci }: SmartSession, status: SmartSessionStatus): void {
  const revokedAt = Math.floor(hawser.clock.now() / 1_000)
  hawser.smartSessions.setState(({ sessions }) => ({
    sessions: sessions.map((session) => (session.pci === pci ? { ...session, status, revokedAt } : session)),
  }))
}
