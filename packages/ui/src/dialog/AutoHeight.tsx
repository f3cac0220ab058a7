import { type ReactNode, useLayoutEffect, useRef } from 'react'

export interface AutoHeightProps {
  children: ReactNode
}

/** A box that glides to the height of its content. It scrolls when the card has no more room, and fades at that edge. */
export function AutoHeight({ children }: AutoHeightProps) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const outer = box.current
    const inner = content.current
    if (!outer || !inner || typeof ResizeObserver === 'undefined') return
    const mark = () => markHiddenContent(outer)
    let measured = false
    const observer = new ResizeObserver(() => {
      outer.style.blockSize = `${inner.offsetHeight}px`
      // The first height is where the card starts, not a change to animate.
      if (measured) outer.dataset.measured = 'true'
      measured = true
      holdPointer(outer)
      mark()
    })
    observer.observe(inner)
    outer.addEventListener('scroll', mark, { passive: true })
    outer.addEventListener('transitionend', mark)
    return () => {
      observer.disconnect()
      outer.removeEventListener('scroll', mark)
      outer.removeEventListener('transitionend', mark)
    }
  }, [])

  return (
    <div ref={box} className="hw-auto-height">
      <div ref={content}>{children}</div>
    </div>
  )
}

/** Takes no presses while the height changes: what is pressed moves, and another row would be released. */
function holdPointer(box: HTMLElement) {
  const [transition] = box.getAnimations?.() ?? []
  if (!transition) return
  box.toggleAttribute('data-moving', true)
  const release = () => box.toggleAttribute('data-moving', box.getAnimations().length > 0)
  transition.finished.then(release, release)
}

/** Tells the stylesheet whether there is content above or below what is seen. */
function markHiddenContent(box: HTMLElement) {
  box.toggleAttribute('data-above', box.scrollTop > 2)
  box.toggleAttribute('data-below', box.scrollTop + box.clientHeight < box.scrollHeight - 2)
}
