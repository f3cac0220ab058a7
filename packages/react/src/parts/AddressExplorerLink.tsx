import { addressExplorerUrl } from '@hawser/core'
import { ExternalIcon } from '@hawser/ui'
import { useNetwork } from '../hooks/useNetwork.ts'

export interface AddressExplorerLinkProps {
  /** Plain address on the active network. */
  address: string
  /** Names the link by the explorer. */
  label: (explorer: string) => string
}

/** A link to an address on the block explorer of the active network; renders nothing when the site names none. */
export function AddressExplorerLink({ address, label }: AddressExplorerLinkProps) {
  const { network } = useNetwork()
  const explorer = network?.blockExplorers?.default
  if (!explorer) return null
  return (
    <a
      className="hw-link"
      href={addressExplorerUrl(network, address)}
      target="_blank"
      rel="noopener noreferrer"
    >
      {label(explorer.name)}
      <ExternalIcon size={16} />
    </a>
  )
}
