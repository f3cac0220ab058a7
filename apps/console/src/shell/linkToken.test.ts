import { expect, it, vi } from 'vitest'
import { takeLinkToken } from './linkToken.ts'

const secret = '0123456789abcdef'.repeat(4)
it('a token is taken out of the address', () => {
  const replaceState = vi.fn()
  expect(takeLinkToken({ hash: `#${secret}` }, { replaceState })).toBe(secret)
  expect(replaceState).toHaveBeenCalledExactlyOnceWith(null, '', '/')
})

it('the address of a screen stays, also of one with an id in it', () => {
  const replaceState = vi.fn()
  for (const hash of ['', '#/projects', `#/users/${secret}`, `#${secret}0`, `#x${secret}`])
    expect(takeLinkToken({ hash }, { replaceState })).toBeUndefined()
  expect(replaceState).not.toHaveBeenCalled()
})
