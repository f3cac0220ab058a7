import type { Addresses } from '../keys/derive.ts'
import type { AppMessage, CallName, CallPayload, CallResult } from '../protocol/messages.ts'
import type { Vault } from '../vault/vault.ts'
import type { Approvals } from './approvals.ts'
import { caipNetworkId } from './chainId.ts'
import { FrameError, providerErrorCode } from './frameError.ts'
import type { Node } from './node.ts'
import type { Site } from './site.ts'

/** How the embedding page looks, and what it says of itself. */
export interface Appearance {
  readonly themeMode: 'light' | 'dark' | undefined
  readonly themeVariables: Readonly<Record<string, unknown>>
  /** The site's own name for itself; its origin is what is verified. */
  readonly siteName: string
}

export interface FrameOptions {
  readonly site: Site
  readonly vault: Vault
  readonly node: Node
  readonly approvals: Approvals
  /** CAIP-2 id of the network to start with. */
  readonly chainId: string
  readonly changeAppearance: (change: Partial<Appearance>) => void
  readonly reload: () => void
}

type Handlers = { [N in CallName]: (payload: CallPayload<N>) => Promise<CallResult<N>> }

const STORAGE_DENIED =
  'This browser blocks the storage of the wallet. Allow it for this site, or use a site that can ask for a passkey'

/** Answers the messages of the embedding page. */
export function serveSite(options: FrameOptions): void {
  const { site } = options
  const handlers = handlersOf(options)
  site.listen(async ({ name, id, payload }: AppMessage) => {
    try {
      const handle = handlers[name] as (payload: unknown) => Promise<unknown>
      site.succeed(name, id, await handle(payload))
    } catch (error) {
      const message = error instanceof Error ? error.message : 'Something went wrong'
      site.fail(name, id, error instanceof FrameError ? { message, code: error.code } : { message })
    }
  })
}

function handlersOf({
  site,
  vault,
  node,
  approvals,
  chainId,
  changeAppearance,
  reload,
}: FrameOptions): Handlers {
  let network = chainId
  let userName = ''
  /** The code of signing is loaded with the first request. */
  const requests = async () => {
    const { createRequests } = await import('./requests.ts')
    return createRequests({ vault, node, approvals, site: site.origin, network: () => network })
  }
  let loadedRequests: ReturnType<typeof requests> | undefined

  /** Shows the frame while a sheet waits that the page does not know of. */
  async function shown<T>(action: () => Promise<T>): Promise<T> {
    site.emit('SHOW')
    try {
      return await action()
    } finally {
      site.emit('HIDE')
    }
  }

  async function ensureWallet() {
    if (await vault.ensureWallet()) return
    if (site.isLegacy) throw new FrameError(STORAGE_DENIED, providerErrorCode.unauthorized)
    await shown(() => approvals.secure(async (secret) => void (await vault.ensureWallet(secret))))
  }

  async function user(): Promise<CallResult<'GET_USER'>> {
    const { addresses, email, userName: storedName } = await vault.getUser()
    if (!addresses) throw new FrameError('The user has no wallet yet', providerErrorCode.unauthorized)
    const address = addressOn(network, addresses)
    const name = userName || storedName
    return {
      email: email || null,
      address,
      chainId: network,
      accounts: [{ address, type: 'eoa' }],
      smartAccountDeployed: false,
      preferredAccountType: 'eoa',
      ...(name ? { userName: name } : {}),
    }
  }

  return {
    async SWITCH_NETWORK({ chainId }) {
      network = caipNetworkId(chainId)
      return { chainId: site.isLegacy ? chainId : network }
    },
    async CONNECT_EMAIL({ email }) {
      const step = await vault.startEmail(email)
      if (step.action === 'CONNECT') await ensureWallet()
      return step
    },
    CONNECT_DEVICE: async () => void (await vault.waitForDevice()),
    async CONNECT_OTP({ otp }) {
      await vault.verifyCode(otp)
      await ensureWallet()
      return undefined
    },
    GET_SOCIAL_REDIRECT_URI: ({ provider }) => vault.startSocial(provider),
    async CONNECT_SOCIAL() {
      userName = (await vault.waitForSocial()).userName
      await ensureWallet()
      return user()
    },
    GET_FARCASTER_URI: () => vault.startFarcaster(),
    async CONNECT_FARCASTER() {
      userName = (await vault.waitForFarcaster()).userName
      await ensureWallet()
      return { userName }
    },
    async GET_USER(payload) {
      if (payload?.chainId !== undefined) network = caipNetworkId(payload.chainId)
      return user()
    },
    async SIGN_OUT() {
      approvals.rejectAll()
      await vault.signOut()
      return undefined
    },
    IS_CONNECTED: async () => ({ isConnected: await vault.isSignedIn() }),
    GET_CHAIN_ID: async () => ({ chainId: network }),
    async RPC_REQUEST(request) {
      loadedRequests ??= requests()
      return (await loadedRequests)(request)
    },
    async RPC_ABORT() {
      approvals.rejectAll()
      return undefined
    },
    UPDATE_EMAIL: async ({ email }) => ({ action: await vault.startEmailChange(email) }),
    UPDATE_EMAIL_PRIMARY_OTP: async ({ otp }) => void (await vault.verifyOldEmail(otp)),
    UPDATE_EMAIL_SECONDARY_OTP: ({ otp }) => vault.verifyNewEmail(otp),
    AWAIT_UPDATE_EMAIL: async () => ({ email: (await vault.getUser()).email }),
    async SYNC_THEME({ themeMode, themeVariables, w3mThemeVariables }) {
      changeAppearance({ themeMode, themeVariables: { ...themeVariables, ...w3mThemeVariables } })
      return undefined
    },
    async SYNC_DAPP_DATA({ metadata }) {
      changeAppearance({ siteName: metadata?.name ?? '' })
      return undefined
    },
    GET_SMART_ACCOUNT_ENABLED_NETWORKS: async () => ({ smartAccountEnabledNetworks: [] }),
    async INIT_SMART_ACCOUNT() {
      const { address } = await user()
      return { address, isDeployed: false }
    },
    async SET_PREFERRED_ACCOUNT({ type }) {
      if (!(await vault.isSignedIn())) return { type, address: '' }
      await vault.setPreferredAccount(type)
      return { type: 'eoa', address: (await user()).address }
    },
    async RELOAD() {
      reload()
      return undefined
    },
  }
}

function addressOn(chainId: string, { eip155, solana, bitcoin }: Addresses): string {
  if (chainId.startsWith('solana:')) return solana
  return chainId.startsWith('bip122:') ? bitcoin : eip155
}
