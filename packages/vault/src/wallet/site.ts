import {
  type AppMessage,
  type CallName,
  type EventName,
  type Failure,
  FRAME_PREFIX,
  HELLO,
  readAppMessage,
} from '@hawser/frame/protocol'

/** Versions of older SDKs, which post messages to the window instead of a port. */
const WINDOW_VERSIONS: readonly string[] = ['3', '4']

/** The part of a window that the frame uses. */
export interface FrameWindow {
  readonly parent: Window
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void
}

export interface SiteOptions {
  readonly window: FrameWindow
  /** Reports whether a page may use the wallet. */
  readonly isAllowed: (origin: string) => boolean
  /** Version that the URL of the frame names; those of older SDKs are answered through the window. */
  readonly version: string
  /**
   * Origin of the embedding page as the browser reports it, for older SDKs, which wait for READY before their
   * first message.
   */
  readonly ancestorOrigin: string | undefined
}

/** The page that embeds the frame, after it has proven its origin. */
export interface Site {
  readonly origin: string
  /** Whether the site is an older SDK, which handles only the messages that answer it. */
  readonly isLegacy: boolean
  succeed(name: CallName, id: string, payload: unknown): void
  fail(name: CallName, id: string, failure: Failure): void
  emit(event: EventName, payload?: unknown): void
  /** Receives the messages that pass their schema; the others are dropped. */
  listen(listener: (message: AppMessage) => void): void
}

/**
 * Waits for the embedding page: a hello with a MessagePort from exactly the parent window and an allowed
 * origin. Messages from other windows or origins are ignored, and so is a second hello.
 */
export function waitForSite(options: SiteOptions): Promise<Site> {
  return WINDOW_VERSIONS.includes(options.version) ? waitForWindow(options) : waitForPort(options)
}

function waitForPort({ window, isAllowed }: SiteOptions): Promise<Site> {
  return new Promise((resolve) => {
    function receive({ source, origin, data, ports: [port] }: MessageEvent) {
      if (source !== window.parent || !isAllowed(origin) || data?.type !== HELLO || !port) return
      window.removeEventListener('message', receive)
      const site = siteOf(
        origin,
        false,
        (message) => port.postMessage(message),
        (listener) => {
          port.onmessage = ({ data }) => listener(data)
        },
      )
      site.emit('READY', { version: String(data.version) })
      resolve(site)
    }
    window.addEventListener('message', receive)
  })
}

/**
 * Waits for a page with an older SDK. Adds the checks that the SDK leaves out: the source, the exact origin,
 * and the target of each answer.
 */
function waitForWindow({ window, isAllowed, ancestorOrigin: origin }: SiteOptions): Promise<Site> {
  if (origin === undefined || !isAllowed(origin)) return new Promise(() => undefined)
  const site = siteOf(
    origin,
    true,
    (message) => window.parent.postMessage(message, origin),
    (listener) =>
      window.addEventListener('message', (event) => {
        if (event.source === window.parent && event.origin === origin) listener(event.data)
      }),
  )
  return Promise.resolve(site)
}

function siteOf(
  origin: string,
  isLegacy: boolean,
  post: (message: object) => void,
  onMessage: (listener: (data: unknown) => void) => void,
): Site {
  return {
    origin,
    isLegacy,
    succeed: (name, id, payload) => post({ type: `${FRAME_PREFIX}${name}_SUCCESS`, id, payload }),
    fail: (name, id, payload) => post({ type: `${FRAME_PREFIX}${name}_ERROR`, id, payload }),
    emit: (event, payload) => post({ type: FRAME_PREFIX + event, payload }),
    listen: (listener) =>
      onMessage((data) => {
        const message = readAppMessage(data)
        if (message) listener(message)
      }),
  }
}
