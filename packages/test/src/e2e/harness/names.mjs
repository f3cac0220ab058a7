import { compileContracts } from '@hawser/devnet/compile'
import {
  createPublicClient,
  createWalletClient,
  encodeAbiParameters,
  getAddress,
  http,
  keccak256,
  labelhash,
  namehash,
  pad,
  parseAbi,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { devnet } from './chain.mjs'
import { site } from './site.mjs'

const { ens } = devnet
if (!ens) throw new Error('the first local chain has no name service')

export const { zone } = ens
/** The first local chain's coin type (ENSIP-11). */
export const here = 0x8000_0000 + devnet.chainId

/** A client that was never told of this product: it knows a chain, and where its universal resolver is. */
export const outside = createPublicClient({
  chain: {
    id: devnet.chainId,
    name: devnet.name,
    nativeCurrency: devnet.nativeCurrency,
    rpcUrls: { default: { http: [devnet.rpcUrl] } },
    contracts: { ensUniversalResolver: { address: ens.universalResolver } },
  },
  transport: http(),
})

/** An account that nobody knows, and a name that nobody had before. */
export function stranger() {
  const privateKey = generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  return { privateKey, account, name: `mate-${account.address.slice(2, 14).toLowerCase()}.${zone}` }
}

/**
 * Registers a name past the page.
 *
 * @param {ReturnType<typeof stranger>} owner
 * @param {Record<string, string>} [attributes]
 */
export async function register({ account, name }, attributes = {}) {
  await changeName(account, '', { name, attributes })
}

/**
 * Signs a change of a name past the page, and sends it.
 *
 * @param {import('viem').LocalAccount} account
 * @param {string} path below the names
 * @param {object} wish
 */
export async function changeName(account, path, wish) {
  const message = JSON.stringify({ ...wish, timestamp: Math.floor(Date.now() / 1000) })
  const signature = await account.signMessage({ message })
  const response = await fetch(urlOf(path), {
    method: 'POST',
    body: JSON.stringify({ message, signature, coin_type: here, address: account.address }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
}

/**
 * What is known of a name, past the page.
 *
 * @param {string} name
 * @returns {Promise<{ attributes: Record<string, string>, addresses: Record<string, { address: string }> } | undefined>}
 */
export async function lookUp(name) {
  const response = await fetch(urlOf(`/${name}`))
  if (response.status === 404) return undefined
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`)
  return response.json()
}

/** @param {string} path below the names */
function urlOf(path) {
  return `${site.gatewayUrl}/v1/profile/account${path}?projectId=${site.projectId}`
}

/**
 * Puts a contract on the chain that signs what its owner's key signs (ERC-1271).
 *
 * @param {`0x${string}`} owner
 */
export function deployOwnedAccount(owner) {
  return deploy('OwnedAccount', [owner])
}

/**
 * A name below `eth`, with its own resolver on the chain: nothing that this product knows of.
 *
 * @param {string} label
 * @param {`0x${string}`} to
 * @returns {Promise<string>} the whole name
 */
export async function registerInEns(label, to) {
  const registry = /** @type {NonNullable<typeof ens>} */ (ens).registry
  await own(registry, 'eth', registrar.account.address)
  const resolver = await deploy('AddressResolver', [registry])
  const name = `${label}.eth`
  const subnode = /** @type {const} */ ([
    namehash('eth'),
    labelhash(label),
    registrar.account.address,
    resolver,
    0n,
  ])
  await done(
    registrar.writeContract({
      chain: null,
      address: registry,
      abi: registryAbi,
      functionName: 'setSubnodeRecord',
      args: subnode,
    }),
  )
  const record = /** @type {const} */ ([namehash(name), 60n, to])
  await done(
    registrar.writeContract({
      chain: null,
      address: resolver,
      abi: resolverAbi,
      functionName: 'setAddr',
      args: record,
    }),
  )
  return name
}

const registryAbi = parseAbi([
  'function setSubnodeRecord(bytes32 node, bytes32 label, address holder, address resolves, uint64 lifetime)',
])
const resolverAbi = parseAbi(['function setAddr(bytes32 node, uint256 coinType, bytes to)'])

/** Puts things on the chain, and pays for them. */
const registrar = createWalletClient({
  account: privateKeyToAccount(generatePrivateKey()),
  transport: http(devnet.rpcUrl),
})
await devnet.setBalance(registrar.account.address, 10n ** 19n)

/**
 * Makes somebody the owner of a name, as if the root had: its owner sends nothing after the chain's set-up, because its
 * nonce tells how far that came.
 *
 * @param {`0x${string}`} registry
 * @param {string} name
 * @param {`0x${string}`} owner
 */
async function own(registry, name, owner) {
  const place = [{ type: 'bytes32' }, { type: 'uint256' }]
  const slot = keccak256(encodeAbiParameters(place, [namehash(name), 0n]))
  await devnet.client.request(
    /** @type {any} */ ({ method: 'anvil_setStorageAt', params: [registry, slot, pad(owner)] }),
  )
}

/**
 * @param {string} name of a contract
 * @param {unknown[]} args
 * @returns {Promise<`0x${string}`>}
 */
async function deploy(name, args) {
  const artifact = compileContracts()[name]
  if (!artifact) throw new Error(`there is no contract ${name}`)
  const { contractAddress } = await done(registrar.deployContract({ chain: null, ...artifact, args }))
  return getAddress(String(contractAddress))
}

/** @param {Promise<`0x${string}`>} sent */
async function done(sent) {
  const receipt = await devnet.client.waitForTransactionReceipt({ hash: await sent, pollingInterval: 20 })
  if (receipt.status !== 'success') throw new Error(`${receipt.transactionHash} was reverted`)
  return receipt
}
