import '@hawser/ui/styles/theme.css'
import './page.css'
import { copyButtons } from './copyButtons.ts'
import { demo } from './demo.ts'
import { search } from './search.ts'
import { applyTheme, themeSwitch } from './theme.ts'

// Before the first paint.
applyTheme()
document.documentElement.dataset.script = 'on'

document.addEventListener('DOMContentLoaded', () => {
  themeSwitch()
  copyButtons()
  search()
  demo()
  const menu = document.getElementById('menu')
  const current = menu?.querySelector<HTMLElement>('[aria-current]')
  // Without moving the page.
  if (menu && current) menu.scrollTop = current.offsetTop - menu.clientHeight / 2
})
