// The other side of the balances benchmark: reads every balance with viem's multicall, once for each line it is sent, and answers with
// the milliseconds that it took. Arguments: the node's URL, the owner. First line: the tokens, as JSON.
import { createInterface } from 'node:readline'
import { createPublicClient, erc20Abi, http } from 'viem'

const [url, owner] = process.argv.slice(2)
const multicallAddress = '0xcA11bde05977b3631167028862bE2a173976CA11'
/** @type {readonly [`0x${string}`]} */
const args = [/** @type {`0x${string}`} */ (owner)]
const client = createPublicClient({ transport: http(url) })

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const first = await lines.next()
/** @type {`0x${string}`[]} */
const tokens = JSON.parse(first.value)
const contracts = tokens.map((address) => ({
  address,
  abi: erc20Abi,
  functionName: 'balanceOf',
  args,
}))

for await (const line of lines) {
  const start = performance.now()
  // An empty line runs viem's own batches of 1,024 bytes, any other one call of everything.
  const results = await client.multicall({
    contracts,
    multicallAddress,
    ...(line === '' ? {} : { batchSize: 0 }),
  })
  const took = performance.now() - start
  const failed = results.filter(({ status }) => status !== 'success').length
  if (failed > 0) throw new Error(`${failed} balances were not read`)
  console.log(took)
}
