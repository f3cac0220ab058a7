import { AssetIcon, Avatar, Qr } from '@hawser/ui'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { en } from '../../locale/en.ts'
import { AddressCopy } from '../../parts/AddressCopy.tsx'

/** The address to receive on, as text and as a code to scan. */
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
      <ReceiveNetworks />
    </div>
  )
}

/** An EVM address is the same on every EVM network of the site. */
function ReceiveNetworks() {
  const { network, networks } = useNetwork()
  const usable = networks.filter(({ chainNamespace }) => chainNamespace === network?.chainNamespace)
  const shown = usable.length > 0 ? usable : network ? [network] : []
  return (
    <div className="hw-receive-networks" title={shown.map(({ name }) => name).join(', ')}>
      <span className="hw-icon-stack">
        {shown.slice(0, 4).map(({ caipNetworkId, name, imageUrl }) => (
          <AssetIcon key={caipNetworkId} name={name} src={imageUrl} size={24} />
        ))}
      </span>
      {shown.length > 1 ? en.receive.onlyTheseNetworks : en.receive.onlyThisNetwork}
    </div>
  )
}
