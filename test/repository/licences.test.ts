import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { isAllowed, licencesIn, npmPackages, shippedWorkspaces, violations } from '../../tools/licences.mjs'

it('the licence of this product is recognised', () => {
  expect(licencesIn(readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8'))).toEqual(['Apache-2.0'])
})

it('finds no licence in a text that is not one', () => {
  expect(licencesIn('All rights reserved.')).toEqual([])
})

it('a file with two licences is under both', () => {
  const text = `Permission is hereby granted, free of charge, to any person obtaining a copy … THE SOFTWARE IS PROVIDED "AS IS"
    GNU AFFERO GENERAL PUBLIC LICENSE
    Version 3, 19 November 2007`
  expect(licencesIn(text)).toEqual(['AGPL-3.0-only', 'MIT'])
})

it.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND BSD-3-Clause', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['SEE LICENSE IN LICENSE.md', false],
  ['', false],
])('%s is allowed: %s', (expression, allowed) => {
  expect(isAllowed(expression)).toBe(allowed)
})

it('a dependency without a licence is reported, as is one under another', () => {
  const found = violations([
    { name: 'a 1.0.0', licence: 'MIT' },
    { name: 'b 1.0.0', licence: '' },
    { name: 'c 1.0.0', licence: 'BUSL-1.1' },
  ])
  expect(found).toEqual(['b 1.0.0: no licence was found', 'c 1.0.0: BUSL-1.1 is not allowed'])
})

it('every published package is shipped, and no private one', () => {
  const workspaces = shippedWorkspaces(fileURLToPath(new URL('../../', import.meta.url)))
  expect(workspaces).toEqual(
    expect.arrayContaining(['packages/browser', 'packages/create-hawser', 'apps/frame']),
  )
  expect(workspaces).not.toContain('packages/devnet')
  expect(workspaces).not.toContain('packages/vault')
})

it('every published package has the text of the licence', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const licence = readFileSync(join(root, 'LICENSE'), 'utf8')
  for (const workspace of shippedWorkspaces(root).filter((name) => name.startsWith('packages/')))
    expect(readFileSync(join(root, workspace, 'LICENSE'), 'utf8'), workspace).toBe(licence)
})

it('every package that a shipped one depends on is checked, where npm installed it, and no other', () => {
  const packages = {
    'packages/core': { dependencies: { '@hawser/client': '0.1.0', a: '1' }, peerDependencies: { d: '1' } },
    'packages/client': { dependencies: { b: '1' } },
    test: { dependencies: { c: '1' } },
    'node_modules/@hawser/client': { resolved: 'packages/client', link: true },
    'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '2' } },
    'node_modules/b': { version: '1.0.0', license: 'ISC' },
    'node_modules/a/node_modules/b': { version: '2.0.0', license: 'GPL-3.0-only' },
    'node_modules/c': { version: '1.0.0', license: 'GPL-3.0-only' },
    'node_modules/d': { version: '1.0.0', license: 'MIT', peerDependencies: { c: '1' } },
  }
  expect(
    npmPackages({ packages }, ['packages/core'])
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['a 1.0.0', 'b 1.0.0', 'b 2.0.0', 'd 1.0.0'])
})
