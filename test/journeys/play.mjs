// Plays browser journeys in lanes. A lane is a process with one stack and one browser, which plays its files one after the other.
//
//   node test/journeys/play.mjs [--main] [--lanes=2] [--changed=<file>] [name ...]
//
// --main plays only what the files define by `mainJourney`. --changed plays the files that are about the paths listed in <file>, and the main
// journeys of the others. Names are those of files in this folder; all of them by default.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { everything, journeyFiles } from './journeys.mjs'

/** @typedef {{ name: string, mainOnly: boolean, seconds: number }} Part a file as a lane plays it */

const home = new URL('../../.hawser/e2e/', import.meta.url)
/** The names of files whose journeys failed are written here. */
const failedFile = new URL('failed.txt', home)

const { values, positionals } = parseArgs({
  options: {
    main: { type: 'boolean', default: false },
    lanes: { type: 'string', default: '2' },
    changed: { type: 'string' },
  },
  allowPositionals: true,
})

const parts = choose()
mkdirSync(home, { recursive: true })
rmSync(failedFile, { force: true })
const lanes = share(parts, Number(values.lanes))
const results = await Promise.all(lanes.map((lane, index) => playAll(lane, `lane-${index + 1}`)))
report(results.flat())

/** @returns {Part[]} */
function choose() {
  const names = positionals.length > 0 ? positionals : Object.keys(journeyFiles)
  const changed = values.changed
    ? readFileSync(values.changed, 'utf8').split('\n').filter(Boolean)
    : undefined
  const isConcerned = (/** @type {RegExp} */ about) =>
    changed?.some((path) => everything.test(path) || about.test(path)) ?? !values.main
  return names.flatMap((name) => {
    const file = journeyFiles[name]
    if (!file) throw new Error(`${name} is not in journeys.mjs`)
    const mainOnly = !isConcerned(file.about)
    if (mainOnly && !file.hasMain) return []
    return [{ name, mainOnly, seconds: mainOnly ? Math.min(file.seconds, 8) : file.seconds }]
  })
}

/**
 * Gives each lane about the same time: the longest file goes first, to the lane that has the least. All files that need networks
 * beside EVM go to one lane, so that the other stacks start without them.
 *
 * @param {Part[]} parts
 * @param {number} count
 */
function share(parts, count) {
  const lanes = Array.from({ length: count }, () => ({ parts: /** @type {Part[]} */ ([]), seconds: 0 }))
  const needsAll = (/** @type {Part} */ { name }) => journeyFiles[name]?.allNetworks === true
  const order = parts.toSorted((a, b) => Number(needsAll(b)) - Number(needsAll(a)) || b.seconds - a.seconds)
  for (const part of order) {
    const [shortest] = lanes.toSorted((a, b) => a.seconds - b.seconds)
    const lane = needsAll(part) ? lanes[0] : shortest
    lane?.parts.push(part)
    if (lane) lane.seconds += part.seconds
  }
  return lanes.filter(({ parts }) => parts.length > 0).map(({ parts }) => parts)
}

/**
 * Plays the files of a lane in one process, and then those that need a process of their own.
 *
 * @param {Part[]} lane
 * @param {string} name
 */
async function playAll(lane, name) {
  const isAlone = (/** @type {Part} */ part) => journeyFiles[part.name]?.alone === true
  const together = lane.filter((part) => !isAlone(part))
  const times = together.length > 0 ? await play(together, name) : []
  for (const part of lane.filter(isAlone)) times.push(...(await play([part], part.name)))
  return times
}

/**
 * Plays files in one process.
 *
 * @param {Part[]} lane
 * @param {string} name of its logs and its stack
 * @returns {Promise<import('./fileTimes.mjs').FileTime[]>}
 */
async function play(lane, name) {
  const times = new URL(`${name}.json`, home)
  const log = new URL(`${name}.log`, home)
  rmSync(times, { force: true })
  const reporters = [
    ['spec', 'stdout'],
    [new URL('fileTimes.mjs', import.meta.url).href, fileURLToPath(times)],
  ].flatMap(([reporter, destination]) => [
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${destination}`,
  ])
  const entry = fileURLToPath(new URL('lane.mjs', import.meta.url))
  const child = spawn(process.execPath, [...reporters, entry], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      HAWSER_LANE: JSON.stringify(lane),
      HAWSER_LANE_NAME: name,
      HAWSER_LANE_NETWORKS: lane.some(({ name }) => journeyFiles[name]?.allNetworks) ? 'all' : 'evm',
    },
  })
  const output = createWriteStream(log)
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  const status = await new Promise((resolve) => child.once('close', resolve))
  output.end()
  await finished(output)
  process.stdout.write(`-- ${name}: ${lane.map(({ name }) => name).join(' ')}\n${readFileSync(log, 'utf8')}`)
  return readTimes(times, lane, status)
}

/**
 * @param {URL} times that the lane wrote
 * @param {Part[]} lane
 * @param {number | null} status
 * @returns {import('./fileTimes.mjs').FileTime[]}
 */
function readTimes(times, lane, status) {
  /** @type {import('./fileTimes.mjs').FileTime[]} */
  let played = []
  try {
    played = JSON.parse(readFileSync(times, 'utf8'))
  } catch {
    // The lane ended before its last file, so that nothing says which of them passed.
  }
  const missing = lane.filter(({ name }) => !played.some((file) => file.name === name))
  const isBroken = status !== 0 && played.every(({ failed }) => failed === 0)
  return [
    ...played,
    ...missing.map(({ name }) => ({
      name,
      seconds: 0,
      passed: 0,
      failed: isBroken || status === null ? 1 : 0,
    })),
  ]
}

/** @param {import('./fileTimes.mjs').FileTime[]} files */
function report(files) {
  console.log('-- seconds by file')
  for (const { name, seconds, passed, failed } of files.toSorted((a, b) => b.seconds - a.seconds))
    console.log(
      `${name.padEnd(18)}${seconds.toFixed(1).padStart(8)}${String(passed).padStart(6)} passed${failed ? ` ${failed} FAILED` : ''}`,
    )
  const failed = files.filter(({ failed }) => failed > 0).map(({ name }) => name)
  const sum = (/** @type {'passed' | 'failed'} */ key) => files.reduce((total, file) => total + file[key], 0)
  console.log(`journeys: ${sum('passed')} passed, ${sum('failed')} failed`)
  if (failed.length === 0) return
  writeFileSync(failedFile, `${failed.join('\n')}\n`)
  process.exitCode = 1
}
