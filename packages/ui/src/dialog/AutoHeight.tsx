import { type ReactNode, useLayoutEffect, useRef } from 'react'

export interface AutoHeightProps {
  children: ReactNode
}

/** A box that animates to the height of its content. It scrolls when the card is full, with a fade at the edge. */
export function AutoHeight({ children }: AutoHeightProps) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const outer = box.current
    const inner = content.current
    if (!outer || !inner || typeof ResizeObserver === 'undefined') return
    const mark = () => markHiddenContent(outer)
    const settle = () => {
      holdPointer(outer)
      mark()
      if (!outer.hasAttribute('data-moving')) outer.dataset.height = String(outer.clientHeight)
    }
    let measured = false
    const observer = new ResizeObserver(() => {
      outer.style.blockSize = `${inner.offsetHeight}px`
      // The initial height is not animated.
      if (measured) outer.dataset.measured = 'true'
      measured = true
      settle()
    })
    observer.observe(inner)
    outer.addEventListener('scroll', mark, { passive: true })
    outer.addEventListener('transitionend', settle)
    outer.addEventListener('transitioncancel', settle)
    return () => {
      observer.disconnect()
      outer.removeEventListener('scroll', mark)
      outer.removeEventListener('transitionend', settle)
      outer.removeEventListener('transitioncancel', settle)
    }
  }, [])

  return (
    <div ref={box} className="hw-auto-height">
      <div ref={content}>{children}</div>
    </div>
  )
}

/**
 * Gives a box the height that it has shown, before that of new content is known: what was removed may have bounded it by its styles.
 *
 * @param box the element of `AutoHeight`
 */
export function keepHeight(box: HTMLElement) {
  const { height } = box.dataset
  if (!height) return
  delete box.dataset.measured
  box.style.blockSize = `${height}px`
  // Layout without the transition, which would start at the height of all content.
  void box.offsetHeight
  box.dataset.measured = 'true'
}

/** Ignores presses while the height changes, because rows move and another one would be pressed. */
function holdPointer(box: HTMLElement) {
  const transitions = box.getAnimations?.() ?? []
  box.toggleAttribute(
    'data-moving',
    transitions.some(({ playState }) => playState === 'running'),
  )
}

/** Marks for the stylesheet whether there is hidden content above or below. */
function markHiddenContent(box: HTMLElement) {
  box.toggleAttribute('data-above', box.scrollTop > 2)
  box.toggleAttribute('data-below', box.scrollTop + box.clientHeight < box.scrollHeight - 2)
}
