import { expect, it } from 'vitest'
import { toCsv } from './csv.ts'

it('a cell with a comma, a quote or a line break is quoted', () => {
  expect(toCsv(['a', 'b'], [['x,y', 'say "no"\nnow']])).toBe('a,b\r\n"x,y","say ""no""\nnow"\r\n')
})

it('numbers stay numbers, also negative and large ones', () => {
  expect(toCsv(['n'], [[-1], [9007199254740993n]])).toBe('n\r\n-1\r\n9007199254740993\r\n')
})

it('a text that a spreadsheet would execute is a text', () => {
  for (const text of ['=1+1', '+1', '-1', '@x', '\t=1'])
    expect(toCsv(['t'], [[text]])).toBe(`t\r\n'${text}\r\n`)
})
