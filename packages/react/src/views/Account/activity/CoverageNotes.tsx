import type { ActivityCoverage } from '@hawser/core'
import { useNetwork } from '../../../hooks/useNetwork.ts'
import { en } from '../../../locale/en.ts'

/** Notes on what the history may lack. */
export function CoverageNotes({ coverage }: { coverage: ActivityCoverage }) {
  const { caipNetworkId } = useNetwork()
  const notes = caipNetworkId ? notesOf(coverage, caipNetworkId) : []
  if (notes.length === 0) return null
  return (
    <div className="hw-activity-notes" data-testid="activity-coverage">
      {notes.map((note) => (
        <p key={note} className="hw-note">
          {note}
        </p>
      ))}
    </div>
  )
}

function notesOf({ backfilling, fromBlock, nativeFromBlock }: ActivityCoverage, chainId: string): string[] {
  const from = BigInt(fromBlock?.[chainId] ?? 0)
  const nativeFrom = BigInt(nativeFromBlock?.[chainId] ?? 0)
  const notes: string[] = []
  if (backfilling) notes.push(en.activity.backfilling)
  else if (from > 0n) notes.push(en.activity.unknownBefore(from.toLocaleString('en')))
  if (nativeFrom > from) notes.push(en.activity.nativeUnknownBefore(nativeFrom.toLocaleString('en')))
  return notes
}
