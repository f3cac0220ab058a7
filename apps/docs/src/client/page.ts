import '@hawser/ui/styles/theme.css'
import './page.css'
import { copyButtons } from './copyButtons.ts'
import { demo } from './demo.ts'
import { menu } from './menu.ts'
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
  menu()
})
