import { expect, it } from 'vitest'
import { differences } from '../../tools/installed.mjs'
import { violations } from '../../tools/lockfiles.mjs'

const bench = 'tools/bench/package-lock.json'
const lockOf = (packages: Record<string, { name?: string; version?: string }>) => ({ packages })

it.each([
  ['@reown/appkit', '1.8.0', '1.8.1'],
  ['@reown/walletkit', '1.2.4', '1.2.5'],
  ['@walletconnect/core', '2.21.8', '2.22.0'],
  ['@walletconnect/sign-client', '2.9.0', '2.21.9'],
  ['@walletconnect/universal-provider', '2.21.8', '3.0.0-beta.1'],
])('a lock file may hold %s %s, not %s', (name, last, newer) => {
  const place = `node_modules/a/node_modules/${name}`
  expect(violations(bench, lockOf({ [place]: { version: last } }))).toEqual([])
  expect(violations(bench, lockOf({ [place]: { version: newer } }))).toHaveLength(1)
})

it('a package is judged by its own name, whatever it is installed as', () => {
  const hidden = lockOf({ 'node_modules/kit': { name: '@reown/appkit', version: '1.9.0' } })
  const harmless = lockOf({ 'node_modules/@reown/appkit': { name: 'base64-sol', version: '9.0.0' } })
  expect(violations(bench, hidden)).toHaveLength(1)
  expect(violations(bench, harmless)).toEqual([])
})

it('a version that cannot be read is refused', () => {
  expect(violations(bench, lockOf({ 'node_modules/@reown/appkit': { version: 'next' } }))).toHaveLength(1)
  expect(violations(bench, lockOf({ 'node_modules/@reown/appkit': {} }))).toHaveLength(1)
})

it('the product depends on none of them, however old', () => {
  const old = lockOf({ 'node_modules/@walletconnect/types': { version: '2.0.0' } })
  expect(violations(bench, old)).toEqual([])
  expect(violations('package-lock.json', old)).toHaveLength(1)
})

it('what is installed is what the lock file has', () => {
  const lock = lockOf({
    'node_modules/a': { version: '1.0.0' },
    'node_modules/a/node_modules/b': { version: '2.0.0' },
  })
  expect(differences(lock, lockOf({ 'node_modules/a': { version: '1.0.0' } }))).toEqual([])
  expect(differences(lock, lockOf({ 'node_modules/a': { version: '1.0.1' } }))).toHaveLength(1)
  expect(differences(lock, lockOf({ 'node_modules/b': { version: '2.0.0' } }))).toHaveLength(1)
})
