import { openModal } from '@hawser/core'
import { ChevronDownIcon } from '@hawser/ui'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { usePreload } from '../hooks/usePreload.ts'
import { useButtonTexts } from '../locale/buttonTexts.ts'
import { NetworkMark } from '../parts/NetworkMark.tsx'
import { Themed } from './Themed.tsx'

/** Properties of `NetworkButton`. */
export interface NetworkButtonProps {
  disabled?: boolean
  size?: 'medium' | 'small'
}

/** A button with the active network; opens the list of networks. */
export function NetworkButton({ disabled, size = 'medium' }: NetworkButtonProps) {
  const hawser = useHawser()
  const { network, isSupported } = useNetwork()
  const enabled = useHawserState(hawser.options, (options) => options.enableNetworkSwitch)
  const preload = usePreload()
  const texts = useButtonTexts()
  if (!enabled) return null

  const label = !network ? texts.selectNetwork : isSupported ? network.name : texts.switchNetwork
  return (
    <Themed>
      <button
        type="button"
        className="hw-network-button"
        data-testid="w3m-network-button"
        data-size={size}
        data-state={isSupported ? 'supported' : 'unsupported'}
        disabled={disabled}
        onClick={() => openModal(hawser, { view: isSupported ? 'Networks' : 'UnsupportedChain' })}
        {...preload}
      >
        {network && isSupported && <NetworkMark network={network} size={24} />}
        <span className="hw-network-button-name" title={label} dir="auto">
          {label}
        </span>
        <ChevronDownIcon size={16} />
      </button>
    </Themed>
  )
}
