import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { adoptInto } from './adoptStyles.ts'

/** What styles in a shadow root know of the page: its direction. */
function Page({ children }: { children: ReactNode }) {
  const { direction } = getComputedStyle(document.documentElement)
  return (
    <div className="hw-page" dir={direction}>
      {children}
    </div>
  )
}

/** Renders its children in a shadow root of their own: no style of the site reaches them, but `--hw-*` variables do. */
export function ModalRoot({ children }: { children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null)
  const [root, setRoot] = useState<ShadowRoot | Document>()

  useLayoutEffect(() => {
    const element = host.current
    if (!element) return
    // Where elements have no shadow roots, the modal is part of the page.
    const own = element.shadowRoot ?? element.attachShadow?.({ mode: 'open' }) ?? document
    setRoot(own)
    return adoptInto(own)
  }, [])

  if (root === document) return children
  return (
    <div ref={host} data-hw-modal="">
      {root && createPortal(<Page>{children}</Page>, root as ShadowRoot)}
    </div>
  )
}
