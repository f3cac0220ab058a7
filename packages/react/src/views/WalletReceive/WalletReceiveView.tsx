import { Avatar, Qr } from '@hawser/ui'
import { useId } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { en } from '../../locale/en.ts'
import { AddressCopy } from '../../parts/AddressCopy.tsx'
import { NetworkMark } from '../../parts/NetworkMark.tsx'
import { WalletBackup } from '../../parts/WalletBackup.tsx'

/** The address to receive on, as text and as a QR code. */
export function WalletReceiveView() {
  const { address, profileName, profileImage } = useAccount()
  if (!address) return null
  return (
    <div className="hw-stack hw-receive">
      <Qr text={address} label={en.receive.qr(address)}>
        <Avatar seed={address} src={profileImage} size={44} />
      </Qr>
      <p className="hw-lead">{en.receive.text}</p>
      <div className="hw-receive-address">
        <AddressCopy
          address={address}
          name={profileName ?? address}
          data-testid="receive-address-copy-button"
        />
      </div>
      <WalletBackup />
      <ReceiveNetworks />
    </div>
  )
}

/** An EVM address is the same on every EVM network of the site. */
function ReceiveNetworks() {
  const id = useId()
  const { network, networks } = useNetwork()
  const usable = networks.filter(({ chainNamespace }) => chainNamespace === network?.chainNamespace)
  const shown = usable.length > 0 ? usable : network ? [network] : []
  return (
    <div className="hw-receive-networks">
      <p id={id}>{shown.length > 1 ? en.receive.onlyTheseNetworks : en.receive.onlyThisNetwork}</p>
      <ul aria-labelledby={id}>
        {shown.map((usable) => (
          <li key={usable.caipNetworkId}>
            <NetworkMark network={usable} size={20} />
            <bdi>{usable.name}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
