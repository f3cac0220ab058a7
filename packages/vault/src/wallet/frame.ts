import {
  type AppMessage,
  type CallName,
  type CallPayload,
  type CallResult,
  readChainId,
} from '@hawser/frame/protocol'
import type { Hex } from 'viem'
import { failures } from '../failures.ts'
import type { Addresses } from '../keys/derive.ts'
import type { BundlerClient } from '../smartAccount/bundlerClient.ts'
import type { SmartAccounts } from '../smartAccount/smartAccount.ts'
import type { Vault } from '../vault/vault.ts'
import type { Approvals } from './approvals.ts'
import { caipNetworkId, evmChainId } from './chainId.ts'
import { FrameError, providerErrorCode } from './frameError.ts'
import type { Node } from './node.ts'
import type { Site } from './site.ts'

/** Appearance of the embedding page, and its name. */
export interface Appearance {
  readonly themeMode: 'light' | 'dark' | undefined
  readonly themeVariables: Readonly<Record<string, unknown>>
  /**
   * Languages of the site's modal, which uses the first one that it has: BCP 47 tags with a comma between
   * them, `auto`, or any other text.
   */
  readonly locale: string
  /** The site's own name for itself; its origin is what is verified. */
  readonly siteName: string
}

interface FrameOptions {
  readonly site: Site
  readonly vault: Vault
  readonly node: Node
  readonly bundler: BundlerClient
  readonly approvals: Approvals
  /** The network to start with, as the site names it; Ethereum for one that is malformed. */
  readonly chainId: string
  /** Reports whether the gateway serves a network. @throws Error when its list cannot be loaded */
  readonly isListed: (chainId: string) => Promise<boolean>
  /** Returns the address of the page that sends a popup to the provider of a login. */
  readonly socialStart: (state: string) => string
  /** Address of the wallet's own page of the account. */
  readonly accountPage: string
  readonly changeAppearance: (change: Partial<Appearance>) => void
  readonly reload: () => void
}

type AccountType = 'eoa' | 'smartAccount'

type Handlers = { [N in CallName]: (payload: CallPayload<N>) => Promise<CallResult<N>> }

const STORAGE_DENIED =
  'This browser blocks the storage of the wallet. Allow it for this site, or use a site that can ask for a passkey'

const elsewhere = (page: string) => `Change the email on the wallet’s own page: ${page}`

/** Answers the messages of the embedding page. */
export function serveSite(options: FrameOptions): void {
  const { site } = options
  const handlers = handlersOf(options)
  site.listen(async ({ name, id, payload }: AppMessage) => {
    try {
      const handle = handlers[name] as (payload: unknown) => Promise<unknown>
      site.succeed(name, id, await handle(payload))
    } catch (error) {
      const message = error instanceof Error ? error.message : failures.unknown
      site.fail(name, id, isCoded(error) ? { message, code: error.code } : { message })
    }
  })
}

function handlersOf({
  site,
  vault,
  node,
  bundler,
  approvals,
  chainId,
  isListed,
  socialStart,
  accountPage,
  changeAppearance,
  reload,
}: FrameOptions): Handlers {
  let network = readChainId(chainId) ?? 'eip155:1'
  let userName = ''
  let preferred: AccountType = 'smartAccount'
  /** Whether the user approved a change of the email that is not over. */
  let isChangingEmail = false
  let loadedAccounts: Promise<SmartAccounts> | undefined
  /** The code of smart accounts is loaded once an account is read. */
  const smartAccounts = () => {
    loadedAccounts ??= import('../smartAccount/smartAccount.ts').then(({ createSmartAccounts }) =>
      createSmartAccounts({ bundler, node }),
    )
    return loadedAccounts
  }
  /** The code of signing is loaded with the first request. */
  const requests = async () => {
    const [{ createRequests }, accounts] = await Promise.all([import('./requests.ts'), smartAccounts()])
    const preferredAccount = () => preferred
    return createRequests({
      vault,
      node,
      approvals,
      site: site.origin,
      network: () => network,
      isListed,
      smartAccounts: accounts,
      bundler,
      preferredAccount,
      now: Date.now,
    })
  }
  let loadedRequests: ReturnType<typeof requests> | undefined

  /** Shows the frame while a sheet waits that the embedding page does not know of. */
  async function shown<T>(action: () => Promise<T>): Promise<T> {
    site.emit('SHOW')
    try {
      return await action()
    } finally {
      site.emit('HIDE')
    }
  }

  async function ensureWallet() {
    // Who logs in does not answer what was requested of another user.
    approvals.rejectAll()
    if (await vault.ensureWallet()) return
    if (site.isLegacy) throw new FrameError(STORAGE_DENIED, providerErrorCode.unauthorized)
    const user = await vault.getUser()
    await shown(() => approvals.secure(user, async (secret) => void (await vault.ensureWallet(secret))))
  }

  /** Starts a change of the email that the user approves in a sheet; the opened wallet signs it. */
  async function changeEmail(newEmail: string) {
    isChangingEmail = false
    const { email: oldEmail } = await vault.getUser()
    // Older SDKs do not show the frame for this call. A first email is a new way to sign in, which no site adds.
    if (site.isLegacy || !oldEmail)
      throw new FrameError(elsewhere(accountPage), providerErrorCode.unauthorized)
    return shown(async () => {
      await approvals.changeEmail({ site: site.origin, oldEmail, newEmail })
      const state = await vault.unlock()
      if (!state.isOpen && state.factors.length > 0)
        await approvals.unlock(state.factors, (id, secret) => vault.unlockWith(id, secret))
      const action = await vault.startEmailChange(newEmail)
      isChangingEmail = true
      return { action }
    })
  }

  function requireEmailChange() {
    if (!isChangingEmail) throw new FrameError(elsewhere(accountPage), providerErrorCode.unauthorized)
  }

  /** Returns the networks with smart accounts; none where the installation has no bundler. */
  async function smartNetworks(): Promise<readonly string[]> {
    const accounts = await smartAccounts()
    return accounts.networks().catch(() => [])
  }

  /** Returns the address of the smart account on a network, and whether it runs its code. */
  async function smartAccountOf(
    owner: string,
    on: string,
  ): Promise<{ address: string; isDeployed: boolean } | undefined> {
    const accounts = await smartAccounts()
    const [address] = await accounts.addresses(on, owner as Hex).catch(() => [])
    if (!address) return undefined
    return { address, isDeployed: await accounts.isDeployed(on, owner as Hex).catch(() => false) }
  }

  /** Returns the user on a network, by default the current one. */
  async function user(on = network): Promise<CallResult<'GET_USER'>> {
    const { addresses, email, userName: storedName, preferredAccount, hasBackup } = await vault.getUser()
    if (!addresses) throw new FrameError('The user has no wallet yet', providerErrorCode.unauthorized)
    preferred = preferredAccount ?? preferred
    const plain = { address: addressOn(on, addresses), type: 'eoa' } as const
    const smart = on.startsWith('eip155:') ? await smartAccountOf(plain.address, on) : undefined
    const accounts = smart ? [{ address: smart.address, type: 'smartAccount' } as const, plain] : [plain]
    if (preferred === 'eoa') accounts.reverse()
    const [{ address, type } = plain] = accounts
    const name = userName || storedName
    return {
      email: email || null,
      address,
      chainId: on,
      accounts,
      smartAccountDeployed: smart?.isDeployed === true,
      preferredAccountType: type,
      ...(site.isLegacy ? {} : { hasBackup }),
      ...(name ? { userName: name } : {}),
    }
  }

  return {
    async SWITCH_NETWORK({ chainId }) {
      network = caipNetworkId(chainId)
      if (site.isLegacy) return { chainId }
      // The account may have another address on this network.
      const found = (await vault.isSignedIn()) ? await user().catch(() => undefined) : undefined
      return { chainId: network, ...(found && { address: found.address }) }
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
    async GET_SOCIAL_REDIRECT_URI({ provider }) {
      const { uri, state } = await vault.startSocial(provider)
      // Older SDKs wait for a message of the popup, which the page of the start would cut off.
      return { uri: site.isLegacy ? uri : socialStart(state) }
    },
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
      const on = payload?.chainId === undefined ? network : caipNetworkId(payload.chainId)
      // The user is read on networks of other namespaces while the EVM account stays on its own.
      if (site.isLegacy || on.startsWith('eip155:')) network = on
      if (payload?.preferredAccountType && on === network) preferred = payload.preferredAccountType
      return user(on)
    },
    async SIGN_OUT() {
      approvals.rejectAll()
      await vault.signOut()
      return undefined
    },
    async IS_CONNECTED() {
      const isConnected = await vault.isSignedIn()
      return site.isLegacy ? { isConnected } : { isConnected, isPersistent: await vault.isPersistent() }
    },
    GET_CHAIN_ID: async () => ({ chainId: network }),
    async RPC_REQUEST(request) {
      loadedRequests ??= requests()
      return (await loadedRequests)(request)
    },
    async RPC_ABORT() {
      approvals.rejectAll()
      return undefined
    },
    UPDATE_EMAIL: ({ email }) => changeEmail(email),
    async UPDATE_EMAIL_PRIMARY_OTP({ otp }) {
      requireEmailChange()
      await vault.verifyOldEmail(otp)
      return undefined
    },
    async UPDATE_EMAIL_SECONDARY_OTP({ otp }) {
      requireEmailChange()
      const { newEmail } = await vault.verifyNewEmail(otp)
      isChangingEmail = false
      return { newEmail }
    },
    AWAIT_UPDATE_EMAIL: async () => ({ email: (await vault.getUser()).email }),
    async SYNC_THEME({ themeMode, themeVariables, w3mThemeVariables, locale = '' }) {
      changeAppearance({ themeMode, themeVariables: { ...themeVariables, ...w3mThemeVariables }, locale })
      return undefined
    },
    async SYNC_DAPP_DATA({ metadata }) {
      changeAppearance({ siteName: metadata?.name ?? '' })
      return undefined
    },
    GET_SMART_ACCOUNT_ENABLED_NETWORKS: async () => ({
      smartAccountEnabledNetworks: (await smartNetworks()).map(evmChainId),
    }),
    async INIT_SMART_ACCOUNT() {
      const { accounts, address, smartAccountDeployed = false } = await user()
      const smart = accounts?.find(({ type }) => type === 'smartAccount')
      return { address: smart?.address ?? address, isDeployed: smartAccountDeployed }
    },
    async SET_PREFERRED_ACCOUNT({ type }) {
      preferred = type
      if (!(await vault.isSignedIn())) return { type, address: '' }
      await vault.setPreferredAccount(type)
      const { address, preferredAccountType = type } = await user()
      return { type: preferredAccountType, address }
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

/** Errors of requests have the code of EIP-1193 or EIP-5792. */
function isCoded(error: unknown): error is { readonly code: number } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'number' &&
    !(error instanceof DOMException)
  )
}
