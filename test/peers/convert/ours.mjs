import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const router = './services/convert/route/benchmarket'

/**
 * Our answer to a query: what is paid, in how many milliseconds, what no route can beat, and how far from it in basis points.
 * @typedef {import('./runQueries.mjs').Answer & { bound: string, bps: number }} Certified
 */

/**
 * Invents a market and writes it to a file.
 *
 * @param {string} file
 * @param {number} pools how many
 */
export function writeMarket(file, pools) {
  go(router, '-pools', String(pools), '-write', file)
}

/**
 * @param {string} file of a market
 * @returns {Certified[]} to its queries, in their order
 */
export function answerOurselves(file) {
  return lines(go(router, '-rounds', '1', '-answer', file)).map(({ out, bound, ...rest }) => ({
    ...rest,
    out: String(out),
    bound: String(bound),
  }))
}

/**
 * What single pools of a market pay by our arithmetic, for many amounts.
 *
 * @param {string} file of a market
 * @returns {{ pool: number, zeroForOne: boolean, in: string, out?: string }[]}
 */
export function quoteOurselves(file) {
  return lines(go('services/convert/route/benchmarket/quotes.go', file))
}

/** @param {...string} args of `go run` */
function go(...args) {
  return execFileSync('go', ['run', ...args], { cwd: repository, maxBuffer: 1 << 28, encoding: 'utf8' })
}

/** @param {string} text one JSON value a line */
function lines(text) {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
