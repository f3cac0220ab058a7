import { pushView } from '@hawser/core'
import { Button, EmptyState, GlobeIcon, HelpIcon } from '@hawser/ui'
import { useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { en } from '../../locale/en.ts'
import { NetworkRows } from '../../parts/NetworkRows.tsx'
import { SearchField } from '../../parts/search/SearchField.tsx'

/** The networks of the site, with a search. */
export function NetworksView() {
  const hawser = useHawser()
  const { networks } = useNetwork()
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const found = networks.filter(({ name }) => name.toLowerCase().includes(wanted))

  function openHelp() {
    hawser.events.emit({ event: 'CLICK_NETWORK_HELP' })
    pushView(hawser, 'WhatIsANetwork')
  }
  return (
    <div className="hw-stack">
      <SearchField
        label={en.networks.search}
        value={query}
        data-testid="wui-input-text"
        onChange={setQuery}
      />
      {found.length > 0 ? (
        <NetworkRows networks={found} />
      ) : (
        <EmptyState icon={<GlobeIcon size={26} />} title={en.networks.emptyTitle}>
          {en.networks.emptyText(query.trim())}
        </EmptyState>
      )}
      <p className="hw-note">{en.networks.note}</p>
      <Button variant="quiet" size="small" wide icon={<HelpIcon size={18} />} onClick={openHelp}>
        {en.networks.help}
      </Button>
    </div>
  )
}
