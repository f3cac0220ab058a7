import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import {
  createPublicClient,
  decodeFunctionResult,
  encodeFunctionData,
  http,
  namehash,
  parseAbi,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { packetToBytes } from 'viem/ens'
import { site } from '../kit/site.mjs'

// An independent client: it is configured with a chain and its universal resolver only.
const local = site.devnet.chains.find(({ ens }) => ens)
assert.ok(local?.ens, 'a local chain has a name service')
const { ens } = local
const chain = {
  id: local.chainId,
  name: local.name,
  nativeCurrency: local.nativeCurrency,
  rpcUrls: { default: { http: [local.rpcUrl] } },
  contracts: {
    ensUniversalResolver: { address: ens.universalResolver },
    multicall3: { address: /** @type {`0x${string}`} */ (local.contracts.Multicall3) },
  },
}
const outside = createPublicClient({ chain, transport: http() })
/** The chain's own coin type (ENSIP-11). */
const here = BigInt(0x8000_0000 + local.chainId)
/** The default coin type, for chains without an address of their own (ENSIP-19). */
const anywhere = 0x8000_0000n

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const pictures = createServer((_, response) => response.setHeader('Content-Type', 'image/png').end(pixel))
let picture = ''
before(async () => {
  await new Promise((resolve) => pictures.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = pictures.address()
  picture = `http://127.0.0.1:${typeof address === 'object' && address?.port}/face.png`
})
after(() => pictures.close())

test('a name resolves everywhere the moment it is registered', async () => {
  const { account, name } = await register({ bio: 'Ahoy', avatar: picture })
  assert.equal(await outside.getEnsAddress({ name }), account.address)
  assert.equal(await outside.getEnsAddress({ name, coinType: here }), account.address.toLowerCase())
  assert.equal(await outside.getEnsAddress({ name, coinType: 0x8000_0001n }), account.address.toLowerCase())
  assert.equal(await outside.getEnsAddress({ name, coinType: 0x8000_0000n + 10n }), null)
  assert.equal(await outside.getEnsText({ name, key: 'bio' }), 'Ahoy')
  assert.equal(await outside.getEnsText({ name, key: 'com.github' }), null)
  assert.equal(await outside.getEnsAvatar({ name }), picture)
  assert.equal(await outside.getEnsResolver({ name }), ens.resolver)
})

test('an account resolves to its name, on every chain where the name resolves back', async () => {
  const { account, name } = await register({})
  const { address } = account
  assert.equal(await outside.getEnsName({ address }), name)
  assert.equal(await outside.getEnsName({ address, coinType: here }), name)
  assert.equal(await outside.getEnsName({ address, coinType: 0x8000_0000n + 10n }), null)
  assert.equal(await outside.getEnsName({ address, coinType: anywhere }), name)
})

test('a client gets all results of a large batch', async () => {
  const { account, name } = await register({ bio: 'Ahoy', url: 'https://example.org' })
  const batching = createPublicClient({
    chain,
    batch: { multicall: true },
    transport: http(undefined, { batch: true }),
  })
  assert.deepEqual(
    await Promise.all([
      batching.getEnsAddress({ name }),
      batching.getEnsAddress({ name, coinType: here }),
      batching.getEnsText({ name, key: 'bio' }),
      batching.getEnsText({ name, key: 'com.github' }),
      batching.getEnsName({ address: account.address }),
    ]),
    [account.address, account.address.toLowerCase(), 'Ahoy', null, name],
  )
})

test('a name answers several questions in one look-up (ENSIP-10)', async () => {
  const { account, name } = await register({ bio: 'Ahoy' })
  const records = parseAbi([
    'function addr(bytes32 node) view returns (address)',
    'function text(bytes32 node, string key) view returns (string)',
    'function multicall(bytes[] calls) returns (bytes[])',
  ])
  const node = namehash(name)
  const calls = [
    encodeFunctionData({ abi: records, functionName: 'addr', args: [node] }),
    encodeFunctionData({ abi: records, functionName: 'text', args: [node, 'bio'] }),
  ]
  const [answer, resolver] = await outside.readContract({
    address: ens.universalResolver,
    abi: parseAbi(['function resolve(bytes name, bytes data) view returns (bytes, address)']),
    functionName: 'resolve',
    args: [
      toHex(packetToBytes(name)),
      encodeFunctionData({ abi: records, functionName: 'multicall', args: [calls] }),
    ],
  })
  const [first = '0x', second = '0x'] = decodeFunctionResult({
    abi: records,
    functionName: 'multicall',
    data: answer,
  })
  assert.equal(resolver, ens.resolver)
  assert.equal(decodeFunctionResult({ abi: records, functionName: 'addr', data: first }), account.address)
  assert.equal(decodeFunctionResult({ abi: records, functionName: 'text', data: second }), 'Ahoy')
})

test('a change is visible at once, and a released name has no address', async () => {
  const { account, name } = await register({ bio: 'Before' })
  await change(account, `/${name}/attributes`, { attributes: { bio: 'After' } })
  assert.equal(await outside.getEnsText({ name, key: 'bio' }), 'After')

  const next = privateKeyToAccount(generatePrivateKey()).address
  await change(account, `/${name}/address`, { coin_type: 60, address: next })
  assert.equal(await outside.getEnsAddress({ name }), next)
  assert.equal(await outside.getEnsName({ address: account.address }), null)

  await change(account, `/${name}/release`, { release: name })
  assert.equal(await outside.getEnsAddress({ name }), null)
  assert.equal(await outside.getEnsText({ name, key: 'bio' }), null)
})

test('an unregistered name has no address', async () => {
  const { address } = privateKeyToAccount(generatePrivateKey())
  assert.equal(await outside.getEnsAddress({ name: `nobody-at-all.${ens.zone}` }), null)
  assert.equal(await outside.getEnsAddress({ name: ens.zone }), null)
  assert.equal(await outside.getEnsName({ address }), null)
})

test('a gateway answers clients that post (ERC-3668), from every page, and refuses what it cannot read', async () => {
  /** @param {string} data */
  const post = (data) =>
    fetch(`${site.gatewayUrl}/v1/ens`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: 'https://wallet.example' },
      body: JSON.stringify({ sender: ens.resolver, data }),
    })
  // resolve('', 0x691f3431…): the name of the root, which has none.
  const word = (/** @type {number} */ n) => n.toString(16).padStart(64, '0')
  const call = `0x9061b923${word(64)}${word(128)}${word(1)}${word(0)}${word(36)}691f3431${word(0)}${'0'.repeat(56)}`
  const answer = await post(call)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('Access-Control-Allow-Origin'), '*')
  assert.match((await answer.json()).data, /^0x[0-9a-f]+$/)
  assert.equal((await post('0x1234')).status, 400)
})

/**
 * Registers an unused name for an unused account.
 *
 * @param {Record<string, string>} attributes
 */
async function register(attributes) {
  const account = privateKeyToAccount(generatePrivateKey())
  const name = `crew-${account.address.slice(2, 14).toLowerCase()}.${ens.zone}`
  await change(account, '', { name, attributes })
  return { account, name }
}

/**
 * Signs a change of a name, and sends it.
 *
 * @param {import('viem').LocalAccount} account
 * @param {string} path below the names
 * @param {object} wish
 */
async function change(account, path, wish) {
  const message = JSON.stringify({ ...wish, timestamp: Math.floor(Date.now() / 1000) })
  const signature = await account.signMessage({ message })
  const response = await fetch(`${site.gatewayUrl}/v1/profile/account${path}?projectId=${site.projectId}`, {
    method: 'POST',
    body: JSON.stringify({ message, signature, coin_type: Number(here), address: account.address }),
  })
  assert.ok(response.ok, `${response.status} ${response.ok ? '' : await response.text()}`)
}
