import { openWalletApp, type SelectedWallet } from '@hawser/core'
import { Button, ExternalIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { usePairingTexts } from '../../locale/usePairingTexts.ts'
import { downloadUrl } from '../../parts/wallets/device.ts'

/** Buttons that open the wallet's desktop or web app with the pairing. */
export function AppLinks({ uri, wallet }: { uri: string | undefined; wallet: SelectedWallet }) {
  const texts = usePairingTexts()
  const hawser = useHawser()
  const platforms = (['desktop', 'webapp'] as const).filter((platform) => wallet.links?.[platform])
  if (platforms.length === 0) return null
  return (
    <div className="hw-pairing-apps">
      {platforms.map((platform) => (
        <Button
          key={platform}
          size="small"
          disabled={!uri}
          icon={<ExternalIcon size={16} />}
          data-testid={`pairing-open-${platform}`}
          onClick={() => openWalletApp(hawser, wallet, platform)}
        >
          {texts[platform]}
        </Button>
      ))}
    </div>
  )
}

/** A link to get the wallet, for a visitor who has none; renders nothing for a wallet without a page. */
export function GetWalletRow({ wallet }: { wallet: SelectedWallet }) {
  const texts = usePairingTexts()
  const href = downloadUrl(wallet)
  if (!href) return null
  return (
    <p className="hw-guide">
      {texts.missing(wallet.name)}
      <a className="hw-link" href={href} target="_blank" rel="noopener noreferrer" data-testid="pairing-get">
        {texts.get}
      </a>
    </p>
  )
}
