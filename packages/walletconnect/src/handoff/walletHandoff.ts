import { generateKeyPair, type KeyPair, topicOf } from '../crypto/keys.ts'
import type { Incoming } from '../sign/channel.ts'
import type { SignCore } from '../sign/core.ts'
import { SignError, signErrorCode } from '../sign/errors.ts'
import { cancelled } from '../sign/pairRequest.ts'
import { type Agreement, agree, commitmentOf, idOf, meetingKeyOf } from './agreement.ts'
import { createDeferred } from './deferred.ts'
import type { HandoffSite, WalletGateway } from './gateway.ts'

/** The keys of the hand-offs that have no session yet are stored under this key: wallets reload pages, and open several. */
const KEYS_KEY = 'handoff'
/** How long a key is kept, in milliseconds: longer than a hand-off waits for its session. */
const KEPT_MS = 3_600_000
/** Most keys that are kept. */
const MOST_KEPT = 20
/** Interval at which the claim is sent to the site's page until it answers, in milliseconds. */
const TELL_MS = 5_000

/** A hand-off that this wallet page claimed. */
export interface ClaimedHandoff {
  /** The site that started it. */
  readonly site: HandoffSite
  /** Resolved with the six digits that the site's page shows too. Rejects with what `ended` is resolved with. */
  readonly digits: Promise<string>
  /** Resolved with the reason when it is over before it is confirmed: SignError 8000, 5000 by the site, 6000 by this page. */
  readonly ended: Promise<Error>
  /** Listens for the proposal of the site: the visitor says that the digits are equal. Does nothing before there are digits. */
  confirm(): void
  /** Tells the site's page that the digits differ, or that the visitor does not want to connect. */
  decline(): void
}

/** The hand-offs of a wallet page. */
export interface WalletHandoffs {
  /** Claims a hand-off, with the same key again after a reload. Rejects as `gateway.claim` does. */
  claim(id: string, gateway: WalletGateway): Promise<ClaimedHandoff>
  /** Handles a message of a site's page. */
  receive(incoming: Incoming): void
  /** Forgets the keys of the hand-off with this pairing: it has a session. */
  settle(pairingTopic: string): void
}

/** @param listen listens for the proposal of a pairing. */
export function createWalletHandoffs(
  { channel, environment, closed }: SignCore,
  listen: (topic: string, symKey: string) => void,
): WalletHandoffs {
  const { clock, storage } = environment
  /** Handlers of messages, by the topic where the pages meet. */
  const meetings = new Map<string, { opened(params: unknown): void; declined(): void }>()
  /** Ends the hand-offs that are confirmed, by the topic of their pairing. */
  const confirmed = new Map<string, () => void>()

  /** Returns the keys that are not too old, the oldest first. */
  function storedKeys(): readonly StoredKey[] {
    const oldest = clock.now() - KEPT_MS
    return readKeys(storage.getItem(KEYS_KEY)).filter(({ at }) => at > oldest)
  }

  function keysOf(id: string): KeyPair {
    const known = storedKeys()
    const stored = known.find((key) => key.id === id)
    if (stored) return generateKeyPair(stored.privateKey)
    const keys = generateKeyPair()
    storeKeys([...known, { id, privateKey: keys.privateKey, at: clock.now() }].slice(-MOST_KEPT))
    return keys
  }

  function storeKeys(keys: readonly StoredKey[]): void {
    if (keys.length > 0) storage.setItem(KEYS_KEY, JSON.stringify(keys))
    else storage.removeItem(KEYS_KEY)
  }

  function forgetKeys(id: string): void {
    storeKeys(storedKeys().filter((key) => key.id !== id))
  }

  // Those that are too old.
  if (storage.getItem(KEYS_KEY) !== null) storeKeys(storedKeys())

  async function claim(id: string, gateway: WalletGateway): Promise<ClaimedHandoff> {
    const keys = keysOf(id)
    const site = await gateway.claim(id, keys.publicKey)
    if (id !== idOf(site.commitment)) throw new Error('the hand-off has another commitment')
    const symKey = meetingKeyOf(id)
    const topic = topicOf(symKey)
    let agreement: Agreement | undefined
    const digits = createDeferred<string>()
    const ended = createDeferred<Error>()

    function leaveMeeting(error?: Error): void {
      if (meetings.delete(topic)) channel.close(topic, error)
      cancelExpiry()
    }

    function leave(error: Error): void {
      leaveMeeting(error)
      digits.reject(error)
      ended.resolve(error)
    }

    function end(error: Error): void {
      forgetKeys(id)
      leave(error)
    }

    function tell(): void {
      if (agreement || !meetings.has(topic)) return
      channel.notify(topic, 'hawser_handoffClaimed', {}).catch(() => undefined)
      clock.after(TELL_MS, tell)
    }

    meetings.set(topic, {
      opened(params) {
        const { publicKey: siteKey, opening } = readOpening(params)
        // Anybody with the id can send a key, so a key that does not match the commitment is ignored.
        if (agreement || commitmentOf(siteKey, opening) !== site.commitment) return
        const { projectId, origin, commitment } = site
        const transcript = { id, projectId, origin, commitment, walletKey: keys.publicKey, siteKey, opening }
        agreement = agree(keys.privateKey, siteKey, transcript)
        digits.resolve(agreement.digits)
      },
      declined: () => end(new SignError(signErrorCode.userRejected, 'declined on the page')),
    })
    const cancelExpiry = clock.after(Math.max(0, site.expiresAt - clock.now()), () =>
      end(new SignError(signErrorCode.requestExpired, 'the hand-off has expired')),
    )
    // The page may be loaded again.
    closed.addEventListener('abort', () => leave(cancelled()), { once: true })
    channel.open(topic, { symKey })
    tell()

    return {
      site,
      digits: digits.promise,
      ended: ended.promise,
      confirm() {
        if (!agreement || !meetings.has(topic)) return
        cancelExpiry()
        const pairingTopic = topicOf(agreement.symKey)
        if (confirmed.has(pairingTopic)) return
        // The site can still decline, until it has a session.
        confirmed.set(pairingTopic, () => {
          leaveMeeting()
          forgetKeys(id)
        })
        listen(pairingTopic, agreement.symKey)
      },
      decline() {
        if (!meetings.has(topic)) return
        channel.notify(topic, 'hawser_handoffDeclined', {}).catch(() => undefined)
        end(cancelled())
      },
    }
  }

  return {
    claim,
    settle(pairingTopic) {
      confirmed.get(pairingTopic)?.()
      confirmed.delete(pairingTopic)
    },
    receive({ topic, method, params }) {
      const meeting = meetings.get(topic)
      if (method === 'hawser_handoffOpened') meeting?.opened(params)
      if (method === 'hawser_handoffDeclined') meeting?.declined()
    },
  }
}

/** The key of a hand-off. */
interface StoredKey {
  readonly id: string
  /** 64 hex digits. */
  readonly privateKey: string
  /** When it was made, in Unix milliseconds. */
  readonly at: number
}

/** Reads stored keys: none from a value of another form. */
function readKeys(value: string | null): readonly StoredKey[] {
  try {
    const stored: unknown = JSON.parse(value ?? '[]')
    return Array.isArray(stored) ? stored.filter(isStoredKey) : []
  } catch {
    return []
  }
}

function isStoredKey(value: unknown): value is StoredKey {
  const { id, privateKey, at } = Object(value) as Record<string, unknown>
  return typeof id === 'string' && isKey(privateKey) && typeof at === 'number'
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

/** @throws SignError 1001 for another form */
function readOpening(params: unknown): { readonly publicKey: string; readonly opening: string } {
  const { publicKey, opening } = Object(params) as Record<string, unknown>
  if (isKey(publicKey) && isKey(opening)) return { publicKey, opening }
  throw new SignError(signErrorCode.invalidMethod, 'malformed opening of a hand-off')
}
