/** Maximum number of topics in one request. */
const BATCH = 500

/** The topics whose messages a relay delivers. */
export interface Subscriptions {
  size(): number
  /** Adds a topic; false if it is one already. */
  add(topic: string): boolean
  /** Removes a topic; false if it was none. */
  remove(topic: string): boolean
  /** Subscribes to one topic, on an open socket. */
  send(topic: string): void
  /** Subscribes to all topics, after a connection or to find out whether it still answers. */
  sendAll(): void
}

/**
 * Creates subscriptions, to no topic.
 *
 * @param subscribe sends a request for some topics; must not throw
 */
export function createSubscriptions(subscribe: (topics: readonly string[]) => void): Subscriptions {
  const topics = new Set<string>()
  return {
    size: () => topics.size,
    add(topic) {
      if (topics.has(topic)) return false
      topics.add(topic)
      return true
    },
    remove: (topic) => topics.delete(topic),
    send: (topic) => subscribe([topic]),
    sendAll() {
      const all = [...topics]
      for (let at = 0; at < all.length; at += BATCH) subscribe(all.slice(at, at + BATCH))
    },
  }
}
