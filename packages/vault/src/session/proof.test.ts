import { expect, it } from 'vitest'
import { fromBase64, toBase64Url } from '../factors/factorKey.ts'
import { loadDeviceKeys, publicJwk, thumbprint } from './deviceKeys.ts'
import { memoryStore } from './deviceStore.ts'
import { proofOf } from './proof.ts'

const decode = (part = '') => JSON.parse(new TextDecoder().decode(fromBase64(part)))

it('a proof binds a call to the device key', async () => {
  const keys = await loadDeviceKeys(memoryStore())
  const call = {
    method: 'POST',
    path: '/hawser.wallet.v1.WalletService/GetUser',
    body: '{}',
    accessToken: 'token',
  }
  const proof = await proofOf(keys, call, 1_700_000_000.9)
  const [header, claims, signature = ''] = proof.split('.')
  expect(decode(header)).toEqual({ typ: 'dpop+jwt', alg: 'ES256', jwk: await publicJwk(keys) })
  const sha256 = async (text: string) =>
    toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
  expect(decode(claims)).toEqual({
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    htm: 'POST',
    htu: call.path,
    iat: 1_700_000_000,
    bh: await sha256('{}'),
    ath: await sha256('token'),
  })
  const signed = new TextEncoder().encode(`${header}.${claims}`)
  const jwk = await publicJwk(keys)
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'verify',
  ])
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  expect(await crypto.subtle.verify(algorithm, key, fromBase64(signature), signed)).toBe(true)
})

it('the thumbprint of a key is that of RFC 7638', async () => {
  // The members in the order of the RFC, whatever the order of the object.
  const jwk = { y: 'b', x: 'a', kty: 'EC', crv: 'P-256' }
  const digest = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode('{"crv":"P-256","kty":"EC","x":"a","y":"b"}'),
  )
  expect(await thumbprint(jwk)).toBe(toBase64Url(new Uint8Array(digest)))
})

it('the keys of a device are kept, and cannot be exported', async () => {
  const store = memoryStore()
  const keys = await loadDeviceKeys(store)
  expect(await loadDeviceKeys(store)).toBe(keys)
  await expect(crypto.subtle.exportKey('jwk', keys.proof.privateKey)).rejects.toThrow()
  await expect(crypto.subtle.exportKey('raw', keys.storage)).rejects.toThrow()
})
