/** What style sheets can be adopted by: a shadow root, or the document. */
type StyleRoot = Pick<DocumentOrShadowRoot, 'adoptedStyleSheets'>

const texts = new Set<string>()
const sheets: CSSStyleSheet[] = []
const roots = new Set<StyleRoot>()

/**
 * Adds a style sheet to every modal on the page, once. A constructed style sheet needs no support by the site's bundler, and a strict
 * Content-Security-Policy allows it.
 */
export function adoptStyles(css: string): void {
  if (texts.has(css)) return
  texts.add(css)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  sheets.push(sheet)
  for (const root of roots) root.adoptedStyleSheets.push(sheet)
}

/** Adopts the style sheets of the modal, and those that come later; returns a function that ends it. */
export function adoptInto(root: StyleRoot): () => void {
  roots.add(root)
  root.adoptedStyleSheets.push(...sheets.filter((sheet) => !root.adoptedStyleSheets.includes(sheet)))
  return () => void roots.delete(root)
}
