import { useEffect, useState } from 'preact/hooks'

/** The screens of a page: the last one is shown. */
interface Screens<Name extends string> {
  readonly current: Name
  /** Shows a screen after the current one. */
  open(name: Name): void
  /** Shows the screen before; undefined on the first one. */
  readonly back: (() => void) | undefined
}

/** Holds which screen of a page is shown. The browser's own Back shows the one before. */
export function useScreens<Name extends string>(first: Name): Screens<Name> {
  const [shown, setShown] = useState<readonly Name[]>([first])
  useEffect(() => {
    // A page that is loaded again starts with its first screen.
    history.replaceState({ depth: 1 }, '')
    const listener = ({ state }: PopStateEvent) => {
      const depth = Number((state as { depth?: number } | null)?.depth ?? 1)
      setShown((screens) => screens.slice(0, Math.max(1, depth)))
    }
    window.addEventListener('popstate', listener)
    return () => window.removeEventListener('popstate', listener)
  }, [])
  return {
    current: shown.at(-1) ?? first,
    open(name) {
      history.pushState({ depth: shown.length + 1 }, '')
      setShown([...shown, name])
    },
    back: shown.length > 1 ? () => history.back() : undefined,
  }
}
