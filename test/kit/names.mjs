import { compileContracts } from '@hawser/devnet/compile'
import { receiptOf } from '@hawser/devnet/receipt'
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
const { registry } = ens
/** The first local chain's coin type (ENSIP-11). */
export const here = 0x8000_0000 + devnet.chainId

/** An independent client: it is configured with a chain and its universal resolver only. */
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

/** Returns an unused account, and a name that is not registered. */
export function newOwner() {
  const privateKey = generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  return { privateKey, account, name: `mate-${account.address.slice(2, 14).toLowerCase()}.${zone}` }
}

/**
 * Registers a name directly at the gateway.
 *
 * @param {ReturnType<typeof newOwner>} owner
 * @param {Record<string, string>} [attributes]
 */
export async function register({ account, name }, attributes = {}) {
  await changeName(account, '', { name, attributes })
}

/**
 * Signs a change of a name without the page, and sends it.
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
 * Reads a name directly from the gateway.
 *
 * @param {string} name
 * @returns {Promise<{ attributes: Record<string, string>, addresses: Record<string, { address: string }> } |
 *   undefined>}
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
 * Deploys a contract that signs what its owner's key signs (ERC-1271).
 *
 * @param {`0x${string}`} owner
 */
export function deployOwnedAccount(owner) {
  return deploy('OwnedAccount', [owner])
}

/**
 * Registers a name below `eth` with its own resolver, which this product does not know.
 *
 * @param {string} label
 * @param {`0x${string}`} to
 * @returns {Promise<string>} the whole name
 */
export async function registerInEns(label, to) {
  const name = `${label}.eth`
  await own('eth')
  await write(registry, registryAbi, 'setSubnodeOwner', [
    namehash('eth'),
    labelhash(label),
    registrar.account.address,
  ])
  await write(registry, registryAbi, 'setResolver', [namehash(name), await resolver()])
  await write(await resolver(), resolverAbi, 'setAddr', [namehash(name), 60n, to])
  return name
}

/**
 * Sets the primary name and picture of an account in ENS.
 *
 * @param {`0x${string}`} account
 * @param {string} name that resolves to it
 * @param {string} avatar
 */
export async function showInEns(account, name, avatar) {
  const reverse = `${account.slice(2).toLowerCase()}.addr.reverse`
  await own(reverse)
  await write(registry, registryAbi, 'setResolver', [namehash(reverse), await resolver()])
  await write(await resolver(), resolverAbi, 'setName', [namehash(reverse), name])
  await write(await resolver(), resolverAbi, 'setText', [namehash(name), 'avatar', avatar])
}

const registryAbi = parseAbi([
  'function setSubnodeOwner(bytes32 node, bytes32 label, address holder)',
  'function setResolver(bytes32 node, address resolves)',
])
const resolverAbi = parseAbi([
  'function setAddr(bytes32 node, uint256 coinType, bytes to)',
  'function setText(bytes32 node, string key, string value)',
  'function setName(bytes32 node, string value)',
])

/** @type {Promise<`0x${string}`> | undefined} */
let deployed
/** Deploys the resolver, one for all names. */
function resolver() {
  deployed ??= deploy('OnchainResolver', [registry])
  return deployed
}

/** The account that deploys contracts and pays for them. */
const registrar = createWalletClient({
  account: privateKeyToAccount(generatePrivateKey()),
  transport: http(devnet.rpcUrl),
})
await devnet.setBalance(registrar.account.address, 10n ** 19n)

/**
 * Takes over a name as its parent's owner. The root's owner sends no transaction after the set-up of a chain, because
 * its nonce counts the steps of the set-up.
 *
 * @param {string} name
 */
async function own(name) {
  const place = [{ type: 'bytes32' }, { type: 'uint256' }]
  const slot = keccak256(encodeAbiParameters(place, [namehash(name), 0n]))
  const params = [registry, slot, pad(registrar.account.address)]
  await devnet.client.request(/** @type {any} */ ({ method: 'anvil_setStorageAt', params }))
}

/**
 * @param {`0x${string}`} address
 * @param {import('viem').Abi} abi
 * @param {string} functionName
 * @param {unknown[]} args
 */
async function write(address, abi, functionName, args) {
  await done(registrar.writeContract({ chain: null, address, abi, functionName, args }))
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
  const receipt = await receiptOf(devnet.client, await sent)
  if (receipt.status !== 'success') throw new Error(`${receipt.transactionHash} was reverted`)
  return receipt
}
