#!/usr/bin/env node
// Serves the demo page, with EVM chains of its own, for a gateway that runs elsewhere: HAWSER_GATEWAY_URL and HAWSER_FRAME_ORIGIN say where. One line of JSON on standard
// output says when page and chains answer: { demoUrl, devnet }. The end of standard input stops both.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDevnet } from './devnet.mjs'
import { startPage } from './pageServer.mjs'
import { repository } from './paths.mjs'
import { freePorts } from './ports.mjs'

const home = mkdtempSync(join(tmpdir(), 'hawser-site-'))
const devnet = await startDevnet({ directory: home, solana: false, polkadot: false })
const [port = 0] = await freePorts(1)
const page = await startPage({
  directory: join(repository, 'apps', 'demo', 'dist'),
  port,
  environment: { ...process.env, HAWSER_DATA_DIR: home },
})
console.log(JSON.stringify({ demoUrl: `http://localhost:${port}`, devnet: devnet.manifest }))

process.stdin.resume()
process.stdin.once('close', async () => {
  await Promise.all([devnet.stop(), page.stop()])
  rmSync(home, { recursive: true, force: true })
  process.exit()
})
