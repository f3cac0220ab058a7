import type { LocaleName } from '@hawser/core'
import { useLocale } from '@hawser/react'
import { languageTags } from '@hawser/texts/languages'
import { Panel } from '../page/Panel.tsx'

/** Changes the language of the modal and the buttons, also while the modal is open. */
export function LanguageSection() {
  const { tag, setLocale } = useLocale()

  async function choose(name: string) {
    await setLocale(name as LocaleName)
    // A reload starts in the language of the address.
    const url = new URL(location.href)
    url.searchParams.set('lang', name)
    history.replaceState(history.state, '', url)
  }

  return (
    <Panel title="Language" hint="English is built in. Other languages are loaded when they are chosen.">
      <fieldset className="segmented">
        <legend>Language of the modal</legend>
        <select
          aria-label="Language of the modal"
          value={tag}
          data-testid="language-select"
          onChange={(event) => void choose(event.target.value)}
        >
          {['en', ...languageTags].map((name) => (
            <option key={name} value={name} lang={name}>
              {new Intl.DisplayNames(name, { type: 'language' }).of(name)}
            </option>
          ))}
        </select>
      </fieldset>
    </Panel>
  )
}
