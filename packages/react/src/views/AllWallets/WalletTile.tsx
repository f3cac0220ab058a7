import type { SelectedWallet } from '@hawser/core'
import { AssetIcon, CheckIcon, Skeleton } from '@hawser/ui'
import { usePairingTexts } from '../../locale/usePairingTexts.ts'

export interface WalletTileProps {
  wallet: SelectedWallet
  isInstalled: boolean
  /** Whether it is reached through the public relay alone. */
  isOnPublicRelay: boolean
  disabled: boolean
  onSelect: () => void
}

/** One wallet of the grid. Tiles outside the view are not laid out, however many there are. */
export function WalletTile({ wallet, isInstalled, isOnPublicRelay, disabled, onSelect }: WalletTileProps) {
  const texts = usePairingTexts()
  const { name, imageUrl, isCertified } = wallet
  return (
    <li className="hw-wallet-tile">
      <button
        type="button"
        className="hw-row"
        disabled={disabled}
        title={name}
        data-testid={`wallet-search-item-${wallet.id}`}
        onClick={onSelect}
      >
        <span className="hw-wallet-mark">
          <AssetIcon name={name} src={imageUrl} size={52} shape="square" />
          {isCertified && (
            <span className="hw-wallet-certified">
              <CheckIcon size={12} />
              <span className="hw-visually-hidden">{texts.all.isCertified}</span>
            </span>
          )}
        </span>
        <span className="hw-wallet-name" dir="auto">
          {name}
        </span>
        {isInstalled ? (
          <span className="hw-wallet-installed">{texts.all.isInstalled}</span>
        ) : (
          isOnPublicRelay && <span className="hw-wallet-relay">{texts.walletConnect}</span>
        )}
      </button>
    </li>
  )
}

/** Placeholders of tiles, four to a row. */
export function TileSkeletons({ count }: { count: number }) {
  return (
    <div className="hw-wallet-grid" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={index} className="hw-wallet-tile">
          <div className="hw-row">
            <Skeleton width={52} height={52} shape="row" />
            <Skeleton width={56} height={12} />
          </div>
        </div>
      ))}
    </div>
  )
}
