// Measures the first click on our button and on the buttons of RainbowKit and ConnectKit: in fresh browser profiles, one round after the other.
import { fileURLToPath } from 'node:url'
import { serveSite } from '../../bench/page/site.mjs'
import { conditions, firstClick, moments } from './click.mjs'

const rounds = Number(process.env.HAWSER_CLICK_ROUNDS ?? 10)
const budgetMs = 60
/** A site that lists all namespaces opens as quickly as one that lists EVM networks alone, but for noise. */
const fourBudget = 1.25
/** Wallets' own packages, which a button without their connectors never imports. */
const unused = /^(@base-org|@coinbase|@gemini-wallet|@metamask|@walletconnect|cbw-sdk|porto)\b/

const root = fileURLToPath(new URL('./sites/', import.meta.url))
const own = await serveSite()
const fixture = fileURLToPath(new URL('../../bench/page/fixture/', import.meta.url))
// Built alone: a page that is built with another shares chunks with it.
const onAll = await serveSite({ root: fixture, pages: ['namespaces'] })
const others = await serveSite({ root, pages: ['rainbowkit', 'connectkit'], external: unused })
const sites = {
  Hawser: `${own.origin}hawser.html`,
  'Four spaces': `${onAll.origin}namespaces.html`,
  RainbowKit: `${others.origin}rainbowkit.html`,
  ConnectKit: `${others.origin}connectkit.html`,
}

/** @type {Map<string, number[]>} */
const times = new Map()
try {
  for (let round = 0; round < rounds; round++)
    for (const condition of conditions)
      for (const moment of moments)
        for (const [name, url] of Object.entries(sites)) {
          const key = `${condition}, ${moment}: ${name}`
          times.set(key, [...(times.get(key) ?? []), await firstClick(url, moment, condition)])
        }
} finally {
  await own.close()
  await onAll.close()
  await others.close()
}

const names = Object.keys(sites)
console.log(`milliseconds from the first click to the wallets on the screen, median of ${rounds}`)
console.log(['', ...names].map((name, at) => (at === 0 ? ''.padEnd(26) : name.padStart(12))).join(''))
for (const condition of conditions)
  for (const moment of moments) {
    const medians = names.map((name) => median(times.get(`${condition}, ${moment}: ${name}`) ?? []))
    console.log(
      `${condition}, ${moment}`.padEnd(26) + medians.map((ms) => ms.toFixed(0).padStart(12)).join(''),
    )
    if (moment !== 'idle') continue
    const [ours = Number.NaN, onFour = Number.NaN, ...peers] = medians
    if (condition === 'full CPU') {
      report('first click after idle time', ours, 'ms', budgetMs)
      report('first click after idle time, four namespaces', onFour, 'ms', budgetMs)
      report(`the same over that of EVM networks alone`, onFour / ours, 'x', fourBudget)
    }
    report(`first click after idle time over the quickest peer's`, ours / Math.min(...peers), 'x', 1)
  }

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/**
 * @param {string} what
 * @param {number} got
 * @param {string} unit
 * @param {number} budget
 */
function report(what, got, unit, budget) {
  const verdict = got > budget ? 'OVER' : 'ok'
  console.log(
    `${what.padEnd(58)} ${got.toFixed(2).padStart(8)} ${unit.padEnd(4)} budget ${budget.toFixed(2).padStart(5)}  ${verdict}`,
  )
}
