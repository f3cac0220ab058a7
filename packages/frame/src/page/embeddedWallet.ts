import type { CallName, CallPayload, CallResult, EventName } from '../protocol/messages.ts'
import { createApprovals } from './approvals.ts'
import { createFrameLoader } from './frameLoader.ts'
import { createSiteRequests } from './siteRequests.ts'
import type { CaipNetworkId, EmbeddedUser, EmbeddedWallet } from './types.ts'
import { createWalletEvents } from './walletEvents.ts'

const LOGIN_TIMEOUT_MS = 30_000
/** What waits for the user: a login in a popup, with what the provider asks there, or a sheet that approves a change. */
const SOCIAL_TIMEOUT_MS = 120_000
/** The lifetime of the link in a device mail. */
const DEVICE_TIMEOUT_MS = 600_000
const SIGN_OUT_TIMEOUT_MS = 3_000

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
  let current = chainId
  const events = createWalletEvents()
  const approvals = createApprovals(events)
  const frame = createFrameLoader(
    { origin: new URL(frameOrigin).origin, projectId, enableLogger, document },
    {
      chainId: () => current,
      received,
      dismissed: () => events.emit('dismissed', undefined),
      unloaded: approvals.hideSheets,
    },
  )

  function received(event: EventName, payload: unknown): void {
    if (event === 'SHOW') approvals.showSheet()
    if (event === 'HIDE') approvals.hideSheet()
    if (event === 'HEIGHT') events.emit('height', Number(payload))
    if (event === 'DISMISS') events.emit('dismissed', undefined)
    if (event === 'SIGNED_OUT') {
      events.emit('accountsChanged', [])
      events.emit('signedOut', undefined)
    }
  }

  async function call<N extends CallName>(
    name: N,
    payload?: CallPayload<N>,
    timeoutMs?: number,
  ): Promise<CallResult<N>> {
    return (await frame.load()).call(name, payload, timeoutMs)
  }

  return {
    async load() {
      await frame.load()
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
      events.emit('chainChanged', current)
      if (address) events.emit('accountsChanged', [address])
    },
    updateEmail: (email) => call('UPDATE_EMAIL', { email }, SOCIAL_TIMEOUT_MS),
    updateEmailPrimaryOtp: (otp) => call('UPDATE_EMAIL_PRIMARY_OTP', { otp }, LOGIN_TIMEOUT_MS),
    updateEmailSecondaryOtp: (otp) => call('UPDATE_EMAIL_SECONDARY_OTP', { otp }, LOGIN_TIMEOUT_MS),
    async setPreferredAccount(type) {
      const account = await call('SET_PREFERRED_ACCOUNT', { type })
      events.emit('accountsChanged', [account.address])
      return account
    },
    async getSmartAccountEnabledNetworks() {
      const { smartAccountEnabledNetworks } = await call('GET_SMART_ACCOUNT_ENABLED_NETWORKS')
      return smartAccountEnabledNetworks.map(caipOf)
    },
    async getContacts({ ask = false } = {}) {
      const timeout = ask ? undefined : LOGIN_TIMEOUT_MS
      return (await call('GET_CONTACTS', { ask }, timeout)).contacts ?? undefined
    },
    changeContacts: async (changes) =>
      (await call('CHANGE_CONTACTS', { changes }, LOGIN_TIMEOUT_MS)).contacts,
    syncTheme: (theme) => call('SYNC_THEME', theme),
    syncDappData: (data) => call('SYNC_DAPP_DATA', data),
    async signOut() {
      await call('SIGN_OUT', undefined, SIGN_OUT_TIMEOUT_MS)
      events.emit('accountsChanged', [])
    },
    async reset() {
      frame.unload()
      await frame.load()
    },
    ...createSiteRequests(frame, approvals, events, () => current),
    on: events.on,
    show: (rect) => frame.element()?.show(rect),
    hide: () => frame.element()?.hide(),
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
