import { type FrameRectangle, hideFrame, showFrame, watchLoginApprovals } from '@hawser/core'
import { useEffect, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useLoginTexts } from '../../locale/enLogin.ts'

/** Below this width the card is a sheet at the foot of the screen, in CSS pixels. */
const SHEET_WIDTH = 430

/** Keeps the wallet's frame over the card, below its header, and the card as high as the frame. */
export function FrameOverCard() {
  const texts = useLoginTexts()
  const hawser = useHawser()
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const card = place.current?.closest<HTMLElement>('.hw-card')
    const header = card?.querySelector<HTMLElement>('.hw-header')
    if (!card || !header) return
    const update = () => void showFrame(hawser, rectangleOf(card, header))
    update()
    const observer = new ResizeObserver(update)
    observer.observe(card)
    // The card moves while it is opened.
    card.addEventListener('animationend', update)
    window.addEventListener('resize', update)
    return () => {
      observer.disconnect()
      card.removeEventListener('animationend', update)
      window.removeEventListener('resize', update)
      void hideFrame(hawser)
    }
  }, [hawser])

  return (
    <div ref={place} className="hw-approve" role="status">
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

function rectangleOf(card: HTMLElement, header: HTMLElement): FrameRectangle {
  const { left, width, bottom } = card.getBoundingClientRect()
  const top = header.getBoundingClientRect().bottom
  const isSheet = window.innerWidth <= SHEET_WIDTH
  const radius = Number.parseFloat(getComputedStyle(card).borderBottomLeftRadius) || 0
  return { left, top, width, height: bottom - top, radius: isSheet ? 0 : radius }
}
