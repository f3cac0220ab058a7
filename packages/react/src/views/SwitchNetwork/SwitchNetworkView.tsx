import { type Network, switchNetwork } from '@hawser/core'
import { AssetIcon } from '@hawser/ui'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { en } from '../../locale/en.ts'
import { Waiting } from '../../parts/Waiting.tsx'

/** Asks the wallet to change its network; on success the core leaves this view. */
export function SwitchNetworkView() {
  const hawser = useHawser()
  const network = useHawserState(hawser.router, (state) => state.data?.network)
  const [declined, setDeclined] = useState(false)

  const attempt = useCallback(async () => {
    if (!network) return
    setDeclined(false)
    try {
      await switchNetwork(hawser, { network })
    } catch {
      setDeclined(true)
    }
  }, [hawser, network])

  // Strict mode runs effects twice; the wallet must be asked once.
  const asked = useRef<Network>(undefined)
  useEffect(() => {
    if (asked.current === network) return
    asked.current = network
    void attempt()
  }, [network, attempt])

  const name = network?.name ?? ''
  return (
    <Waiting
      mark={<AssetIcon name={name} src={network?.imageUrl} size={80} />}
      shape="circle"
      state={declined ? 'error' : 'active'}
      label={declined ? en.switchNetwork.declined : en.switchNetwork.approve}
      text={declined ? en.switchNetwork.declinedText : en.switchNetwork.accept}
      onRetry={attempt}
    />
  )
}
