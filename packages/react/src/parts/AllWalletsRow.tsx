import { isPhone, pushView } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { ListItem, Tag, WalletIcon } from '@hawser/ui'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { usePairingTexts } from '../locale/usePairingTexts.ts'
import { useLegalBlock } from './Legal.tsx'
import { usePairingConnector } from './pairing/usePairingConnector.ts'

/**
 * The row that opens the whole wallet directory. Renders nothing if no wallet can be paired, or the site
 * hides the row.
 */
export function AllWalletsRow() {
  const texts = usePairingTexts().all
  const hawser = useHawser()
  const connector = usePairingConnector()
  const allWallets = useHawserState(hawser.options, (options) => options.allWallets)
  const count = useHawserState(hawser.directory, (state) => state.count)
  const blocked = useLegalBlock()
  const isHidden = allWallets === 'HIDE' || (allWallets === 'ONLY_MOBILE' && !isPhone())
  if (!connector || isHidden) return null

  function open() {
    hawser.events.emit({ event: 'CLICK_ALL_WALLETS' })
    pushView(hawser, 'AllWallets')
  }
  return (
    <ListItem
      title={texts.row}
      icon={
        <span className="hw-icon-tile">
          <WalletIcon />
        </span>
      }
      end={count !== undefined && count > 0 && <Tag>{countText(count, texts)}</Tag>}
      disabled={blocked}
      data-testid="all-wallets"
      onSelect={open}
    />
  )
}

/** Returns the number of wallets, from ten on cut to tens. */
function countText(count: number, texts: Texts['pairing']['all']): string {
  return count < 10 ? String(count) : texts.count(Math.floor(count / 10) * 10)
}
