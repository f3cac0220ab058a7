/**
 * Announces a wallet by EIP-6963. This function is serialised and runs inside the page before the
 * page's own scripts: it may use nothing from outside itself.
 *
 * @param {{ channel: string, info: { uuid: string, name: string, rdns: string, icon: string } }} wallet
 */
export function announce({ channel, info }) {
  /** @type {Map<string, Set<(payload: unknown) => void>>} */
  const listeners = new Map()
  window.addEventListener(channel, (event) => {
    const { event: name, payload } = /** @type {CustomEvent} */ (event).detail
    for (const listener of listeners.get(name) ?? []) listener(payload)
  })

  const provider = {
    /** @param {{ method: string, params?: unknown }} request */
    async request(request) {
      const ask = /** @type {any} */ (window)[channel]
      const { result, error } = await ask({ method: request.method, params: request.params })
      if (error) throw Object.assign(new Error(error.message), { code: error.code, data: error.data })
      return result
    },
    /** @param {string} name @param {(payload: unknown) => void} listener */
    on(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(listener))
      return provider
    },
    /** @param {string} name @param {(payload: unknown) => void} listener */
    removeListener(name, listener) {
      listeners.get(name)?.delete(listener)
      return provider
    },
  }

  const detail = Object.freeze({ info: Object.freeze(info), provider: Object.freeze(provider) })
  const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', tell)
  tell()
}
