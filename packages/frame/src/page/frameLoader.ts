import { type EventName, PROTOCOL_VERSION } from '../protocol/messages.ts'
import { errorOf, type FrameChannel, openFrameChannel } from './frameChannel.ts'
import { createFrameElement, type FrameElement } from './frameElement.ts'
import type { CaipNetworkId } from './types.ts'

const LOAD_TIMEOUT_MS = 20_000
/** How long after its document was loaded the frame may take to answer. An error page of the browser, such as that of a blocked frame, loads too. */
const READY_TIMEOUT_MS = 5_000
/** The frame restores its session before it is used. */
const AFTER_READY_MS = 500

const LOAD_FAILED = { message: 'Unable to load email login dependency', reason: 'emailLoginUnavailable' }

export interface FrameLoaderOptions {
  /** Origin of the frame. */
  readonly origin: string
  readonly projectId: string
  readonly enableLogger: boolean
  readonly document: Document
}

export interface FrameLoaderListener {
  /** The network that the frame starts with. */
  chainId(): CaipNetworkId
  received(event: EventName, payload: unknown): void
  /** The user closed the frame. */
  dismissed(): void
  /** The frame is no longer in the page. */
  unloaded(): void
}

/** The frame of an embedded wallet, which is added to the page at first use. */
export interface FrameLoader {
  /** Loads the frame, or joins what loads it; resolves 500 ms after it is ready. */
  load(): Promise<FrameChannel>
  /** Removes the frame from the page. */
  unload(): void
  /** Uses the channel of a frame that is loaded, or is being loaded. */
  withLoaded(use: (channel: FrameChannel) => void): void
  /** The frame in the page. */
  element(): FrameElement | undefined
}

/** Creates the loader of a frame. */
export function createFrameLoader(options: FrameLoaderOptions, listener: FrameLoaderListener): FrameLoader {
  let element: FrameElement | undefined
  let loading: Promise<FrameChannel> | undefined

  function withLoaded(use: (channel: FrameChannel) => void): void {
    loading?.then(use, () => undefined)
  }

  function unload(): void {
    withLoaded((channel) => channel.close())
    loading = undefined
    element?.remove()
    element = undefined
    listener.unloaded()
  }

  return {
    load() {
      if (!loading) {
        element = createElement(options, listener)
        loading = openChannel(element, options.origin, listener.received).catch((error) => {
          unload()
          throw error
        })
      }
      return loading
    },
    unload,
    withLoaded,
    element: () => element,
  }
}

function createElement(
  { origin, projectId, enableLogger, document }: FrameLoaderOptions,
  { chainId, dismissed }: FrameLoaderListener,
): FrameElement {
  const url = new URL(origin)
  const parameters = { projectId, chainId: chainId(), version: PROTOCOL_VERSION, enableLogger }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
  return createFrameElement({ document, frameOrigin: origin, url: url.href, dismissed })
}

/** Adds a frame to the page, and opens the channel to its document. @throws Error when it does not answer in time */
function openChannel(
  { iframe, append }: FrameElement,
  origin: string,
  received: FrameLoaderListener['received'],
): Promise<FrameChannel> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(errorOf(LOAD_FAILED))
    let timer = setTimeout(fail, LOAD_TIMEOUT_MS)
    iframe.onerror = fail
    // A frame that navigates loses its port, so the hello is sent for the first document alone.
    iframe.addEventListener(
      'load',
      () => {
        if (!iframe.contentWindow) return fail()
        clearTimeout(timer)
        timer = setTimeout(fail, READY_TIMEOUT_MS)
        const channel = openFrameChannel(iframe.contentWindow, origin, (event, payload) => {
          if (event === 'READY') {
            clearTimeout(timer)
            setTimeout(() => resolve(channel), AFTER_READY_MS)
          }
          received(event, payload)
        })
      },
      { once: true },
    )
    append()
  })
}
