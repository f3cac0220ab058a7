import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { type Devnet, startDevnet } from '../devnet.mjs'
import { accounts } from './keys.mjs'

const directory = mkdtempSync(join(tmpdir(), 'hawser-devnet-test-'))
const told: string[] = []
let devnet: Devnet | undefined

async function start(): Promise<string> {
  devnet = await startDevnet({ directory, chainIds: [], bitcoin: true, tell: (line) => told.push(line) })
  return devnet.manifest.bitcoin?.apiUrl ?? ''
}

async function received(url: string, address = ''): Promise<number> {
  const { chain_stats } = await (await fetch(`${url}/address/${address}`)).json()
  return chain_stats.funded_txo_sum
}

afterEach(async () => {
  await devnet?.stop()
  told.length = 0
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

it('pays the accounts once, and continues from its blocks', async () => {
  const address = accounts[0]?.payment.address
  const first = await start()
  expect(await received(first, address)).toBe(100_000_000)
  expect(await received(first, accounts[0]?.ordinal.address)).toBe(546)
  expect(await received(first, accounts[9]?.payment.address)).toBe(0)
  await fetch(`${first}/dev/fund?address=${address}&satoshis=1000`, { method: 'POST' })
  await devnet?.stop()
  expect(await received(await start(), address)).toBe(100_001_000)
  expect(told).toEqual([])
}, 30_000)

it('starts fresh and says so when the kept blocks are damaged', async () => {
  await start()
  await devnet?.stop()
  writeFileSync(join(directory, 'devnet', 'bitcoin', 'blocks', 'metadata', 'CURRENT'), 'damaged')
  const address = accounts[0]?.payment.address
  expect(await received(await start(), address)).toBe(100_000_000)
  expect(told).toEqual([expect.stringMatching(/^The kept Bitcoin network is damaged/)])
}, 30_000)
