import { randomHex } from '../crypto/keys.ts'
import { clockUntil, completeEnvironment, type Environment } from '../environment.ts'
import type { RelayError } from '../relay/errors.ts'
import type { RelayOptions } from '../relay/relayAddress.ts'
import { createRelays, type Relays } from '../relay/relays.ts'
import { type Channel, createChannel, type Incoming } from './channel.ts'
import { SignError, signErrorCode } from './errors.ts'
import type { Method } from './methods.ts'
import type { Metadata, StoredSession } from './session.ts'
import { createSessionStore, type SessionStore } from './sessionStore.ts'

const SEED_KEY = 'client'
/** How long ending a session waits for a relay, in milliseconds. */
const DISCONNECT_DEADLINE_MS = 5_000
const ACK_DEADLINE_MS = 30_000
/** Longest delay of a browser's timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export interface CoreOptions {
  /** Relays that the client uses at once; at least one. */
  readonly relays: readonly [RelayOptions, ...RelayOptions[]]
  readonly metadata: Metadata
  readonly environment?: Partial<Environment>
}

export interface CoreListener {
  /** A session was settled in another tab. */
  added?(session: StoredSession): void
  /** The wallet, or another tab, changed the accounts of a session or its expiry. */
  updated?(session: StoredSession): void
  /** A session ended: by the peer, by another tab, or because it expired. */
  deleted?(session: StoredSession): void
  /** A relay refuses the client until its project id, its origin or the clock of the device is right. */
  refused?(error: RelayError): void
}

/** What the clients of a site and of a wallet have in common. */
export interface SignCore {
  readonly environment: Environment
  /** Aborted when the client is closed. */
  readonly closed: AbortSignal
  readonly relays: Relays
  readonly channel: Channel
  readonly sessions: SessionStore
  /** @throws SignError 7001 */
  session(topic: string): StoredSession
  add(session: StoredSession): void
  change(topic: string, change: Partial<StoredSession>): void
  /** Waits for the peer to answer. @throws SignError 8000 after 30 s */
  ping(topic: string): Promise<void>
  /** Ends a session at once on this side; resolved when a relay has accepted the message for the peer, or after 5 s. */
  disconnect(topic: string, reason?: { readonly code: number; readonly message: string }): Promise<void>
  close(): void
}

/**
 * Creates a core and restores its sessions. `handlers` handle the requests of peers: a relay keeps a request until its
 * handler is done.
 */
export function createCore(
  { relays: relayOptions, environment: given }: CoreOptions,
  handlers: Partial<
    Record<Method, (incoming: Incoming, session: StoredSession | undefined) => void | Promise<void>>
  >,
  listener: CoreListener,
): SignCore {
  const closing = new AbortController()
  const completed = completeEnvironment(given)
  const environment = { ...completed, clock: clockUntil(closing.signal, completed.clock) }
  const { clock, storage, log } = environment
  const sessions = createSessionStore(storage, clock)
  /** The sessions that this tab listens for. */
  const known = new Map<string, StoredSession>()
  const channel = createChannel(environment, () => relays, handle)
  const relays = createRelays(relayOptions, readSeed(), environment, {
    deliver: channel.receive,
    refused: (error) => listener.refused?.(error),
  })
  let cancelExpiry = () => {}

  function readSeed(): string {
    const stored = storage.getItem(SEED_KEY)
    if (stored && /^[0-9a-f]{64}$/.test(stored)) return stored
    const seed = randomHex(32)
    storage.setItem(SEED_KEY, seed)
    return seed
  }

  async function handle(incoming: Incoming): Promise<void> {
    const { topic, relayUrl, method } = incoming
    sync()
    const session = known.get(topic)
    if (session && !session.relayUrls.includes(relayUrl)) {
      change(topic, { relayUrls: [...session.relayUrls, relayUrl] })
    }
    const handler = handlers[method]
    if (handler) await handler(incoming, session)
    else if (method === 'wc_sessionDelete') remove(topic)
    else if (method === 'wc_sessionPing' || method === 'wc_pairingPing') channel.confirm(incoming)
    else if (method !== 'wc_pairingDelete') {
      throw new SignError(signErrorCode.unknownMethod, `unsupported method: ${method}`)
    }
  }

  function listen(session: StoredSession): void {
    known.set(session.topic, session)
    channel.open(session.topic, { symKey: session.symKey }, session.relayUrls)
    expireNext()
  }

  function change(topic: string, change: Partial<StoredSession>): void {
    sessions.change(topic, change)
    const session = known.get(topic)
    if (session) known.set(topic, { ...session, ...change })
    expireNext()
  }

  function forget(topic: string, reason?: Error): void {
    known.delete(topic)
    sessions.delete(topic)
    channel.close(topic, reason)
    expireNext()
  }

  function remove(topic: string): void {
    const session = known.get(topic)
    if (!session) return
    forget(topic)
    listener.deleted?.(session)
  }

  /** Adopts what other tabs stored: they share the client and its sessions. */
  function sync(): void {
    const stored = new Map(sessions.all().map((session) => [session.topic, session]))
    for (const topic of [...known.keys()]) if (!stored.has(topic)) remove(topic)
    for (const session of stored.values()) {
      const before = known.get(session.topic)
      if (!before) {
        listen(session)
        listener.added?.(session)
      } else if (JSON.stringify(before) !== JSON.stringify(session)) {
        known.set(session.topic, session)
        listener.updated?.(session)
      }
    }
  }

  function expireNext(): void {
    cancelExpiry()
    const next = Math.min(...[...known.values()].map(({ expiresAt }) => expiresAt))
    if (next === Number.POSITIVE_INFINITY) return
    const delay = Math.min(Math.max(0, next - clock.now()), LONGEST_TIMER_MS)
    cancelExpiry = clock.after(delay, () => {
      sync()
      expireNext()
    })
  }

  function wake(): void {
    sync()
    relays.wake()
  }

  for (const session of sessions.all()) listen(session)
  const stopWaking = onWake(wake, sync)

  return {
    environment,
    closed: closing.signal,
    relays,
    channel,
    sessions,
    session(topic) {
      const session = sessions.get(topic)
      if (!session) throw new SignError(signErrorCode.noSession, 'no session with this topic')
      return session
    },
    add(session) {
      sessions.put(session)
      listen(session)
    },
    change,
    async ping(topic) {
      const expiresAt = clock.now() + ACK_DEADLINE_MS
      await channel.request(topic, channel.nextId(), 'wc_sessionPing', {}, { expiresAt })
    },
    async disconnect(
      topic,
      reason = { code: signErrorCode.userDisconnected, message: 'User disconnected.' },
    ) {
      const session = known.get(topic) ?? sessions.get(topic)
      if (!session) return
      const sent = channel.notify(topic, 'wc_sessionDelete', reason, session.relayUrls)
      forget(topic)
      await Promise.race([sent, deadline()]).catch((error: Error) =>
        log('warn', 'could not send the end of a session', { reason: error.message }),
      )
    },
    close() {
      stopWaking()
      relays.close()
      channel.closeAll(new SignError(signErrorCode.userDisconnected, 'the client is closed'))
      closing.abort()
    },
  }

  function deadline(): Promise<void> {
    return new Promise((resolve) => void clock.after(DISCONNECT_DEADLINE_MS, resolve))
  }
}

/** Calls `wake` when the page comes back from sleep or goes online, and `changed` when another tab wrote to storage. */
function onWake(wake: () => void, changed: () => void): () => void {
  const { addEventListener, removeEventListener, document } = globalThis as Partial<typeof globalThis>
  if (!addEventListener || !document) return () => undefined
  const shown = () => {
    if (document.visibilityState === 'visible') wake()
  }
  addEventListener('online', wake)
  addEventListener('pageshow', shown)
  addEventListener('storage', changed)
  document.addEventListener('visibilitychange', shown)
  return () => {
    removeEventListener?.('online', wake)
    removeEventListener?.('pageshow', shown)
    removeEventListener?.('storage', changed)
    document.removeEventListener('visibilitychange', shown)
  }
}
