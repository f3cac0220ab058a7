import { expect, it, vi } from 'vitest'
import { takeCallback } from './callback.ts'

it('the parameters of a login are taken out of the address', () => {
  const replaceState = vi.fn()
  const search = '?state=s%26t&code=c&iss=https%3A%2F%2Fid.example&session_state=x'
  expect(takeCallback({ pathname: '/oidc', search }, { replaceState })).toEqual({
    state: 's&t',
    code: 'c',
    iss: 'https://id.example',
    error: '',
  })
  expect(replaceState).toHaveBeenCalledExactlyOnceWith(null, '', '/')
})

it('another address stays', () => {
  const replaceState = vi.fn()
  for (const pathname of ['/', '/login', '/oidc/more'])
    expect(takeCallback({ pathname, search: '?state=s&code=c' }, { replaceState })).toBeUndefined()
  expect(replaceState).not.toHaveBeenCalled()
})
