import { type Connector, isRecent, selectConnector } from '@hawser/core'
import { AssetIcon, EmptyState, List, ListItem, Tag, WalletIcon } from '@hawser/ui'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { en } from '../locale/en.ts'
import { useLegalBlock } from './Legal.tsx'
import { isPhone } from './wallets/device.ts'
import { useWalletLinks } from './wallets/useWalletLinks.ts'
import { WalletLinks } from './wallets/WalletLinks.tsx'

/** The wallets that can be connected; while none is installed, also links to get one. */
export function WalletRows() {
  const hawser = useHawser()
  const connectors = useHawserState(hawser.connectors, (state) => state.connectors)
  const links = useWalletLinks()
  // A wallet that is part of the site does not count as installed.
  const hasOwn = connectors.some(({ type }) => type !== 'EXTERNAL' && type !== 'AUTH')

  if (connectors.length === 0 && links.length === 0) {
    return (
      <EmptyState icon={<WalletIcon size={26} />} title={en.connect.emptyTitle} data-testid="no-wallet-found">
        {isPhone() ? en.connect.emptyPhoneText : en.connect.emptyText}
      </EmptyState>
    )
  }
  return (
    <>
      {connectors.length > 0 && <Connectors connectors={connectors} />}
      {!hasOwn && <WalletLinks />}
    </>
  )
}

function Connectors({ connectors }: { connectors: readonly Connector[] }) {
  const hawser = useHawser()
  const recent = useHawserState(hawser.connectors, (state) => state.recentWallets)
  const blocked = useLegalBlock()
  return (
    <List label={en.connect.wallets} data-testid="wallet-list">
      {connectors.map((connector) => (
        <ListItem
          key={`${connector.chain} ${connector.id}`}
          title={connector.name}
          subtitle={connector.isDuplicate ? en.connect.duplicateText : connector.description}
          icon={<AssetIcon name={connector.name} src={connector.imageUrl} shape="square" />}
          end={<WalletTag connector={connector} recent={isRecent(recent, connector)} />}
          disabled={blocked}
          data-testid={`wallet-selector-${connector.id}`}
          onSelect={() => selectConnector(hawser, connector)}
        />
      ))}
    </List>
  )
}

function WalletTag({ connector, recent }: { connector: Connector; recent: boolean }) {
  if (connector.isDuplicate) return <Tag tone="warning">{en.connect.duplicate}</Tag>
  if (recent) return <Tag tone="accent">{en.connect.recent}</Tag>
  if (connector.type === 'ANNOUNCED') return <Tag tone="success">{en.connect.installed}</Tag>
  if (connector.type === 'MULTI_CHAIN') return <Tag>{en.connect.multichain}</Tag>
  return null
}
