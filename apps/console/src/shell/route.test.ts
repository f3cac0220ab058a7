import { expect, it } from 'vitest'
import { hrefOf, parseRoute } from './route.ts'

it('a route survives its address', () => {
  for (const route of [[], ['projects'], ['projects', 'a/b #?', '100%']])
    expect(parseRoute(hrefOf(...route))).toEqual(route)
})

it('a damaged address is a route all the same', () => {
  expect(parseRoute('')).toEqual([])
  expect(parseRoute('#')).toEqual([])
  expect(parseRoute('#projects//x')).toEqual(['projects', 'x'])
  expect(parseRoute('#/%E0%A4%A')).toEqual(['%E0%A4%A'])
})
