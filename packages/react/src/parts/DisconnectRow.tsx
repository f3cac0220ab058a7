import { disconnect } from '@hawser/core'
import { DisconnectIcon, ListItem, Spinner } from '@hawser/ui'
import { useState } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useTexts } from '../locale/useTexts.ts'

/** Disconnects the wallet; a failure is shown in a toast and the row can be pressed again. */
export function DisconnectRow() {
  const texts = useTexts()
  const hawser = useHawser()
  const [busy, setBusy] = useState(false)

  async function onSelect() {
    setBusy(true)
    await disconnect(hawser)
    setBusy(false)
  }
  return (
    <ListItem
      title={texts.disconnect}
      tone="danger"
      icon={<span className="hw-icon-tile">{busy ? <Spinner /> : <DisconnectIcon />}</span>}
      busy={busy}
      data-testid="disconnect-button"
      onSelect={onSelect}
    />
  )
}
