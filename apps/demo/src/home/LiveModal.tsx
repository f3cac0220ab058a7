import { useModal, useTheme } from '@hawser/react'
import { useEffect, useRef, useState } from 'react'
import phoneDark from '../../../docs/public/images/phone-dark.webp'
import phoneLight from '../../../docs/public/images/phone-light.webp'

/** On narrower screens the modal is a sheet that covers the page: it opens by the button. */
const hasRoom = '(min-width: 961px)'

/** The modal itself, open beside the text; a picture of it where it has no room. */
export function LiveModal() {
  const { isOpen } = useModal()
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

  if (!isShown) return <PhonePicture />
  return (
    <iframe
      ref={frame}
      className="live-modal"
      src="/embed"
      title="The modal, live"
      inert={isOpen}
      data-ready={isReady || undefined}
      data-testid="live-modal"
    />
  )
}

/** The sheet of the account, as `make screenshots` takes it. */
function PhonePicture() {
  const { themeMode } = useTheme()
  return (
    <img
      className="phone-picture"
      src={themeMode === 'light' ? phoneLight : phoneDark}
      width={780}
      height={1280}
      loading="lazy"
      decoding="async"
      alt="The modal on a phone: an account with its value, buttons to buy, send, receive and swap, and its tokens"
      data-testid="phone-picture"
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
