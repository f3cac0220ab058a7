import { type ChainRecord, shortenAddress } from '@hawser/core'
import { Amount, CheckIcon, List, ListItem } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useOtherChainsTexts } from '../../locale/useOtherChainsTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { useChooseNetwork } from '../NetworkRows.tsx'
import { NamespaceMark } from './NamespaceMark.tsx'

/** The account of each namespace that the site lists, to switch to or to connect. */
export function NamespaceRows() {
  const texts = useOtherChainsTexts().namespaces
  const baseTexts = useTexts()
  const hawser = useHawser()
  const { chains, activeChain } = useHawserState(hawser.chain, (state) => state)
  const choose = useChooseNetwork()
  return (
    <section className="hw-section">
      <h3 className="hw-heading">{texts.list}</h3>
      <List label={texts.list}>
        {[...chains.values()].map(({ namespace, accountState, networkState }) => {
          const network = networkState.caipNetwork ?? networkState.requestedCaipNetworks[0]
          const isActive = namespace === activeChain
          return (
            <ListItem
              key={namespace}
              title={baseTexts.namespaces[namespace]}
              subtitle={accountState.address ? shortenAddress(accountState.address) : texts.connect}
              icon={<NamespaceMark namespace={namespace} />}
              current={isActive}
              end={<NamespaceEnd account={accountState} isActive={isActive} />}
              data-testid={`account-namespace-${namespace}`}
              {...(network && !isActive && { onSelect: () => choose(network) })}
            />
          )
        })}
      </List>
    </section>
  )
}

function NamespaceEnd({ account, isActive }: { account: ChainRecord['accountState']; isActive: boolean }) {
  const { balance, balanceSymbol } = account
  return (
    <>
      {balance !== undefined && <Amount value={balance} symbol={balanceSymbol} />}
      {isActive && (
        <span className="hw-current">
          <CheckIcon size={20} />
        </span>
      )}
    </>
  )
}
