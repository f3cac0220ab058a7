/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { connectedStyles } from '../styles/connected.gen.ts'
import { pairingStyles } from '../styles/pairing.gen.ts'
import { shellStyles } from '../styles/shell.gen.ts'

const staticImport = /^(?:import|export)(?! type)[^;'()]*'(\.[^']+\.tsx?)'/gm
const className = /\bhw-[a-z]+(?:-[a-z]+)*/g

/** Returns the files that are loaded with a file: its imports, and theirs. */
function filesWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || file.endsWith('.gen.ts')) return seen
  seen.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(staticImport))
    filesWith(resolve(dirname(file), path), seen)
  return seen
}

it.each([
  ['the modal', 'shell.ts', 'ConnectView.tsx', shellStyles, pairingStyles + connectedStyles],
  ['a pairing', 'pairing.ts', 'ConnectOnPhoneView.tsx', shellStyles + pairingStyles, connectedStyles],
])('%s does not wait for the styles of a later chunk', (_, feature, view, styles, laterStyles) => {
  const files = [...filesWith(resolve(import.meta.dirname, feature))]
  const used = new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(className) ?? []))
  const isStyled = (css: string, name: string) => new RegExp(`\\.${name}(?![a-z-])`).test(css)

  expect(files.some((file) => file.endsWith(view))).toBe(true)
  expect([...used].filter((name) => isStyled(laterStyles, name) && !isStyled(styles, name))).toEqual([])
})
