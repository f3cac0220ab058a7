import { expect, it } from 'vitest'
import type { Rgba } from './contrast.ts'
import { checkedVariables, checkPairs } from './pairs.ts'

const white: Rgba = [255, 255, 255, 1]
const black: Rgba = [0, 0, 0, 1]

it('a pair passes with the contrast that it needs', () => {
  const colours = Object.fromEntries(
    checkedVariables.map((name) => [name, /background|surface|color-accent$/.test(name) ? white : black]),
  )
  expect(checkPairs(colours).every(({ passes }) => passes)).toBe(true)
})

it('an outline needs less contrast than a text', () => {
  const grey: Rgba = [128, 128, 128, 1]
  const colours = Object.fromEntries(
    checkedVariables.map((name) => [name, /background|surface|color-accent$/.test(name) ? white : grey]),
  )
  const failing = checkPairs(colours).filter(({ passes }) => !passes)
  expect(failing.map(({ name }) => name)).toContain('text')
  expect(failing.map(({ name }) => name)).not.toContain('focus')
})
