let locks = 0

/**
 * Keeps the page behind a dialog still. A page that shows a scroll bar keeps its gutter, so nothing shifts. Locks are
 * counted: the page moves again when the last one is released.
 */
export function lockScroll(): () => void {
  const root = document.documentElement
  if (locks++ === 0) {
    const hasScrollBar = window.innerWidth > root.clientWidth
    root.dataset.hwScrollLock = hasScrollBar ? 'gutter' : 'plain'
  }
  let held = true
  return () => {
    if (!held) return
    held = false
    if (--locks === 0) delete root.dataset.hwScrollLock
  }
}
