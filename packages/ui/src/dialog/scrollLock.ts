let locks = 0

/**
 * Stops the page from scrolling. A page with a scroll bar keeps the gutter, so that nothing shifts. Locks are counted:
 * the page scrolls again when the last one is released.
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
