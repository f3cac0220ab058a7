import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

// Polyfills the dialog element for jsdom: the open attribute, focus handling and the close event.
const previousFocus = new WeakMap<HTMLDialogElement, Element | null>()

HTMLDialogElement.prototype.showModal = function showModal() {
  if (this.open) throw new DOMException('The dialog is already open', 'InvalidStateError')
  previousFocus.set(this, document.activeElement)
  this.open = true
  const first = this.querySelector<HTMLElement>('[autofocus], button, input, [tabindex]')
  first?.focus()
}

HTMLDialogElement.prototype.close = function close() {
  if (!this.open) return
  this.open = false
  const opener = previousFocus.get(this)
  if (opener instanceof HTMLElement) opener.focus()
  queueMicrotask(() => this.dispatchEvent(new Event('close')))
}

// Polyfills constructed style sheets.
class ConstructedStyleSheet {
  text = ''

  replaceSync(text: string): void {
    this.text = text
  }
}
globalThis.CSSStyleSheet = ConstructedStyleSheet as unknown as typeof CSSStyleSheet
Object.defineProperty(document, 'adoptedStyleSheets', { value: [], configurable: true })

// The queries of Testing Library do not enter shadow roots: the modal is part of the page then.
Element.prototype.attachShadow = undefined as never

afterEach(cleanup)
