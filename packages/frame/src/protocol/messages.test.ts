import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calls, readAppMessage, readFrameMessage } from './messages.ts'
import { approvalMethods, policyOf, safeMethods } from './methods.ts'

const app = (name: string, payload?: unknown) =>
  readAppMessage({ type: `@w3m-app/${name}`, id: '1', payload })

describe('a message of a site', () => {
  it('is read with its payload', () => {
    expect(app('CONNECT_EMAIL', { email: 'ada@example.com' })).toEqual({
      name: 'CONNECT_EMAIL',
      id: '1',
      payload: { email: 'ada@example.com' },
    })
    expect(readAppMessage({ type: '@w3m-app/IS_CONNECTED' })).toMatchObject({ name: 'IS_CONNECTED', id: '' })
  })

  it.each([
    ['an unknown name', 'NOTHING', undefined],
    ['a name of the prototype', 'constructor', undefined],
    ['another name of the prototype', '__proto__', undefined],
    ['an email that is none', 'CONNECT_EMAIL', { email: 'ada' }],
    ['a code with letters', 'CONNECT_OTP', { otp: '12345a' }],
    ['a provider that is not one', 'GET_SOCIAL_REDIRECT_URI', { provider: 'farcaster' }],
    ['a theme mode that is not one', 'SYNC_THEME', { themeMode: 'blue' }],
    ['no payload', 'CONNECT_OTP', undefined],
    ['a request without a method', 'RPC_REQUEST', { params: [] }],
    [
      'calls whose receiver is no hex',
      'RPC_REQUEST',
      { method: 'wallet_sendCalls', params: [{ calls: [{ to: 'abc' }] }] },
    ],
    [
      'calls whose data is no hex',
      'RPC_REQUEST',
      { method: 'wallet_sendCalls', params: [{ calls: [{ data: 'abc' }] }] },
    ],
    ['no calls', 'RPC_REQUEST', { method: 'wallet_sendCalls', params: [{}] }],
    [
      'a payload of a megabyte',
      'RPC_REQUEST',
      { method: 'personal_sign', params: ['a'.repeat(1024 * 1024)] },
    ],
  ])('with %s is dropped', (_, name, payload) => {
    expect(app(name, payload)).toBeUndefined()
  })

  it('whose name only contains the prefix is dropped', () => {
    expect(readAppMessage({ type: 'x@w3m-app/IS_CONNECTED' })).toBeUndefined()
    expect(readAppMessage({ type: '@w3m-app/IS_CONNECTED x' })).toBeUndefined()
  })

  it('nested too deep is dropped', () => {
    let params: unknown = 1
    for (let depth = 0; depth < 100; depth += 1) params = [params]
    expect(app('RPC_REQUEST', { method: 'eth_call', params })).toBeUndefined()
  })

  it('that is not a message never throws', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (data) => {
          readAppMessage(data)
          readFrameMessage(data)
        },
      ),
    )
  })

  it('with any payload never throws', () => {
    const names = Object.keys(calls)
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.anything(), (name, payload) => {
        app(name, payload)
      }),
    )
  })
})

describe('a message of the frame', () => {
  const frame = (name: string, payload?: unknown) =>
    readFrameMessage({ type: `@w3m-frame/${name}`, id: '1', payload })

  it('is a result, a failure or an event', () => {
    expect(frame('CONNECT_EMAIL_SUCCESS', { action: 'VERIFY_OTP' })).toEqual({
      kind: 'result',
      name: 'CONNECT_EMAIL',
      id: '1',
      payload: { action: 'VERIFY_OTP' },
    })
    expect(frame('CONNECT_OTP_ERROR', { message: 'The code is wrong' })).toMatchObject({ kind: 'failure' })
    expect(frame('READY', { version: '5' })).toMatchObject({ kind: 'event', name: 'READY' })
  })

  it.each([
    ['an action that is not one', 'CONNECT_EMAIL_SUCCESS', { action: 'LATER' }],
    ['a failure without a message', 'CONNECT_EMAIL_ERROR', {}],
    ['an unknown event', 'toString', undefined],
    ['a result of an unknown call', 'NOTHING_SUCCESS', undefined],
    [
      'networks that are no numbers',
      'GET_SMART_ACCOUNT_ENABLED_NETWORKS_SUCCESS',
      { smartAccountEnabledNetworks: ['1'] },
    ],
  ])('with %s is dropped', (_, name, payload) => {
    expect(frame(name, payload)).toBeUndefined()
  })
})

describe('the policy of a method', () => {
  it('is safe, approval or refused', () => {
    expect(policyOf('eth_call')).toBe('safe')
    expect(policyOf('personal_sign')).toBe('approval')
    expect(policyOf('eth_sign')).toBe('refused')
    expect(policyOf('constructor')).toBe('refused')
  })

  it('is one alone', () => {
    expect(safeMethods.filter((method) => approvalMethods.includes(method))).toEqual([])
  })
})
