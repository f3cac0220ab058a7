import { listSwapNetworks, type Network, retryWhileFailing } from '@hawser/core'
import { AlertIcon, EmptyState, Skeleton } from '@hawser/ui'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useSwapTexts } from '../../locale/useSwapTexts.ts'
import { NetworkRows } from '../../parts/NetworkRows.tsx'
import { SwapUnreachable } from '../../parts/swap/SwapUnreachable.tsx'

/** Shown on a network without swaps; offers the networks that have them. */
export function SwapUnsupported() {
  const texts = useSwapTexts()
  const hawser = useHawser()
  const { networks, hasFailed, read } = useSwapNetworks()

  if (hasFailed) return <SwapUnreachable onRetry={read} />
  return (
    <div className="hw-stack" data-testid="swap-unsupported">
      <EmptyState icon={<AlertIcon size={26} />} title={texts.unsupported.title}>
        {networks?.length === 0 ? texts.unsupported.none : texts.unsupported.text}
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

interface SwapNetworks {
  /** Undefined until they are loaded. */
  networks: readonly Network[] | undefined
  hasFailed: boolean
}

/** Loads the networks that have swaps; retries while the gateway cannot be reached. */
function useSwapNetworks(): SwapNetworks & { read: () => Promise<void> } {
  const hawser = useHawser()
  const [answer, setAnswer] = useState<SwapNetworks>({ networks: undefined, hasFailed: false })
  const hasFailed = useRef(false)

  const read = useCallback(async () => {
    const networks = await listSwapNetworks(hawser).catch(() => undefined)
    hasFailed.current = networks === undefined
    setAnswer({ networks, hasFailed: hasFailed.current })
  }, [hawser])

  useEffect(() => {
    const retry = retryWhileFailing(hawser, { read, hasFailed: () => hasFailed.current })
    retry.run()
    return retry.stop
  }, [hawser, read])

  return { ...answer, read }
}
