import { VIEW_ANIMATION_MS } from '@hawser/core'
import { keepHeight } from '@hawser/ui'

/** How far a view moves while it fades, in CSS pixels. */
const slide = 12

/**
 * Fades out the view that was replaced, below the new one. React has removed it already: it is inserted again as an
 * inert element without ids, and removed after the transition. The new view starts unscrolled.
 */
export function fadeOutView(old: HTMLElement, current: HTMLElement, direction: 'none' | 'next' | 'previous') {
  const box = current.closest<HTMLElement>('.hw-auto-height')
  const scrolled = box?.scrollTop ?? 0
  if (box) {
    keepHeight(box)
    box.scrollTop = 0
  }
  if (old.isConnected || typeof old.animate !== 'function') return
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return

  old.inert = true
  old.setAttribute('aria-hidden', 'true')
  // Ids within an SVG stay: its gradients are referenced by them.
  for (const element of [old, ...old.querySelectorAll(':not(svg *):is([id], [data-testid])')]) {
    for (const name of ['id', 'data-testid', 'data-view']) element.removeAttribute(name)
  }
  old.className = 'hw-view hw-view-leaving'
  old.style.insetBlockStart = `${-scrolled}px`
  current.parentElement?.append(old)

  const sign = (direction === 'next' ? -1 : 1) * (getComputedStyle(current).direction === 'rtl' ? -1 : 1)
  const animation = old.animate(
    [{ opacity: 1 }, { opacity: 0, transform: `translateX(${sign * slide}px)` }],
    {
      duration: VIEW_ANIMATION_MS,
      easing: 'ease-out',
    },
  )
  const remove = () => old.remove()
  animation.finished.then(remove, remove)
}
