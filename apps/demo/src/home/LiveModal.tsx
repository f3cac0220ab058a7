import { useEffect, useRef, useState } from 'react'

/** On narrower screens the modal is a sheet that covers the page: it opens by the button. */
const hasRoom = '(min-width: 961px)'

/** The modal itself, open beside the text. */
export function LiveModal() {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isShown, setShown] = useState(() => matchMedia(hasRoom).matches)
  const [isReady, setReady] = useState(false)

  useEffect(() => {
    const query = matchMedia(hasRoom)
    const follow = () => setShown(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])

  useEffect(() => {
    if (!isShown) return
    return whenOpen(
      () => frame.current,
      () => setReady(true),
    )
  }, [isShown])

  if (!isShown) return null
  return (
    <iframe
      ref={frame}
      className="live-modal"
      src="/embed"
      title="The modal, live"
      data-ready={isReady || undefined}
      data-testid="live-modal"
    />
  )
}

/** Calls back once the dialog in the frame is open, and restores the focus that it took. */
function whenOpen(frame: () => HTMLIFrameElement | null, onOpen: () => void): () => void {
  let focused = document.activeElement
  const timer = setInterval(() => {
    const isInside = document.activeElement === frame()
    if (!isInside) focused = document.activeElement
    const modal = frame()?.contentDocument?.querySelector('[data-hw-modal]')
    if (!modal?.shadowRoot?.querySelector('dialog[open]')) return
    clearInterval(timer)
    if (isInside) frame()?.blur()
    if (isInside && focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    onOpen()
  }, 50)
  return () => clearInterval(timer)
}
