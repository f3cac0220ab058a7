import { type PointerEvent, useRef } from 'react'

/** A sheet released further down than this, in CSS pixels, is dismissed. */
const dismissDistance = 96
/** A sheet flicked down faster than this, in CSS pixels per millisecond, is dismissed. */
const dismissVelocity = 0.6

interface Drag {
  pointerId: number
  startY: number
  startedAt: number
}

/** Lets a bottom sheet be dragged down by its handle: it springs back, or requests to close. */
export function useSheetDrag(onDismiss: () => void) {
  const drag = useRef<Drag>(undefined)

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.pointerType === 'mouse' && event.button !== 0) return
    drag.current = { pointerId: event.pointerId, startY: event.clientY, startedAt: event.timeStamp }
    event.currentTarget.setPointerCapture?.(event.pointerId)
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const distance = distanceOf(event)
    if (distance === undefined) return
    const card = cardOf(event)
    card?.setAttribute('data-dragging', 'true')
    card?.style.setProperty('translate', `0 ${distance}px`)
  }

  function onPointerEnd(event: PointerEvent<HTMLElement>) {
    const distance = distanceOf(event)
    const started = drag.current?.startedAt ?? 0
    drag.current = undefined
    if (distance === undefined) return
    const card = cardOf(event)
    card?.removeAttribute('data-dragging')
    card?.style.removeProperty('translate')
    const velocity = distance / Math.max(1, event.timeStamp - started)
    if (event.type === 'pointerup' && (distance > dismissDistance || velocity > dismissVelocity)) onDismiss()
  }

  function distanceOf(event: PointerEvent<HTMLElement>): number | undefined {
    if (drag.current?.pointerId !== event.pointerId) return undefined
    return Math.max(0, event.clientY - drag.current.startY)
  }

  return { onPointerDown, onPointerMove, onPointerUp: onPointerEnd, onPointerCancel: onPointerEnd }
}

function cardOf(event: PointerEvent<HTMLElement>): HTMLElement | null {
  return event.currentTarget.closest<HTMLElement>('.hw-card')
}
