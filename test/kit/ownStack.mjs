import { rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freeEnvironment, readPorts } from '@hawser/devnet/ports'
import { startStack } from '@hawser/devnet/stack'
import { journeyFiles } from '../journeys/journeys.mjs'

const repository = fileURLToPath(new URL('../..', import.meta.url))

const file = basename(process.argv[1] ?? 'stack', '.e2e.mjs')

/** The state and the logs of this process' stack. */
export const home = join(repository, '.hawser', 'e2e', process.env.HAWSER_LANE_NAME ?? file)

/**
 * Starts a stack with fresh chains on free ports, beside other running stacks. Its logs stay under
 * `.hawser/e2e/`, in a folder with the name of the lane or of the test file.
 */
export async function startOwnStack() {
  rmSync(home, { recursive: true, force: true })
  const ports = readPorts(await freeEnvironment())
  const config = resolve(process.env.HAWSER_CONFIG || join(repository, 'deploy', 'dev.yaml'))
  const devConfig = resolve(process.env.HAWSER_DEV_CONFIG || join(repository, 'deploy', 'dev-servers.yaml'))
  const onlyEvm = !process.env.HAWSER_CONFIG && !needsAllNetworks()
  return startStack({ ports, home, config, devConfig, onlyEvm })
}

function needsAllNetworks() {
  const { HAWSER_LANE_NETWORKS: networks } = process.env
  return networks ? networks === 'all' : journeyFiles[file]?.allNetworks === true
}
