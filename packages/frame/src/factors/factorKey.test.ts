import { expect, it } from 'vitest'
import { newPasswordParameters, passwordKey } from './factorKey.ts'
import { seal, unseal } from './seal.ts'

it('a password gives the same key again, with its parameters', async () => {
  const parameters = newPasswordParameters()
  const sealed = await seal(await passwordKey('correct horse', parameters), Uint8Array.of(1, 2, 3), 'test')
  const again = await passwordKey('correct horse', parameters)
  expect(await unseal(again, sealed, 'test')).toEqual(Uint8Array.of(1, 2, 3))
}, 60_000)

it.each([
  ['memory', { memory: 1_024 }],
  ['memory', { memory: 1024 * 1024 }],
  ['passes', { passes: 1 }],
  ['passes', { passes: 100 }],
])('the %s of a password is not what a server chooses freely: %o', async (_, changed) => {
  const parameters = { ...newPasswordParameters(), ...changed }
  await expect(passwordKey('correct horse', parameters)).rejects.toThrow('out of range')
})
