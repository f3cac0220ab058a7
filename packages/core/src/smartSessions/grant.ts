import { chainIdIn, requireNetwork } from '../evm/chainId.ts'
import { reportSession } from '../modal/sessionFlows.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SmartSessionGrant, SmartSessionKey, SmartSessionRequest } from '../types/smartSessions.ts'
import { SmartSessionError } from './error.ts'
import { forgetSmartSessions } from './list.ts'
import { requireSessionOwner, type SessionOwner, sessionsPath } from './owner.ts'

/** What the gateway answers to a request. */
interface CreatedSession {
  readonly pci: string
  /** Key of the co-signer. */
  readonly key: SmartSessionKey
  readonly coSigned: boolean
  /** Account that the delegation is for. */
  readonly delegate: string
}

/** What a wallet answers to `wallet_grantPermissions`. */
type GrantedPermissions = Pick<SmartSessionRequest, 'permissions' | 'expiry'> & {
  readonly policies?: SmartSessionRequest['policies']
  /** Delegation chain (ERC-7710), ABI-encoded. */
  readonly context: string
}

/**
 * Requests a session from the active account: the wallet shows what it may do, and the visitor may lower its limits. Opens
 * the modal with the result.
 *
 * @returns what was granted, with the id of the session as its context.
 * @throws SmartSessionError for a request that cannot be made or an answer of the wallet that cannot be used; the wallet's
 *   error when the visitor declines; GatewayError when the gateway refuses the request or what was granted.
 */
export async function grantPermissions(
  hawser: Hawser,
  request: SmartSessionRequest,
): Promise<SmartSessionGrant> {
  const owner = requireSessionOwner(hawser)
  requireRequest(hawser, owner, request)
  const { chainId, expiry, permissions, policies, signer } = request
  const created = await create(hawser, owner, request)
  const { pci, key, coSigned, delegate } = created
  const keys = coSigned ? [key, ...signer.data.keys] : signer.data.keys
  const asked = {
    version: 2,
    chainId,
    address: owner.address,
    expiry,
    signer: { type: 'keys', data: { keys } },
    permissions,
    policies,
    // Beside ERC-7715: the session that the gateway created, and the account that it made of the keys.
    pci,
    to: delegate,
  }
  const { provider } = owner.wallet
  await requireNetwork(provider, owner.network.caipNetworkId)
  const granted = readGrant(await provider.request({ method: 'wallet_grantPermissions', params: [asked] }))
  const terms = {
    expiry: granted.expiry,
    signer: asked.signer,
    permissions: granted.permissions,
    policies: granted.policies ?? policies,
  }
  const body = { pci, ...terms, context: granted.context }
  await hawser.client.rest(`${sessionsPath(owner)}/activate`, { body })
  forgetSmartSessions(hawser)
  reportSession(hawser, { kind: 'sessionCreated' })
  return { ...terms, signer, chainId, address: owner.address, context: pci }
}

/**
 * Validates a request.
 *
 * @throws SmartSessionError
 */
function requireRequest(
  hawser: Hawser,
  { address, network }: SessionOwner,
  { chainId, address: wanted = address, expiry, signer, permissions }: SmartSessionRequest,
): void {
  if (!/^0x[0-9a-f]+$/i.test(chainId) || BigInt(chainId) !== BigInt(chainIdIn(network.caipNetworkId)))
    throw new SmartSessionError('The session is for another network than the active one')
  if (wanted.toLowerCase() !== address.toLowerCase())
    throw new SmartSessionError('The session is for another account than the active one')
  if (!Number.isSafeInteger(expiry) || expiry * 1_000 <= hawser.clock.now())
    throw new SmartSessionError('The expiry is not a time ahead in seconds')
  if (permissions.length === 0) throw new SmartSessionError('The session may do nothing')
  if (signer.data.keys.length === 0) throw new SmartSessionError('The session has no key')
}

async function create(
  hawser: Hawser,
  owner: SessionOwner,
  { expiry, signer, permissions, policies }: SmartSessionRequest,
): Promise<CreatedSession> {
  const answer = (await hawser.client.rest(sessionsPath(owner), {
    query: { v: '2' },
    body: { expiry, signer, permissions, policies },
  })) as Partial<CreatedSession>
  const { pci, key, coSigned = false, delegate = '' } = answer
  if (!pci || !key?.publicKey.startsWith('0x')) throw new SmartSessionError('The gateway created no session')
  return { pci, key, coSigned, delegate }
}

/**
 * Reads the answer of the wallet.
 *
 * @throws SmartSessionError
 */
function readGrant(answer: unknown): GrantedPermissions {
  const { context, expiry, permissions, policies } = Object(answer) as Partial<GrantedPermissions>
  const isRead =
    typeof context === 'string' &&
    /^0x([0-9a-f]{2})+$/i.test(context) &&
    Number.isSafeInteger(expiry) &&
    Array.isArray(permissions)
  if (!isRead) throw new SmartSessionError('The wallet granted no session')
  return { context, expiry: Number(expiry), permissions, ...(policies && { policies }) }
}
