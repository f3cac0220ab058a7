import { expect, it } from 'vitest'
import * as siwe from './index.ts'
import * as server from './server.ts'

it('is the public surface of the package', () => {
  expect(Object.keys(siwe).sort()).toEqual([
    'AuthError',
    'MessageError',
    'createAuthClient',
    'createSiwx',
    'formatMessage',
    'formatSiweMessage',
    'parseMessage',
    'siweToSiwx',
  ])
})

it('helpers of servers are an entry of their own', () => {
  expect(Object.keys(server).sort()).toEqual([
    'AuthError',
    'MessageError',
    'createSignInServer',
    'nodeHeaders',
    'parseMessage',
    'toNodeHandler',
  ])
})
