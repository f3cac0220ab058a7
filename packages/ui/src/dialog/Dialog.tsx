import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useBackCloses } from './useBackCloses.ts'
import { useSheetDrag } from './useSheetDrag.ts'

export interface DialogProps {
  open: boolean
  /** Id of the element that names the dialog. */
  labelledBy: string
  /** Called on Escape, on a press outside the card, and when a sheet is pulled down or the visitor goes back. The owner decides whether to close. */
  onRequestClose: () => void
  /** Shakes the card, to show that it stays open. */
  shaking?: boolean
  children: ReactNode
  /** What is shown over the page outside of the card. */
  outside?: ReactNode
}

/**
 * A modal on the native dialog element: the browser traps focus, makes the page inert, uses the top layer and gives
 * the focus back. Wide screens show a centred card, phones a bottom sheet that can be pulled down.
 */
export function Dialog({
  open,
  labelledBy,
  onRequestClose,
  shaking = false,
  children,
  outside,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const present = usePresence(open, dialog)
  const drag = useSheetDrag(onRequestClose)
  useBackCloses(open, onRequestClose)

  useLayoutEffect(() => {
    const element = dialog.current
    if (!present || !element) return
    const restoreFocus = rememberFocus()
    // The lock reads layout: done before the dialog invalidates it.
    const release = lockScroll()
    element.showModal()
    return () => {
      element.close()
      release()
      // Safari does not focus a pressed button, so the browser itself may have nothing to return to.
      restoreFocus()
    }
  }, [present])

  // Browsers close the dialog on a second Escape or the back gesture; it is reopened, as the owner decides.
  useEffect(() => {
    const element = dialog.current
    if (!present || !element) return
    function onNativeClose() {
      if (!element?.isConnected || element.open) return
      element.showModal()
      onRequestClose()
    }
    element.addEventListener('close', onNativeClose)
    return () => element.removeEventListener('close', onNativeClose)
  }, [present, onRequestClose])

  if (!present) return null

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onRequestClose()
  }

  function onOverlayClick(event: MouseEvent) {
    // The second click of a double click on what opened the dialog does not close it.
    if (event.target === event.currentTarget && event.detail <= 1) onRequestClose()
  }

  return (
    <dialog
      ref={dialog}
      className="hw-dialog"
      part="overlay"
      data-state={open ? 'open' : 'closed'}
      data-testid="w3m-modal-overlay"
      aria-labelledby={labelledBy}
      onClick={onOverlayClick}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        onRequestClose()
      }}
    >
      <div className="hw-card" part="card" data-testid="w3m-modal-card" data-shaking={shaking || undefined}>
        <div className="hw-handle" aria-hidden="true" {...drag} />
        {children}
      </div>
      {outside}
    </dialog>
  )
}

/** True from opening until the closing animation has ended. */
function usePresence(open: boolean, element: { readonly current: HTMLElement | null }): boolean {
  const [present, setPresent] = useState(open)
  if (open && !present) setPresent(true)

  useLayoutEffect(() => {
    if (open) return
    let current = true
    const animations = element.current?.getAnimations?.({ subtree: true }) ?? []
    // An animation that never ends on its own (a spinner) does not hold the dialog open.
    const ending = animations.filter(
      (animation) => animation.effect?.getComputedTiming().endTime !== Infinity,
    )
    Promise.allSettled(ending.map((animation) => animation.finished)).then(() => {
      if (current) setPresent(false)
    })
    return () => {
      current = false
    }
  }, [open, element])

  return open || present
}

const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex]:not([tabindex="-1"])'

/**
 * Remembers the focused element; the returned function restores the focus. When that element has been removed, the
 * first control of its nearest remaining ancestor is focused.
 */
function rememberFocus(): () => void {
  const opener = focusedElement()
  const ancestors = ancestorsOf(opener)
  return () => {
    if (opener instanceof HTMLElement && opener.isConnected) return opener.focus({ preventScroll: true })
    const nearest = ancestors.find(({ isConnected }) => isConnected)
    nearest?.querySelector<HTMLElement>(CONTROLS)?.focus({ preventScroll: true })
  }
}

/** Returns the element that has the focus, also within a shadow root. */
function focusedElement(): Element | null {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
}

/** Returns the elements around another one inside the body, the nearest first. */
function ancestorsOf(element: Element | null): Element[] {
  const ancestors: Element[] = []
  for (let at = element?.parentElement; at && at !== document.body; at = at.parentElement) ancestors.push(at)
  return ancestors
}

let locks = 0
/** Give the page the styles back that the lock has changed. */
const unsets: (() => void)[] = []

/** Sets a property of the page over every rule of it, until the lock is released. */
function setLocked({ style }: HTMLElement, name: string, value: string) {
  const [before, priority] = [style.getPropertyValue(name), style.getPropertyPriority(name)]
  style.setProperty(name, value, 'important')
  unsets.push(() => style.setProperty(name, before, priority))
}

/**
 * Stops the page from scrolling. A page with a scroll bar keeps the gutter, so that nothing shifts. Locks are counted:
 * the page scrolls again when the last one is released.
 */
function lockScroll(): () => void {
  const root = document.documentElement
  if (locks++ === 0) {
    const hasScrollBar = window.innerWidth > root.clientWidth
    root.dataset.hwScrollLock = hasScrollBar ? 'gutter' : 'plain'
    setLocked(root, 'overflow', 'hidden')
    if (hasScrollBar) setLocked(root, 'scrollbar-gutter', 'stable')
  }
  let held = true
  return () => {
    if (!held) return
    held = false
    if (--locks > 0) return
    delete root.dataset.hwScrollLock
    for (const unset of unsets.splice(0)) unset()
  }
}
