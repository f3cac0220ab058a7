import { describe, expect, it } from 'vitest'
import { base, baseSepolia, bitcoin, ethereum, polkadot, solana } from '../networks.gen.ts'
import { seededRandom } from '../testing/seededRandom.ts'
import type { Network } from '../types/network.ts'
import { base58 } from './base58.ts'
import { readChainAddress } from './chainAddress.ts'
import { interoperableChecksum } from './interoperable.ts'

const networks: readonly Network[] = [ethereum, base, baseSepolia, bitcoin, solana, polkadot]
const VITALIK = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const SOLANA = 'MJKqp326RZCHnAAbew9MDdui3iCKWco7fsK9sVuZTX2'
const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const MAINNET = '000000000019d6689c085ae165831e93'
const SEGWIT = 'bc1qwz2lhc40s8ty3l5jg3plpve3y3l82x9l42q7fk'

const read = (text: string) => readChainAddress(text, networks)
/** Returns what a text that can be read names. */
const named = (text: string) => {
  const found = read(text)
  return found?.status === 'read' ? [found.value.caipNetworkId, found.value.receiver] : found
}

describe('an account of CAIP-10', () => {
  it.each([
    ['eip155', `eip155:8453:${VITALIK}`, 'eip155:8453', VITALIK],
    ['solana', `solana:${GENESIS.slice(0, 32)}:${SOLANA}`, `solana:${GENESIS.slice(0, 32)}`, SOLANA],
    ['bip122', `bip122:${MAINNET}:${SEGWIT}`, `bip122:${MAINNET}`, SEGWIT],
    [
      'polkadot',
      'polkadot:91b171bb158e2d3848fa23a9f1c25182:15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
      'polkadot:91b171bb158e2d3848fa23a9f1c25182',
      '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
    ],
  ])('of %s is an address on a chain', (_, text, chain, address) => {
    expect(named(text)).toEqual([chain, address])
  })

  it.each([
    [
      'of another namespace',
      `cosmos:cosmoshub-3:${SEGWIT}`,
      { status: 'chain', chain: 'cosmos:cosmoshub-3' },
    ],
    ['of no chain id', `eip155:base:${VITALIK}`, { status: 'chain', chain: 'eip155:base' }],
    ['of a chain id with a zero in front', `eip155:01:${VITALIK}`, { status: 'chain', chain: 'eip155:01' }],
    ['whose address is of another namespace', `eip155:1:${SOLANA}`, { status: 'receiver' }],
    ['whose address is cut off', `eip155:1:${VITALIK.slice(0, 20)}`, { status: 'receiver' }],
    ['with a name', 'eip155:1:alice.eth', { status: 'receiver' }],
  ])('%s is refused', (_, text, refusal) => {
    expect(named(text)).toEqual(refusal)
  })
})

describe('an interoperable name', () => {
  it.each([
    ['ERC-7930, example 1', `${VITALIK}@eip155:1#4CA88C9C`, 'eip155:1', VITALIK],
    ['ERC-7930, example 2', `${SOLANA}@solana:${GENESIS}#88835C11`, `solana:${GENESIS.slice(0, 32)}`, SOLANA],
    ['ERC-7930, example 3', `${VITALIK}@eip155#B26DB7CB`, undefined, VITALIK],
    [
      'ERC-7828',
      '0xFe89cc7aBB2C4183683ab71653C4cdc9B02D44b7@eip155:1#80B12379',
      'eip155:1',
      '0xFe89cc7aBB2C4183683ab71653C4cdc9B02D44b7',
    ],
    [
      'Solana by its CAIP-2 identifier',
      `${SOLANA}@solana:${GENESIS.slice(0, 32)}#88835C11`,
      `solana:${GENESIS.slice(0, 32)}`,
      SOLANA,
    ],
    ['Bitcoin', `${SEGWIT}@bip122:${MAINNET}#C7078E18`, `bip122:${MAINNET}`, SEGWIT],
    ['a chain by its name', `${VITALIK}@ethereum#4CA88C9C`, 'eip155:1', VITALIK],
    [
      'an address in lower case',
      `${VITALIK.toLowerCase()}@eip155:1#4CA88C9C`,
      'eip155:1',
      VITALIK.toLowerCase(),
    ],
    ['without a checksum', `${VITALIK}@eip155:8453`, 'eip155:8453', VITALIK],
    ['a name', 'alice.eth@base', 'eip155:8453', 'alice.eth'],
    ['a name with letters beside a to z', 'ünïcode.eth@Base', 'eip155:8453', 'ünïcode.eth'],
    ['a name of several words', 'alice.eth@base-sepolia', 'eip155:84532', 'alice.eth'],
  ])('is read: %s', (_, text, chain, receiver) => {
    expect(named(text)).toEqual([chain, receiver])
  })

  it.each([
    ['the checksum of another address', `${VITALIK}@eip155:1#80B12379`, { status: 'checksum' }],
    ['the checksum of another chain', `${VITALIK}@base#4CA88C9C`, { status: 'checksum' }],
    [
      'a checksum that cannot be computed',
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa@bitcoin#00000000',
      { status: 'checksum' },
    ],
    [
      'a checksum on Polkadot',
      '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5@polkadot#00000000',
      { status: 'checksum' },
    ],
    ['a chain of no network here', 'alice.eth@elsewhere', { status: 'chain', chain: 'elsewhere' }],
    ['an address of another namespace', `${SOLANA}@base`, { status: 'receiver' }],
    ['a mail address', 'alice@example.com', { status: 'receiver' }],
  ])('is refused with %s', (_, text, refusal) => {
    expect(named(text)).toEqual(refusal)
  })

  it('names a network before a namespace', () => {
    expect(named(`${SOLANA}@solana`)).toEqual([`solana:${GENESIS.slice(0, 32)}`, SOLANA])
    expect(readChainAddress(`${SOLANA}@solana`, [ethereum])).toMatchObject({
      status: 'read',
      value: { namespace: 'solana', receiver: SOLANA },
    })
  })

  it('has a name that must resolve to the address of its checksum', () => {
    const found = read('vitalik.eth@ethereum#4CA88C9C')
    const isChecksumOf = found?.status === 'read' ? found.value.isChecksumOf : undefined
    expect(isChecksumOf?.(VITALIK)).toBe(true)
    expect(isChecksumOf?.('0xFe89cc7aBB2C4183683ab71653C4cdc9B02D44b7')).toBe(false)
  })

  it('of a chain whose name two networks have is refused', () => {
    const twin = { ...base, id: 9, caipNetworkId: 'eip155:9' } as const
    expect(readChainAddress('alice.eth@base', [base, twin])).toEqual({ status: 'chain', chain: 'base' })
  })
})

it.each([
  ['an address', VITALIK],
  ['a name', 'alice.eth'],
  ['a payment request of EIP-681', `ethereum:${VITALIK}@8453?value=1`],
  ['a payment request of BIP-21', `bitcoin:${SEGWIT}?amount=0.1`],
  ['a payment request of Solana Pay', `solana:${SOLANA}?amount=1`],
  ['a checksum in small letters', `${VITALIK}@eip155:1#4ca88c9c`],
  ['a chain without an address', `@solana:${GENESIS}#2EB18670`],
  ['nothing', ''],
])('%s is none of them', (_, text) => {
  expect(read(text)).toBeUndefined()
})

describe('every address', () => {
  const random = seededRandom(7930)
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('')
  const address = () => `0x${hex(40)}`
  const solanaAddress = () => base58({ size: 32, value: BigInt(`0x${hex(64)}`) })
  const all = Array.from({ length: 500 }, () => ({
    evm: address(),
    solana: solanaAddress(),
    chainId: 1 + Math.floor(random() * 2 ** 31),
  }))

  it('is read with the checksum that is computed for it', () => {
    for (const { evm, solana: key, chainId } of all) {
      const ofEvm = interoperableChecksum('eip155', String(chainId), evm)
      const ofSolana = interoperableChecksum('solana', GENESIS, key)
      expect(named(`${evm}@eip155:${chainId}#${ofEvm}`)).toEqual([`eip155:${chainId}`, evm])
      expect(named(`${key}@solana#${ofSolana}`)).toEqual([`solana:${GENESIS.slice(0, 32)}`, key])
    }
  })

  it('is refused when a digit of it or of its chain is another one', () => {
    for (const { evm, chainId } of all) {
      const checksum = interoperableChecksum('eip155', String(chainId), evm)
      const at = 2 + Math.floor(random() * 40)
      const digit = ((Number.parseInt(evm.charAt(at), 16) + 1 + Math.floor(random() * 15)) % 16).toString(16)
      const mistyped = evm.slice(0, at) + digit + evm.slice(at + 1)
      expect(named(`${mistyped}@eip155:${chainId}#${checksum}`)).toEqual({ status: 'checksum' })
      expect(named(`${evm}@eip155:${chainId + 1}#${checksum}`)).toEqual({ status: 'checksum' })
    }
  })

  it('and every other text is read without an error', () => {
    const letters = 'ab01:@#.%-_x/? é'
    for (let count = 0; count < 20_000; count += 1) {
      const length = Math.floor(random() * 30)
      const text = Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('')
      expect(() => read(text)).not.toThrow()
    }
  })
})
