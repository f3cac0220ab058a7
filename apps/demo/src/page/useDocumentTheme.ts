import { useTheme } from '@hawser/react'
import { useEffect } from 'react'

/** Applies the theme of the modal to the document: colours, scroll bars and form controls. */
export function useDocumentTheme(): void {
  const { themeMode } = useTheme()
  useEffect(() => {
    document.documentElement.dataset.theme = themeMode
  }, [themeMode])
}
