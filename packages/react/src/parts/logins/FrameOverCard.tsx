import {
  type FrameRectangle,
  hideFrame,
  showFrame,
  watchFrameHeight,
  watchLoginApprovals,
} from '@hawser/core'
import { useEffect, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useLoginTexts } from '../../locale/useLoginTexts.ts'

/** The least that the wallet lets a visitor approve in, in CSS pixels. */
const MIN_HEIGHT = 320

/** Keeps the wallet's frame over the card, and the card as high as what the frame shows. */
export function FrameOverCard() {
  const texts = useLoginTexts()
  const hawser = useHawser()
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = place.current
    const card = element?.closest<HTMLElement>('.hw-card')
    if (!element || !card) return
    fit(element, card, MIN_HEIGHT)
    const update = () => void showFrame(hawser, rectangleOf(card))
    update()
    const stopWatching = watchFrameHeight(hawser, (height) => fit(element, card, height))
    const observer = new ResizeObserver(update)
    observer.observe(card)
    // The card moves while it is opened.
    card.addEventListener('animationend', update)
    window.addEventListener('resize', update)
    return () => {
      stopWatching()
      observer.disconnect()
      card.removeEventListener('animationend', update)
      window.removeEventListener('resize', update)
      void hideFrame(hawser)
    }
  }, [hawser])

  return (
    <div ref={place} role="status">
      <span className="hw-visually-hidden">{texts.approve}</span>
    </div>
  )
}

/** Shows the frame while a login waits in it: for a passkey or the password that opens the wallet on a new device. */
export function LoginApproval() {
  const hawser = useHawser()
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => watchLoginApprovals(hawser, setWaiting), [hawser])
  return isWaiting ? <FrameOverCard /> : null
}

/** Makes the place of the frame so high that the whole card has a height. A card is never higher than the window. */
function fit(place: HTMLElement, card: HTMLElement, height: number): void {
  const box = place.closest<HTMLElement>('.hw-auto-height')
  if (!box) return
  // What is in the box has its height at once; the box follows.
  const content = box.firstElementChild as HTMLElement
  const rest = card.offsetHeight - box.offsetHeight + content.offsetHeight - place.offsetHeight
  place.style.blockSize = `${Math.max(0, Math.max(height, MIN_HEIGHT) - rest)}px`
}

function rectangleOf(card: HTMLElement): FrameRectangle {
  const { left, top, width, height } = card.getBoundingClientRect()
  const style = getComputedStyle(card)
  return {
    left,
    top,
    width,
    height,
    radius: Number.parseFloat(style.borderEndEndRadius) || 0,
    upperRadius: Number.parseFloat(style.borderStartStartRadius) || 0,
  }
}
