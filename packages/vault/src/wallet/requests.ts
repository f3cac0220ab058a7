import { policyOf, type RpcRequest } from '@hawser/frame/protocol'
import type { Hex, TypedDataDefinition } from 'viem'
import { failures } from '../failures.ts'
import type { Addresses } from '../keys/derive.ts'
import { caipNetworkId, evmChainId } from './chainId.ts'
import { FrameError, providerErrorCode } from './frameError.ts'
import { field, isAddress, isSameAddress, list } from './params.ts'
import { expectPreviewable } from './preview.ts'
import { getCallsStatus, getCapabilities, sendCalls, sendTransaction } from './sending.ts'
import { isSessionProof, LIST_SESSIONS } from './sessionProof.ts'
import type { AnswerContext, RequestsOptions, SigningContext } from './signingContext.ts'
import { signMessage, signTransactions } from './solanaRequests.ts'
import { readTypedData } from './typedData.ts'
import { unlock } from './unlock.ts'
import { requestedAccount, type UserAccount } from './userAccount.ts'

type Handler = (context: SigningContext, params: unknown) => Promise<unknown>

const NOT_ALLOWED = 'Requested RPC call is not allowed'

/** Answers JSON-RPC requests of the embedding page. */
export type Requests = (request: RpcRequest) => Promise<unknown>

/** Creates the handler of JSON-RPC requests: safe methods are answered at once, signing ones after a click in the frame. */
export function createRequests(options: RequestsOptions): Requests {
  const { vault, node, approvals, site, network, isListed } = options

  async function expectListed(chainId: string) {
    const isKnown = await isListed(chainId).catch(() => {
      throw new FrameError(failures.unreachable, providerErrorCode.internal)
    })
    if (!isKnown) throw new FrameError('The network is not supported', providerErrorCode.unsupportedChain)
  }

  async function addresses(): Promise<Addresses> {
    if (!(await vault.isSignedIn())) throw new FrameError(failures.signedOut, providerErrorCode.unauthorized)
    const user = await vault.getUser()
    if (!user.addresses)
      throw new FrameError('The user has no wallet yet', providerErrorCode.unauthorized, 'WALLET_ABSENT')
    return user.addresses
  }

  /** Opens the wallet of the user of a request. @throws FrameError 4100 if another user has signed in since */
  async function open(requireWanted: () => void, of: Addresses) {
    await unlock({ vault, approvals }, requireWanted)
    if ((await addresses()).eip155 !== of.eip155)
      throw new FrameError(failures.signedOut, providerErrorCode.unauthorized)
  }

  return async ({ method, params, chainId: requested }) => {
    const chainId = requested === undefined ? network() : caipNetworkId(requested)
    if (policyOf(method) === 'refused') throw new FrameError(NOT_ALLOWED, providerErrorCode.unsupportedMethod)
    const answer = Object.hasOwn(answers, method) ? answers[method] : undefined
    if (answer) return answer({ ...options, chainId, addresses }, params)
    if (policyOf(method) === 'safe') return node(chainId, method, params)

    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
    if (!handler) throw new FrameError(NOT_ALLOWED, providerErrorCode.unsupportedMethod)
    const requireWanted = approvals.begin()
    const own = await addresses()
    const approve: SigningContext['approve'] = async (chainId, address, content) => {
      const view = { site, chainId, address, content }
      expectPreviewable(view)
      await expectListed(chainId)
      requireWanted()
      const shown = await approvals.approve(view)
      await open(requireWanted, own)
      return shown
    }
    const approveGrant: SigningContext['approveGrant'] = async (view) => {
      await expectListed(view.chainId)
      requireWanted()
      const granted = await approvals.grant({ site, ...view })
      await open(requireWanted, own)
      return granted
    }
    return handler({ ...options, chainId, addresses: own, approve, approveGrant }, params)
  }
}

/** The code of permissions is loaded with the first of them. */
const permissions = () => import('../permissions/requests.ts')

/** Methods that the frame answers itself, without a click. */
const answers: Record<string, (context: AnswerContext, params: unknown) => Promise<unknown>> = {
  eth_accounts: accounts,
  eth_requestAccounts: accounts,
  eth_chainId: async ({ chainId }) => `0x${evmChainId(chainId).toString(16)}`,
  wallet_getCapabilities: getCapabilities,
  wallet_getCallsStatus: getCallsStatus,
  wallet_getSupportedExecutionPermissions: async (context) =>
    (await permissions()).getSupportedExecutionPermissions(context),
  wallet_getGrantedExecutionPermissions: async (context) =>
    (await permissions()).getGrantedExecutionPermissions(context),
}

/** Methods that need a click. */
const handlers: Record<string, Handler> = {
  personal_sign: personalSign,
  eth_signTypedData_v4: signTypedData,
  eth_sendTransaction: sendTransaction,
  wallet_sendCalls: sendCalls,
  wallet_grantPermissions: async (context, params) => (await permissions()).grantPermissions(context, params),
  wallet_requestExecutionPermissions: async (context, params) =>
    (await permissions()).requestExecutionPermissions(context, params),
  wallet_revokePermissions: async (context, params) =>
    (await permissions()).revokePermissions(context, params),
  wallet_revokeExecutionPermission: async (context, params) =>
    (await permissions()).revokeExecutionPermission(context, params),
  solana_signMessage: signMessage,
  solana_signTransaction: async (context, params) => {
    const [signed] = await signTransactions(context, [field(params, 'transaction')], false)
    return signed
  },
  solana_signAllTransactions: async (context, params) => {
    const signed = await signTransactions(context, list(field(params, 'transactions')), false)
    return { transactions: signed.map(({ transaction }) => transaction) }
  },
  solana_signAndSendTransaction: async (context, params) => {
    const [sent] = await signTransactions(context, [field(params, 'transaction')], true)
    return sent
  },
}

async function accounts(context: AnswerContext): Promise<unknown> {
  const { address } = await requestedAccount({ ...context, addresses: await context.addresses() }, undefined)
  return [address]
}

/** Returns a signature in the form of the account that a request names. */
async function signatureOf(
  { addresses, chainId, smartAccounts }: SigningContext,
  { address, isContract }: UserAccount,
  signature: string,
): Promise<string> {
  return isContract
    ? smartAccounts.contractSignature(chainId, addresses.eip155 as Hex, address, signature as Hex)
    : signature
}

async function personalSign(context: SigningContext, params: unknown): Promise<unknown> {
  const { vault, chainId, approve } = context
  const [first, second] = list(params)
  // Some sites send the address first.
  const isSwapped = isAddress(first) && !isAddress(second)
  const message = isSwapped ? second : first
  if (typeof message !== 'string')
    throw new FrameError('The message is no text', providerErrorCode.invalidParams)
  const account = await requestedAccount(context, (isSwapped ? first : second) ?? null)
  const hex = /^0x([0-9a-f]{2})*$/i.test(message) ? (message.toLowerCase() as Hex) : hexOf(message)
  await approve(chainId, account.address, { kind: 'message', text: textOf(hex), hex })
  return signatureOf(context, account, await vault.sign({ kind: 'message', message: hex }))
}

async function signTypedData(context: SigningContext, params: unknown): Promise<unknown> {
  const { vault, chainId, approve } = context
  const [address, value] = list(params)
  const account = await requestedAccount(context, address ?? null)
  const data = readTypedData(value)
  const domainChain = data.domain?.chainId
  if (domainChain !== undefined && String(domainChain) !== String(evmChainId(chainId)))
    throw new FrameError('The data is for another network', providerErrorCode.invalidParams)
  await refuseOrders(context, data)
  await approve(chainId, account.address, { kind: 'typedData', data })
  return signatureOf(context, account, await vault.sign({ kind: 'typedData', data }))
}

/** Types of data that authorize actions of smart accounts. */
const ORDER_TYPES = ['PackedUserOperation', 'Delegation']

/** Refuses data whose signature would let others act for an account of the user. @throws FrameError -32602 */
async function refuseOrders(
  { addresses, chainId, smartAccounts }: SigningContext,
  { domain, message, primaryType }: TypedDataDefinition,
): Promise<void> {
  const owner = addresses.eip155 as Hex
  const contracts = ORDER_TYPES.includes(primaryType) ? await smartAccounts.addresses(chainId, owner) : []
  const isOwn = (value: unknown) => [owner, ...contracts].some((own) => isSameAddress(value, own))
  // A smart account accepts an operation that is signed in this form. Sites have to request it as calls,
  // which are shown as such.
  if (isOwn(domain?.verifyingContract))
    throw new FrameError('The data is an order to the account itself', providerErrorCode.invalidParams)
  // Another user could use it to prove that the account is theirs.
  if (primaryType === 'WalletOwner')
    throw new FrameError('A proof of the account is not signed as data', providerErrorCode.invalidParams)
  // It would bypass the sheet of limits, and the limits.
  if (primaryType === 'Delegation' && isOwn((message as Record<string, unknown>).delegator))
    throw new FrameError('A delegation of the account is not signed as data', providerErrorCode.invalidParams)
  // It would end what other sites were granted. `wallet_revokePermissions` ends what this one was.
  if (isSessionProof(domain) && primaryType !== LIST_SESSIONS)
    throw new FrameError('A revocation of sessions is not signed as data', providerErrorCode.invalidParams)
}

function hexOf(text: string): Hex {
  const bytes = new TextEncoder().encode(text)
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Returns the text of a message; undefined if its bytes are not valid UTF-8. */
function textOf(hex: Hex): string | undefined {
  const bytes = Uint8Array.from(hex.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
