/** The elements that are in the page, in the order in which they were added. */
const elements = new Set<HawserElement>()
const listeners = new Set<() => void>()
let snapshot: readonly HawserElement[] = []

function changed(): void {
  snapshot = [...elements]
  for (const listener of listeners) listener()
}

/** An element of the page that a button is rendered into. */
abstract class HawserElement extends HTMLElement {
  static readonly observedAttributes: readonly string[] = [
    'label',
    'loading-label',
    'size',
    'balance',
    'disabled',
  ]

  connectedCallback(): void {
    elements.add(this)
    changed()
  }

  disconnectedCallback(): void {
    elements.delete(this)
    changed()
  }

  attributeChangedCallback(): void {
    if (elements.has(this)) changed()
  }
}

/** `<hawser-button>`: the connect button, and the account button once connected. */
export class HawserButton extends HawserElement {}

/** `<hawser-network-button>`: names the network and opens the list of networks. */
export class HawserNetworkButton extends HawserElement {}

customElements.define('hawser-button', HawserButton)
customElements.define('hawser-network-button', HawserNetworkButton)

/** Calls the listener when an element is added, removed or has another attribute; returns a function that stops it. */
export function subscribeElements(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the elements that are in the page; the same list until they change. */
export function currentElements(): readonly HawserElement[] {
  return snapshot
}
