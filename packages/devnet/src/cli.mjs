#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { startDevnet } from './devnet.mjs'
import { stateDirectory } from './paths.mjs'

const help = `Local EVM chains, a Solana chain, a Polkadot chain and a Bitcoin network, with money on them.

  node packages/devnet/src/cli.mjs               31337 on :8545, 31338 on :8546, Solana on :8899, Polkadot on :9944, Bitcoin on :18480; state in .hawser/
  node packages/devnet/src/cli.mjs --ephemeral   fresh chains on free ports, nothing kept; for tests

Once every chain answers and has its contracts, one line of JSON describes them on standard output:
{ mnemonic, chains: [{ chainId, caip2, name, rpcUrl, wsUrl, nativeCurrency, contracts, tokens, feeds, nfts, venues }], accounts, solana, polkadot, bitcoin }.
SIGTERM or Ctrl-C stops the chains; with --ephemeral so does the end of standard input.

  --ports 8545,8546    one port per EVM chain; 0 lets the system choose
  --solana-port 8899   port of the Solana chain
  --polkadot-port 9944 port of the Polkadot chain
  --bitcoin-port 18480 port of the Bitcoin network
  --chains 31337       only these chains; solana, polkadot and bitcoin for those, such as 31337,solana; bitcoin needs make build,
                       and is left out of --ephemeral by default
  --directory .hawser  where state, logs and devnet.json are kept; with --ephemeral a temporary one
`

const { values } = parseArgs({
  options: {
    ephemeral: { type: 'boolean', default: false },
    ports: { type: 'string' },
    'solana-port': { type: 'string' },
    'polkadot-port': { type: 'string' },
    'bitcoin-port': { type: 'string' },
    chains: { type: 'string' },
    directory: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) {
  process.stdout.write(help)
  process.exit(0)
}

const {
  HAWSER_DEVNET_PORT: one = '8545',
  HAWSER_DEVNET_TWO_PORT: two = '8546',
  HAWSER_DEVNET_SVM_PORT: svm = '8899',
  HAWSER_DEVNET_POLKADOT_PORT: substrate = '9944',
  HAWSER_DEVNET_BITCOIN_PORT: btc = '18480',
} = process.env
const ports = values.ports ?? (values.ephemeral ? '' : `${one},${two}`)
const solanaPort = values['solana-port'] ?? (values.ephemeral ? '0' : svm)
const polkadotPort = values['polkadot-port'] ?? (values.ephemeral ? '0' : substrate)
const bitcoinPort = values['bitcoin-port'] ?? (values.ephemeral ? '0' : btc)
const chains = values.chains?.split(',')
const directory = values.directory ?? (values.ephemeral ? undefined : stateDirectory)

let ending = false
/** @type {(status: number) => void} */
let settle = () => {}
/** @type {Promise<number>} */
const stopped = new Promise((resolve) => {
  settle = resolve
})
/** @param {number} status */
function end(status) {
  ending = true
  settle(status)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0))
if (values.ephemeral) {
  process.stdin.on('error', () => end(0))
  process.stdin.on('end', () => end(0))
  process.stdin.on('close', () => end(0))
  process.stdin.resume()
}

try {
  const devnet = await startDevnet({
    ...(directory && { directory }),
    ...(chains && {
      chainIds: chains.filter((chain) => /^\d+$/.test(chain)).map(Number),
      solana: chains.includes('solana'),
      polkadot: chains.includes('polkadot'),
    }),
    ports: numbers(ports),
    solanaPort: Number(solanaPort),
    polkadotPort: Number(polkadotPort),
    bitcoin: chains?.includes('bitcoin') ?? !values.ephemeral,
    bitcoinPort: Number(bitcoinPort),
    tell: console.error,
  })
  console.log(JSON.stringify(devnet.manifest))
  for (const child of devnet.children) {
    child.ended.then((status) => {
      if (ending) return
      console.error(`${child.name} ended with status ${status}:\n${child.lastLines().join('\n')}`)
      end(1)
    })
  }
  const status = await stopped
  await devnet.stop()
  process.exit(status)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

/**
 * @param {string} list comma-separated
 * @returns {number[]}
 */
function numbers(list) {
  return list.split(',').filter(Boolean).map(Number)
}
