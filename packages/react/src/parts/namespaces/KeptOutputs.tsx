import { formatUnits } from '@hawser/core'
import { Amount } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useOtherChainsTexts } from '../../locale/useOtherChainsTexts.ts'

/** Says how much stays at the sender's address because it is not spent now; renders nothing when all of it can be. */
export function KeptOutputs() {
  const texts = useOtherChainsTexts()
  const hawser = useHawser()
  const { network } = useNetwork()
  const kept = useHawserState(hawser.send, ({ fee }) => fee?.reserve ?? 0n)
  if (kept === 0n || !network) return null
  const { decimals, symbol } = network.nativeCurrency
  return (
    <p className="hw-note" role="note" data-testid="send-kept-outputs">
      <Amount value={formatUnits(kept, decimals)} symbol={symbol} precision="exact" /> {texts.ordinals.kept}
    </p>
  )
}
