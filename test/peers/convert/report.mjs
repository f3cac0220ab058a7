/** @typedef {import('./runQueries.mjs').Answer} Answer */
/** @typedef {import('./ours.mjs').Certified} Certified */

const BASIS_POINTS = 10_000n
/** Digits after the point of a distance in basis points. */
const SCALE = 1_000_000n

/**
 * @typedef {object} Standing
 * @property {string} name
 * @property {number} median milliseconds
 * @property {number} p95 milliseconds
 * @property {number} max milliseconds
 * @property {number[]} bps from the bound, of the queries that were answered
 * @property {number} answered
 * @property {number} late ended before they were answered
 * @property {number} won paid more than ours
 */

/**
 * Compares a competitor with ours.
 *
 * @param {string} name
 * @param {Answer[]} answers
 * @param {Certified[]} ours
 * @returns {Standing}
 */
export function standingOf(name, answers, ours) {
  const times = answers.map(({ ms }) => ms)
  const paid = answers.filter(({ out }) => out !== '0')
  return {
    name,
    median: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    max: Math.max(...times),
    bps: paid.map(({ query, out }) => distance(BigInt(out), BigInt(ours[query].bound))),
    answered: paid.length,
    late: answers.filter(({ late }) => late).length,
    won: answers.filter(({ query, out }) => BigInt(out) > BigInt(ours[query].out)).length,
  }
}

/**
 * @param {Standing[]} standings
 * @param {number} pace the median, in milliseconds, that the last column counts in
 * @returns {string}
 */
export function table(standings, pace) {
  const head = [
    '',
    'median ms',
    'p95 ms',
    'max ms',
    'bps median',
    'mean',
    'max',
    'answered',
    'late',
    'beat us',
    'time / ours',
  ]
  const rows = standings.map(({ name, median, p95, max, bps, answered, late, won }) => [
    name,
    median.toFixed(2),
    p95.toFixed(2),
    max.toFixed(1),
    quantile(bps, 0.5).toFixed(3),
    mean(bps).toFixed(2),
    Math.max(...bps).toFixed(2),
    String(answered),
    String(late),
    String(won),
    `${(median / pace).toFixed(median === pace ? 0 : 1)} x`,
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)))
  const line = (row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')
  return [head, ...rows].map(line).join('\n')
}

/**
 * @param {number[]} numbers
 * @param {number} share
 */
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** @param {number[]} numbers */
function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

/** In basis points. @param {bigint} out @param {bigint} bound */
function distance(out, bound) {
  return Number(((bound - out) * BASIS_POINTS * SCALE) / bound) / Number(SCALE)
}
