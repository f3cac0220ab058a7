import { setLegalCheckboxChecked } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { Checkbox } from '@hawser/ui'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { useTexts } from '../locale/useTexts.ts'

/** The legal checkbox; renders nothing when the site has no legal texts or no checkbox. */
export function LegalCheckbox() {
  const texts = useTexts()
  const hawser = useHawser()
  const options = useHawserState(hawser.options, (state) => state)
  const checked = options.isLegalCheckboxChecked
  if (!options.features.legalCheckbox || !(options.termsConditionsUrl || options.privacyPolicyUrl))
    return null
  return (
    <Checkbox
      data-testid="w3m-legal-checkbox"
      checked={checked}
      onChange={(value) => setLegalCheckboxChecked(hawser, value)}
    >
      <LegalSentence texts={texts.legal.agree} />
    </Checkbox>
  )
}

/** The legal footer; renders nothing when there is a checkbox. */
export function LegalFooter() {
  const texts = useTexts()
  const hawser = useHawser()
  const options = useHawserState(hawser.options, (state) => state)
  if (options.features.legalCheckbox || !(options.termsConditionsUrl || options.privacyPolicyUrl)) return null
  return (
    <p className="hw-legal-footer">
      <LegalSentence texts={texts.legal.byConnecting} />
    </p>
  )
}

/** True while the legal checkbox must be ticked. */
export function useLegalBlock(): boolean {
  const hawser = useHawser()
  return useHawserState(
    hawser.options,
    ({ features, termsConditionsUrl, privacyPolicyUrl, isLegalCheckboxChecked }) =>
      features.legalCheckbox && Boolean(termsConditionsUrl || privacyPolicyUrl) && !isLegalCheckboxChecked,
  )
}

/** A sentence with links to the legal texts that the site has, where the language puts them. */
function LegalSentence({ texts }: { texts: Texts['base']['legal']['agree'] }) {
  const hawser = useHawser()
  const { termsConditionsUrl, privacyPolicyUrl } = useHawserState(hawser.options, (state) => state)
  const sentence = !privacyPolicyUrl ? texts.terms : !termsConditionsUrl ? texts.privacy : texts.both
  return sentence.split(/(\{\w+\})/).map((part) => {
    if (part === '{terms}') return termsConditionsUrl && link(termsConditionsUrl, texts.links.terms)
    if (part === '{privacy}') return privacyPolicyUrl && link(privacyPolicyUrl, texts.links.privacy)
    return part
  })
}

function link(href: string, text: string) {
  return (
    <a key={href} href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  )
}
