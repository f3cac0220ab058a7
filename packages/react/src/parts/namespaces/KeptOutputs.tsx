import { formatUnits } from '@hawser/core'
import { Amount } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enOtherChains } from '../../locale/enOtherChains.ts'

/** Says how much stays at the sender's address because it may hold ordinals; renders nothing when that is all spent. */
export function KeptOutputs() {
  const hawser = useHawser()
  const { network } = useNetwork()
  const kept = useHawserState(hawser.send, ({ fee }) => fee?.reserve ?? 0n)
  if (kept === 0n || !network) return null
  const { decimals, symbol } = network.nativeCurrency
  return (
    <p className="hw-note" role="note" data-testid="send-kept-outputs">
      <Amount value={formatUnits(kept, decimals)} symbol={symbol} precision="exact" />{' '}
      {enOtherChains.ordinals.kept}
    </p>
  )
}
