import { isActiveNetworkRequested, type Network, openModal, shortenAddress } from '@hawser/core'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { type ConnectControls, useConnectButton } from './useConnectButton.ts'

/** What `ConnectButton.Custom` renders by. */
export interface ConnectButtonState extends ConnectControls {
  /** The account's name, or its address in short; undefined while disconnected. */
  displayName: string | undefined
  /** The native balance with its symbol, exact: `1.5 ETH`; undefined until it is read. */
  balance: string | undefined
  /** The active network. */
  network: Network | undefined
  /** False when the wallet is on a network that the site does not list. */
  isSupported: boolean
  /** False on a server, and in the browser until React has hydrated the page. */
  isHydrated: boolean
  /** Opens the list of networks. */
  openNetworks: () => void
}

/** Renders a button of the site with the state and the actions of the connect button. */
export function ConnectButtonCustom({ children }: { children: (state: ConnectButtonState) => ReactNode }) {
  const hawser = useHawser()
  const { chain } = hawser
  const controls = useConnectButton()
  // useNetwork would add to the first load of every page.
  const state = useHawserState(chain, (whole) => whole)
  const isHydrated = useSyncExternalStore(chain.subscribe, inBrowser, onServer)
  const { address, profileName, balance, balanceSymbol } = controls.account
  return children({
    ...controls,
    displayName: profileName ?? (address && shortenAddress(address, { start: 6, end: 4 })),
    balance: balance && `${balance} ${balanceSymbol}`,
    network: state.activeCaipNetwork,
    isSupported: isActiveNetworkRequested(state),
    isHydrated,
    openNetworks: () => openModal(hawser, { view: 'Networks' }),
  })
}

const inBrowser = () => true
const onServer = () => false
