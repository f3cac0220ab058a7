import { pushView, type Social, selectSocial } from '@hawser/core'
import { Button, MoreIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { socialNames } from '../../locale/socialNames.ts'
import { useLoginTexts } from '../../locale/useLoginTexts.ts'
import { useLegalBlock } from '../Legal.tsx'
import { SocialMark } from './SocialMark.tsx'
import { useLogins } from './useLogins.ts'

/** With more logins than this the others are in a view of their own. */
const MOST_WITHOUT_MORE = 6
/** Logos beside the button that opens that view. */
const LOGOS_BESIDE_MORE = 4

/** The social logins: the first with its name if there is room, the others as logos. */
export function SocialLogins() {
  const texts = useLoginTexts()
  const hawser = useHawser()
  const blocked = useLegalBlock()
  const { socials } = useLogins()
  const named = socials.length === 2 ? [] : socials.slice(0, 1)
  const others = socials.slice(named.length)
  const hasMore = socials.length > MOST_WITHOUT_MORE
  const logos = hasMore ? others.slice(0, LOGOS_BESIDE_MORE) : others
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be for form fields
    <div className="hw-socials" role="group" aria-label={texts.socials} data-testid="w3m-social-login-widget">
      {named.map((social) => (
        <Button
          key={social}
          wide
          icon={<SocialMark social={social} size={20} />}
          disabled={blocked}
          data-testid={`social-selector-${social}`}
          onClick={() => selectSocial(hawser, social)}
        >
          {texts.continueWith(socialNames[social])}
        </Button>
      ))}
      {logos.length > 0 && (
        <div className="hw-social-logos">
          {logos.map((social) => (
            <Logo
              key={social}
              social={social}
              disabled={blocked}
              onSelect={() => selectSocial(hawser, social)}
            />
          ))}
          {hasMore && (
            <button
              type="button"
              className="hw-social-logo"
              title={texts.moreSocials}
              aria-label={texts.moreSocials}
              disabled={blocked}
              data-testid="social-selector-more"
              onClick={() => pushView(hawser, 'ConnectSocials')}
            >
              <MoreIcon />
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function Logo({ social, disabled, onSelect }: { social: Social; disabled: boolean; onSelect: () => void }) {
  const texts = useLoginTexts()
  const label = texts.continueWith(socialNames[social])
  return (
    <button
      type="button"
      className="hw-social-logo"
      title={label}
      aria-label={label}
      disabled={disabled}
      data-testid={`social-selector-${social}`}
      onClick={onSelect}
    >
      <SocialMark social={social} />
    </button>
  )
}
