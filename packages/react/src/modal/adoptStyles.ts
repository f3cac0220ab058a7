const adopted = new Set<string>()

/**
 * Gives the page a style sheet, once. A constructed sheet needs nothing of the site's bundler, and a strict
 * Content-Security-Policy allows it.
 */
export function adoptStyles(css: string): void {
  if (adopted.has(css)) return
  adopted.add(css)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
