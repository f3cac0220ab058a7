import { selectSocial } from '@hawser/core'
import { ChevronRightIcon, List, ListItem } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { socialNames } from '../../locale/socialNames.ts'
import { useLoginTexts } from '../../locale/useLoginTexts.ts'
import { LegalCheckbox, LegalFooter, useLegalBlock } from '../../parts/Legal.tsx'
import { SocialMark } from '../../parts/logins/SocialMark.tsx'
import { useLogins } from '../../parts/logins/useLogins.ts'

/** All social logins. */
export function ConnectSocialsView() {
  const texts = useLoginTexts()
  const hawser = useHawser()
  const blocked = useLegalBlock()
  const { socials } = useLogins()
  return (
    <div className="hw-stack">
      <LegalCheckbox />
      <List label={texts.socials}>
        {socials.map((social) => (
          <ListItem
            key={social}
            title={texts.continueWith(socialNames[social])}
            icon={
              <span className="hw-icon-tile">
                <SocialMark social={social} size={22} />
              </span>
            }
            end={<ChevronRightIcon size={18} />}
            disabled={blocked}
            data-testid={`social-selector-${social}`}
            onSelect={() => selectSocial(hawser, social)}
          />
        ))}
      </List>
      <LegalFooter />
    </div>
  )
}
