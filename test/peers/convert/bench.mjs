import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { competitors } from './competitors.mjs'
import { compareQuotes } from './equality.mjs'
import { answerOurselves, quoteOurselves, writeMarket } from './ours.mjs'
import { quantile, standingOf, table } from './report.mjs'
import { runQueries } from './runQueries.mjs'

const directory = mkdtempSync(join(tmpdir(), 'convertbench-'))
const small = join(directory, 'small.json')
const large = join(directory, 'large.json')
const claims = []

/**
 * @param {string} what
 * @param {boolean} holds
 */
function claim(what, holds) {
  claims.push(holds)
  console.log(`${holds ? 'holds ' : 'FAILS '} ${what}`)
}

try {
  writeMarket(small, 2_500)
  writeMarket(large, 25_000)

  const ours = answerOurselves(small)
  const mine = standingOf('hawser, with certificate', ours, ours)
  const standings = [mine]
  const searches = []
  for (const [competitor, { name, limit }] of Object.entries(competitors)) {
    console.error(`${name}: ${ours.length} queries, at most ${limit / 1000} s each`)
    const answers = await runQueries(competitor, small, ours.length)
    standings.push(standingOf(name, answers, ours))
    if (answers[0]?.quoting !== undefined)
      searches.push([name, answers.map(({ ms, quoting = 0 }) => ms - quoting)])
  }
  console.log(`\n2,500 pools, ${ours.length} queries, no gas. bps: distance from what no route can beat.`)
  console.log(table(standings, mine.median))

  for (const [name, times] of searches) {
    const median = quantile(times, 0.5)
    const pace = (median / mine.median).toFixed(1)
    console.log(`${name}, without its quotes: median ${median.toFixed(2)} ms, ${pace} x ours with them`)
  }

  const far = answerOurselves(large)
  const wide = standingOf('hawser, with certificate', far, far)
  console.log(`\n25,000 pools, ${far.length} queries`)
  console.log(table([wide], wide.median))

  console.error('\nsingle pools, ours beside the SDKs')
  const quotes = await compareQuotes(small, quoteOurselves(small))
  console.log(
    `\nquotes of single pools: ${quotes.equal} equal to the SDKs', ${quotes.refused} refused by both, ${quotes.different.length} different`,
  )
  for (const line of quotes.different.slice(0, 5)) console.log(`  ${line}`)

  console.log('')
  const [, sor] = standings
  claim('2,500 pools: median at most 2 ms', mine.median <= 2)
  claim('2,500 pools: p95 at most 15 ms', mine.p95 <= 15)
  claim('25,000 pools: p95 at most 100 ms', wide.p95 <= 100)
  claim(
    'median distance from the bound at most 0.1 bps',
    quantile(mine.bps, 0.5) <= 0.1 && quantile(wide.bps, 0.5) <= 0.1,
  )
  claim('every query is answered', mine.answered === ours.length && wide.answered === far.length)
  claim('at least 100 x faster than smart-order-router', sor.median >= 100 * mine.median)
  claim(
    'no peer pays more on any query',
    standings.every(({ won }) => won === 0),
  )
  claim('quotes equal to the last unit', quotes.different.length === 0 && quotes.equal > 10_000)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
process.exit(claims.every(Boolean) ? 0 : 1)
