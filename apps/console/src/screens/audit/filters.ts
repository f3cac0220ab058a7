import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  type AuditEntry,
  AuditOutcome,
  type ListAuditRequestSchema,
} from '../../gen/hawser/admin/v1/audit_pb.ts'
import { texts } from '../../texts.ts'

const DAY_MS = 86_400_000

/** The filters of the audit log, as its fields have them. */
export interface AuditFilters {
  /** Numbers of outcomes, with commas between them; empty for all. */
  readonly outcome: string
  readonly call: string
  readonly target: string
  /** First day, as 2026-01-31 in the operator's time zone; empty for any. */
  readonly from: string
  /** Last day. */
  readonly until: string
  readonly changesOnly: boolean
}

/** The outcomes of calls that have ended: each call that changes something has an entry of its start as well. */
export const ENDED = [AuditOutcome.DONE, AuditOutcome.REFUSED, AuditOutcome.FAILED].join()

export const noFilters: AuditFilters = {
  outcome: '',
  call: '',
  target: '',
  from: '',
  until: '',
  changesOnly: false,
}

/** Returns the request for filters. */
export function filterOf(filters: AuditFilters): MessageInitShape<typeof ListAuditRequestSchema> {
  const { outcome, call, target, from, until, changesOnly } = filters
  return {
    call: call.trim(),
    target: target.trim(),
    changesOnly,
    outcomes: outcome
      .split(',')
      .filter(Boolean)
      .map((each) => Number(each) as AuditOutcome),
    from: startOf(from),
    until: until ? startOf(until) + BigInt(DAY_MS) : 0n,
  }
}

/** Returns the cells of an entry in the exported file. */
export function exportColumnsOf(entry: AuditEntry): (string | bigint)[] {
  return [
    entry.id,
    new Date(Number(entry.at)).toISOString(),
    entry.operatorName,
    entry.role ? texts.roles[entry.role] : '',
    entry.call,
    entry.target,
    texts.audit.outcomes[entry.outcome],
    entry.reason,
    entry.address,
    entry.before,
    entry.after,
  ]
}

function startOf(day: string): bigint {
  const at = day ? new Date(`${day}T00:00:00`).getTime() : 0
  return Number.isNaN(at) ? 0n : BigInt(at)
}
