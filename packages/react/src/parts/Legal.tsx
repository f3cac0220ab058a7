import { setLegalCheckboxChecked } from '@hawser/core'
import { Checkbox } from '@hawser/ui'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { en } from '../locale/en.ts'

/** The legal checkbox; renders nothing when the site has no legal texts or no checkbox. */
export function LegalCheckbox() {
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
      {en.legal.agree}
      <LegalLinks terms={en.legal.termsInSentence} privacy={en.legal.privacyInSentence} />
    </Checkbox>
  )
}

/** The legal footer; renders nothing when there is a checkbox. */
export function LegalFooter() {
  const hawser = useHawser()
  const options = useHawserState(hawser.options, (state) => state)
  if (options.features.legalCheckbox || !(options.termsConditionsUrl || options.privacyPolicyUrl)) return null
  return (
    <p className="hw-legal-footer">
      {en.legal.byConnecting}
      <LegalLinks terms={en.legal.terms} privacy={en.legal.privacy} />
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

function LegalLinks({ terms, privacy }: { terms: string; privacy: string }) {
  const hawser = useHawser()
  const { termsConditionsUrl, privacyPolicyUrl } = useHawserState(hawser.options, (state) => state)
  return (
    <>
      {termsConditionsUrl && <ExternalLink href={termsConditionsUrl}>{terms}</ExternalLink>}
      {termsConditionsUrl && privacyPolicyUrl && en.legal.and}
      {privacyPolicyUrl && <ExternalLink href={privacyPolicyUrl}>{privacy}</ExternalLink>}
    </>
  )
}

function ExternalLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
