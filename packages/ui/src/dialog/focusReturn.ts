const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex]:not([tabindex="-1"])'

/**
 * Remembers the focused element; the returned function restores the focus. When that element has been removed, the
 * first control of its nearest remaining ancestor is focused.
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
