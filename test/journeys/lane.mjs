// Plays the files of one lane in this process, one after the other: see play.mjs. HAWSER_LANE has them as JSON.
import { before } from 'node:test'
import { beginFile } from '../kit/selection.mjs'

/** @type {import('./play.mjs').Part[]} */
const parts = JSON.parse(process.env.HAWSER_LANE ?? '[]')

/** @type {() => void} */
let start = () => {}
// The first journey waits until all are defined: when a browser is closed and a stack is stopped depends on which is the last.
const defined = new Promise((resolve) => {
  start = () => resolve(undefined)
})
before(() => defined)
for (const { name, mainOnly } of parts) {
  beginFile(name, mainOnly)
  await import(`./${name}.e2e.mjs`)
}
start()
