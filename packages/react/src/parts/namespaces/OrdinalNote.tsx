import { useOtherChainsTexts } from '../../locale/useOtherChainsTexts.ts'

/** Says that the active address keeps ordinals, and how to send from another one. */
export function OrdinalNote() {
  const texts = useOtherChainsTexts()
  return (
    <p className="hw-note" role="note" data-testid="account-ordinal-note">
      {texts.ordinals.address}
    </p>
  )
}
