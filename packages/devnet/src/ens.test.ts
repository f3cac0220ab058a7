import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  createPublicClient,
  createWalletClient,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  encodePacked,
  type Hex,
  http,
  keccak256,
  numberToHex,
  parseAbi,
  parseSignature,
  serializeSignature,
  toFunctionSelector,
} from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts, nameKeeper, nameSigner } from './accounts.mjs'
import { compileContracts } from './compile.mjs'
import { type Devnet, startDevnet } from './devnet.mjs'
import { pointEnsAt } from './ens.mjs'
import { receiptOf } from './receipt.mjs'

const resolverAbi = parseAbi([
  'error NotOwner()',
  'function urls() view returns (string[])',
  'function setSigner(address signer, bool trusted)',
  'function supportsInterface(bytes4 id) view returns (bool)',
  'function supportsFeature(bytes4 feature) view returns (bool)',
])
const extendedAbi = parseAbi(['function resolve(bytes name, bytes data) view returns (bytes)'])
const recordsAbi = parseAbi([
  'function addr(bytes32 node) view returns (address)',
  'function addr(bytes32 node, uint256 coinType) view returns (bytes)',
  'function text(bytes32 node, string key) view returns (string)',
  'function name(bytes32 node) view returns (string)',
])
const alice = accounts[0]?.address as Hex
const bob = accounts[1]?.address as Hex
const soon = () => BigInt(Math.floor(Date.now() / 1000) + 300)

/** A request to a gateway and its response; each test changes one part of it. */
interface Answering {
  sender: Hex
  request: Hex
  result: Hex
  expires: bigint
  key: Hex
  /** How the signature is spelled in the end. */
  spell: (signature: Hex) => Hex
  /** What is answered in place of what was signed. */
  answered?: Hex
}

describe('the name service of chain 31337', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ chainIds: [31337] })
  }, 30_000)
  afterAll(() => devnet.stop())

  const chain = () => devnet.chains[0] as Devnet['chains'][number]
  const ens = () => chain().ens as NonNullable<Devnet['chains'][number]['ens']>
  /**
   * Returns a client that is configured with the universal resolver only, and gateways that answer as
   * `change` says.
   */
  const client = (change: (usual: Answering) => Answering = (usual) => usual) => {
    const request = async ({ data, sender }: { data: Hex; sender: Hex }) => {
      const usual = {
        sender,
        request: data,
        result: answer(data),
        expires: soon(),
        key: nameSigner.privateKey,
      }
      return seal(change({ ...usual, spell: (signature) => signature }))
    }
    return createPublicClient({
      chain: {
        id: 31337,
        name: 'Devnet',
        nativeCurrency: chain().nativeCurrency,
        rpcUrls: { default: { http: [chain().rpcUrl] } },
        contracts: { ensUniversalResolver: { address: ens().universalResolver } },
      },
      transport: http(),
      ccipRead: { request },
    })
  }

  it('resolves addresses, of every chain, and texts', async () => {
    const name = 'alice.hawser.id'
    await expect(client().getEnsAddress({ name })).resolves.toBe(alice)
    await expect(client().getEnsAddress({ name, coinType: 0x8000_7a69n })).resolves.toBe(alice.toLowerCase())
    await expect(client().getEnsText({ name, key: 'bio' })).resolves.toBe('bio of alice.hawser.id')
    await expect(client().getEnsResolver({ name })).resolves.toBe(ens().resolver)
  })

  it('resolves accounts to names that resolve back to them, on every chain', async () => {
    await expect(client().getEnsName({ address: alice })).resolves.toBe('alice.hawser.id')
    await expect(client().getEnsName({ address: alice, coinType: 0x8000_7a69n })).resolves.toBe(
      'alice.hawser.id',
    )
    await expect(client().getEnsName({ address: accounts[2]?.address as Hex })).resolves.toBeNull()
  })

  it('does not resolve an account to the name of another', async () => {
    await expect(client().getEnsName({ address: bob })).resolves.toBeNull()
    await expect(client().getEnsName({ address: bob, strict: true })).rejects.toThrow(
      'ReverseAddressMismatch',
    )
  })

  it('resolves nothing outside its zone', async () => {
    await expect(client().getEnsAddress({ name: 'alice.eth' })).resolves.toBeNull()
    await expect(client().getEnsAddress({ name: 'alice.eth', strict: true })).rejects.toThrow(
      'ResolverNotFound',
    )
  })

  it.each<[string, Partial<Answering>, error?: string]>([
    ['signed by another key', { key: accounts[3]?.privateKey as Hex }],
    ['that has expired', { expires: 1n }, 'Expired(uint64)'],
    ['to another question', { request: '0x01' }],
    ['for another resolver', { sender: alice }],
    ['that was altered', { answered: encodeAbiParameters([{ type: 'address' }], [bob]) }],
    ['whose signature has s in the upper half', { spell: upperHalf }],
    ['whose signature is cut short', { spell: (signature) => signature.slice(0, -2) as Hex }],
  ])('refuses an answer %s', async (_, change, error = 'WrongSignature()') => {
    const name = 'alice.hawser.id'
    const asked = client((usual) => ({ ...usual, ...change })).getEnsAddress({ name, strict: true })
    await expect(asked).rejects.toThrow(new RegExp(`ResolverError[^]*${toFunctionSelector(error)}`))
  })

  it('has the resolver that operators deploy', () => {
    const deployed = fileURLToPath(
      new URL('../../../services/names/ens/deploy/resolver.hex', import.meta.url),
    )
    expect(`0x${readFileSync(deployed, 'utf8').trim()}`).toBe(compileContracts().OffchainResolver?.bytecode)
  })

  it('says what its resolver is capable of', async () => {
    const capable = (id: Hex, functionName: 'supportsInterface' | 'supportsFeature' = 'supportsInterface') =>
      client().readContract({ address: ens().resolver, abi: resolverAbi, functionName, args: [id] })
    await expect(
      Promise.all([capable('0x01ffc9a7'), capable('0x9061b923'), capable('0xffffffff')]),
    ).resolves.toEqual([true, true, false])
    // ERC-7996, and ENSIP-22's resolve(multicall).
    await expect(
      Promise.all([
        capable('0x582de3e7'),
        capable('0x96b62db8', 'supportsFeature'),
        capable('0x582de3e7', 'supportsFeature'),
      ]),
    ).resolves.toEqual([true, true, false])
  })

  it('accepts another key and gateway from the owner of the resolver only', async () => {
    const trust = async (by: Hex, signer: Hex, trusted: boolean) => {
      const account = privateKeyToAccount(by)
      const wallet = createWalletClient({ account, transport: http(chain().rpcUrl) })
      const call = { address: ens().resolver, abi: resolverAbi, functionName: 'setSigner' } as const
      const hash = await wallet.writeContract({ ...call, args: [signer, trusted], chain: null })
      await receiptOf(client(), hash)
    }
    const next = accounts[4] as (typeof accounts)[number]
    const byNext = client((usual) => ({ ...usual, key: next.privateKey }))
    const name = 'alice.hawser.id'
    await expect(trust(next.privateKey, next.address, true)).rejects.toThrow('NotOwner')
    await trust(nameKeeper.privateKey, next.address, true)
    await expect(byNext.getEnsAddress({ name })).resolves.toBe(alice)
    await expect(client().getEnsAddress({ name })).resolves.toBe(alice)
    await trust(nameKeeper.privateKey, next.address, false)
    await expect(byNext.getEnsAddress({ name, strict: true })).rejects.toThrow(/ResolverError/)

    await pointEnsAt(chain(), 'http://gateway.example')
    const urls = { address: ens().resolver, abi: resolverAbi, functionName: 'urls' } as const
    await expect(client().readContract(urls)).resolves.toEqual([
      'http://gateway.example/v1/ens/{sender}/{data}.json',
    ])
  })
})

/** Returns a gateway's answer: alice has a name, and bob claims it too. */
function answer(request: Hex): Hex {
  const { args } = decodeFunctionData({ abi: extendedAbi, data: request })
  const name = labels(args[0]).join('.')
  const call = decodeFunctionData({ abi: recordsAbi, data: args[1] })
  if (call.functionName === 'name') {
    const known = [alice, bob].some((account) => name.startsWith(account.slice(2).toLowerCase()))
    const result = known ? 'alice.hawser.id' : ''
    return encodeFunctionResult({ abi: recordsAbi, functionName: 'name', result })
  }
  if (call.functionName === 'text') {
    return encodeFunctionResult({
      abi: recordsAbi,
      functionName: 'text',
      result: `${call.args[1]} of ${name}`,
    })
  }
  return call.args.length === 1
    ? encodeAbiParameters([{ type: 'address' }], [alice])
    : encodeAbiParameters([{ type: 'bytes' }], [alice])
}

function labels(dns: Hex): string[] {
  const bytes = Buffer.from(dns.slice(2), 'hex')
  const all = []
  for (let at = 0; bytes[at]; at += 1 + (bytes[at] as number)) {
    all.push(bytes.subarray(at + 1, at + 1 + (bytes[at] as number)).toString())
  }
  return all
}

/** ERC-191, version 0. */
async function seal({
  sender,
  request,
  result,
  expires,
  key,
  spell,
  answered = result,
}: Answering): Promise<Hex> {
  const signed = encodePacked(
    ['bytes2', 'address', 'uint64', 'bytes32', 'bytes32'],
    ['0x1900', sender, expires, keccak256(request), keccak256(result)],
  )
  const signature = await sign({ hash: keccak256(signed), privateKey: key, to: 'hex' })
  return encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'uint64' }, { type: 'bytes' }],
    [answered, expires, spell(signature)],
  )
}

/** Returns the same signature in its other valid form (EIP-2). */
function upperHalf(signature: Hex): Hex {
  const order = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n
  const { r, s, yParity } = parseSignature(signature)
  return serializeSignature({ r, s: numberToHex(order - BigInt(s), { size: 32 }), yParity: 1 - yParity })
}
