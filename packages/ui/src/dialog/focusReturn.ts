const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex]:not([tabindex="-1"])'

/**
 * Remembers what has the focus now; the answer gives it back. Where that element has left the page in the meantime, the
 * first control of the nearest ancestor that is still there is focused: what took its place.
 */
export function rememberFocus(): () => void {
  const opener = document.activeElement
  const ancestors = ancestorsOf(opener)
  return () => {
    if (opener instanceof HTMLElement && opener.isConnected) return opener.focus({ preventScroll: true })
    const nearest = ancestors.find(({ isConnected }) => isConnected)
    nearest?.querySelector<HTMLElement>(CONTROLS)?.focus({ preventScroll: true })
  }
}

/** The elements around another one inside the body, the nearest first. */
function ancestorsOf(element: Element | null): Element[] {
  const ancestors: Element[] = []
  for (let at = element?.parentElement; at && at !== document.body; at = at.parentElement) ancestors.push(at)
  return ancestors
}
