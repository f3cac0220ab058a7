import { create } from '@bufbuild/protobuf'
import { expect, it } from 'vitest'
import { AuditEntrySchema, AuditOutcome } from '../../gen/hawser/admin/v1/audit_pb.ts'
import { Role } from '../../gen/hawser/options/v1/options_pb.ts'
import { texts } from '../../texts.ts'
import { ENDED, exportColumnsOf, filterOf, noFilters } from './filters.ts'

it('the last day is a whole one', () => {
  const { from, until } = filterOf({ ...noFilters, from: '2026-01-31', until: '2026-01-31' })
  expect(Number(until) - Number(from)).toBe(86_400_000)
  expect(Number(from)).toBe(new Date(2026, 0, 31).getTime())
})

it('without filters every entry is meant', () => {
  expect(filterOf(noFilters)).toEqual({
    call: '',
    target: '',
    changesOnly: false,
    outcomes: [],
    from: 0n,
    until: 0n,
  })
  expect(filterOf({ ...noFilters, outcome: '3', from: 'x' })).toMatchObject({
    outcomes: [AuditOutcome.REFUSED],
    from: 0n,
  })
})

it('an exported entry has a cell for each column', () => {
  const entry = create(AuditEntrySchema, {
    id: 7n,
    at: 1_767_225_600_000n,
    operatorName: 'ada',
    role: Role.OWNER,
    call: 'ProjectService/UpdateProject',
    outcome: AuditOutcome.DONE,
  })
  const cells = exportColumnsOf(entry)
  expect(cells).toHaveLength(texts.audit.columns.length)
  expect(cells.slice(0, 4)).toEqual([7n, '2026-01-01T00:00:00.000Z', 'ada', 'Owner'])
})

it('calls that have ended are all but those that started', () => {
  const { outcomes } = filterOf({ ...noFilters, outcome: ENDED })
  expect(outcomes).toEqual([AuditOutcome.DONE, AuditOutcome.REFUSED, AuditOutcome.FAILED])
})
