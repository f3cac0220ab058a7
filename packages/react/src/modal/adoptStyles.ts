import { modalStyles } from './styles.gen.ts'

let sheet: CSSStyleSheet | undefined

/**
 * Gives the page the styles of the modal, once. A constructed sheet needs nothing of the site's bundler, and a strict
 * Content-Security-Policy allows it.
 */
export function adoptStyles(): void {
  if (sheet) return
  sheet = new CSSStyleSheet()
  sheet.replaceSync(modalStyles)
  document.adoptedStyleSheets.push(sheet)
}
