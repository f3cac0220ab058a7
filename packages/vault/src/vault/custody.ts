import type { ChangeProofJson } from '@hawser/client/wallet'
import type { Owner } from '../factors/factors.ts'
import { failures } from '../failures.ts'
import { CallError } from '../session/api.ts'
import type { DeviceKeys } from '../session/deviceKeys.ts'
import type { DeviceStore } from '../session/deviceStore.ts'
import type { Sessions } from '../session/session.ts'
import type { OpenWallet } from './openWallet.ts'

/** An open wallet is locked after this time without a signature. */
const IDLE_MS = 15 * 60_000

/** How long the proof of a change is valid. */
const PROOF_SECONDS = 120

export interface WalletsOptions {
  readonly sessions: Sessions
  readonly store: DeviceStore
  readonly keys: DeviceKeys
  /** Name of the device for its user, such as `Firefox 141 on Android`. */
  readonly deviceLabel: string
  /** Origin of the wallet's pages. */
  readonly origin: string
  /** Unix seconds by the server's clock. */
  readonly now: () => number
}

/** The wallet in memory, and what the actions on it call. */
export interface Custody extends WalletsOptions {
  /** Returns the signed-in user. @throws CallError without one */
  userId(): Promise<string>
  /** Returns the open wallet; undefined while it is locked. */
  current(): OpenWallet | undefined
  /** Returns the open wallet, which stays open for a while longer. @throws CallError while it is locked */
  opened(): OpenWallet
  /** Returns whose wallet was opened last. */
  owner(): Owner | undefined
  /** Opens a wallet in place of another one. It takes over both buffers. @throws CallError for another user than the signed-in one */
  hold(entropy: Uint8Array<ArrayBuffer>, dek: Uint8Array<ArrayBuffer>, of: Owner): Promise<OpenWallet>
  /** Signs that the user makes a change, as `Wallets.proveChange` does. */
  proveChange(change: string, subject: string): ChangeProofJson | undefined
  lock(): void
}

/** Creates the custody of a device. */
export function createCustody(options: WalletsOptions): Custody {
  const { sessions, origin, now } = options
  let open: OpenWallet | undefined
  let owner: Owner | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function lock() {
    clearTimeout(timer)
    open?.lock()
    open = undefined
  }

  function opened(): OpenWallet {
    if (!open) throw new CallError('failed_precondition', failures.locked)
    clearTimeout(timer)
    timer = setTimeout(lock, IDLE_MS)
    return open
  }

  return {
    ...options,
    async userId() {
      const session = await sessions.current()
      if (!session) throw signedOut()
      return session.userId
    },
    current: () => open,
    opened,
    owner: () => owner,
    async hold(entropy, dek, of) {
      const { openWallet } = await import('./openWallet.ts')
      const wallet = await openWallet(entropy, dek)
      // The user may have signed out meanwhile, and another one signed in.
      if ((await sessions.current())?.userId !== of.userId) {
        wallet.lock()
        throw signedOut()
      }
      lock()
      open = wallet
      owner = of
      return opened()
    },
    proveChange(change, subject) {
      if (!open || !owner) return undefined
      const deadline = Math.floor(now()) + PROOF_SECONDS
      const signature = open.proveOwner(origin, owner.userId, { change, subject, deadline })
      return { deadline: String(deadline), signature }
    },
    lock,
  }
}

function signedOut(): CallError {
  return new CallError('unauthenticated', failures.signedOut, 'SESSION_ABSENT')
}
