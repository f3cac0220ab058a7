#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts, readPorts } from '@hawser/devnet/ports'
import { startStack } from '@hawser/devnet/stack'

/**
 * Runs the browser journeys with Node's test runner, against HAWSER_E2E_URL (the demo page of a
 * running stack) or a stack of its own on free ports. Arguments choose journeys by file name.
 */
const here = fileURLToPath(new URL('.', import.meta.url))
const repository = join(here, '..', '..', '..', '..')

const stack = process.env.HAWSER_E2E_URL ? undefined : await startOwnStack()
const url = stack?.demoUrl ?? process.env.HAWSER_E2E_URL
const status = await runJourneys({ ...process.env, HAWSER_E2E_URL: url })
await stack?.stop()
process.exit(status)

async function startOwnStack() {
  const home = join(repository, '.hawser', 'e2e', 'stack')
  rmSync(home, { recursive: true, force: true }) // fresh chains: the journeys assert exact balances
  const [gateway, demo, devnet, devnetTwo, metrics] = (await freePorts(5)).map(String)
  const ports = readPorts({
    HAWSER_GATEWAY_PORT: gateway,
    HAWSER_DEMO_PORT: demo,
    HAWSER_DEVNET_PORT: devnet,
    HAWSER_DEVNET_TWO_PORT: devnetTwo,
    HAWSER_METRICS_PORT: metrics,
  })
  return startStack({
    ports,
    home,
    config: process.env.HAWSER_CONFIG ?? join(repository, 'deploy', 'dev.yaml'),
  })
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} exit status
 */
function runJourneys(env) {
  const chosen = process.argv.slice(2)
  const files = readdirSync(here)
    .filter((name) => name.endsWith('.e2e.mjs'))
    .filter((name) => chosen.length === 0 || chosen.some((word) => name.includes(word)))
    .map((name) => join(here, name))
  const args = ['--test', '--test-reporter=spec', '--test-concurrency=1', ...files]
  const runner = spawn(process.execPath, args, { env, stdio: 'inherit' })
  return new Promise((resolve) => runner.once('close', (status) => resolve(status ?? 1)))
}
