import { pushView, UNKNOWN_NETWORK_NAME } from '@hawser/core'
import { AssetIcon, ChevronDownIcon } from '@hawser/ui'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { useTexts } from '../locale/useTexts.ts'
import { NetworkMark } from '../parts/NetworkMark.tsx'

/** A button with the active network; opens the list of networks. */
export function NetworkPicker() {
  const texts = useTexts()
  const hawser = useHawser()
  const { network, networks, isSupported } = useNetwork()
  const enabled = useHawserState(hawser.options, (options) => options.enableNetworkSwitch)
  const namespaces = useHawserState(hawser.chain, ({ chains }) => chains.size)
  if (!enabled || (networks.length < 2 && namespaces < 2 && isSupported)) return null

  const name = isSupported && network ? network.name : UNKNOWN_NETWORK_NAME
  function choose() {
    hawser.events.emit({ event: 'CLICK_NETWORKS' })
    pushView(hawser, 'Networks')
  }
  return (
    <button
      type="button"
      className="hw-network-picker"
      data-testid="w3m-account-select-network"
      title={name}
      onClick={choose}
    >
      {network && isSupported ? (
        <NetworkMark network={network} size={28} />
      ) : (
        <AssetIcon name={name} size={28} />
      )}
      <span className="hw-visually-hidden">{texts.networks.choose(name)}</span>
      <span className="hw-network-picker-name" aria-hidden="true" dir="auto">
        {name}
      </span>
      <ChevronDownIcon size={16} />
    </button>
  )
}
