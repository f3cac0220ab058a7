import { listSwapNetworks, type Network } from '@hawser/core'
import { AlertIcon, EmptyState, Skeleton } from '@hawser/ui'
import { useEffect, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { enSwap } from '../../locale/enSwap.ts'
import { NetworkRows } from '../../parts/NetworkRows.tsx'

/** The network in use has no swaps: those that have are a press away. */
export function SwapUnsupported() {
  const hawser = useHawser()
  const [networks, setNetworks] = useState<readonly Network[]>()

  useEffect(() => {
    const left = new AbortController()
    void listSwapNetworks(hawser, left.signal).then((found) => {
      if (!left.signal.aborted) setNetworks(found)
    })
    return () => left.abort()
  }, [hawser])

  return (
    <div className="hw-stack" data-testid="swap-unsupported">
      <EmptyState icon={<AlertIcon size={26} />} title={enSwap.unsupported.title}>
        {networks?.length === 0 ? enSwap.unsupported.none : enSwap.unsupported.text}
      </EmptyState>
      {networks ? (
        <NetworkRows
          networks={networks}
          onChoose={() => hawser.events.emit({ event: 'CLICK_SELECT_NETWORK_TO_SWAP' })}
        />
      ) : (
        <Skeleton width={120} height={16} />
      )}
    </div>
  )
}
