import { continueInWalletUrl, isPhone, pushView, type SelectedWallet } from '@hawser/core'
import { AssetIcon, ChevronRightIcon, ExternalIcon, List, ListItem, PhoneIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useGetWalletTexts } from '../../locale/useGetWalletTexts.ts'
import { usePairingTexts } from '../../locale/usePairingTexts.ts'
import { downloadUrl } from '../../parts/wallets/device.ts'

/** Explains how to use a wallet that answers through none of the site's relays: on a phone, in its own browser. */
export function UnreachableWallet({ wallet }: { wallet: SelectedWallet }) {
  const texts = usePairingTexts()
  const { openText } = useGetWalletTexts()
  const hawser = useHawser()
  const { name, browserLink, browserScheme } = wallet
  const download = downloadUrl(wallet)
  const open = browserLink ?? browserScheme
  const inBrowser = isPhone() && open ? continueInWalletUrl({ open }, location.href) : undefined
  return (
    <div className="hw-stack">
      <div className="hw-pairing" data-testid="pairing-unreachable">
        <AssetIcon name={name} src={wallet.imageUrl} size={80} shape="square" />
        <div className="hw-waiting-text">
          <p className="hw-waiting-label">{inBrowser ? texts.opened(name) : texts.unreachable(name)}</p>
          <p className="hw-waiting-detail">{inBrowser ? openText : texts.unreachableText}</p>
        </div>
      </div>
      <List label={name}>
        {inBrowser && (
          <ListItem
            title={texts.openInBrowser(name)}
            icon={<IconTile />}
            end={<ExternalIcon size={18} />}
            href={inBrowser}
            data-testid="pairing-open-browser"
          />
        )}
        {!isPhone() && (
          <ListItem
            title={texts.usePhone}
            icon={<IconTile />}
            end={<ChevronRightIcon size={18} />}
            onSelect={() => pushView(hawser, 'ConnectOnPhone')}
          />
        )}
        {download && (
          <ListItem
            title={texts.install(name)}
            icon={<AssetIcon name={name} src={wallet.imageUrl} shape="square" />}
            end={<ExternalIcon size={18} />}
            href={download}
            data-testid="pairing-get"
          />
        )}
      </List>
    </div>
  )
}

function IconTile() {
  return (
    <span className="hw-icon-tile">
      <PhoneIcon />
    </span>
  )
}
