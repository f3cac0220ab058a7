type Theme = 'dark' | 'light'

const key = 'hawser-docs-theme'
const systemIsLight = matchMedia('(prefers-color-scheme: light)')

/** Shows the theme that the reader chose, else that of the system. */
export function applyTheme(): void {
  const theme = chosen() ?? (systemIsLight.matches ? 'light' : 'dark')
  document.documentElement.dataset.hwTheme = theme
  document.documentElement.dataset.theme = theme
  const button = document.querySelector('[data-theme-switch]')
  button?.setAttribute('aria-label', `Use the ${other(theme)} theme`)
}

/** Changes the theme by the button, and with the system until the reader has chosen one. */
export function themeSwitch(): void {
  applyTheme()
  systemIsLight.addEventListener('change', applyTheme)
  document.querySelector('[data-theme-switch]')?.addEventListener('click', () => {
    const theme = other(document.documentElement.dataset.theme === 'light' ? 'light' : 'dark')
    try {
      localStorage.setItem(key, theme)
    } catch (error) {
      console.error('The theme is not remembered', error)
    }
    applyTheme()
  })
}

function chosen(): Theme | undefined {
  try {
    const theme = localStorage.getItem(key)
    return theme === 'light' || theme === 'dark' ? theme : undefined
  } catch {
    // A browser that blocks storage has the theme of the system.
    return undefined
  }
}

function other(theme: Theme): Theme {
  return theme === 'light' ? 'dark' : 'light'
}
