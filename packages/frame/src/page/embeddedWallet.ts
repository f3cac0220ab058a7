import { type CallName, type CallPayload, type CallResult, PROTOCOL_VERSION } from '../protocol/messages.ts'
import { policyOf } from '../protocol/methods.ts'
import { type ErrorDetails, errorOf, type FrameChannel, openFrameChannel } from './frameChannel.ts'
import { createFrameElement, type FrameElement } from './frameElement.ts'
import type { CaipNetworkId, EmbeddedUser, EmbeddedWallet, EmbeddedWalletEvents } from './types.ts'

const LOAD_TIMEOUT_MS = 20_000
/** How long after its document was loaded the frame may take to answer. An error page of the browser, such as that of a blocked frame, loads too. */
const READY_TIMEOUT_MS = 5_000
/** The frame restores its session before it is used. */
const AFTER_READY_MS = 500
const LOGIN_TIMEOUT_MS = 30_000
/** What waits for the user: a login in a popup, with what the provider asks there, or a sheet that approves a change. */
const SOCIAL_TIMEOUT_MS = 120_000
/** The lifetime of the link in a device mail. */
const DEVICE_TIMEOUT_MS = 600_000
const SIGN_OUT_TIMEOUT_MS = 3_000

const LOAD_FAILED = { message: 'Unable to load email login dependency', reason: 'emailLoginUnavailable' }
const NOT_ALLOWED = 'Requested RPC call is not allowed'
/** Of requests that wait while another one is refused. */
const ABORTED = { message: 'Request was aborted' }
/** Of requests that the user closes, as the frame says it of those that are rejected there. */
const CLOSED = { message: 'User rejected the request', code: 4001, reason: 'declined' }

/** "Method not found" of JSON-RPC, as EIP-1193 has it for an unsupported method. */
const UNSUPPORTED_METHOD = 4200

export interface EmbeddedWalletOptions {
  /** Origin of the frame, such as `https://wallet.example.com`. */
  readonly frameOrigin: string
  /** 32 hex digits. */
  readonly projectId: string
  /** The network to start with. */
  readonly chainId: CaipNetworkId
  /** Lets the frame write its log to the console; false by default. */
  readonly enableLogger?: boolean
  /** The page's document by default. */
  readonly document?: Document
}

/** Creates the site's half of an embedded wallet. The iframe is added to the page by `load`, or with the first call. */
export function createEmbeddedWallet({
  frameOrigin,
  projectId,
  chainId,
  enableLogger = false,
  document = globalThis.document,
}: EmbeddedWalletOptions): EmbeddedWallet {
  const origin = new URL(frameOrigin).origin
  const listeners: { [E in keyof EmbeddedWalletEvents]: Set<(payload: EmbeddedWalletEvents[E]) => void> } = {
    approval: new Set(),
    approvalEnd: new Set(),
    height: new Set(),
    accountsChanged: new Set(),
    chainChanged: new Set(),
    signedOut: new Set(),
    notAllowed: new Set(),
    dismissed: new Set(),
  }
  let element: FrameElement | undefined
  let loading: Promise<FrameChannel> | undefined
  let current = chainId
  let openApprovals = 0
  /** Those of them that the frame itself reported. */
  let sheets = 0

  function emit<E extends keyof EmbeddedWalletEvents>(event: E, payload: EmbeddedWalletEvents[E]) {
    for (const listener of [...listeners[event]]) listener(payload)
  }

  function load(): Promise<FrameChannel> {
    loading ??= openFrame().catch((error) => {
      unload()
      throw error
    })
    return loading
  }

  function openFrame(): Promise<FrameChannel> {
    const url = new URL(origin)
    const parameters = { projectId, chainId: current, version: PROTOCOL_VERSION, enableLogger }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
    const dismissed = () => emit('dismissed', undefined)
    const frame = createFrameElement({ document, frameOrigin: origin, url: url.href, dismissed })
    const { iframe } = frame
    element = frame

    return new Promise((resolve, reject) => {
      const fail = () => reject(errorOf(LOAD_FAILED))
      let timer = setTimeout(fail, LOAD_TIMEOUT_MS)
      iframe.onerror = fail
      // A frame that navigates loses its port, so the hello is sent for the first document alone.
      iframe.addEventListener(
        'load',
        () => {
          if (!iframe.contentWindow) return fail()
          clearTimeout(timer)
          timer = setTimeout(fail, READY_TIMEOUT_MS)
          const channel = openFrameChannel(iframe.contentWindow, origin, (event, payload) => {
            if (event === 'READY') {
              clearTimeout(timer)
              setTimeout(() => resolve(channel), AFTER_READY_MS)
            }
            if (event === 'SHOW') showSheet()
            if (event === 'HIDE') hideSheet()
            if (event === 'HEIGHT') emit('height', Number(payload))
            if (event === 'DISMISS') dismissed()
            if (event === 'SIGNED_OUT') {
              emit('accountsChanged', [])
              emit('signedOut', undefined)
            }
          })
        },
        { once: true },
      )
      frame.append()
    })
  }

  function unload() {
    loading?.then(
      (channel) => channel.close(),
      () => undefined,
    )
    loading = undefined
    element?.remove()
    element = undefined
    while (sheets > 0) hideSheet()
  }

  async function call<N extends CallName>(
    name: N,
    payload?: CallPayload<N>,
    timeoutMs?: number,
  ): Promise<CallResult<N>> {
    return (await load()).call(name, payload, timeoutMs)
  }

  function refuse(method: string): never {
    emit('notAllowed', { method })
    rejectRequests(ABORTED)
    throw Object.assign(new Error(NOT_ALLOWED), { code: UNSUPPORTED_METHOD })
  }

  function rejectRequests(reason: ErrorDetails) {
    loading?.then(
      (channel) => {
        channel.rejectAll('RPC_REQUEST', reason)
        channel.post('RPC_ABORT')
      },
      () => undefined,
    )
  }

  function begin(method: string) {
    openApprovals += 1
    emit('approval', { method })
  }

  function end() {
    openApprovals -= 1
    if (openApprovals === 0) emit('approvalEnd', undefined)
  }

  function showSheet() {
    sheets += 1
    begin('')
  }

  function hideSheet() {
    if (sheets === 0) return
    sheets -= 1
    end()
  }

  async function approved<T>(method: string, request: () => Promise<T>): Promise<T> {
    begin(method)
    try {
      return await request()
    } finally {
      end()
    }
  }

  return {
    async load() {
      await load()
    },
    connectEmail: (email) => call('CONNECT_EMAIL', { email }, LOGIN_TIMEOUT_MS),
    connectDevice: () => call('CONNECT_DEVICE', undefined, DEVICE_TIMEOUT_MS),
    connectOtp: (otp) => call('CONNECT_OTP', { otp }, LOGIN_TIMEOUT_MS),
    getSocialRedirectUri: (provider) => call('GET_SOCIAL_REDIRECT_URI', { provider }, LOGIN_TIMEOUT_MS),
    connectSocial: async (uri) => userOf(await call('CONNECT_SOCIAL', { uri }, SOCIAL_TIMEOUT_MS)),
    getFarcasterUri: () => call('GET_FARCASTER_URI', undefined, LOGIN_TIMEOUT_MS),
    connectFarcaster: () => call('CONNECT_FARCASTER'),
    getUser: async (options = {}) => userOf(await call('GET_USER', options)),
    isConnected: async () => (await call('IS_CONNECTED')).isConnected,
    endsWithTab: async () => (await call('IS_CONNECTED')).isPersistent === false,
    getChainId: async () => caipOf((await call('GET_CHAIN_ID')).chainId),
    async switchNetwork(chainId) {
      const { chainId: switched, address } = await call('SWITCH_NETWORK', { chainId })
      current = caipOf(switched)
      emit('chainChanged', current)
      if (address) emit('accountsChanged', [address])
    },
    updateEmail: (email) => call('UPDATE_EMAIL', { email }, SOCIAL_TIMEOUT_MS),
    updateEmailPrimaryOtp: (otp) => call('UPDATE_EMAIL_PRIMARY_OTP', { otp }, LOGIN_TIMEOUT_MS),
    updateEmailSecondaryOtp: (otp) => call('UPDATE_EMAIL_SECONDARY_OTP', { otp }, LOGIN_TIMEOUT_MS),
    async setPreferredAccount(type) {
      const account = await call('SET_PREFERRED_ACCOUNT', { type })
      emit('accountsChanged', [account.address])
      return account
    },
    async getSmartAccountEnabledNetworks() {
      const { smartAccountEnabledNetworks } = await call('GET_SMART_ACCOUNT_ENABLED_NETWORKS')
      return smartAccountEnabledNetworks.map(caipOf)
    },
    syncTheme: (theme) => call('SYNC_THEME', theme),
    syncDappData: (data) => call('SYNC_DAPP_DATA', data),
    async signOut() {
      await call('SIGN_OUT', undefined, SIGN_OUT_TIMEOUT_MS)
      emit('accountsChanged', [])
    },
    async reset() {
      unload()
      await load()
    },
    async request({ method, params, chainId = current }) {
      const policy = policyOf(method)
      if (policy === 'refused') return refuse(method)
      const request = () => call('RPC_REQUEST', { method, params, chainId })
      return policy === 'safe' ? request() : approved(method, request)
    },
    rejectRequests: () => rejectRequests(CLOSED),
    on(event, listener) {
      listeners[event].add(listener)
      return () => listeners[event].delete(listener)
    },
    show: (rect) => element?.show(rect),
    hide: () => element?.hide(),
  }
}

/** Returns the CAIP-2 id of a network; a bare chain id is that of an EVM network. */
function caipOf(chainId: string | number): CaipNetworkId {
  const text = String(chainId)
  return (text.includes(':') ? text : `eip155:${Number(text)}`) as CaipNetworkId
}

function userOf({ accounts = [], chainId, userName, ...user }: CallResult<'GET_USER'>): EmbeddedUser {
  return { ...user, ...(userName ? { userName } : {}), accounts, chainId: caipOf(chainId) }
}
