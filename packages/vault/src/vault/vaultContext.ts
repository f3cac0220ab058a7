import { type BackupFactor, backupFactors } from '../factors/factors.ts'
import { type DeviceDescription, labelOfDevice } from '../login/device.ts'
import { createEmailChange, type EmailChange } from '../login/emailChange.ts'
import { createEmailLogin, type EmailLogin } from '../login/emailLogin.ts'
import { createSocialLogin, type SocialLogin } from '../login/socialLogin.ts'
import { type Api, createApi } from '../session/api.ts'
import { loadDeviceKeys } from '../session/deviceKeys.ts'
import type { DeviceStore } from '../session/deviceStore.ts'
import { proofOf } from '../session/proof.ts'
import { createSessions, type Sessions, type TokensJson } from '../session/session.ts'
import { createWallets, type Wallets } from './wallets.ts'

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

/** What the vaults of all pages share. */
export interface VaultContext extends VaultOptions {
  readonly api: Api
  readonly sessions: Sessions
  readonly wallets: Wallets
  readonly email: EmailLogin
  readonly social: SocialLogin
  readonly emailChange: EmailChange
}

/** Loads the keys of the device, and creates what the vaults share. */
export async function createVaultContext(options: VaultOptions): Promise<VaultContext> {
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
  return {
    ...options,
    api,
    sessions,
    wallets,
    email: createEmailLogin(api, device),
    social: createSocialLogin(api, device),
    emailChange: createEmailChange(sessions),
  }
}

/** Starts the session of a login. The wallet is locked last: one that is being opened is not opened for a session that has ended. */
export async function startSession(
  { sessions, wallets }: VaultContext,
  tokens: TokensJson | undefined,
): Promise<void> {
  await sessions.start(tokens)
  wallets.lock()
}

/** Forgets the session on this device, and locks the wallet. */
export async function signOutHere({ sessions, wallets }: VaultContext): Promise<void> {
  try {
    await sessions.forget()
  } finally {
    wallets.lock()
  }
}

/** Returns the factors that open the wallet on a new device. */
export async function listBackups({ sessions }: VaultContext): Promise<readonly BackupFactor[]> {
  return backupFactors((await sessions.call('WalletService/ListFactors', {})).factors)
}
