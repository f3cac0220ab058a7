import './olderBrowsers.ts'
import { english, type HandoffLanguage, loadHandoffLanguage } from '@hawser/texts/handoff/language'
import type { Socket } from '@hawser/walletconnect'
import { gateway } from './gateway.ts'
import { createNetworks } from './networks.ts'
import { type Screen, startPage } from './page.ts'
import { createPreviews } from './preview/previews.ts'
import { createStorage } from './storage.ts'
import { draw } from './views/draw.tsx'
import { createWakeLock } from './wakeLock.ts'

let language: HandoffLanguage = english
let screen: Screen | undefined
const wakeLock = createWakeLock()
const networks = createNetworks()
const previews = createPreviews(networks, redraw)

function redraw(): void {
  if (screen) draw(screen, { language, networks, previews, actions: page, link: location.href })
}

/** Opens a socket that says when it is open. */
function openSocket(url: string): Socket {
  const socket = new WebSocket(url)
  socket.addEventListener('open', () => page.connection(true))
  socket.addEventListener('close', () => page.connection(false))
  return socket as Socket
}

const page = startPage({
  id: /^\/open\/([\w-]{22})$/.exec(location.pathname)?.[1],
  url: location.origin,
  relayUrl: `${location.origin.replace(/^http/, 'ws')}/v1/relay`,
  gateway,
  storage: createStorage(() => localStorage),
  environment: { openSocket },
  // Older browsers have none.
  locks: navigator.locks as LockManager | undefined,
  loadSessions: async () => (await import('./session/sessions.ts')).createSessions,
  watchWallets: async (changed) => (await import('./wallets/find.ts')).watchWallets(changed),
  show(next) {
    screen = next
    wakeLock.want(next.at === 'connected')
    if (next.at === 'connected') void networks.load(next.session.record.site.projectId).then(redraw)
    // The page is not there yet when its first screen is shown.
    void Promise.resolve().then(redraw)
  },
})

addEventListener('storage', page.adopt)
addEventListener('offline', () => page.connection(false))
addEventListener('online', () => page.connection(true))
void loadHandoffLanguage(navigator).then((loaded) => {
  language = loaded
  redraw()
})
