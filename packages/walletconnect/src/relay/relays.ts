import { hashText } from '../crypto/keys.ts'
import type { Environment } from '../environment.ts'
import type { RelayError } from './errors.ts'
import type { RelayOptions } from './relayAddress.ts'
import { createRelayConnection } from './relayConnection.ts'

/** Messages that are remembered, to recognise one that another relay delivers too. */
const REMEMBERED = 2_000

interface PublishOptions {
  readonly tag: number
  /** How long the relay keeps the message for an absent receiver. */
  readonly ttlSeconds: number
  /** Whether the receiver should be woken by a push message. */
  readonly prompt?: boolean
}

/** The relays that a client uses at once. Lists of URLs select some of them; absent: all. */
export interface Relays {
  readonly urls: readonly string[]
  /** Calls a method of several relays. Resolved by the first one that accepts. @throws RelayError when none does */
  request(method: string, params: unknown, urls?: readonly string[]): Promise<void>
  /** Publishes a message, as `request` does. */
  publish(topic: string, message: string, options: PublishOptions, urls?: readonly string[]): Promise<void>
  subscribe(topic: string, urls?: readonly string[]): void
  unsubscribe(topic: string): void
  /** Checks the sockets more often until the returned function is called: a peer's answer is awaited. */
  expectAnswer(): () => void
  wake(): void
  close(): void
}

export interface RelaysListener {
  /** Handles each message once, whichever relay delivers it first. Must not throw. */
  deliver(topic: string, message: string, relayUrl: string): Promise<void>
  refused(error: RelayError): void
}

/** Creates the connections to several relays. @param seed Ed25519, 64 hex digits. */
export function createRelays(
  options: readonly RelayOptions[],
  seed: string,
  environment: Environment,
  listener: RelaysListener,
): Relays {
  const delivered = new Map<string, Promise<void>>()

  /** Joins the handling of the same message, so that it is acknowledged to each relay only once it is handled. */
  function deliverOnce(topic: string, message: string, relayUrl: string): Promise<void> {
    const key = hashText(topic + message)
    const known = delivered.get(key)
    if (known) return known
    const handling = listener.deliver(topic, message, relayUrl)
    delivered.set(key, handling)
    if (delivered.size > REMEMBERED) delivered.delete(delivered.keys().next().value ?? '')
    return handling
  }

  const connections = options.map((relay) =>
    createRelayConnection(relay, seed, environment, {
      deliver: ({ topic, message }) => deliverOnce(topic, message, relay.url),
      refused: listener.refused,
    }),
  )

  function selected(urls: readonly string[] | undefined) {
    const some = connections.filter(({ url }) => urls?.includes(url))
    return some.length > 0 ? some : connections
  }

  async function request(method: string, params: unknown, urls?: readonly string[]): Promise<void> {
    try {
      await Promise.any(selected(urls).map((connection) => connection.request(method, params)))
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error
    }
  }

  return {
    urls: options.map(({ url }) => url),
    request,
    publish: (topic, message, { ttlSeconds: ttl, tag, prompt = false }, urls) =>
      request('irn_publish', { topic, message, ttl, tag, prompt }, urls),
    subscribe(topic, urls) {
      for (const connection of selected(urls)) connection.subscribe(topic)
    },
    unsubscribe(topic) {
      for (const connection of connections) connection.unsubscribe(topic)
    },
    expectAnswer() {
      const releases = connections.map((connection) => connection.expectAnswer())
      return () => {
        for (const release of releases) release()
      }
    },
    wake() {
      for (const connection of connections) connection.wake()
    },
    close() {
      for (const connection of connections) connection.close()
    },
  }
}
