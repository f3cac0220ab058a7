import { expect, it } from 'vitest'
import { shortenAddress } from './shortenAddress.ts'

const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

it.each([
  [BOB, undefined, '0x709979…dc79C8'],
  [BOB, { start: 4, end: 6 }, '0x70…dc79C8'],
  ['9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', undefined, '9WzDXwBb…YtAWWM'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', undefined, 'bc1qw508…v8f3t4'],
  ['0x1234', undefined, '0x1234'],
  ['0x12345678abcde', undefined, '0x12345678abcde'],
])('shortens %s with %j to %s', (address, options, short) => {
  expect(shortenAddress(address, options)).toBe(short)
})

it('shows that an address differs which agrees in the first and the last four digits', () => {
  const likeBob = `${BOB.slice(0, 6)}${'0'.repeat(32)}${BOB.slice(-4)}`
  expect(shortenAddress(likeBob)).not.toBe(shortenAddress(BOB))
})
