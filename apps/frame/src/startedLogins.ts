const PREFIX = 'hawser.login.'
/** How long a login at a provider can take, in milliseconds. */
const LIFETIME_MS = 600_000

/** Stores that this browser started the login with a state. */
export function storeStartedLogin(state: string): void {
  withStorage((storage) => {
    for (const key of Object.keys(storage))
      if (key.startsWith(PREFIX) && !(Number(storage.getItem(key)) > Date.now())) storage.removeItem(key)
    storage.setItem(PREFIX + state, String(Date.now() + LIFETIME_MS))
  })
}

/** Reports whether this browser started the login with a state, once. */
export function takeStartedLogin(state: string): boolean {
  return (
    withStorage((storage) => {
      const expires = Number(storage.getItem(PREFIX + state))
      storage.removeItem(PREFIX + state)
      return expires > Date.now()
    }) ?? false
  )
}

/** Returns undefined where the browser blocks storage. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage)
  } catch {
    return undefined
  }
}
