import type { Hex, TypedDataDefinition } from 'viem'
import type { Addresses } from '../keys/derive.ts'
import type { RpcRequest } from '../protocol/messages.ts'
import { policyOf } from '../protocol/methods.ts'
import { caipNetworkId, evmChainId } from './chainId.ts'
import { FrameError, providerErrorCode } from './frameError.ts'
import { expectAddress, field, isAddress, list } from './params.ts'
import { getCallsStatus, getCapabilities, sendCalls, sendTransaction } from './sending.ts'
import type { AnswerContext, RequestsOptions, SigningContext } from './signingContext.ts'
import { signMessage, signTransactions } from './solanaRequests.ts'

type Handler = (context: SigningContext, params: unknown) => Promise<unknown>

const NOT_ALLOWED = 'Requested RPC call is not allowed'
const NO_FACTOR =
  'This browser cannot open your wallet. Open it where you used it before, and add a passkey or a password there'

/** Answers JSON-RPC requests of the embedding page. */
export type Requests = (request: RpcRequest) => Promise<unknown>

/** Creates the handler of JSON-RPC requests: safe methods are answered at once, signing ones after a click in the frame. */
export function createRequests(options: RequestsOptions): Requests {
  const { vault, node, approvals, site, network } = options

  async function addresses(): Promise<Addresses> {
    if (!(await vault.isSignedIn()))
      throw new FrameError('Sign in to continue', providerErrorCode.unauthorized)
    const user = await vault.getUser()
    if (!user.addresses) throw new FrameError('The user has no wallet yet', providerErrorCode.unauthorized)
    return user.addresses
  }

  async function open() {
    const state = await vault.unlock()
    if (state.isOpen) return
    if (state.factors.length === 0) throw new FrameError(NO_FACTOR, providerErrorCode.unauthorized)
    await approvals.unlock(state.factors, (factorId, secret) => vault.unlockWith(factorId, secret))
  }

  return async ({ method, params, chainId: requested }) => {
    const chainId = requested === undefined ? network() : caipNetworkId(requested)
    if (policyOf(method) === 'refused') throw new FrameError(NOT_ALLOWED, providerErrorCode.unsupportedMethod)
    const answer = Object.hasOwn(answers, method) ? answers[method] : undefined
    if (answer) return answer({ ...options, chainId, addresses }, params)
    if (policyOf(method) === 'safe') return node(chainId, method, params)

    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
    if (!handler) throw new FrameError(NOT_ALLOWED, providerErrorCode.unsupportedMethod)
    const approve: SigningContext['approve'] = async (address, content) => {
      await approvals.approve({ site, chainId, address, content })
      await open()
    }
    return handler({ ...options, chainId, addresses: await addresses(), approve }, params)
  }
}

/** Methods that the frame answers itself, without a click. */
const answers: Record<string, (context: AnswerContext, params: unknown) => Promise<unknown>> = {
  eth_accounts: async ({ addresses }) => [(await addresses()).eip155],
  eth_requestAccounts: async ({ addresses }) => [(await addresses()).eip155],
  eth_chainId: async ({ chainId }) => `0x${evmChainId(chainId).toString(16)}`,
  wallet_getCapabilities: getCapabilities,
  wallet_getCallsStatus: getCallsStatus,
}

/** Methods that need a click. */
const handlers: Record<string, Handler> = {
  personal_sign: personalSign,
  eth_signTypedData_v4: signTypedData,
  eth_sendTransaction: sendTransaction,
  wallet_sendCalls: sendCalls,
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

async function personalSign(
  { vault, addresses, approve }: SigningContext,
  params: unknown,
): Promise<unknown> {
  const [first, second] = list(params)
  // Some sites send the address first.
  const isSwapped = isAddress(first) && !isAddress(second)
  const message = String((isSwapped ? second : first) ?? '')
  expectAddress(isSwapped ? first : second, addresses.eip155)
  const hex = /^0x([0-9a-f]{2})*$/i.test(message) ? (message as Hex) : hexOf(message)
  await approve(addresses.eip155, { kind: 'message', text: textOf(hex), hex })
  return vault.sign({ kind: 'message', message: hex })
}

async function signTypedData(
  { vault, addresses, chainId, approve }: SigningContext,
  params: unknown,
): Promise<unknown> {
  const [address, value] = list(params)
  expectAddress(address, addresses.eip155)
  const data = typedDataOf(value)
  const domainChain = data.domain?.chainId
  if (domainChain !== undefined && BigInt(domainChain) !== BigInt(evmChainId(chainId)))
    throw new FrameError('The data is for another network', providerErrorCode.invalidParams)
  // A smart account accepts operations that are signed so: they are requested as calls, which are shown as such.
  if (data.domain?.verifyingContract?.toLowerCase() === addresses.eip155.toLowerCase())
    throw new FrameError('The data is an order to the account itself', providerErrorCode.invalidParams)
  await approve(addresses.eip155, { kind: 'typedData', data })
  return vault.sign({ kind: 'typedData', data })
}

function typedDataOf(value: unknown): TypedDataDefinition {
  try {
    const data = typeof value === 'string' ? JSON.parse(value) : value
    const { types, primaryType, message } = data as TypedDataDefinition
    if (types && typeof primaryType === 'string' && Object.hasOwn(types, primaryType) && message) return data
  } catch {
    // It is reported below.
  }
  throw new FrameError('The data is malformed', providerErrorCode.invalidParams)
}

function hexOf(text: string): Hex {
  const bytes = new TextEncoder().encode(text)
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Returns the text of a message in UTF-8; undefined for bytes that are none. */
function textOf(hex: Hex): string | undefined {
  const bytes = Uint8Array.from(hex.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
