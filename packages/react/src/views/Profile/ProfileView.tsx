import { openContacts, openNames, openRegisterName, pushView, watchOwnNames } from '@hawser/core'
import {
  AssetIcon,
  Avatar,
  BoltIcon,
  ChevronRightIcon,
  ContactsIcon,
  ExternalIcon,
  List,
  ListItem,
  NameIcon,
  PlusIcon,
  Tag,
} from '@hawser/ui'
import { useEffect, useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { useLoginFeature } from '../../modal/loginFeature.ts'
import { useOtherChains } from '../../modal/otherChainsFeature.ts'
import { AccountRows } from '../../parts/AccountRows.tsx'
import { AddressCopy } from '../../parts/AddressCopy.tsx'
import { DisconnectRow } from '../../parts/DisconnectRow.tsx'
import { NetworkMark } from '../../parts/NetworkMark.tsx'

/** The settings of the connected account. */
export function ProfileView() {
  const texts = useTexts()
  const { address, profileName, profileImage, addressExplorerUrl, connectedWalletInfo } = useAccount()
  if (!address) return null
  return (
    <div className="hw-stack">
      <div className="hw-account-head">
        <Avatar seed={address} src={profileImage} size={64} />
        <div className="hw-account-name">
          <AddressCopy address={address} name={profileName} />
        </div>
      </div>
      <LoginRows />
      <List label={texts.profile.details}>
        <NetworkRow />
        <SessionsRow />
        <ContactsRow />
        <NameRows key={address} profileName={profileName} />
        {connectedWalletInfo && connectedWalletInfo.type !== 'AUTH' && (
          <ListItem
            title={connectedWalletInfo.name}
            subtitle={texts.profile.wallet}
            icon={<AssetIcon name={connectedWalletInfo.name} src={connectedWalletInfo.icon} shape="square" />}
          />
        )}
        {addressExplorerUrl && (
          <ListItem
            title={texts.blockExplorer}
            icon={
              <span className="hw-icon-tile">
                <ExternalIcon />
              </span>
            }
            href={addressExplorerUrl}
          />
        )}
        <DisconnectRow />
      </List>
      <AccountRows />
      <ChainRows />
    </div>
  )
}

/** The accounts of the other namespaces, on sites that list several. */
function ChainRows() {
  const hawser = useHawser()
  const hasSeveral = useHawserState(hawser.chain, ({ chains }) => chains.size > 1)
  const parts = useOtherChains(hasSeveral)
  return parts ? <parts.NamespaceRows /> : null
}

/** The settings of an embedded wallet. Their code was loaded to log in. */
function LoginRows() {
  const { connectedWalletInfo } = useAccount()
  const { feature: logins } = useLoginFeature(connectedWalletInfo?.type === 'AUTH')
  return logins ? <logins.EmbeddedRows /> : null
}

function ContactsRow() {
  const texts = useTexts()
  const hawser = useHawser()
  return (
    <ListItem
      title={texts.profile.contacts}
      icon={
        <span className="hw-icon-tile">
          <ContactsIcon />
        </span>
      }
      end={<ChevronRightIcon size={18} />}
      data-testid="account-contacts-button"
      onSelect={() => openContacts(hawser)}
    />
  )
}

/** Only EVM accounts have names. An account without a primary name may own others. */
function NameRows({ profileName }: { profileName: string | undefined }) {
  const texts = useTexts()
  const hawser = useHawser()
  const isEvm = useHawserState(hawser.chain, ({ activeChain }) => activeChain === 'eip155')
  const given = useHawserState(hawser.ownNames, ({ records }) => records.filter((name) => name.given).length)
  // Decided once: a row that disappeared when the name is read would move the others under the pointer.
  const [isUnnamed] = useState(!profileName)
  useEffect(() => (isEvm ? watchOwnNames(hawser) : undefined), [hawser, isEvm])
  if (!isEvm) return null
  return (
    <>
      {isUnnamed && (
        <ListItem
          title={texts.profile.chooseAccountName}
          icon={
            <span className="hw-icon-tile">
              <PlusIcon />
            </span>
          }
          end={<ChevronRightIcon size={18} />}
          data-testid="account-choose-name-button"
          onSelect={() => openRegisterName(hawser)}
        />
      )}
      <ListItem
        title={texts.profile.names}
        subtitle={profileName}
        icon={
          <span className="hw-icon-tile">
            <NameIcon />
          </span>
        }
        end={
          <>
            {given > 0 && <Tag tone="accent">{texts.profile.newNames(given)}</Tag>}
            <ChevronRightIcon size={18} />
          </>
        }
        data-testid="account-names-button"
        onSelect={() => openNames(hawser)}
      />
    </>
  )
}

/** Smart sessions exist for EVM accounts only. */
function SessionsRow() {
  const texts = useTexts()
  const hawser = useHawser()
  const isEvm = useHawserState(hawser.chain, ({ activeChain }) => activeChain === 'eip155')
  const isOffered = useHawserState(hawser.options, ({ features }) => features.smartSessions)
  if (!isEvm || !isOffered) return null
  return (
    <ListItem
      title={texts.profile.smartSessions}
      icon={
        <span className="hw-icon-tile">
          <BoltIcon />
        </span>
      }
      end={<ChevronRightIcon size={18} />}
      data-testid="w3m-header-smart-sessions"
      onSelect={() => pushView(hawser, 'SmartSessionList')}
    />
  )
}

function NetworkRow() {
  const texts = useTexts()
  const hawser = useHawser()
  const { network } = useNetwork()
  const enabled = useHawserState(hawser.options, (options) => options.enableNetworkSwitch)
  if (!network) return null
  return (
    <ListItem
      title={network.name}
      subtitle={texts.profile.network}
      icon={<NetworkMark network={network} />}
      end={enabled && <ChevronRightIcon size={18} />}
      data-testid="account-switch-network-button"
      {...(enabled && { onSelect: () => pushView(hawser, 'Networks') })}
    />
  )
}
