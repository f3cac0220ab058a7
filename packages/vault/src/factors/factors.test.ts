import { expect, it } from 'vitest'
import { backupFactors } from './factors.ts'

it('passkeys whose record cannot be read do not hide the other factors', () => {
  const passkey = (id: string, record: string) =>
    ({ id, kind: 'FACTOR_KIND_PASSKEY', label: id, record }) as const
  const found = backupFactors([
    ...['x', '%', btoa('{'), btoa('null'), btoa('{"credentialId":1}')].map((record) =>
      passkey('junk', record),
    ),
    passkey('good', btoa('{"half":"","credentialId":"AQ=="}')),
    { id: 'password', kind: 'FACTOR_KIND_PASSWORD' },
  ])
  expect(found.map(({ id }) => id)).toEqual(['good', 'password'])
})
