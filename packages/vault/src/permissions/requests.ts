import { type Address, bytesToHex, concat, type Hex, numberToHex, type TypedDataDefinition } from 'viem'
import { randomBytes } from '../factors/seal.ts'
import { hasPinnedSessions } from '../smartAccount/pinned.ts'
import type { SmartSession } from '../vault/grantVault.ts'
import { caipNetworkId, evmChainId } from '../wallet/chainId.ts'
import { FrameError, providerErrorCode } from '../wallet/frameError.ts'
import { operationView } from '../wallet/operationView.ts'
import { expectAddress, isAddress, list } from '../wallet/params.ts'
import { SESSIONS_DOMAIN } from '../wallet/sessionProof.ts'
import type { AnswerContext, SigningContext } from '../wallet/signingContext.ts'
import { networkFees } from '../wallet/transaction.ts'
import { type Delegation, decodeContext } from './delegation.ts'
import type { SessionContracts } from './framework.ts'
import {
  execute,
  grant,
  isDisabled,
  listSessionContracts,
  prepareDisable,
  sendPrepared,
  sessionContracts,
} from './grant.ts'
import {
  NATIVE_ALLOWANCE,
  permissionsOf,
  policiesOf,
  readSession,
  type Session,
  TOKEN_ALLOWANCE,
} from './session.ts'
import { ownersOf, sessionAccount } from './sessionAccount.ts'

type Fields = Readonly<Record<string, unknown>>

/** Types of ERC-7715, by those of the service of sessions. */
const NATIVE_PERIODIC = 'native-token-periodic'
const TOKEN_PERIODIC = 'erc20-token-periodic'
const EXPIRY = 'expiry'
/**
 * How long a session lasts if the site sets no end, and how long a signature of its revocation is valid, in
 * seconds.
 */
const DEFAULT_LIFETIME = 30 * 24 * 60 * 60
const REVOCATION_SECONDS = 300
/** How long before now an allowance starts if the site sets no start, in seconds: the time of the newest block is behind. */
const START_MARGIN_SECONDS = 60
const MAX_REQUESTS = 4

const refuse = (message: string) => new FrameError(message, providerErrorCode.invalidParams)
const nowSeconds = ({ now }: { readonly now: () => number }) => Math.floor(now() / 1_000)

/** Answers `wallet_grantPermissions`, the form of ERC-7715 before 2025: what was granted, and the context. */
export async function grantPermissions(context: SigningContext, params: unknown): Promise<unknown> {
  const request = fieldsOf(Array.isArray(params) ? params[0] : params)
  const { chainId = context.chainId, address, signer, expiry } = request
  const own = { ...context, chainId: caipNetworkId(chainId) }
  if (address !== undefined) expectAddress(address, context.addresses.eip155)
  const permissions = list(request.permissions)
  const policies = list(request.policies)
  const requested = readSession(expiry, permissions, policies, nowSeconds(context))
  const contracts = await sessionContracts(own.bundler, own.chainId)
  const delegate = await delegateOf(fieldsOf(signer), contracts)
  if (requested.functions.some(({ rules }) => rules.some(({ operator }) => operator !== 'EQUAL')))
    await expectCoSigner(own, delegate)
  const granted = await grant(own, contracts, {
    delegate,
    session: requested,
    isAdjustable: true,
    justification: '',
  })
  const { site, vault } = context
  await vault.addGrant({
    context: granted.context,
    chainId: own.chainId,
    expiry: granted.session.expiry,
    site,
  })
  return {
    chainId: numberToHex(evmChainId(own.chainId)),
    address: context.addresses.eip155,
    signer,
    expiry: granted.session.expiry,
    permissions: permissionsOf(permissions, granted.session),
    policies: policiesOf(policies, granted.session),
    context: granted.context,
  }
}

/** Answers `wallet_requestExecutionPermissions` (ERC-7715): each request is shown and granted on its own. */
export async function requestExecutionPermissions(
  context: SigningContext,
  params: unknown,
): Promise<unknown> {
  const requests = list(params).map(fieldsOf)
  if (requests.length === 0 || requests.length > MAX_REQUESTS)
    throw refuse('There are no requests, or too many')
  // All are checked before the first is shown.
  const read = requests.map((request) => readExecutionRequest(context, request))
  const answers: unknown[] = []
  for (const request of read) answers.push(await grantExecution(context, request))
  return answers
}

interface ExecutionRequest {
  readonly request: Fields
  readonly chainId: string
  readonly delegate: Address
  readonly session: Session
  readonly permission: Fields
  readonly data: Fields
}

function readExecutionRequest(context: SigningContext, request: Fields): ExecutionRequest {
  const { chainId, from, to, rules } = request
  if (from !== undefined) expectAddress(from, context.addresses.eip155)
  if (!isAddress(to)) throw refuse('The request names no account that is to act')
  const permission = fieldsOf(request.permission)
  const data = fieldsOf(permission.data)
  const now = nowSeconds(context)
  let expiry: unknown = now + DEFAULT_LIFETIME
  for (const rule of list(rules).map(fieldsOf)) {
    if (rule.type !== EXPIRY) throw refuse('A rule of the request is not supported')
    expiry = fieldsOf(rule.data).timestamp
  }
  const { periodAmount: allowance, periodDuration: period, startTime, tokenAddress: token } = data
  const type =
    permission.type === NATIVE_PERIODIC
      ? NATIVE_ALLOWANCE
      : permission.type === TOKEN_PERIODIC
        ? TOKEN_ALLOWANCE
        : undefined
  if (!type) throw refuse('The permission is not supported')
  const item = { type, data: { allowance, period, start: startTime ?? now - START_MARGIN_SECONDS, token } }
  return {
    request,
    chainId: caipNetworkId(chainId ?? context.chainId),
    delegate: to as Address,
    session: readSession(expiry, [item], [], now),
    permission,
    data,
  }
}

async function grantExecution(
  context: SigningContext,
  { request, chainId, delegate, session, permission, data }: ExecutionRequest,
): Promise<unknown> {
  const own = { ...context, chainId }
  const contracts = await sessionContracts(context.bundler, chainId)
  const granted = await grant(own, contracts, {
    delegate,
    session,
    isAdjustable: permission.isAdjustmentAllowed === true,
    justification: typeof data.justification === 'string' ? data.justification : '',
  })
  const allowance = granted.session.native ?? granted.session.token
  const { expiry } = granted.session
  const answer = {
    ...request,
    chainId: numberToHex(evmChainId(chainId)),
    from: context.addresses.eip155,
    permission: {
      ...permission,
      data: { ...data, periodAmount: numberToHex(allowance?.amount ?? 0n), startTime: allowance?.start },
    },
    rules: [{ type: EXPIRY, data: { timestamp: expiry } }],
    context: granted.context,
    dependencies: [],
    delegationManager: contracts.delegationManager,
  }
  await context.vault.addGrant({ context: granted.context, chainId, expiry, site: context.site, answer })
  return answer
}

/**
 * Answers `wallet_revokePermissions`: the proof that the service of sessions accepts, as one text. The operation that disables the delegation on
 * chain is sent as well; until that is in a block, or where it fails, the service says that the session is being revoked.
 */
export async function revokePermissions(context: SigningContext, params: unknown): Promise<unknown> {
  const { pci, address, chainId: requested } = fieldsOf(Array.isArray(params) ? params[0] : params)
  if (typeof pci !== 'string' || !/^[0-9a-f-]{36}$/.test(pci)) throw refuse('The session is not named')
  const current = requested === undefined ? context.chainId : caipNetworkId(requested)
  const [, chainId = current, named] =
    /^(?:(eip155:[1-9]\d{0,15}):)?(0x[0-9a-fA-F]{40})$/.exec(String(address)) ?? []
  expectAddress(named, context.addresses.eip155)
  const account = context.addresses.eip155 as Address
  const own = { ...context, chainId }
  const contracts = await sessionContracts(own.bundler, chainId)
  const getContext = () => own.bundler.call('GetContext', { account: `${chainId}:${account}`, pci })
  const found = await getContext()
  const delegation = found.context ? ownDelegation(found.context, account) : undefined
  if (found.context) await expectGranted(own, found.context)
  else await expectCreated(own, pci)
  // The service revokes the session also where no operation can be sent.
  const ending = delegation && (await endingOf(own, contracts, delegation).catch(() => undefined))
  const { delegate = '' } = delegation ?? {}
  await own.approve(chainId, account, { kind: 'revocation', delegate, operation: ending?.view })
  // The approved sheet showed no delegation, and none was checked.
  if (!found.context && (await getContext()).context) throw refuse('The session was granted in the meantime')
  const nonce = bytesToHex(randomBytes(32))
  const deadline = BigInt(nowSeconds(context) + REVOCATION_SECONDS)
  const data: TypedDataDefinition = {
    domain: {
      name: `${SESSIONS_DOMAIN}${await own.vault.origin()}`,
      version: '1',
      chainId: evmChainId(chainId),
    },
    types: {
      RevokeSession: [
        { name: 'pci', type: 'string' },
        { name: 'account', type: 'address' },
        { name: 'chainId', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
        { name: 'deadline', type: 'uint64' },
      ],
    },
    primaryType: 'RevokeSession',
    message: { pci, account, chainId: BigInt(evmChainId(chainId)), nonce, deadline },
  }
  const signature = (await own.vault.sign({ kind: 'typedData', data })) as Hex
  if (ending) await sendPrepared(own, ending.prepared).catch(() => undefined)
  return concat([nonce, numberToHex(deadline, { size: 8 }), signature])
}

/** Answers `wallet_revokeExecutionPermission` (ERC-7715): the delegation is disabled on chain. */
export async function revokeExecutionPermission(context: SigningContext, params: unknown): Promise<unknown> {
  const { permissionContext } = fieldsOf(Array.isArray(params) ? params[0] : params)
  const account = context.addresses.eip155 as Address
  const delegation = ownDelegation(permissionContext, account)
  const { chainId } = await expectGranted(context, String(permissionContext))
  const contracts = await sessionContracts(context.bundler, chainId)
  const { prepared, view } = await endingOf(context, contracts, delegation)
  const { delegate } = delegation
  await context.approve(chainId, account, { kind: 'revocation', delegate, operation: view })
  await execute(context, prepared)
  return {}
}

/** Returns the operation that disables a delegation, and how it is shown. @throws BundlerError, FrameError */
async function endingOf(context: SigningContext, contracts: SessionContracts, delegation: Delegation) {
  const [prepared, network] = await Promise.all([
    prepareDisable(context, contracts, delegation),
    networkFees(context.node, contracts.chainId),
  ])
  return { prepared, view: operationView(prepared, network) }
}

/**
 * Requires that a context was granted to the site: in this browser, or in a session of the service that a page of the site created. Returns its network.
 *
 * @throws FrameError 4100
 */
async function expectGranted(
  { addresses, chainId, site, vault }: SigningContext,
  context: string,
): Promise<{ readonly chainId: string }> {
  const isSame = (known: { readonly context?: string | null }) =>
    known.context?.toLowerCase() === context.toLowerCase()
  const granted = (await vault.listGrants()).find((known) => isSame(known) && known.site === site)
  if (granted) return granted
  const sessions = await vault.listSmartSessions(`${chainId}:${addresses.eip155}`).catch(() => [])
  expectOfSite(sessions.filter(isSame), site)
  return { chainId }
}

/** Requires that a page of the site created a session of the service. @throws FrameError 4100 */
async function expectCreated(
  { addresses, chainId, site, vault }: SigningContext,
  pci: string,
): Promise<void> {
  const sessions = await vault.listSmartSessions(`${chainId}:${addresses.eip155}`).catch(() => [])
  expectOfSite(
    sessions.filter((known) => known.pci === pci),
    site,
  )
}

/** Requires that there are sessions, and that pages of the site created all of them. @throws FrameError 4100 */
function expectOfSite(sessions: readonly SmartSession[], site: string): void {
  if (sessions.length > 0 && sessions.every(({ project }) => project?.url === site)) return
  throw new FrameError(
    'The permission was granted to another site. It is revoked on the wallet’s own page',
    providerErrorCode.unauthorized,
  )
}

/** Answers `wallet_getSupportedExecutionPermissions` (ERC-7715). */
export async function getSupportedExecutionPermissions({ bundler }: AnswerContext): Promise<unknown> {
  const chains = await listSessionContracts(bundler).catch(() => [])
  const chainIds = chains.filter(hasPinnedSessions).map(({ chainId }) => numberToHex(evmChainId(chainId)))
  const supported = { chainIds, ruleTypes: [EXPIRY] }
  return chainIds.length > 0 ? { [NATIVE_PERIODIC]: supported, [TOKEN_PERIODIC]: supported } : {}
}

/** Answers `wallet_getGrantedExecutionPermissions` (ERC-7715): what this origin was granted in this browser, and the chain does not refuse. */
export async function getGrantedExecutionPermissions({
  addresses,
  bundler,
  node,
  site,
  vault,
}: AnswerContext): Promise<unknown> {
  const { eip155 } = await addresses()
  const chains = (await listSessionContracts(bundler)).filter(hasPinnedSessions)
  // Origins of one site share the storage of the frame.
  const grants = (await vault.listGrants()).filter((grant) => grant.site === site)
  const checked = grants.map(async ({ context, chainId, answer }) => {
    const contracts = chains.find((candidate) => candidate.chainId === chainId)
    const delegation = decodeContext(context)
    if (!answer || !contracts || delegation.delegator.toLowerCase() !== eip155.toLowerCase()) return []
    return (await isDisabled(node, contracts, delegation)) ? [] : [answer]
  })
  return (await Promise.all(checked)).flat()
}

/** Refuses an account that acts without the co-signer of the service, which alone enforces comparisons of arguments. */
async function expectCoSigner(
  { vault, chainId, addresses }: SigningContext,
  delegate: Address,
): Promise<void> {
  const sessions = await vault.listSmartSessions(`${chainId}:${addresses.eip155}`)
  const isCoSigned = sessions.some(
    (session) => session.coSigned && session.delegate?.toLowerCase() === delegate.toLowerCase(),
  )
  if (!isCoSigned) throw refuse('Nothing enforces a rule of the request: the session has no co-signer')
}

/** Returns the account of a session's keys, or the one that the signer names. @throws FrameError -32602 */
async function delegateOf({ type, data }: Fields, contracts: SessionContracts): Promise<Address> {
  const { address, keys } = fieldsOf(data)
  if (type === 'account' && isAddress(address)) return address as Address
  if (type === 'keys') return sessionAccount(await ownersOf(list(keys)), contracts)
  if (type === 'key') return sessionAccount(await ownersOf([data]), contracts)
  throw refuse('The signer of the session is not supported')
}

function ownDelegation(context: unknown, account: Address): Delegation {
  const delegation = decodeContext(context)
  expectAddress(delegation.delegator, account)
  return delegation
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
