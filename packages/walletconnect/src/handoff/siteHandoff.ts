import { generateKeyPair, randomHex, topicOf } from '../crypto/keys.ts'
import type { Incoming } from '../sign/channel.ts'
import type { SignCore } from '../sign/core.ts'
import { SignError, signErrorCode } from '../sign/errors.ts'
import { validateProposal } from '../sign/namespaces.ts'
import type { Pairings, PendingPairing } from '../sign/pairings.ts'
import { cancelled, type PairRequest } from '../sign/pairRequest.ts'
import type { Session } from '../sign/session.ts'
import { type Agreement, agree, commitmentOf, idOf, meetingKeyOf } from './agreement.ts'
import { createDeferred } from './deferred.ts'
import type { SiteGateway } from './gateway.ts'

/** How often the gateway is asked for the state although no message of the wallet page came, in milliseconds. */
const ASK_MS = 5_000

/** Messages of the wallet page within this time of another are ignored, in milliseconds: anybody with the id can send them, and each costs a call. */
const PAUSE_MS = 1_000

/** A hand-off that waits for the browser of a wallet. */
export interface PendingHandoff {
  /** The one-time address, for the link to the wallet page. */
  readonly id: string
  /** Unix milliseconds. */
  readonly expiresAt: number
  /**
   * Resolved with the six digits that the wallet page shows too, once it has claimed the hand-off. Rejects as `approval`
   * does.
   */
  readonly digits: Promise<string>
  /**
   * Resolved when another device tried to claim it as well, before this page confirmed the digits. That one was refused. Pending
   * otherwise.
   */
  readonly secondScan: Promise<void>
  /** Proposes the session: the visitor says that the digits are equal. Does nothing before there are digits. */
  confirm(): void
  /**
   * Resolved with the session. Rejects with a SignError: 5000 when it is declined in the wallet page, 8000 when it
   * expires, 6000 when it is cancelled; or with a RelayError.
   */
  readonly approval: Promise<Session>
  /** Stops waiting; does nothing after the session. */
  cancel(): void
}

/** The hand-offs of a site. */
export interface SiteHandoffs {
  /** Starts a hand-off. Rejects with SignError 5100 or 5104 for invalid namespaces, and as `gateway.create` does. */
  start(request: PairRequest, gateway: SiteGateway): Promise<PendingHandoff>
  /** Handles a message of a wallet page. */
  receive(incoming: Incoming): void
}

export function createSiteHandoffs(
  { channel, environment, closed }: SignCore,
  pairings: Pairings,
): SiteHandoffs {
  const { clock } = environment
  /** Handlers of messages, by the topic where the pages meet. */
  const meetings = new Map<string, { readonly claimed: () => void; readonly declined: () => void }>()

  async function start(request: PairRequest, gateway: SiteGateway): Promise<PendingHandoff> {
    validateProposal(request.requiredNamespaces ?? {})
    validateProposal(request.optionalNamespaces)
    const { relayUrls } = request
    const keys = generateKeyPair()
    const opening = randomHex(32)
    const commitment = commitmentOf(keys.publicKey, opening)
    const { id, secret, projectId, origin, expiresAt } = await gateway.create(commitment)
    if (id !== idOf(commitment)) throw new Error('the hand-off has another id')
    const symKey = meetingKeyOf(id)
    const topic = topicOf(symKey)
    let agreement: Agreement | undefined
    let pairing: PendingPairing | undefined
    let isAsking = false
    let hasSecondScan = false
    let heardAt = Number.NEGATIVE_INFINITY
    const digits = createDeferred<string>()
    const secondScan = createDeferred<void>()
    const approval = createDeferred<Session>()

    const leave = () => end(cancelled())

    function end(error: Error): void {
      if (meetings.delete(topic)) channel.close(topic, error)
      cancelExpiry()
      closed.removeEventListener('abort', leave)
      pairing?.cancel()
      digits.reject(error)
      approval.reject(error)
    }

    /** Whether all is known that the gateway can tell before the visitor has confirmed the digits. */
    const isKnown = () => hasSecondScan || pairing !== undefined || !meetings.has(topic)

    /** Asks for the key that claimed the hand-off, and agrees with it; after that, whether another one was refused. */
    async function ask(): Promise<void> {
      if (isAsking || isKnown()) return
      isAsking = true
      try {
        const { walletKey, refusedClaims } = await gateway.find(id, secret)
        if (!walletKey || !meetings.has(topic)) return
        if (!agreement) agreeWith(walletKey)
        if (refusedClaims === 0) return
        hasSecondScan = true
        secondScan.resolve()
      } catch (error) {
        environment.log('warn', 'could not read a hand-off', {
          error: error instanceof Error ? error.name : '',
        })
      } finally {
        isAsking = false
      }
    }

    function agreeWith(walletKey: string): void {
      const transcript = { id, projectId, origin, commitment, walletKey, siteKey: keys.publicKey, opening }
      agreement = agree(keys.privateKey, walletKey, transcript)
      digits.resolve(agreement.digits)
      showKey()
    }

    /** Opens the commitment; again whenever the wallet page says that it waits for that. */
    function showKey(): void {
      const opened = { publicKey: keys.publicKey, opening }
      channel.notify(topic, 'hawser_handoffOpened', opened, relayUrls).catch(() => undefined)
    }

    function askAgain(): void {
      clock.after(ASK_MS, () => {
        if (!isKnown()) void ask().finally(askAgain)
      })
    }

    function confirm(): void {
      if (!agreement || pairing || !meetings.has(topic)) return
      cancelExpiry()
      pairing = pairings.pair(request, agreement.symKey)
      pairing.approval.then(
        (session) => {
          if (meetings.delete(topic)) channel.close(topic)
          closed.removeEventListener('abort', leave)
          approval.resolve(session)
        },
        (error: Error) => end(error),
      )
    }

    function hearClaimed(): void {
      if (clock.now() - heardAt < PAUSE_MS) return
      heardAt = clock.now()
      if (agreement) showKey()
      else void ask()
    }

    meetings.set(topic, {
      claimed: hearClaimed,
      declined: () => end(new SignError(signErrorCode.userRejected, 'declined in the wallet')),
    })
    const cancelExpiry = clock.after(Math.max(0, expiresAt - clock.now()), () =>
      end(new SignError(signErrorCode.requestExpired, 'the hand-off has expired')),
    )
    closed.addEventListener('abort', leave)
    channel.open(topic, { symKey }, relayUrls)
    askAgain()

    return {
      id,
      expiresAt,
      digits: digits.promise,
      secondScan: secondScan.promise,
      confirm,
      approval: approval.promise,
      cancel() {
        if (!meetings.has(topic)) return
        channel.notify(topic, 'hawser_handoffDeclined', {}, relayUrls).catch(() => undefined)
        end(cancelled())
      },
    }
  }

  return {
    start,
    receive({ topic, method }) {
      const meeting = meetings.get(topic)
      if (method === 'hawser_handoffClaimed') meeting?.claimed()
      if (method === 'hawser_handoffDeclined') meeting?.declined()
    },
  }
}
