#!/usr/bin/env node
import { join, relative, resolve } from 'node:path'
import { repository, stateDirectory } from './paths.mjs'
import { describeTakenPorts, readPorts } from './ports.mjs'
import { startStack } from './stack.mjs'

const environment = process.env

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
process.exit()

/**
 * Starts the whole stack, prints its URLs, and stops it on Ctrl-C, SIGTERM or the end of a part.
 *
 * @returns {Promise<number>} exit status
 */
async function run() {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort())

  const ports = readPorts(environment)
  const taken = await describeTakenPorts(ports)
  if (taken.length > 0) throw new Error(taken.join('\n'))

  const home = resolve(environment.HAWSER_DATA_DIR || stateDirectory)
  const config = resolve(environment.HAWSER_CONFIG || join(repository, 'deploy', 'dev.yaml'))
  const devConfig = resolve(environment.HAWSER_DEV_CONFIG || join(repository, 'deploy', 'dev-servers.yaml'))
  const stack = await start({ ports, home, config, devConfig, signal: stop.signal })
  if (!stack) return 0
  console.log(banner(stack, home))

  const failure = await Promise.race([stack.failed, wait(stop.signal)])
  console.log(failure ? `\n${failure.message}\nStopping everything.` : '\nStopping.')
  await stack.stop()
  return failure ? 1 : 0
}

/**
 * @param {Parameters<typeof startStack>[0] & { signal: AbortSignal }} options
 * @returns {Promise<import('./stack.mjs').Stack | undefined>} nothing when asked to stop meanwhile
 */
async function start(options) {
  try {
    return await startStack({ ...options, tell: console.log })
  } catch (error) {
    if (options.signal.aborted) return undefined
    throw error
  }
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<undefined>}
 */
function wait(signal) {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined))
  })
}

/**
 * @param {import('./stack.mjs').Stack} stack
 * @param {string} home
 */
function banner({ demoUrl, gatewayUrl, frameOrigin, consoleUrl, devServersUrl, devnet }, home) {
  const folder = relative(process.cwd(), home) || '.'
  const rows = [
    ['Demo page', `${demoUrl}   every feature on a switch at ${demoUrl}/lab`],
    ['Documentation', `${demoUrl}/docs/`],
    ['Gateway', `${gatewayUrl}   API at ${gatewayUrl}/docs`],
    ['Wallet', `${frameOrigin}   pages of the embedded wallet`],
    ['Console', `${consoleUrl}   .tmp/bin/hawser console login prints a link`],
    ['Mails', `${devServersUrl}/inbox   codes and links of logins by email`],
    ...devnet.chains.map(({ name, rpcUrl, chainId }) => [name, `${rpcUrl}   chain id ${chainId}`]),
    ...(devnet.solana
      ? [[devnet.solana.name, `${devnet.solana.rpcUrl}   chain id ${devnet.solana.caip2}`]]
      : []),
    ...(devnet.polkadot
      ? [[devnet.polkadot.name, `${devnet.polkadot.rpcUrl}   chain id ${devnet.polkadot.caip2}`]]
      : []),
    ...(devnet.bitcoin
      ? [[devnet.bitcoin.name, `${devnet.bitcoin.apiUrl}   chain id ${devnet.bitcoin.caip2}`]]
      : []),
    ['Accounts', `${folder}/devnet.json   tokens, contracts and funded keys`],
    ['Logs', `${folder}/log`],
  ]
  const lines = rows.map(([what, where]) => `  ${what?.padEnd(17)}${where}`)
  const next = `Open ${demoUrl} and press "Try it with a test account", or connect by any email address. To use your own wallet, import a key from ${folder}/devnet.json.`
  return ['', 'Hawser is up.', '', ...lines, '', next, 'Ctrl-C stops everything.'].join('\n')
}
