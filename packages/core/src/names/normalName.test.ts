import { describe, expect, it } from 'vitest'
import { isNameForm, normalName, shownName } from './normalName.ts'

describe('the normal form of a name', () => {
  it.each([
    ['Vitalik.ETH', 'vitalik.eth'],
    ['_dns.eth', '_dns.eth'],
    ['Ünïcode.eth', 'ünïcode.eth'],
    ['u\u0308.eth', 'ü.eth'],
    ['日本語.eth', '日本語.eth'],
    ['🚴‍♂️.eth', '🚴‍♂.eth'],
    ['\u212Anown.eth', 'known.eth'],
  ])('of %j is %j', async (text, normal) => {
    expect(isNameForm(text)).toBe(true)
    expect(await normalName(text)).toBe(normal)
  })

  it.each(['vİtalik.eth', 'аpple.eth', 'a_b.eth', 'abc\u202e.eth'])('does not exist for %j', async (text) => {
    expect(await normalName(text)).toBeUndefined()
  })
})

it('is not guessed while a name is typed', () => {
  expect(shownName('Vitalik.ETH')).toBe('vitalik.eth')
  expect(shownName('VİTALIK.eth')).toBe('VİTALIK.eth')
})

it.each(['', 'abc', 'abc.', '.eth', 'a..b', 'a b.eth', 'https://example.org', 'eip155:1.2'])(
  '%j has not the form of a name',
  (text) => expect(isNameForm(text)).toBe(false),
)
