import { site } from './site.mjs'

const configured = new Set(
  [
    site.url,
    site.gatewayUrl,
    site.frameOrigin,
    site.devServersUrl,
    ...site.devnet.chains.flatMap(({ rpcUrl, wsUrl }) => [rpcUrl, wsUrl]),
  ].map((url) => new URL(url).host),
)

/**
 * Records every host that pages of a context contact.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} own URL of a page that may be contacted as well
 * @returns {{ hosts: Set<string>, foreign: () => string[] }} foreign: all but page, gateway, hawser-dev, the embedded
 * wallet and nodes
 */
export function watchNetwork(context, own) {
  const ownHost = new URL(own).host
  /** @type {Set<string>} */
  const hosts = new Set()
  /** @param {string} address */
  const note = (address) => {
    const { protocol, host } = new URL(address)
    if (protocol !== 'data:' && protocol !== 'blob:') hosts.add(host)
  }
  context.on('request', (request) => note(request.url()))
  /** @param {import('playwright-core').Page} page */
  const notePage = (page) => page.on('websocket', (socket) => note(socket.url()))
  context.pages().forEach(notePage)
  context.on('page', notePage)
  return { hosts, foreign: () => [...hosts].filter((host) => host !== ownHost && !configured.has(host)) }
}
