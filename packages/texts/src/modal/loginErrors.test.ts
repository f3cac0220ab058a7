import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { loginErrors } from './loginErrors.ts'

/** Where the gateway and the frame have the texts. */
const sources = [
  'services/platform/fault/fault.go',
  'services/wallet/account/service.go',
  'services/wallet/call/call.go',
  'packages/vault/src/failures.ts',
  'packages/vault/src/wallet/approvals.ts',
  'packages/vault/src/wallet/handlers/user.ts',
  'packages/texts/src/en/failures.ts',
]

it('has the texts word for word, by which they are found', () => {
  const code = sources
    .map((path) => readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8'))
    .join('\n')
  const unknown = Object.values(loginErrors).filter((text) => !new RegExp(`["']${text}["']`).test(code))
  expect(unknown).toEqual([])
})
