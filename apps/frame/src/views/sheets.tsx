import type { Appearance, Approvals, PreviewOptions, Sheet } from '@hawser/frame/wallet'
import { render } from 'preact'
import { english } from '../locale/english.ts'
import { applyLanguage, type Language } from '../locale/language.ts'
import { LanguageContext } from '../locale/useLanguage.ts'
import { ApprovalSheet } from './ApprovalSheet.tsx'
import { GrantSheet } from './GrantSheet.tsx'
import { SecureSheet, UnlockSheet } from './SecretSheets.tsx'

export interface SheetContext {
  readonly approvals: Approvals
  /** How the frame calls its own origin. */
  readonly calls: PreviewOptions
}

/** Draws the sheets of a frame; the returned function draws them anew. Without a language they are in English. */
export function mountSheets(
  context: SheetContext,
): (appearance: Appearance, language: Language | undefined) => void {
  const root = document.getElementById('root')
  if (!root) throw new Error('page has no root')
  // A sheet stays in the language that it was opened in: the embedding page could otherwise exchange its buttons under the pointer.
  const languages = new WeakMap<Sheet, Language>()
  return (appearance, wanted = english) => {
    const sheet = context.approvals.current()
    if (!sheet) return render(null, root)
    const language = languages.get(sheet) ?? wanted
    languages.set(sheet, language)
    applyLanguage(document, language)
    render(
      <LanguageContext.Provider value={language}>
        {viewOf(sheet, context, appearance)}
      </LanguageContext.Provider>,
      root,
    )
  }
}

function viewOf(sheet: Sheet, { calls }: SheetContext, { siteName }: Appearance) {
  switch (sheet.kind) {
    case 'approval':
      return <ApprovalSheet key={keyOf(sheet)} sheet={sheet} siteName={siteName} calls={calls} />
    case 'grant':
      return <GrantSheet key={keyOf(sheet)} sheet={sheet} siteName={siteName} calls={calls} />
    case 'unlock':
      return <UnlockSheet key={keyOf(sheet)} sheet={sheet} />
    case 'secure':
      return <SecureSheet key={keyOf(sheet)} sheet={sheet} />
  }
}

const keys = new WeakMap<Sheet, number>()
let lastKey = 0

/** Each sheet has a component of its own, so that one does not inherit the guard of the one before. */
function keyOf(sheet: Sheet): number {
  const key = keys.get(sheet) ?? ++lastKey
  keys.set(sheet, key)
  return key
}
