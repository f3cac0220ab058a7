import { basename } from 'node:path'
import { filesOfJourneys } from '../kit/selection.mjs'

/** @typedef {{ name: string, seconds: number, passed: number, failed: number }} FileTime what a file's journeys took, and how they ended */

/**
 * A reporter of `node:test` that writes a `FileTime` for each file as JSON, once all have ended. It runs in the process of the journeys.
 *
 * @param {AsyncIterable<any>} events
 */
export default async function* fileTimes(events) {
  /** @type {Map<string, FileTime>} */
  const files = new Map()
  let passed = 0
  let failed = 0
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (type === 'test:fail') failed += data.details.type === 'suite' ? 0 : 1
    else if (data.details.type !== 'suite' && data.skip === undefined) passed += 1
    if (data.nesting > 0) continue
    // A journey is defined in the harness, and anything else in its own file.
    const place = basename(data.file ?? '', '.e2e.mjs')
    const name = place === 'journey.mjs' ? (filesOfJourneys.get(data.name) ?? place) : place
    const file = files.get(name) ?? { name, seconds: 0, passed: 0, failed: 0 }
    file.seconds += data.details.duration_ms / 1000
    file.passed += passed
    file.failed += failed
    passed = 0
    failed = 0
    files.set(name, file)
  }
  yield JSON.stringify([...files.values()])
}
