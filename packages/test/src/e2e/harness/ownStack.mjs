import { rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freeEnvironment, readPorts } from '@hawser/devnet/ports'
import { startStack } from '@hawser/devnet/stack'

const repository = fileURLToPath(new URL('../../../../..', import.meta.url))

/** The test files that need networks beside EVM. Starting those takes half the CPU time of a stack. */
const filesOfAllNetworks = ['accessibility', 'bitcoin', 'polkadot', 'solana']

/**
 * Starts a stack with fresh chains on free ports, beside other running stacks. Its logs stay under
 * `.hawser/e2e/`, in a folder of this test file's name.
 */
export async function startOwnStack() {
  const file = basename(process.argv[1] ?? 'stack', '.e2e.mjs')
  const home = join(repository, '.hawser', 'e2e', file)
  rmSync(home, { recursive: true, force: true })
  const ports = readPorts(await freeEnvironment())
  const config = resolve(process.env.HAWSER_CONFIG || join(repository, 'deploy', 'dev.yaml'))
  const onlyEvm = !process.env.HAWSER_CONFIG && !filesOfAllNetworks.includes(file)
  return startStack({ ports, home, config, onlyEvm })
}
