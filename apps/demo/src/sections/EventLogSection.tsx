import type { HawserEvent } from '@hawser/core'
import { useHawserEvents } from '@hawser/react'
import { Button } from '@hawser/ui'
import { useCallback, useState } from 'react'
import { Panel } from '../page/Panel.tsx'

const maxEntries = 100

interface Entry {
  id: number
  time: string
  event: HawserEvent
}

/** Every event of the instance, newest first. */
export function EventLogSection() {
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const record = useCallback((event: HawserEvent) => {
    const time = new Date().toLocaleTimeString('en-GB')
    setEntries((before) => [{ id: (before[0]?.id ?? 0) + 1, time, event }, ...before].slice(0, maxEntries))
  }, [])
  useHawserEvents(record)

  return (
    <Panel
      wide
      title="Events"
      hint="Events from useHawserEvents. They never leave the page."
      end={
        <Button size="small" disabled={entries.length === 0} onClick={() => setEntries([])}>
          Clear
        </Button>
      }
    >
      <ol className="log" data-testid="event-log">
        {entries.length === 0 && <li className="nothing">No events yet.</li>}
        {entries.map(({ id, time, event }) => (
          <li key={id}>
            <time>{time}</time>
            <strong>{event.event}</strong>
            {'properties' in event && <code>{JSON.stringify(event.properties)}</code>}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
