import { describe, expect, it } from 'vitest'
import { Role } from '../gen/hawser/options/v1/options_pb.ts'
import { may, roles } from './roles.ts'

describe('a role', () => {
  it('has the rights of the roles before it, and no others', () => {
    for (const [at, role] of roles.entries())
      for (const [needed, other] of roles.entries()) expect(may(role, other)).toBe(at >= needed)
  })

  it('that is not known has no rights', () => {
    expect(may(undefined, Role.VIEWER)).toBe(false)
    expect(may(Role.UNSPECIFIED, Role.UNSPECIFIED)).toBe(false)
    expect(may(99 as Role, Role.VIEWER)).toBe(false)
  })
})
