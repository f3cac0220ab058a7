import { pushView } from '@hawser/core'
import { Button, EmptyState, GlobeIcon, HelpIcon } from '@hawser/ui'
import { useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { NetworkRows } from '../../parts/NetworkRows.tsx'
import { SearchField } from '../../parts/search/SearchField.tsx'

/** The networks of the site by namespace, with a search. */
export function NetworksView() {
  const texts = useTexts()
  const hawser = useHawser()
  const chains = useHawserState(hawser.chain, (state) => state.chains)
  const isConnected = [...chains.values()].some(({ accountState }) => accountState.address)
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const found = [...chains.values()]
    .map(({ namespace, networkState }) => ({
      namespace,
      networks: networkState.requestedCaipNetworks.filter(({ name }) => name.toLowerCase().includes(wanted)),
    }))
    .filter(({ networks }) => networks.length > 0)

  function openHelp() {
    hawser.events.emit({ event: 'CLICK_NETWORK_HELP' })
    pushView(hawser, 'WhatIsANetwork')
  }
  return (
    <div className="hw-stack">
      <SearchField
        label={texts.networks.search}
        value={query}
        data-testid="wui-input-text"
        onChange={setQuery}
      />
      {found.length > 0 ? (
        found.map(({ namespace, networks }) => (
          <section key={namespace} className="hw-section">
            {chains.size > 1 && <h3 className="hw-heading">{texts.namespaces[namespace]}</h3>}
            <NetworkRows
              networks={networks}
              {...(chains.size > 1 && { label: texts.namespaces[namespace] })}
            />
          </section>
        ))
      ) : (
        <EmptyState icon={<GlobeIcon size={26} />} title={texts.networks.emptyTitle}>
          {texts.networks.emptyText(query.trim())}
        </EmptyState>
      )}
      {isConnected && <p className="hw-note">{texts.networks.note}</p>}
      <Button variant="quiet" size="small" wide icon={<HelpIcon size={18} />} onClick={openHelp}>
        {texts.networks.help}
      </Button>
    </div>
  )
}
