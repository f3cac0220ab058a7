import { english } from '@hawser/texts/frame/english'
import { applyLanguage, type Language } from '@hawser/texts/frame/language'
import type { Appearance, PreviewOptions, Sheet } from '@hawser/vault'
import { render } from 'preact'
import { LanguageContext } from '../locale/useLanguage.ts'
import { ApprovalSheet } from './ApprovalSheet.tsx'
import { ContactsSheet } from './ContactsSheet.tsx'
import type { SheetView } from './drawSheets.ts'
import { EmailSheet } from './EmailSheet.tsx'
import { GrantSheet } from './GrantSheet.tsx'
import { SecureSheet, UnlockSheet } from './SecretSheets.tsx'
import { type Host, HostContext } from './SheetFrame.tsx'

/**
 * Creates the view of the sheets.
 *
 * @param calls how the frame calls its own origin
 */
export function createSheetView(calls: PreviewOptions, host: Host): SheetView {
  const root = document.getElementById('root')
  if (!root) throw new Error('page has no root')
  // A sheet stays in the language that it was opened in: the embedding page could otherwise exchange its buttons under the pointer.
  const languages = new WeakMap<Sheet, Language>()
  return {
    draw(sheet, appearance, wanted = english, place = undefined) {
      const language = languages.get(sheet) ?? wanted
      languages.set(sheet, language)
      applyLanguage(document, language)
      render(
        <LanguageContext.Provider value={language}>
          <HostContext.Provider value={{ ...host, place }}>
            {viewOf(sheet, calls, appearance)}
          </HostContext.Provider>
        </LanguageContext.Provider>,
        root,
      )
    },
    clear: () => render(null, root),
  }
}

function viewOf(sheet: Sheet, calls: PreviewOptions, { siteName }: Appearance) {
  switch (sheet.kind) {
    case 'approval':
      return <ApprovalSheet key={keyOf(sheet)} sheet={sheet} siteName={siteName} calls={calls} />
    case 'grant':
      return <GrantSheet key={keyOf(sheet)} sheet={sheet} siteName={siteName} calls={calls} />
    case 'email':
      return <EmailSheet key={keyOf(sheet)} sheet={sheet} />
    case 'contacts':
      return <ContactsSheet key={keyOf(sheet)} sheet={sheet} />
    case 'unlock':
      return <UnlockSheet key={keyOf(sheet)} sheet={sheet} />
    case 'secure':
      return <SecureSheet key={keyOf(sheet)} sheet={sheet} />
  }
}

const keys = new WeakMap<Sheet, number>()
let lastKey = 0

/**
 * Returns a key for each sheet, so that each has a component of its own and does not inherit the guard of the
 * previous one.
 */
function keyOf(sheet: Sheet): number {
  const key = keys.get(sheet) ?? ++lastKey
  keys.set(sheet, key)
  return key
}
