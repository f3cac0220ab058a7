/** How long a change of the modal may take to move the focus, in milliseconds. */
const PATIENCE_MS = 1_000

/** Makes a change of the modal in this frame, which takes the focus, and gives it back to the page around the frame if it was there. */
export function keepFocus(change: () => void): void {
  const focused = focusedOutside()
  change()
  if (!focused) return
  const stop = () => {
    clearTimeout(timer)
    removeEventListener('focus', giveBack)
    removeEventListener('pointerdown', stop)
  }
  const giveBack = () => {
    stop()
    // The browser has moved its keyboard to this frame only after the event.
    setTimeout(() => {
      window.parent.focus()
      focused.focus({ preventScroll: true })
    })
  }
  const timer = setTimeout(stop, PATIENCE_MS)
  addEventListener('focus', giveBack)
  addEventListener('pointerdown', stop)
}

/** Returns the element of the page around the frame that has the focus; undefined while this frame has it. */
function focusedOutside(): HTMLElement | undefined {
  let focused = window.frameElement?.ownerDocument.activeElement
  if (!focused || focused === window.frameElement) return undefined
  while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  return focused as HTMLElement
}
