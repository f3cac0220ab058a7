import { expect, it, vi } from 'vitest'
import { takeLinkToken } from './linkToken.ts'

const secret = '0123456789abcdef'.repeat(4)
const at = (hash: string, pathname = '/login') => ({ hash, pathname, search: '' })

it('a token is taken out of the address, also below a path', () => {
  const replaceState = vi.fn()
  for (const pathname of ['/login', '/console/login', '/'])
    expect(takeLinkToken(at(`#${secret}`, pathname), { replaceState })).toBe(secret)
  expect(replaceState.mock.calls.map(([, , url]) => url)).toEqual(['/', '/console/', '/'])
})

it('the address of a screen stays, also of one with an id in it', () => {
  const replaceState = vi.fn()
  for (const hash of ['', '#/projects', `#/users/${secret}`, `#${secret}0`, `#x${secret}`])
    expect(takeLinkToken(at(hash), { replaceState })).toBeUndefined()
  expect(replaceState).not.toHaveBeenCalled()
})
