import type { ConnectedSession, Hawser, Login, LoginListener, Sessions } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'

/** Creates the store of the wallets in use, without a wallet. */
export function createSessions(instance: () => Hawser): Sessions {
  const listeners = new Set<LoginListener>()
  const sessions = new Map<Namespace, ConnectedSession>()
  return Object.assign(sessions, {
    open(login: Login) {
      const { connector, session } = login
      const left = new AbortController()
      sessions.get(connector.chain)?.unwatch()
      sessions.set(connector.chain, {
        ...session,
        connectorId: connector.id,
        unwatch: () => left.abort(),
      })
      for (const listener of listeners) listener(instance(), login, left.signal)
    },
    subscribe(listener: LoginListener) {
      listeners.add(listener)
    },
  })
}
