import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'

const BUDGET_KIB = 31

const entry = fileURLToPath(new URL('../../packages/walletconnect/src/exports/index.ts', import.meta.url))

test(`the Sign client of a site is at most ${BUDGET_KIB} KiB gzipped, and has nothing of a wallet's`, async () => {
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry, formats: ['es'] }, minify: true },
  })) as Rolldown.RolldownOutput[]
  const chunks = output.flatMap((bundle) => bundle.output).filter((file) => file.type === 'chunk')
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  const bytes = chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
  expect(modules.some((id) => id.endsWith('/signClient.ts'))).toBe(true)
  expect(modules.filter((id) => id.endsWith('/walletClient.ts'))).toEqual([])
  expect(bytes / 1024).toBeLessThanOrEqual(BUDGET_KIB)
})
