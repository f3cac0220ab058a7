import type { FrameRect } from './types.ts'

/** Above every layer of a site. */
const Z_INDEX = '999999'

export interface FrameElementOptions {
  readonly document: Document
  readonly frameOrigin: string
  readonly url: string
}

/** Creates the hidden iframe of the wallet, without adding it to the page. */
export function createFrameElement({ document, frameOrigin, url }: FrameElementOptions): HTMLIFrameElement {
  const element = document.createElement('iframe')
  element.id = 'hawser-frame'
  element.name = 'hawser-secure-frame'
  element.title = 'Wallet'
  element.allow = ['publickey-credentials-get', 'publickey-credentials-create', 'clipboard-write']
    .map((feature) => `${feature} ${frameOrigin}`)
    .join('; ')
  Object.assign(element.style, {
    position: 'fixed',
    zIndex: Z_INDEX,
    display: 'none',
    border: '0',
    colorScheme: 'normal',
  })
  element.src = url
  return element
}

/** Shows the iframe over a rectangle of the viewport. */
export function placeFrame(
  { style }: HTMLIFrameElement,
  { left, top, width, height, radius }: FrameRect,
): void {
  const px = (value: number) => `${value}px`
  Object.assign(style, {
    left: px(left),
    top: px(top),
    width: px(width),
    height: px(height),
    borderRadius: px(radius),
    display: 'block',
  })
}
