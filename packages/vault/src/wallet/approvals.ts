import type { BackupFactor, Secret } from '../factors/factors.ts'
import { type Limits, narrow, type Session } from '../permissions/session.ts'
import type { VaultUser } from '../vault/userVault.ts'
import type { ApprovalView, GrantView } from './approvalView.ts'
import { FrameError, providerErrorCode } from './frameError.ts'
import type { Preview } from './preview.ts'

/** A view of the frame: a request, or the choice of a secret that a request needs. */
export type Sheet =
  | {
      readonly kind: 'approval'
      readonly view: ApprovalView
      /** @param preview what was shown of the effects; undefined without */
      approve(preview?: Preview): void
      reject(): void
    }
  /** A site is to get a session, whose limits the user can lower. */
  | {
      readonly kind: 'grant'
      readonly view: GrantView
      /** @throws FrameError when a limit is higher than requested */
      approve(limits: Limits): void
      reject(): void
    }
  /** The user's email is about to change. */
  | {
      readonly kind: 'email'
      readonly view: EmailView
      approve(): void
      reject(): void
    }
  /** A site is to read and change the contacts of the wallet. */
  | {
      readonly kind: 'contacts'
      readonly view: ContactsView
      approve(): void
      reject(): void
    }
  /** The wallet is opened by one of the factors. */
  | {
      readonly kind: 'unlock'
      readonly factors: readonly BackupFactor[]
      /** @throws Error whose message is shown; the sheet stays. */
      submit(factorId: string, secret: Secret): Promise<void>
      reject(): void
    }
  /** The wallet is created with a secret, because this browser does not store its keys. */
  | {
      readonly kind: 'secure'
      /** Read beforehand: browsers create a passkey only while a click is handled. */
      readonly user: VaultUser
      submit(secret: Secret): Promise<void>
      reject(): void
    }

/** The place of a request among those that came together. */
export interface Place {
  readonly at: number
  readonly of: number
}

/** A change of the email that a site requests. */
interface EmailView {
  /** Origin of the site. */
  readonly site: string
  readonly oldEmail: string
  readonly newEmail: string
}

/** A site that requests the contacts. */
interface ContactsView {
  /** Origin of the site. */
  readonly site: string
}

/** The sheets that wait for the user, one shown at a time in the order of the requests. */
export interface Approvals {
  current(): Sheet | undefined
  /** Returns which of the requests that came together is shown, from 1, and how many they are. */
  place(): Place
  /** Calls the listener with every sheet that is shown, undefined for none. */
  subscribe(listener: (sheet: Sheet | undefined) => void): void
  /** Resolves when the user approves, with the preview that was shown. @throws FrameError 4001 */
  approve(view: ApprovalView): Promise<Preview | undefined>
  /** Resolves with the session within the limits that the user chose. @throws FrameError 4001 */
  grant(view: GrantView): Promise<Session>
  /** Resolves when the user approves a change of the email. @throws FrameError 4001 */
  changeEmail(view: EmailView): Promise<void>
  /** Resolves when the user shares the contacts with a site. @throws FrameError 4001 */
  shareContacts(view: ContactsView): Promise<void>
  unlock(
    factors: readonly BackupFactor[],
    submit: (factorId: string, secret: Secret) => Promise<void>,
  ): Promise<void>
  secure(user: VaultUser, submit: (secret: Secret) => Promise<void>): Promise<void>
  /** Returns a function that throws FrameError 4001 if everything was rejected since, for a request that is not shown yet. */
  begin(): () => void
  /** Rejects everything that waits, and what has begun. */
  rejectAll(): void
}

/** More requests than a person would answer are refused. */
const MAX_WAITING = 16

export function createApprovals(): Approvals {
  const waiting: Sheet[] = []
  const listeners = new Set<(sheet: Sheet | undefined) => void>()
  let rejections = 0
  /** Requests that were answered since none waited. */
  let answered = 0
  const show = () => {
    for (const listener of listeners) listener(waiting[0])
  }

  function push(sheetOf: (done: () => void, reject: () => void) => Sheet): Promise<void> {
    if (waiting.length >= MAX_WAITING)
      throw new FrameError('Too many requests', providerErrorCode.limitExceeded)
    return new Promise((resolve, reject) => {
      const remove = () => {
        const at = waiting.indexOf(sheet)
        if (at >= 0) waiting.splice(at, 1)
        answered = waiting.length === 0 ? 0 : answered + 1
        show()
      }
      const sheet = sheetOf(
        () => {
          remove()
          resolve()
        },
        () => {
          remove()
          reject(rejected())
        },
      )
      // A request that waits for a secret is answered before those behind it.
      if (sheet.kind === 'unlock' || sheet.kind === 'secure') waiting.unshift(sheet)
      else waiting.push(sheet)
      show()
    })
  }

  return {
    current: () => waiting[0],
    place: () => ({ at: answered + 1, of: answered + waiting.length }),
    subscribe: (listener) => void listeners.add(listener),
    async approve(view) {
      let shown: Preview | undefined
      await push((done, reject) => ({
        kind: 'approval',
        view,
        approve(preview) {
          shown = preview
          done()
        },
        reject,
      }))
      return shown
    },
    async grant(view) {
      let granted = view.session
      await push((done, reject) => ({
        kind: 'grant',
        view,
        approve(limits) {
          granted = narrow(view.session, limits)
          done()
        },
        reject,
      }))
      return granted
    },
    changeEmail: async (view) => push((approve, reject) => ({ kind: 'email', view, approve, reject })),
    shareContacts: async (view) => push((approve, reject) => ({ kind: 'contacts', view, approve, reject })),
    unlock: async (factors, submit) =>
      push((done, reject) => ({
        kind: 'unlock',
        factors,
        submit: async (factorId, secret) => {
          await submit(factorId, secret)
          done()
        },
        reject,
      })),
    secure: async (user, submit) =>
      push((done, reject) => ({
        kind: 'secure',
        user,
        submit: async (secret) => {
          await submit(secret)
          done()
        },
        reject,
      })),
    begin() {
      const before = rejections
      return () => {
        if (rejections !== before) throw rejected()
      }
    },
    rejectAll() {
      rejections += 1
      for (const sheet of [...waiting]) sheet.reject()
    },
  }
}

function rejected(): FrameError {
  return new FrameError('User rejected the request', providerErrorCode.userRejected, 'declined')
}
