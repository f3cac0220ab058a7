import { useEffect } from 'react'

/** The width up to which dialog.css shows the card as a sheet. */
const SHEET = '(max-width: 480px)'

/** What is used of `window.navigation`, which older browsers lack. */
interface Navigation extends EventTarget {
  readonly currentEntry: { readonly index: number } | null
}

interface NavigateEvent extends Event {
  readonly navigationType: string
  readonly userInitiated: boolean
  readonly destination: { readonly index: number }
}

/**
 * Makes the visitor's way back within the page close an open sheet. The history is not changed: it belongs to the
 * router of the site, which hears nothing. The back gesture of Android closes a dialog without this; where the way
 * back leads to another document, browsers let no page hold it.
 */
export function useBackCloses(open: boolean, onRequestClose: () => void): void {
  useEffect(() => {
    const { navigation } = globalThis as { navigation?: Navigation }
    if (!open || !navigation) return
    const hold = (event: Event) => {
      const { navigationType, userInitiated, cancelable, destination } = event as NavigateEvent
      if (navigationType !== 'traverse' || !userInitiated || !cancelable) return
      const isForward = destination.index > (navigation.currentEntry?.index ?? 0)
      if (isForward || !matchMedia(SHEET).matches) return
      event.preventDefault()
      onRequestClose()
    }
    navigation.addEventListener('navigate', hold)
    return () => navigation.removeEventListener('navigate', hold)
  }, [open, onRequestClose])
}
