import { describe, expect, it } from 'vitest'
import { seededRandom } from '../testing/seededRandom.ts'
import { addressKind } from './addressKind.ts'
import { base58, readBase58 } from './base58.ts'
import { comparableAddress, lookAlike } from './lookAlike.ts'

const ACCOUNTS = 10_000
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const HEX = '0123456789abcdef'

const random = seededRandom(39)
const letters = (alphabet: string, count: number) =>
  Array.from({ length: count }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
const bytes = (size: number, prefix: readonly number[]) => {
  const all = [...prefix, ...Array.from({ length: size - prefix.length }, () => Math.floor(random() * 256))]
  return base58({ size, value: all.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) })
}

interface Form {
  readonly name: string
  readonly alphabet: string
  /** Characters that every address of the form begins with. */
  readonly fixed: number
  /** Characters that agree at each end of a look-alike, after the fixed ones. */
  readonly agreeing: number
  readonly address: () => string
}

const forms: readonly Form[] = [
  { name: 'eip155', alphabet: HEX, fixed: 2, agreeing: 4, address: () => `0x${letters(HEX, 40)}` },
  { name: 'solana', alphabet: BASE58, fixed: 0, agreeing: 3, address: () => bytes(32, []) },
  { name: 'segwit', alphabet: BECH32, fixed: 4, agreeing: 4, address: () => `bc1q${letters(BECH32, 38)}` },
  { name: 'taproot', alphabet: BECH32, fixed: 4, agreeing: 4, address: () => `bc1p${letters(BECH32, 58)}` },
  { name: 'testnet', alphabet: BECH32, fixed: 4, agreeing: 4, address: () => `tb1q${letters(BECH32, 38)}` },
  { name: 'regtest', alphabet: BECH32, fixed: 6, agreeing: 4, address: () => `bcrt1q${letters(BECH32, 38)}` },
  { name: 'pay to key hash', alphabet: BASE58, fixed: 1, agreeing: 3, address: () => bytes(25, [0]) },
  { name: 'pay to script hash', alphabet: BASE58, fixed: 1, agreeing: 3, address: () => bytes(25, [5]) },
  { name: 'Polkadot', alphabet: BASE58, fixed: 1, agreeing: 3, address: () => bytes(35, [0]) },
  { name: 'Kusama', alphabet: BASE58, fixed: 0, agreeing: 3, address: () => bytes(35, [2]) },
  { name: 'Substrate', alphabet: BASE58, fixed: 1, agreeing: 3, address: () => bytes(35, [42]) },
  // 1284, that of Moonbeam.
  {
    name: 'a two-byte prefix',
    alphabet: BASE58,
    fixed: 2,
    agreeing: 3,
    address: () => bytes(36, [0x41, 0x05]),
  },
]

/** Returns another address whose ends are those of an address, as an attacker searches for one. */
function imitation(address: string, { alphabet, fixed, agreeing }: Form): string {
  const start = address.slice(0, fixed + agreeing)
  const end = address.slice(-agreeing)
  const middle = letters(alphabet, address.length - start.length - end.length)
  return start + middle + end
}

/** Returns every account that an address looks like. */
function allAlike(address: string, accounts: readonly string[]): readonly string[] {
  const found = lookAlike(address, accounts)
  return found === undefined ? [] : [found, ...allAlike(address, accounts.slice(accounts.indexOf(found) + 1))]
}

describe.each(forms)('addresses of $name', (form) => {
  const accounts = Array.from({ length: ACCOUNTS }, form.address)

  it('begin with what their kind fixes, and differ after it', () => {
    expect(new Set(accounts.map((each) => each.slice(0, form.fixed))).size).toBe(1)
    expect(new Set(accounts.map((each) => each.charAt(form.fixed))).size).toBeGreaterThan(1)
  })

  it('are recognized in every imitation', () => {
    const missed = accounts.filter((account) => lookAlike(imitation(account, form), [account]) !== account)
    expect(missed).toEqual([])
  })

  it('are found among 10,000', () => {
    const sample = accounts.filter((_, index) => index % 100 === 0)
    const missed = sample.filter((account) => lookAlike(imitation(account, form), accounts) === undefined)
    expect(missed).toEqual([])
  })

  it('are mistaken for another by chance in less than one of 10,000 pairs', () => {
    const strangers = Array.from({ length: 100 }, form.address)
    const alarms = strangers.flatMap((stranger) => allAlike(stranger, accounts))
    expect(alarms.length / (strangers.length * ACCOUNTS)).toBeLessThan(1 / 10_000)
  })

  it('do not look like themselves', () => {
    expect(accounts.find((account) => lookAlike(account, [account]))).toBeUndefined()
  })
})

describe('addresses that look alike', () => {
  const known = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const middle = '0'.repeat(32)

  it.each([
    ['four digits at each end', `0x7099${middle}79c8`, known],
    ['them with a checksum', `0x7099${middle}79C8`, known],
    ['only three in front', `0x7090${middle}79c8`, undefined],
    ['only three at the end', `0x7099${middle}09c8`, undefined],
    ['all digits, in lower case', known.toLowerCase(), undefined],
    ['a text that is no address', `0x7099${middle}x79c8`, undefined],
    ['nothing', '', undefined],
  ])('share %s', (_, address, found) => {
    expect(lookAlike(address, ['', 'alice', '0x', known])).toBe(found)
  })

  it('are compared in segwit in capital letters, as of QR codes', () => {
    const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    const other = `bc1qw508${'q'.repeat(30)}f3t4`
    expect(lookAlike(other.toUpperCase(), [address])).toBe(address)
    expect(lookAlike(address.toUpperCase(), [address])).toBeUndefined()
  })

  it('are those that most pages would shorten in the same way', () => {
    const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    expect(lookAlike(`bc1qw5${'q'.repeat(32)}f3t4`, [address])).toBe(address)
    expect(lookAlike(`bc1qwq${'q'.repeat(32)}f3t4`, [address])).toBeUndefined()
  })

  it('are of one kind', () => {
    const rest = 'w508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    expect(lookAlike(`bc1p${rest}`, [`bc1q${rest}`])).toBeUndefined()
    expect(lookAlike('3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', ['1J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'])).toBe(
      undefined,
    )
  })
})

describe('an address to compare', () => {
  it.each([
    ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'],
  ])('of %s is %s', (address, written) => {
    expect(comparableAddress(address)).toBe(written)
  })
})

describe('base58', () => {
  it.each([
    '11111111111111111111111111111111',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
    'So11111111111111111111111111111111111111112',
  ])('writes the bytes of %s as they were read', (text) => {
    const read = readBase58(text)
    expect(read && base58(read)).toBe(text)
    expect(addressKind(text)).toBeDefined()
  })
})
