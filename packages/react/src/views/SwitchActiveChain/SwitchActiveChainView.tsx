import { resetView, setActiveNetwork } from '@hawser/core'
import { Button, ChevronRightIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useNamespacesTexts } from '../../locale/useNamespacesTexts.ts'
import { NetworkMark } from '../../parts/NetworkMark.tsx'

/** Offers to connect another wallet for a network of a namespace that the connected one does not have. */
export function SwitchActiveChainView() {
  const texts = useNamespacesTexts().switchChain
  const hawser = useHawser()
  const { network: current } = useNetwork()
  const wanted = useHawserState(hawser.router, (state) => state.data?.network)
  if (!wanted) return null

  function switchChain() {
    if (wanted) setActiveNetwork(hawser, wanted)
    resetView(hawser, 'Connect')
  }
  return (
    <div className="hw-stack">
      <div className="hw-waiting">
        <div className="hw-chain-pair">
          {current && <NetworkMark network={current} size={64} />}
          <ChevronRightIcon size={20} />
          <NetworkMark network={wanted} size={64} />
        </div>
        <div className="hw-waiting-text">
          <p className="hw-waiting-label">{texts.label(wanted.name)}</p>
          <p className="hw-waiting-detail">{texts.text(texts.chains[wanted.chainNamespace])}</p>
        </div>
      </div>
      <Button variant="primary" wide data-testid="w3m-switch-active-chain-button" onClick={switchChain}>
        {texts.action}
      </Button>
    </div>
  )
}
