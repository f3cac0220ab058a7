import { List, Separator } from '@hawser/ui'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { DisconnectRow } from '../../parts/DisconnectRow.tsx'
import { NetworkRows } from '../../parts/NetworkRows.tsx'

/** Shown when the wallet is on a network that the site does not list: switch, or disconnect. */
export function UnsupportedChainView() {
  const texts = useTexts()
  const { networks } = useNetwork()
  return (
    <div className="hw-stack">
      <p className="hw-lead">{texts.unsupportedChain.text}</p>
      <NetworkRows networks={networks} />
      <Separator label={texts.or} />
      <List label={texts.disconnect}>
        <DisconnectRow />
      </List>
    </div>
  )
}
