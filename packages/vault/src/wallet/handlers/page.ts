import type { Handlers, SiteContext } from './context.ts'

/** Returns the handlers of calls about the frame's page itself. */
export function pageHandlers({
  changeAppearance,
  reload,
}: SiteContext): Handlers<'SYNC_THEME' | 'SYNC_DAPP_DATA' | 'RELOAD'> {
  return {
    async SYNC_THEME({ themeMode, themeVariables, w3mThemeVariables, locale = '' }) {
      changeAppearance({ themeMode, themeVariables: { ...themeVariables, ...w3mThemeVariables }, locale })
      return undefined
    },
    async SYNC_DAPP_DATA({ metadata }) {
      changeAppearance({ siteName: metadata?.name ?? '' })
      return undefined
    },
    async RELOAD() {
      reload()
      return undefined
    },
  }
}
