import type { SessionJson } from '@hawser/client/sessions'
import type {
  AccountChangeJson,
  ChangeProofJson,
  FactorJson,
  GetDeviceRequestResponseJson,
  GetSocialRequestResponseJson,
  GetUserResponseJson,
  IdentityJson,
  WalletSessionJson,
} from '@hawser/client/wallet'
import { type BackupFactor, backupFactors, type Secret } from '../factors/factors.ts'
import { wipe } from '../factors/seal.ts'
import { failures } from '../failures.ts'
import type { Addresses } from '../keys/derive.ts'
import type { SignRequest } from '../keys/signer.ts'
import { type DeviceDescription, labelOfDevice } from '../login/device.ts'
import { createEmailLogin, type EmailStep } from '../login/emailLogin.ts'
import { createSocialLogin, type StartedSocial } from '../login/socialLogin.ts'
import { CallError, createApi } from '../session/api.ts'
import { loadDeviceKeys } from '../session/deviceKeys.ts'
import type { DeviceStore } from '../session/deviceStore.ts'
import { proofOf } from '../session/proof.ts'
import { createSessions, type TokensJson } from '../session/session.ts'
import { createWallets, type UnlockState } from './wallets.ts'

/** A user as the frame shows them. */
export interface VaultUser {
  readonly id: string
  readonly email: string
  readonly userName: string
  /** Undefined before the wallet is created. */
  readonly addresses: Addresses | undefined
  readonly preferredAccount: 'eoa' | 'smartAccount' | undefined
  /** Whether the wallet can be opened on another device, also by a recovery kit or by its words. */
  readonly hasBackup: boolean
  /** Ways to sign in, also those that wait or end. */
  readonly identities: readonly IdentityJson[]
  /** Changes of the last seven days, the newest first. */
  readonly changes: readonly AccountChangeJson[]
}

export interface VaultOptions {
  readonly projectId: string
  /** Origin of the wallet's pages. */
  readonly origin: string
  readonly device: DeviceDescription
  readonly store: DeviceStore
  readonly fetch: typeof fetch
  /** Unix milliseconds. */
  readonly now: () => number
  /** Runs one action at a time among the pages that share the store. */
  readonly exclusively: <T>(action: () => Promise<T>) => Promise<T>
  /** Called when the session ended without the user. */
  readonly signedOut: () => void
}

/** A session that a site was granted. */
export type SmartSession = SessionJson

/** What was granted on this device. */
export interface Grant {
  /** Delegation chain, ABI-encoded. */
  readonly context: string
  /** Unix time in seconds. */
  readonly expiry: number
  /** CAIP-2. */
  readonly chainId: string
  /** Origin of the site; absent in what was stored before it was. */
  readonly site?: string
  /** The answer to the site, in the form of ERC-7715; absent for the form before it. */
  readonly answer?: Readonly<Record<string, unknown>>
}

const GRANTS = 'grants'
/** Older grants are not listed any more; the service of sessions lists its own. */
const MAX_GRANTS = 100

/** Everything that uses keys or tokens. It runs in a worker; `vaultPort` carries its calls. */
export interface Vault {
  /** Returns the origin of the wallet's pages, which proofs for its services name. */
  origin(): Promise<string>
  /** Whether this browser keeps what the device stores. */
  isPersistent(): Promise<boolean>
  isSignedIn(): Promise<boolean>
  startEmail(email: string): Promise<EmailStep>
  waitForDevice(): Promise<void>
  verifyCode(code: string): Promise<void>
  listProviders(): Promise<{ readonly email: boolean; readonly socials: readonly string[] }>
  startSocial(provider: string): Promise<StartedSocial>
  /** Returns the login at a provider that this vault started last, if it is the one with this state. */
  startedSocial(state: string): Promise<StartedSocial | undefined>
  waitForSocial(): Promise<{ readonly userName: string }>
  startFarcaster(): Promise<{ readonly url: string }>
  waitForFarcaster(): Promise<{ readonly userName: string }>
  signOut(): Promise<void>
  getUser(): Promise<VaultUser>
  /**
   * Creates the wallet of a new user; does nothing for a user with a wallet. Returns false when a secret is needed: this browser
   * would forget the only factor.
   */
  ensureWallet(secret?: Secret): Promise<boolean>
  unlock(): Promise<UnlockState>
  unlockWith(factorId: string, secret?: Secret): Promise<void>
  lock(): Promise<void>
  sign(request: SignRequest): Promise<string>
  setPreferredAccount(type: 'eoa' | 'smartAccount'): Promise<void>
  /** Starts a change of the email. The opened wallet signs it; a locked one needs a login of the last minutes. */
  startEmailChange(email: string): Promise<'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'>
  verifyOldEmail(code: string): Promise<void>
  /** Ends the change of the email. `startsAt` is when a first email signs in (Unix seconds); 0 if it does already. */
  verifyNewEmail(code: string): Promise<{ readonly newEmail: string; readonly startsAt: number }>
  listFactors(): Promise<readonly FactorJson[]>
  /** Returns the factors that open the wallet on a new device. */
  listBackups(): Promise<readonly BackupFactor[]>
  /** Adds a factor, labelled by its kind and this device. */
  addFactor(secret: Secret): Promise<void>
  removeFactor(id: string): Promise<void>
  listSessions(): Promise<readonly WalletSessionJson[]>
  revokeSession(id: string): Promise<void>
  revokeAllSessions(): Promise<void>
  /** Returns what sites may do with an account (CAIP-10). */
  listSmartSessions(account: string): Promise<readonly SmartSession[]>
  /** Revokes a smart session at the service; its delegation is to be disabled on chain as well. */
  revokeSmartSession(account: string, pci: string): Promise<void>
  revokeAllSmartSessions(account: string): Promise<void>
  /** Returns what was granted to this site on this device, the newest last, without what has expired. */
  listGrants(): Promise<readonly Grant[]>
  /** Stores what was granted to this site. */
  addGrant(grant: Grant): Promise<void>
  exportMnemonic(): Promise<string>
  /** Returns the text of a recovery kit, which the password opens. */
  recoveryKit(password: string): Promise<string>
  /** Stores that the user has written down the words of the wallet. */
  recordBackup(): Promise<void>
  /**
   * Opens the user's wallet by a recovery kit. A user without a wallet gets that of the kit.
   *
   * @throws CallError for a wrong password, and for the kit of another wallet.
   */
  restore(kit: string, password: string): Promise<void>
  /** Returns the 24 words of a recovery kit, without the server. @throws CallError for a wrong password. */
  mnemonicOfKit(kit: string, password: string): Promise<string>
  /** Adds the account of the login that was started last to the user, once its owner has proven it. Signed as `startEmailChange`. @throws CallError */
  link(): Promise<void>
  /** Ends a `link` that waits. */
  cancelLink(): Promise<void>
  /** Removes a way to sign in: at once with the opened wallet, and else a day later. Signed as `startEmailChange`. */
  unlinkIdentity(provider: string, subject: string): Promise<void>
  /** Cancels the removal of a way to sign in. Signed as `startEmailChange`; a change that the wallet signed needs it open. */
  keepIdentity(provider: string, subject: string): Promise<void>
  /** Deletes the user. Signed as `startEmailChange`. */
  deleteUser(): Promise<void>
  getDeviceRequest(token: string): Promise<GetDeviceRequestResponseJson>
  decideDevice(token: string, approve: boolean): Promise<void>
  /** Returns the device that started a login at a provider. @throws CallError */
  getSocialRequest(state: string): Promise<GetSocialRequestResponseJson>
  finishSocial(
    parameters: Readonly<Record<string, string>>,
  ): Promise<{ readonly provider: string; readonly site: string }>
}

/** How a page opened the wallet. */
interface Opening {
  /** Stores that the page has opened the wallet by a secret or a recovery kit. */
  bySecret(): void
  /** Stores that the page has opened the wallet without a secret, which counts while no other factor opens it. */
  byDevice(): Promise<void>
  /** @throws CallError if the page has to open the wallet, and has not. */
  require(): void
  /** Returns the field of a request that proves a change, where the wallet is open. */
  proven(change: string, subject: string): { readonly proof?: ChangeProofJson }
}

/**
 * Opens the vault of a project in this browser, and returns what serves it to each page. With `mustOpen`, what that page changes or shows
 * needs its own opening of the wallet, by a passkey, a password or a recovery kit where there is one: another page may have opened the wallet
 * by the factor of this device.
 */
export async function openVaults(options: VaultOptions): Promise<(mustOpen: boolean) => Vault> {
  const { projectId, origin, device, store, fetch, now, exclusively, signedOut } = options
  const keys = await exclusively(() => loadDeviceKeys(store))
  const api = createApi({ projectId, fetch, now, prove: (call, time) => proofOf(keys, call, time) })
  const ended = () => {
    wallets.lock()
    signedOut()
  }
  const sessions = createSessions({ api, store, keys, exclusively, ended })
  const wallets = createWallets({
    sessions,
    store,
    keys,
    deviceLabel: labelOfDevice(device),
    origin,
    now: api.now,
  })
  const email = createEmailLogin(api, device)
  const social = createSocialLogin(api, device)
  let emailChange = ''

  const listBackups = async () =>
    backupFactors((await sessions.call('WalletService/ListFactors', {})).factors)

  function createOpening(mustOpen: boolean): Opening {
    let opened: object | undefined
    const isOpen = () => !mustOpen || (opened !== undefined && opened === wallets.opening())
    const bySecret = () => {
      opened = wallets.opening()
    }
    return {
      bySecret,
      async byDevice() {
        if (mustOpen && (await listBackups()).every(({ kind }) => kind === 'login')) bySecret()
      },
      require() {
        if (!isOpen()) throw new CallError('failed_precondition', failures.locked)
      },
      proven(change, subject) {
        const proof = isOpen() ? wallets.proveChange(change, subject) : undefined
        return proof ? { proof } : {}
      },
    }
  }

  // The wallet is locked last: one that is being opened is not opened for a session that has ended.
  async function start(tokens: TokensJson | undefined) {
    await sessions.start(tokens)
    wallets.lock()
  }

  async function signOutHere() {
    try {
      await sessions.forget()
    } finally {
      wallets.lock()
    }
  }

  async function grants(): Promise<readonly Grant[]> {
    const stored = (await store.get<readonly Grant[]>(GRANTS)) ?? []
    return stored.filter(({ expiry }) => expiry > now() / 1_000)
  }

  async function getUser(): Promise<VaultUser> {
    const user = await sessions.call('WalletService/GetUser', {})
    return userOf(user, await wallets.knownAddresses())
  }

  const serve = ({ proven, ...opening }: Opening): Vault => ({
    origin: async () => origin,
    isPersistent: async () => store.persistent,
    isSignedIn: async () => (await sessions.accessToken()) !== undefined,
    startEmail: async (address) => email.start(address, await sessions.accessToken()),
    waitForDevice: () => email.waitForDevice(),
    verifyCode: async (code) => start(await email.verify(code)),
    async listProviders() {
      const { email: hasEmail = false, socials = [] } = await api.call('LoginService/ListProviders', {})
      return { email: hasEmail, socials }
    },
    startSocial: (provider) => social.startSocial(provider),
    startedSocial: async (state) => social.startedSocial(state),
    async waitForSocial() {
      const { tokens, userName } = await social.waitForSocial()
      await start(tokens)
      return { userName }
    },
    startFarcaster: () => social.startFarcaster(),
    async waitForFarcaster() {
      const { tokens, userName } = await social.waitForFarcaster()
      await start(tokens)
      return { userName }
    },
    async signOut() {
      try {
        if (await sessions.current()) await sessions.call('SessionService/SignOut', {})
      } catch (error) {
        if (!(error instanceof CallError)) throw error
      } finally {
        await signOutHere()
      }
    },
    getUser,
    async ensureWallet(secret) {
      const user = await sessions.call('WalletService/GetUser', {})
      if (user.walletId) return true
      if (!secret && !store.persistent && !user.recoveryByLogin) return false
      try {
        await wallets.create(user, secret)
      } catch (error) {
        // Another device of the same user was quicker.
        if (!(error instanceof CallError && error.reason === 'WALLET_EXISTS')) throw error
      }
      return true
    },
    async unlock() {
      const state = await wallets.unlock()
      if (state.isOpen) await opening.byDevice()
      return state
    },
    async unlockWith(factorId, secret) {
      await wallets.unlockWith(factorId, secret)
      if (secret) opening.bySecret()
      else await opening.byDevice()
    },
    lock: async () => wallets.lock(),
    sign: async (request) => wallets.sign(request),
    async setPreferredAccount(type) {
      const named = type === 'eoa' ? 'ACCOUNT_TYPE_EOA' : 'ACCOUNT_TYPE_SMART_ACCOUNT'
      await sessions.call('WalletService/SetPreferredAccount', { type: named })
    },
    async startEmailChange(address) {
      const response = await sessions.call('WalletService/StartEmailChange', {
        email: address,
        ...proven('StartEmailChange', address),
      })
      emailChange = response.challengeId ?? ''
      return response.action === 'EMAIL_CHANGE_ACTION_VERIFY_OLD'
        ? 'VERIFY_PRIMARY_OTP'
        : 'VERIFY_SECONDARY_OTP'
    },
    async verifyOldEmail(code) {
      const response = await sessions.call('WalletService/VerifyOldEmail', { challengeId: emailChange, code })
      emailChange = response.challengeId ?? ''
    },
    async verifyNewEmail(code) {
      const { newEmail = '', startsAt = 0 } = await sessions.call('WalletService/VerifyNewEmail', {
        challengeId: emailChange,
        code,
      })
      emailChange = ''
      return { newEmail, startsAt: Number(startsAt) }
    },
    listFactors: async () => (await sessions.call('WalletService/ListFactors', {})).factors ?? [],
    listBackups,
    async addFactor(secret) {
      opening.require()
      await wallets.addFactor(secret)
    },
    removeFactor: async (id) =>
      void (await sessions.call('WalletService/RemoveFactor', { id, ...proven('RemoveFactor', id) })),
    listSessions: async () => (await sessions.call('SessionService/ListSessions', {})).sessions ?? [],
    revokeSession: async (id) =>
      void (await sessions.call('SessionService/RevokeSession', { id, ...proven('RevokeSession', id) })),
    async revokeAllSessions() {
      await sessions.call('SessionService/RevokeAllSessions', proven('RevokeAllSessions', ''))
      await signOutHere()
    },
    async listSmartSessions(account) {
      const found: SmartSession[] = []
      let pageToken: string | null | undefined = ''
      while (pageToken !== null && pageToken !== undefined) {
        const page: { pcis?: SmartSession[]; next?: string | null } = await sessions.call(
          'SessionsService/ListSessions',
          { account, pageToken },
        )
        found.push(...(page.pcis ?? []))
        pageToken = page.next || undefined
      }
      return found
    },
    async revokeSmartSession(account, pci) {
      await sessions.call('SessionsService/RevokeSession', { account, pci })
    },
    async revokeAllSmartSessions(account) {
      await sessions.call('SessionsService/RevokeAllSessions', { account })
    },
    listGrants: () => grants(),
    async addGrant(grant) {
      await exclusively(async () => store.put(GRANTS, [...(await grants()), grant].slice(-MAX_GRANTS)))
    },
    async exportMnemonic() {
      opening.require()
      return wallets.mnemonic()
    },
    async recoveryKit(password) {
      opening.require()
      return wallets.recoveryKit(password)
    },
    async recordBackup() {
      opening.require()
      await sessions.call('WalletService/RecordRecoveryKit', {})
    },
    async restore(kit, password) {
      await wallets.restore(await sessions.call('WalletService/GetUser', {}), kit, password)
      opening.bySecret()
    },
    async mnemonicOfKit(kit, password) {
      const [{ openRecoveryKit }, { mnemonicOf }] = await Promise.all([
        import('./recoveryKit.ts'),
        import('../keys/derive.ts'),
      ])
      const { entropy, dek } = await openRecoveryKit(kit, password)
      const words = mnemonicOf(entropy)
      wipe(entropy, dek)
      return words
    },
    link: () =>
      social.link(
        async (handle) =>
          void (await sessions.call('WalletService/LinkSocial', { handle, ...proven('LinkSocial', handle) })),
      ),
    cancelLink: async () => social.cancelLink(),
    async unlinkIdentity(provider, subject) {
      const proof = proven('UnlinkIdentity', `${provider} ${subject}`)
      await sessions.call('WalletService/UnlinkIdentity', { provider, subject, ...proof })
    },
    async keepIdentity(provider, subject) {
      const proof = proven('KeepIdentity', `${provider} ${subject}`)
      await sessions.call('WalletService/KeepIdentity', { provider, subject, ...proof })
    },
    async deleteUser() {
      const session = await sessions.current()
      await sessions.call('WalletService/DeleteUser', proven('DeleteUser', ''))
      await sessions.forget()
      if (session) await wallets.forget(session.userId)
    },
    getDeviceRequest: (token) => api.call('LoginService/GetDeviceRequest', { token }),
    decideDevice: async (token, approve) =>
      void (await api.call('LoginService/DecideDevice', { token, approve })),
    getSocialRequest: (state) => api.call('LoginService/GetSocialRequest', { state }),
    async finishSocial({ state = '', code = '', iss = '', error = '', user = '' }) {
      const { provider = '', site = '' } = await api.call('LoginService/FinishSocial', {
        state,
        code,
        iss,
        error,
        user,
      })
      return { provider, site }
    },
  })
  return (mustOpen) => serve(createOpening(mustOpen))
}

function userOf(user: GetUserResponseJson, known: Addresses | undefined): VaultUser {
  return {
    id: user.id ?? '',
    email: user.email ?? '',
    userName: user.userName ?? '',
    addresses: known ?? storedAddresses(user),
    preferredAccount:
      user.preferredAccount === 'ACCOUNT_TYPE_EOA'
        ? 'eoa'
        : user.preferredAccount === 'ACCOUNT_TYPE_SMART_ACCOUNT'
          ? 'smartAccount'
          : undefined,
    hasBackup: user.hasBackupFactor === true || Number(user.recoveryKitAt ?? 0) > 0,
    identities: user.identities ?? [],
    changes: user.changes ?? [],
  }
}

function storedAddresses({ walletId, accounts = [] }: GetUserResponseJson): Addresses | undefined {
  if (!walletId) return undefined
  const of = (namespace: string, kind = '') =>
    accounts.find((account) => account.namespace === namespace && (account.kind ?? '') === kind)?.address ??
    ''
  return {
    eip155: of('eip155'),
    solana: of('solana'),
    bitcoin: of('bip122', 'payment'),
    taproot: of('bip122', 'ordinal'),
  }
}
