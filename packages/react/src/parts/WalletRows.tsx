import {
  type Connector,
  fetchOfferedWallets,
  isPhone,
  isRecent,
  needsPublicRelay,
  pair,
  type SelectedWallet,
  selectConnector,
  selectWallet,
  walletRows,
} from '@hawser/core'
import { AssetIcon, EmptyState, List, ListItem, MoreIcon, QrIcon, Tag, WalletIcon } from '@hawser/ui'
import { useEffect, useState } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { usePairingTexts } from '../locale/usePairingTexts.ts'
import { useTexts } from '../locale/useTexts.ts'
import { AllWalletsRow } from './AllWalletsRow.tsx'
import { useLegalBlock } from './Legal.tsx'
import { useOfferedNamespaces } from './namespaces/useOfferedNamespaces.ts'
import { codeName, relaysOf, usePairingConnector } from './pairing/usePairingConnector.ts'
import { needsTapToOpenApps } from './wallets/device.ts'
import { hasOneOf, isInstalled } from './wallets/installed.ts'
import { useWalletLinks } from './wallets/useWalletLinks.ts'
import { WalletLinks } from './wallets/WalletLinks.tsx'

/** More wallets than this are folded, so that what is below them stays in sight. */
const MOST_ROWS = 6

/** The wallets that can be connected or paired; while none is installed, also links to get one. */
export function WalletRows() {
  const texts = useTexts()
  const hawser = useHawser()
  const connectorsState = useHawserState(hawser.connectors, (state) => state)
  const directory = useHawserState(hawser.directory, (state) => state)
  const options = useHawserState(hawser.options, (state) => state)
  const links = useWalletLinks()
  const pairing = usePairingConnector()
  usePreparedPairing(pairing)
  useEffect(() => {
    if (pairing) void fetchOfferedWallets(hawser)
  }, [hawser, pairing])

  const namespaces = useOfferedNamespaces()
  // A phone cannot scan its own screen; its wallets have rows of their own.
  const rows = walletRows(connectorsState, directory, options).filter(
    ({ group, connector }) =>
      (group !== 'walletConnect' || !isPhone()) && (!connector || hasOneOf(connector, namespaces)),
  )
  const hasOwn = rows.some(({ connector }) => connector && isInstalled(connector))
  const hasOthers = rows.some(({ wallet }) => wallet)

  const [isAllShown, setAllShown] = useState(false)
  const shown = isAllShown || rows.length <= MOST_ROWS ? rows : rows.slice(0, MOST_ROWS - 1)

  if (rows.length === 0 && links.length === 0 && !pairing) {
    return (
      <EmptyState
        icon={<WalletIcon size={26} />}
        title={texts.connect.emptyTitle}
        data-testid="no-wallet-found"
      >
        {isPhone() ? texts.connect.emptyPhoneText : texts.connect.emptyText}
      </EmptyState>
    )
  }
  return (
    <>
      {(rows.length > 0 || pairing) && (
        <List label={texts.connect.wallets} data-testid="wallet-list">
          {shown.map(({ connector, wallet, group }) =>
            connector ? (
              <ConnectorRow key={`${connector.chain} ${connector.id}`} connector={connector} />
            ) : (
              <DirectoryRow key={wallet.id} wallet={wallet} isRecent={group === 'recent'} />
            ),
          )}
          {shown.length < rows.length && (
            <ListItem
              title={texts.connect.moreWallets(rows.length - shown.length)}
              icon={
                <span className="hw-icon-tile">
                  <MoreIcon />
                </span>
              }
              data-testid="more-wallets"
              onSelect={() => setAllShown(true)}
            />
          )}
          <AllWalletsRow />
        </List>
      )}
      {!hasOwn && !hasOthers && <WalletLinks />}
    </>
  )
}

/** Prepares a pairing in browsers that open an app only within the tap on its row. */
function usePreparedPairing(connector: Connector | undefined): void {
  const hawser = useHawser()
  const blocked = useLegalBlock()
  useEffect(() => {
    // A failure is shown once a wallet is selected.
    if (connector && !blocked && needsTapToOpenApps()) pair(hawser, { connector }).catch(() => undefined)
  }, [hawser, connector, blocked])
}

function ConnectorRow({ connector }: { connector: Connector }) {
  const texts = useTexts()
  const pairingTexts = usePairingTexts()
  const hawser = useHawser()
  const recent = useHawserState(hawser.connectors, (state) => state.recentWallets)
  const blocked = useLegalBlock()
  return (
    <ListItem
      title={connector.type === 'WALLET_CONNECT' ? codeName(connector, pairingTexts) : connector.name}
      subtitle={
        connector.isDuplicate
          ? texts.connect.duplicateText
          : connector.description && <bdi>{connector.description}</bdi>
      }
      icon={<ConnectorMark connector={connector} />}
      end={<WalletTag connector={connector} recent={isRecent(recent, connector)} />}
      disabled={blocked}
      data-testid={`wallet-selector-${connector.id}`}
      onSelect={() => selectConnector(hawser, connector)}
    />
  )
}

function ConnectorMark({ connector: { name, type, imageUrl } }: { connector: Connector }) {
  if (type !== 'WALLET_CONNECT') return <AssetIcon name={name} src={imageUrl} shape="square" />
  return (
    <span className="hw-icon-tile">
      <QrIcon />
    </span>
  )
}

function DirectoryRow({ wallet, isRecent: wasUsed }: { wallet: SelectedWallet; isRecent: boolean }) {
  const texts = useTexts()
  const pairingTexts = usePairingTexts()
  const hawser = useHawser()
  const pairing = usePairingConnector()
  const blocked = useLegalBlock()
  const isOnPublicRelay = pairing !== undefined && needsPublicRelay(wallet, pairing)
  return (
    <ListItem
      title={wallet.name}
      icon={<AssetIcon name={wallet.name} src={wallet.imageUrl} shape="square" />}
      end={
        wasUsed ? (
          <Tag tone="accent">{texts.connect.recent}</Tag>
        ) : (
          isOnPublicRelay && <Tag>{pairingTexts.walletConnect}</Tag>
        )
      }
      disabled={blocked}
      data-testid={`wallet-selector-featured-${wallet.id}`}
      onSelect={() => selectWallet(hawser, wallet, isPhone() ? 'mobile' : 'qrcode')}
    />
  )
}

function WalletTag({ connector, recent }: { connector: Connector; recent: boolean }) {
  const texts = useTexts()
  const pairingTexts = usePairingTexts()
  if (connector.isDuplicate) return <Tag tone="warning">{texts.connect.duplicate}</Tag>
  if (connector.type === 'WALLET_CONNECT') {
    // Without the public relay the title says it.
    return relaysOf(connector).includes('public') ? <Tag>{pairingTexts.tag}</Tag> : null
  }
  if (recent) return <Tag tone="accent">{texts.connect.recent}</Tag>
  if (connector.type === 'ANNOUNCED') return <Tag tone="success">{texts.connect.installed}</Tag>
  if (connector.type === 'MULTI_CHAIN') return <Tag>{texts.connect.multichain}</Tag>
  return null
}
