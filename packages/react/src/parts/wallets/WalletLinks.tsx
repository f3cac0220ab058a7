import { continueInWalletUrl, installUrl, isPhone, pushView, type WalletLink } from '@hawser/core'
import { AssetIcon, ChevronRightIcon, ExternalIcon, List, ListItem, PhoneIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useGetWalletTexts } from '../../locale/useGetWalletTexts.ts'
import { extensionStore } from './device.ts'
import { useWalletLinks } from './useWalletLinks.ts'

/** Links to install wallets and to continue on a phone; on a phone, links that open this page in a wallet. */
export function WalletLinks() {
  return isPhone() ? <PhoneWallets /> : <DesktopWallets />
}

function PhoneWallets() {
  const texts = useGetWalletTexts()
  const links = useWalletLinks()
  if (links.length === 0) return null
  return (
    <section className="hw-section">
      <h3 className="hw-heading">{texts.openTitle}</h3>
      <List label={texts.openTitle} data-testid="wallet-links">
        {links.map((link) => (
          <ListItem
            key={link.rdns}
            title={texts.openIn(link.name)}
            icon={<WalletMark link={link} />}
            end={<ExternalIcon size={18} />}
            href={continueInWalletUrl(link, location.href) ?? ''}
            data-testid={`wallet-link-${link.rdns}`}
          />
        ))}
      </List>
      <p className="hw-note">{texts.openText}</p>
    </section>
  )
}

function DesktopWallets() {
  const texts = useGetWalletTexts()
  const hawser = useHawser()
  const links = useWalletLinks()
  if (links.length === 0) return null
  return (
    <section className="hw-section">
      <h3 className="hw-heading">{texts.installTitle}</h3>
      <List label={texts.installTitle} appearance="plain" data-testid="wallet-links">
        {links.map((link) => (
          <ListItem
            key={link.rdns}
            title={link.name}
            icon={<WalletMark link={link} />}
            end={<ExternalIcon size={18} />}
            href={installUrl(link, extensionStore())}
            data-testid={`wallet-link-${link.rdns}`}
          />
        ))}
        <ListItem
          title={texts.phone}
          icon={
            <span className="hw-icon-tile">
              <PhoneIcon />
            </span>
          }
          end={<ChevronRightIcon size={18} />}
          data-testid="connect-on-phone"
          onSelect={() => pushView(hawser, 'ConnectOnPhone')}
        />
      </List>
      <p className="hw-note">{texts.installText}</p>
    </section>
  )
}

function WalletMark({ link: { name, imageUrl = '' } }: { link: WalletLink }) {
  const { client } = useHawser()
  return <AssetIcon name={name} src={client.iconUrl(imageUrl)} shape="square" />
}
