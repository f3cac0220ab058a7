import { expect, it } from 'vitest'
import { newPasswordParameters, passwordKey, passwordSecrets } from './factorKey.ts'
import { seal, unseal } from './seal.ts'

it('a password gives the same key and check again, with its parameters', async () => {
  const parameters = newPasswordParameters()
  const secrets = await passwordSecrets('correct horse', parameters)
  const sealed = await seal(secrets.key, Uint8Array.of(1, 2, 3), 'test')
  const again = await passwordSecrets('correct horse', parameters)
  expect(await unseal(again.key, sealed, 'test')).toEqual(Uint8Array.of(1, 2, 3))
  expect(again.check).toBe(secrets.check)
}, 60_000)

it('the cost of a password with a check is not that of earlier releases', async () => {
  const parameters = { ...newPasswordParameters(), memory: 19 * 1024, passes: 2 }
  await expect(passwordSecrets('correct horse', parameters)).rejects.toThrow('out of range')
})

it.each([
  ['memory', { memory: 1_024 }],
  ['memory', { memory: 1024 * 1024 }],
  ['passes', { passes: 1 }],
  ['passes', { passes: 100 }],
])('the %s of a password is not what a server chooses freely: %o', async (_, changed) => {
  const parameters = { ...newPasswordParameters(), ...changed }
  await expect(passwordKey('correct horse', parameters)).rejects.toThrow('out of range')
})
