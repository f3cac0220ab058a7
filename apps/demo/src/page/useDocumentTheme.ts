import { useTheme } from '@hawser/react'
import { useEffect } from 'react'

/** Keeps the theme of the document that of the modal: its colours, scroll bars and form controls. */
export function useDocumentTheme(): void {
  const { themeMode } = useTheme()
  useEffect(() => {
    document.documentElement.dataset.theme = themeMode
  }, [themeMode])
}
