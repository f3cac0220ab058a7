import { createPublicClient, createWalletClient, http, keccak256, namehash, toBytes, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { deployer, nameKeeper, nameSigner } from './accounts.mjs'
import { compileContracts } from './compile.mjs'
import { receiptOf } from './receipt.mjs'

/**
 * The name service of a chain (ENS). Its zone and the names of accounts are resolved off the chain, by a gateway.
 *
 * @typedef {object} EnsManifest
 * @property {`0x${string}`} registry
 * @property {`0x${string}`} universalResolver the address to give to a client
 * @property {`0x${string}`} resolver of the zone
 * @property {string} zone
 */

/** Of two labels. */
const zone = 'hawser.id'

/** Where the gateway is unless the stack says otherwise. */
const usualGateway = 'http://localhost:8080'

/** @param {string} gatewayUrl @returns {string} the URL template (ERC-3668) */
const lookupsAt = (gatewayUrl) => `${gatewayUrl}/v1/ens/{sender}/{data}.json`

/**
 * Adds the name service, whose zone and whose names of accounts (ENSIP-19) the off-chain resolver answers for.
 *
 * @param {import('./transactions.mjs').Transactions} transactions
 */
export function addEns(transactions) {
  transactions.create('ENSRegistry', 'ENSRegistry')
  const signers = [nameSigner.address]
  transactions.create('OffchainResolver', 'OffchainResolver', [
    nameKeeper.address,
    [lookupsAt(usualGateway)],
    signers,
  ])
  const registry = transactions.address('ENSRegistry')
  const resolver = transactions.address('OffchainResolver')
  transactions.create('UniversalResolver', 'UniversalResolver', [registry])

  const [label = '', top = ''] = zone.split('.')
  const nobody = '0x0000000000000000000000000000000000000000'
  /** @type {(node: `0x${string}`, label: string, owner: `0x${string}`, resolves: `0x${string}`) => void} */
  const own = (node, name, owner, resolves) =>
    transactions.call('ENSRegistry', registry, 'setSubnodeRecord', [
      node,
      keccak256(toBytes(name)),
      owner,
      resolves,
      0n,
    ])
  own(zeroHash, top, deployer.address, nobody)
  own(namehash(top), label, nameKeeper.address, resolver)
  own(zeroHash, 'reverse', nameKeeper.address, resolver)
}

/**
 * @param {(id: string) => `0x${string}`} address
 * @returns {EnsManifest}
 */
export function describeEns(address) {
  return {
    registry: address('ENSRegistry'),
    universalResolver: address('UniversalResolver'),
    resolver: address('OffchainResolver'),
    zone,
  }
}

/**
 * Makes the zone's resolver send clients to a gateway, as its owner does; where it does so already, nothing is sent.
 *
 * @param {import('./manifest.mjs').ChainManifest} chain
 * @param {string} gatewayUrl
 */
export async function pointEnsAt({ rpcUrl, ens }, gatewayUrl) {
  if (!ens) return
  const { abi } = /** @type {import('./compile.mjs').Artifact} */ (compileContracts().OffchainResolver)
  const transport = http(rpcUrl)
  const chain = createPublicClient({ transport })
  const wanted = [lookupsAt(gatewayUrl)]
  const known = await chain.readContract({ address: ens.resolver, abi, functionName: 'urls' })
  if (JSON.stringify(known) === JSON.stringify(wanted)) return

  const keeper = createWalletClient({ account: privateKeyToAccount(nameKeeper.privateKey), transport })
  const call = /** @type {const} */ ({ address: ens.resolver, abi, functionName: 'setUrls', chain: null })
  const hash = await keeper.writeContract({ ...call, args: [wanted] })
  await receiptOf(chain, hash)
}
