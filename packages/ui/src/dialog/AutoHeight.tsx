import { type ReactNode, useLayoutEffect, useRef } from 'react'

export interface AutoHeightProps {
  children: ReactNode
}

/** A box that glides to the height of its content, and scrolls when the card has no more room. */
export function AutoHeight({ children }: AutoHeightProps) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const outer = box.current
    const inner = content.current
    if (!outer || !inner || typeof ResizeObserver === 'undefined') return
    let measured = false
    const observer = new ResizeObserver(() => {
      outer.style.blockSize = `${inner.offsetHeight}px`
      // The first height is where the card starts, not a change to animate.
      if (measured) outer.dataset.measured = 'true'
      measured = true
    })
    observer.observe(inner)
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    const outer = box.current
    if (!outer) return
    const onScroll = () => outer.toggleAttribute('data-scrolled', outer.scrollTop > 2)
    outer.addEventListener('scroll', onScroll, { passive: true })
    return () => outer.removeEventListener('scroll', onScroll)
  }, [])

  return (
    <div ref={box} className="hw-auto-height">
      <div ref={content}>{children}</div>
    </div>
  )
}
