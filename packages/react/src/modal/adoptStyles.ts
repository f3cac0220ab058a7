const adopted = new Set<string>()

/**
 * Adds a style sheet to the page, once. A constructed style sheet needs no support by the site's bundler, and a strict
 * Content-Security-Policy allows it.
 */
export function adoptStyles(css: string): void {
  if (adopted.has(css)) return
  adopted.add(css)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
