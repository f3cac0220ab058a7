import { shorten } from '@hawser/texts/format/shorten'
import { visibleText } from '@hawser/texts/format/visibleText'
import { english } from '@hawser/texts/frame/english'
import type { FrameTexts } from '@hawser/texts/frame/texts'
import { reasonText, warningText } from '@hawser/texts/preview/warningTexts'
import type { Preview } from '@hawser/vault'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { isAddress } from '../views/isAddress.ts'

/** The language that the page is shown in. */
export const LanguageContext = createContext(english)

/** Returns the texts in the language of the page. */
export function useTexts(): FrameTexts {
  return useContext(LanguageContext).texts
}

/** A warning of a preview, or of the frame itself. */
export interface Warning {
  readonly severity?: string
  readonly phrase?: string
  readonly text?: string
  readonly value?: string
}

/** How warnings and reasons are said in the language of the page. */
export interface Words {
  readonly texts: FrameTexts
  readonly say: (warning: Warning) => string
  readonly reasonOf: (preview: Pick<Preview, 'reason' | 'cause'>) => string
}

/** Returns how warnings and reasons are said in the language of the page. */
export function useWords(): Words {
  return { texts: useTexts(), say: useWarnings(), reasonOf: useReasons() }
}

/** Returns a function that says a warning in the language of the page, with an address in short. */
function useWarnings(): Words['say'] {
  const { warnings = {}, tokenCalls } = useTexts()
  return ({ text = '', phrase = '', value = '' }) => {
    const short = isAddress(value) ? shorten(value) : visibleText(value)
    const shown = {
      text: visibleText(isAddress(value) ? text.replaceAll(value, short) : text),
      phrase: phrase.replace(/^PHRASE_/, ''),
      value: short,
    }
    return warningText(shown, { ...warnings, sentences: { ...warnings.sentences, ...tokenCalls } })
  }
}

/** Returns a function that says in the language of the page why a request would fail. */
function useReasons(): Words['reasonOf'] {
  const { warnings = {} } = useTexts()
  return ({ reason = '', cause = '' }) =>
    reasonText({ reason: visibleText(reason), cause: cause.replace(/^CAUSE_/, '') }, warnings)
}

/** Returns the tag of the language of the page, for Intl. */
export function useTag(): string {
  return useContext(LanguageContext).tag
}
