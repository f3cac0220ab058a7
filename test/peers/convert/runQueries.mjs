import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { competitors } from './competitors.mjs'

/**
 * @typedef {object} Answer
 * @property {number} query
 * @property {string} out base units; 0 when there is none
 * @property {number} ms
 * @property {number} [quoting] how many of them went into quotes of single routes, where that can be told
 * @property {boolean} [late] it was ended before it had one
 */

/**
 * Sends every query to one competitor, one after the other. A worker that takes too long is ended, and a new one gets the next query.
 *
 * @param {string} competitor
 * @param {string} file of the market
 * @param {number} queries how many
 * @returns {Promise<Answer[]>}
 */
export async function runQueries(competitor, file, queries) {
  const { limit } = competitors[competitor]
  let worker = await start(competitor, file)
  const answers = []
  for (let query = 0; query < queries; query += 1) {
    const waiting = new AbortController()
    worker.postMessage(query)
    const late = sleep(limit, undefined, waiting).catch(() => undefined)
    const answer = await Promise.race([once(worker, 'message'), late])
    waiting.abort()
    if (answer) {
      answers.push(answer[0])
      continue
    }
    await worker.terminate()
    worker = await start(competitor, file)
    answers.push({ query, out: '0', ms: limit, late: true })
  }
  await worker.terminate()
  return answers
}

async function start(competitor, file) {
  const worker = new Worker(new URL('worker.mjs', import.meta.url), { workerData: { competitor, file } })
  await once(worker, 'message')
  return worker
}
