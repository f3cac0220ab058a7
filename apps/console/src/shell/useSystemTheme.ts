import type { ThemeMode } from '@hawser/core'
import { useEffect, useSyncExternalStore } from 'react'

const light = () => matchMedia('(prefers-color-scheme: light)')

/** Returns the theme of the system, and applies it to the document: scroll bars and form controls. */
export function useSystemTheme(): ThemeMode {
  const mode = useSyncExternalStore(subscribe, () => (light().matches ? 'light' : 'dark'))
  useEffect(() => {
    document.documentElement.dataset.theme = mode
  }, [mode])
  return mode
}

function subscribe(listener: () => void): () => void {
  const query = light()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
