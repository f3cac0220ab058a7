import type { Eip1193Provider } from '@hawser/core'
import { createListeners } from '../listeners.ts'
import type { BatchSigner, CallBatch } from './batches.ts'
import { ProviderError, providerErrorCode, userRejected } from './providerError.ts'

/** Failures to simulate; read at every request, so that they can be changed while the page runs. */
export interface WalletFeatures {
  /** True rejects with 4001, as when the visitor declines; an error is thrown as it is. */
  connectError?: boolean | Error
  switchChainError?: boolean | Error
  signError?: boolean | Error
  sendError?: boolean | Error
  /** The wallet fails to disconnect. */
  disconnectError?: boolean | Error
  /** Delay of every request that a visitor would confirm, in milliseconds. */
  delayMs?: number
}

export interface TransactionRequest {
  readonly from: string
  readonly to?: string
  readonly data?: string
  /** Hex quantities. */
  readonly value?: string
  readonly gas?: string
  readonly gasPrice?: string
}

/** Holds the keys of a page wallet. Addresses are 0x-prefixed. */
export interface Signer {
  accounts(): Promise<readonly string[]>
  signMessage(message: string): Promise<string>
  signTypedData(typedData: unknown): Promise<string>
  /** Signs and sends; returns the transaction hash. */
  send(chainId: number, transaction: TransactionRequest): Promise<string>
  /** Any other method of a node. */
  read(chainId: number, method: string, params: readonly unknown[]): Promise<unknown>
  /** Adds a chain (EIP-3085). */
  addChain(chainId: number, rpcUrls: readonly string[]): void
  knows(chainId: number): boolean
  /** Absent: the wallet does not support batches. */
  readonly batches?: BatchSigner
}

/** The state that a page wallet keeps between page views. */
export interface WalletMemory {
  read(): WalletState | undefined
  write(state: WalletState): void
}

export interface WalletState {
  readonly isAuthorised: boolean
  readonly chainId: number
}

export interface PageWalletOptions {
  readonly signer: () => Promise<Signer>
  readonly chainId: number
  readonly features: WalletFeatures
  readonly memory?: WalletMemory
}

type Params = readonly unknown[]

/** Creates an EIP-1193 provider inside the page. It approves every request that `features` does not make fail. */
export function createPageWallet({ signer, chainId, features, memory }: PageWalletOptions): Eip1193Provider {
  const listeners = createListeners()
  let known: WalletState | undefined

  function state(): WalletState {
    known ??= memory?.read() ?? { isAuthorised: false, chainId }
    return known
  }

  function remember(change: Partial<WalletState>): void {
    known = { ...state(), ...change }
    memory?.write(known)
  }

  async function accounts(): Promise<readonly string[]> {
    return state().isAuthorised ? (await signer()).accounts() : []
  }

  async function authorise(): Promise<readonly string[]> {
    await confirm(features, features.connectError)
    remember({ isAuthorised: true })
    return accounts()
  }

  async function revoke(): Promise<null> {
    remember({ isAuthorised: false })
    listeners.emit('accountsChanged', [])
    return null
  }

  async function switchChain([target]: Params): Promise<null> {
    const wanted = chainIdIn(target)
    if (!(await signer()).knows(wanted)) {
      throw new ProviderError(providerErrorCode.unrecognisedChain, `Unrecognized chain ID ${wanted}.`)
    }
    await confirm(features, features.switchChainError)
    if (wanted === state().chainId) return null
    remember({ chainId: wanted })
    listeners.emit('chainChanged', hexOf(wanted))
    return null
  }

  async function addChain(params: Params): Promise<null> {
    const { rpcUrls } = (params[0] ?? {}) as { rpcUrls?: readonly string[] }
    await confirm(features, features.switchChainError)
    ;(await signer()).addChain(chainIdIn(params[0]), rpcUrls ?? [])
    return switchChain(params)
  }

  async function sign(work: (signer: Signer) => Promise<string>): Promise<string> {
    requireAuthorised(state())
    await confirm(features, features.signError)
    return work(await signer())
  }

  async function send([transaction]: Params): Promise<string> {
    requireAuthorised(state())
    await confirm(features, features.sendError)
    return (await signer()).send(state().chainId, transaction as TransactionRequest)
  }

  async function batches(method: string): Promise<BatchSigner> {
    const { batches } = await signer()
    if (!batches) throw unsupported(method)
    requireAuthorised(state())
    return batches
  }

  async function sendCalls([request]: Params): Promise<{ id: string }> {
    const carrier = await batches('wallet_sendCalls')
    const batch = (request ?? {}) as CallBatch
    carrier.check(batch)
    await confirm(features, features.sendError)
    return { id: await carrier.send(batch) }
  }

  const methods: Readonly<Record<string, (params: Params) => Promise<unknown>>> = {
    eth_accounts: accounts,
    eth_requestAccounts: authorise,
    eth_chainId: async () => hexOf(state().chainId),
    net_version: async () => String(state().chainId),
    wallet_switchEthereumChain: switchChain,
    wallet_addEthereumChain: addChain,
    wallet_revokePermissions: revoke,
    eth_sendTransaction: send,
    wallet_getCapabilities: async ([, chainIds]) =>
      (await batches('wallet_getCapabilities')).capabilities(chainIds as readonly string[] | undefined),
    wallet_sendCalls: sendCalls,
    wallet_getCallsStatus: async ([id]) => (await batches('wallet_getCallsStatus')).status(String(id)),
    personal_sign: ([message]) => sign((keys) => keys.signMessage(String(message))),
    eth_signTypedData_v4: ([, typedData]) => sign((keys) => keys.signTypedData(parsed(typedData))),
  }

  return {
    async request({ method, params = [] }) {
      const list = params as Params
      const own = methods[method]
      if (own) return own(list)
      if (!method.startsWith('eth_')) {
        throw unsupported(method)
      }
      return (await signer()).read(state().chainId, method, list)
    },
    on: listeners.add,
    removeListener: listeners.remove,
  }
}

/** Ends the session on the wallet's side, unless `features` makes it fail. */
export async function endSession(
  provider: Eip1193Provider,
  { disconnectError }: WalletFeatures,
): Promise<void> {
  if (disconnectError) {
    throw disconnectError === true ? new Error('The wallet did not end the session') : disconnectError
  }
  await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
}

async function confirm({ delayMs }: WalletFeatures, refusal: boolean | Error | undefined): Promise<void> {
  if (delayMs) await new Promise((resolve) => setTimeout(resolve, delayMs))
  if (refusal) throw refusal === true ? userRejected() : refusal
}

function unsupported(method: string): ProviderError {
  return new ProviderError(providerErrorCode.unsupportedMethod, `${method} is not supported.`)
}

function requireAuthorised({ isAuthorised }: WalletState): void {
  if (isAuthorised) return
  throw new ProviderError(providerErrorCode.unauthorized, 'The site is not connected to this wallet.')
}

function chainIdIn(target: unknown): number {
  const id = Number((target as { chainId?: unknown } | undefined)?.chainId)
  if (Number.isSafeInteger(id) && id > 0) return id
  throw new ProviderError(providerErrorCode.invalidParams, 'Expected a chain id.')
}

function hexOf(chainId: number): string {
  return `0x${chainId.toString(16)}`
}

function parsed(typedData: unknown): unknown {
  return typeof typedData === 'string' ? JSON.parse(typedData) : typedData
}
