import { pushView } from '@hawser/core'
import { AssetIcon, ChevronRightIcon, List, ListItem } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNamespacesTexts } from '../../locale/useNamespacesTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { NamespaceMark } from '../../parts/namespaces/NamespaceMark.tsx'

/** Selects the namespace on which a wallet of several is connected. */
export function ConnectingMultiChainView() {
  const texts = useNamespacesTexts().selectChain
  const baseTexts = useTexts()
  const hawser = useHawser()
  const selected = useHawserState(hawser.router, (state) => state.data?.connector)
  const chains = useHawserState(hawser.chain, (state) => state.chains)
  // A site may list no network of a namespace that the wallet has.
  const offered = (selected?.connectors ?? []).filter(({ chain }) => chains.has(chain))
  const name = selected?.name ?? ''
  return (
    <div className="hw-stack">
      <div className="hw-waiting">
        <AssetIcon name={name} src={selected?.imageUrl} size={80} shape="square" />
        <div className="hw-waiting-text">
          <p className="hw-waiting-label">{texts.label(name)}</p>
          <p className="hw-waiting-detail">{texts.text}</p>
        </div>
      </div>
      <List label={baseTexts.selectChain}>
        {offered.map((connector) => (
          <ListItem
            key={connector.chain}
            title={baseTexts.namespaces[connector.chain]}
            icon={<NamespaceMark namespace={connector.chain} />}
            end={<ChevronRightIcon size={18} />}
            data-testid={`select-chain-${connector.chain}`}
            onSelect={() => pushView(hawser, 'ConnectingExternal', { connector })}
          />
        ))}
      </List>
    </div>
  )
}
