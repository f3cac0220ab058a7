import type { FrameRect } from './types.ts'

export interface FrameElementOptions {
  readonly document: Document
  readonly frameOrigin: string
  readonly url: string
  /** Called when the user presses Escape, or clicks outside the frame, while it is shown. */
  readonly dismissed: () => void
}

/** The wallet's iframe, in a modal dialog of its own: a dialog of the site would otherwise cover it and make it inert. */
export interface FrameElement {
  readonly iframe: HTMLIFrameElement
  /** Adds the hidden frame to the page. */
  append(): void
  /** Shows the frame over a rectangle of the viewport, or moves it there. */
  show(rect: FrameRect): void
  hide(): void
  remove(): void
}

const APPEAR_MS = 200

/** Creates the hidden frame of the wallet, without adding it to the page. */
export function createFrameElement({
  document,
  frameOrigin,
  url,
  dismissed,
}: FrameElementOptions): FrameElement {
  const iframe = createIframe(document, frameOrigin, url)
  const dialog = document.createElement('dialog')
  dialog.className = 'hawser-frame'
  dialog.setAttribute('aria-label', iframe.title)
  Object.assign(dialog.style, {
    position: 'fixed',
    inset: '0',
    width: '100%',
    height: '100%',
    maxWidth: 'none',
    maxHeight: 'none',
    margin: '0',
    padding: '0',
    border: '0',
    background: 'transparent',
    overflow: 'hidden',
  })
  dialog.append(iframe)
  let isShown = false

  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dismissed()
  })
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    dismissed()
  })
  // Browsers close a dialog on a second Escape, whatever `cancel` does.
  dialog.addEventListener('close', () => {
    if (isShown) dismissed()
  })

  return {
    iframe,
    append: () => document.body.append(dialog),
    show(rect) {
      place(iframe, rect)
      if (isShown) return
      isShown = true
      dialog.showModal()
      appear(iframe)
    },
    hide() {
      isShown = false
      if (dialog.open) dialog.close()
    },
    remove() {
      isShown = false
      dialog.remove()
    },
  }
}

function createIframe(document: Document, frameOrigin: string, url: string): HTMLIFrameElement {
  const iframe = document.createElement('iframe')
  iframe.id = 'hawser-frame'
  iframe.name = 'hawser-secure-frame'
  iframe.title = 'Wallet'
  iframe.allow = ['publickey-credentials-get', 'publickey-credentials-create', 'clipboard-write']
    .map((feature) => `${feature} ${frameOrigin}`)
    .join('; ')
  // Only contrast themes of the system draw the outline, along the corners.
  const outline = { outline: '1px solid transparent', outlineOffset: '-1px' }
  Object.assign(iframe.style, { position: 'fixed', border: '0', colorScheme: 'normal', ...outline })
  iframe.src = url
  return iframe
}

function place(
  { style }: HTMLIFrameElement,
  { left, top, width, height, radius, upperRadius = 0 }: FrameRect,
): void {
  const px = (value: number) => `${value}px`
  Object.assign(style, {
    left: px(left),
    top: px(top),
    width: px(width),
    height: px(height),
    borderRadius: [upperRadius, upperRadius, radius, radius].map(px).join(' '),
  })
}

/** Zooms the frame in, unless the user prefers less motion. */
function appear(iframe: HTMLIFrameElement): void {
  const { defaultView } = iframe.ownerDocument
  if (defaultView?.matchMedia?.('(prefers-reduced-motion: reduce)').matches) return
  iframe.animate?.([{ opacity: 0, transform: 'scale(0.96)' }, {}], {
    duration: APPEAR_MS,
    easing: 'ease-out',
  })
}
