#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { writeAtomically } from '../files.mjs'
import { Chain, openChain } from './chain.mjs'
import { writeFeeds } from './feeds.mjs'
import { createGenesis } from './genesis.mjs'
import { writeNames } from './names.mjs'
import { slotTime } from './network.mjs'
import { serve } from './server.mjs'

const saveInterval = 5_000
const feedInterval = 10_000

const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, state: { type: 'string' } },
})
const { port, state } = values

const chain = await open()
await writeFeeds(chain)
await writeNames(chain)
const server = await serve(chain, Number(port))
console.log(`Listening on ${server.url}`)

setInterval(() => chain.advance(), slotTime)
setInterval(() => writeFeeds(chain).catch((error) => console.error('price feeds', error)), feedInterval)
let saved = chain.history.count
if (state) {
  setInterval(() => {
    if (chain.history.count !== saved) save(state)
  }, saveInterval)
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    server.close()
    if (state) save(state)
    process.exit(0)
  })
}

async function open() {
  if (!state || !existsSync(state)) return new Chain(await createGenesis())
  const { svm, kept } = JSON.parse(readFileSync(state, 'utf8'))
  return openChain(Buffer.from(svm, 'base64'), kept)
}

/** @param {string} file */
function save(file) {
  const { svm, state: kept } = chain.save()
  writeAtomically(file, JSON.stringify({ svm: Buffer.from(svm).toString('base64'), kept }))
  saved = chain.history.count
}
