import { type Network, pushView } from '@hawser/core'
import { Avatar, ChevronRightIcon, Qr } from '@hawser/ui'
import { useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { useOtherChains } from '../../modal/otherChainsFeature.ts'
import { AddressCopy } from '../../parts/AddressCopy.tsx'
import { NetworkMark } from '../../parts/NetworkMark.tsx'
import { WalletBackup } from '../../parts/WalletBackup.tsx'

const SHOWN_MARKS = 4

/** The address to receive on, as text and as a QR code; for wallets that read it, the code may request an amount. */
export function WalletReceiveView() {
  const { caipAddress } = useAccount()
  // A request is valid only for its account and network.
  return <Receive key={caipAddress} />
}

function Receive() {
  const texts = useTexts()
  const { address, profileName, profileImage } = useAccount()
  const { network } = useNetwork()
  const [request, setRequest] = useState<string>()
  const requests = useOtherChains(hasPaymentUri(network))
  if (!address) return null
  return (
    <div className="hw-stack hw-receive">
      <Qr
        text={request ?? address}
        label={request ? texts.receive.requestQr(request) : texts.receive.qr(address)}
      >
        <Avatar seed={address} src={profileImage} size={44} />
      </Qr>
      <p className="hw-lead">{texts.receive.text}</p>
      <div className="hw-receive-address">
        <AddressCopy
          address={address}
          name={profileName ?? address}
          data-testid="receive-address-copy-button"
        />
      </div>
      {requests && network && (
        <requests.RequestForm network={network} address={address} onChange={setRequest} />
      )}
      <WalletBackup />
      <ReceiveNetworks />
    </div>
  )
}

/** Reports whether wallets of a network read payment requests from a code: by Solana Pay and BIP-21. */
function hasPaymentUri(network: Network | undefined): boolean {
  return network?.chainNamespace === 'solana' || network?.chainNamespace === 'bip122'
}

/** The networks of the namespace, on which the address is the same. */
function ReceiveNetworks() {
  const texts = useTexts()
  const hawser = useHawser()
  const { network, networks } = useNetwork()
  const usable = networks.length > 0 ? networks : network ? [network] : []
  const [only, ...others] = usable
  if (!only) return null
  if (others.length === 0) {
    return (
      <p className="hw-receive-networks">
        {texts.receive.onlyThisNetwork}
        <span className="hw-receive-network">
          <NetworkMark network={only} size={20} />
          <bdi>{only.name}</bdi>
        </span>
      </p>
    )
  }
  return (
    <button
      type="button"
      className="hw-receive-networks"
      data-testid="receive-compatible-networks-button"
      onClick={() => pushView(hawser, 'WalletCompatibleNetworks')}
    >
      {texts.receive.onlyTheseNetworks}
      <span className="hw-receive-marks">
        {usable.slice(0, SHOWN_MARKS).map((each) => (
          <NetworkMark key={each.caipNetworkId} network={each} size={24} />
        ))}
        <ChevronRightIcon size={16} />
      </span>
    </button>
  )
}
