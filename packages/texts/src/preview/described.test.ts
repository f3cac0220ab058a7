import { expect, it } from 'vitest'
import { described, type Saying } from './described.ts'
import { englishAsks, loadAsks } from './loadAsks.ts'

const TO = `0x${'ab'.repeat(20)}`
const asset = { symbol: 'tUSD', decimals: 6 } as const

const english: Saying = {
  tag: 'en',
  texts: englishAsks,
  clean: (text) => text.replaceAll('\u202e', ''),
  digits: (value, decimals) => String(Number(value) / 10 ** decimals),
  token: (of) => ({ symbol: of?.symbol ?? '', decimals: of?.decimals ?? 0 }),
  shorten: (address) => `${address.slice(0, 4)}…`,
}

it.each([
  [{ kind: 'VALUE_KIND_TEXT', value: 'a\u202eb' }, 'ab'],
  [{ kind: 'VALUE_KIND_NUMBER', value: '7' }, '7'],
  [{ kind: 'VALUE_KIND_FLAG', value: 'true' }, 'Yes'],
  [{ kind: 'VALUE_KIND_FLAG', value: 'false' }, 'No'],
  [{ kind: 'VALUE_KIND_BYTES', value: '0x01' }, '0x01'],
  [{ kind: 'VALUE_KIND_AMOUNT', value: '1500000', asset }, '1.5 tUSD'],
  [{ kind: 'VALUE_KIND_AMOUNT', value: '1500000', asset, unlimited: true }, 'unlimited \u2068tUSD\u2069'],
  [{ kind: 'VALUE_KIND_AMOUNT', value: '1500000', asset, unlimited: true, message: 'Any' }, 'Any tUSD'],
  [{ kind: 'VALUE_KIND_COLLECTIBLE', asset: { ...asset, tokenId: '9' } }, 'tUSD #9'],
  [{ kind: 'VALUE_KIND_TOKEN', asset }, 'tUSD'],
  [{ kind: 'VALUE_KIND_DURATION', value: '3600' }, '1 hour'],
  [{ kind: 'VALUE_KIND_QUANTITY', value: '30', decimals: 2, unit: '%' }, '0.3\u00a0%'],
] as const)('a value %j is %s', (row, text) => {
  expect(described({ rows: [{ label: 'L', ...row }] }, english).rows).toEqual([
    { label: 'L', text, address: '', inner: undefined },
  ])
})

it('a time is a date in the language', () => {
  const [row] = described({ rows: [{ kind: 'VALUE_KIND_TIME', value: '1700000000' }] }, english).rows
  expect(row?.text).toContain('2023')
})

it('a sentence has its values, with an address in short, which its row has whole', () => {
  const rows = [
    { label: 'To', kind: 'VALUE_KIND_ADDRESS', value: TO },
    { label: 'Pay', kind: 'VALUE_KIND_AMOUNT', value: '2000000', asset },
  ] as const
  const sentence = [{ text: 'Send ' }, { row: 1 }, { text: ' to ' }, { row: 0 }]
  const { title, owner, rows: shown } = described({ intent: 'Send', sentence, rows: [...rows] }, english)
  expect([title, owner, shown[0]?.address]).toEqual(['Send \u20682 tUSD\u2069 to \u20680xab…\u2069', '', TO])
})

it('a call has what it asks within', () => {
  const inner = { intent: 'Return the rest', contractName: 'Router' }
  const [row] = described(
    { rows: [{ label: 'Then', kind: 'VALUE_KIND_CALL', value: TO, inner }] },
    english,
  ).rows
  expect(row).toEqual({
    label: 'Then',
    text: '',
    address: TO,
    inner: { title: 'Return the rest', owner: 'Router', rows: [] },
  })
})

it('the words are those of the language, and English for one that there is not', async () => {
  expect((await loadAsks('de')).yes).toBe('Ja')
  expect((await loadAsks('xx')).yes).toBe('Yes')
})
