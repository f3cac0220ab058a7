import { type FrameRectangle, hideFrame, showFrame } from '@hawser/core'
import { useEffect, useRef } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { enLogin } from '../../locale/enLogin.ts'

/** Below this width the card is a sheet at the foot of the screen, in CSS pixels. */
const SHEET_WIDTH = 430
const FRAME_HEIGHT = 600

/** Keeps the wallet's frame over the card, below its header, for as long as a request waits there. */
export function ApproveTransactionView() {
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
      <span className="hw-visually-hidden">{enLogin.approve}</span>
    </div>
  )
}

function rectangleOf(card: HTMLElement, header: HTMLElement): FrameRectangle {
  const { left, width, bottom } = card.getBoundingClientRect()
  const top = header.getBoundingClientRect().bottom
  const isSheet = window.innerWidth <= SHEET_WIDTH
  const radius = Number.parseFloat(getComputedStyle(card).borderBottomLeftRadius) || 0
  return { left, top, width, height: Math.min(bottom - top, FRAME_HEIGHT), radius: isSheet ? 0 : radius }
}
