#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { cryptoWaitReady } from '@polkadot/util-crypto'
import { listenJsonRpc, RpcError } from '../jsonRpcServer.mjs'
import { Accounts } from './accounts.mjs'
import { Chain, parseAddress } from './chain.mjs'
import { deriveAccounts } from './keys.mjs'
import { nodeMethods } from './methods.mjs'

/** Milliseconds between two blocks. */
const blockTime = 1_000

/** Plancks of every development account: 1,000 DOT. */
const funds = 10_000_000_000_000n

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })

await cryptoWaitReady()
const accounts = new Accounts()
for (const { address } of deriveAccounts()) accounts.set(parseAddress(address), { free: funds })
const chain = new Chain(accounts)
const blocks = { isHeld: false }
const methods = nodeMethods(chain, blocks)

const server = await listenJsonRpc((method, params) => {
  const found = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!found) throw new RpcError(-32601, 'Method not found')
  return found(params)
}, Number(values.port))

setInterval(() => {
  if (!blocks.isHeld) chain.advance()
}, blockTime)
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    server.close()
    process.exit(0)
  })
}
console.log(`Listening on ${server.url}`)
