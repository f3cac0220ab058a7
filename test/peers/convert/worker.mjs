import { parentPort, workerData } from 'node:worker_threads'
import { competitors } from './competitors.mjs'
import { readMarket } from './market.mjs'

const market = readMarket(workerData.file)
const answer = competitors[workerData.competitor].start(market)

parentPort.on('message', async (index) => {
  const start = performance.now()
  const found = await answer(market.queries[index])
  parentPort.postMessage({ query: index, ...found, ms: performance.now() - start })
})
parentPort.postMessage('ready')
