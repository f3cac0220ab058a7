import { readdirSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { expect, it } from 'vitest'

const folders = [
  '.',
  '../../../ui/src/styles',
  '../../../../apps/frame/src',
  '../../../../apps/handoff/src',
].map((folder) => resolve(import.meta.dirname, folder))
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .map((name) => resolve(folder, name)),
)

/** Properties and values that name a side, and shorthands whose sides differ: both ignore the direction of the text. */
const physical: readonly RegExp[] = [
  /^(?:(?:margin|padding|inset|border|scroll-margin|scroll-padding)-)?(?:left|right)(?:-|$)/,
  /^border-(?:top|bottom)-(?:left|right)-radius$/,
]
const physicalValue = /^(?:text-align|float|clear):\s*(?:left|right)\b/

function isPhysical(declaration: string): boolean {
  const [property = '', value = ''] = declaration.split(/:\s*/, 2)
  if (physical.some((pattern) => pattern.test(property)) || physicalValue.test(declaration)) return true
  if (!/^(?:margin|padding|inset|border-width|border-radius)$/.test(property)) return false
  const sides = value.replace(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '()').split(/\s+/)
  return sides.length === 4 && (property === 'border-radius' ? sides[0] !== sides[1] : sides[1] !== sides[3])
}

const declarations = (css: string) =>
  [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/(?:^|[{;])\s*([a-z-]+:[^;{}]+)(?=[;}])/g)].map(
    ([, declaration = '']) => declaration.trim(),
  )

it('no style of the modal and of the embedded wallet’s frame names the left or the right side', () => {
  expect(files.length).toBeGreaterThan(30)
  expect(files.map((file) => basename(file))).toContain('frame.css')
  const found = files.flatMap((file) =>
    declarations(readFileSync(file, 'utf8'))
      .filter(isPhysical)
      .map((declaration) => `${file}: ${declaration}`),
  )
  expect(found).toEqual([])
})

it.each([
  'margin-left: 1px',
  'right: 0',
  'text-align: left',
  'inset: 0 auto auto 0',
  'padding: 1px 2px 3px 4px',
])('%s is refused', (declaration) => {
  expect(declarations(`.hw-a { ${declaration}; }`).filter(isPhysical)).toEqual([declaration])
})

it.each(['margin-inline-start: 1px', 'inset: auto 0 0', 'text-align: start', 'padding: 1px 2px 3px'])(
  '%s is allowed',
  (declaration) => {
    expect(declarations(`.hw-a { ${declaration}; }`).filter(isPhysical)).toEqual([])
  },
)
