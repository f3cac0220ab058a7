import { Code, ConnectError } from '@connectrpc/connect'
import { BadRequestSchema, ErrorInfoSchema } from '../gen/google/rpc/error_details_pb.ts'
import { texts } from '../texts.ts'
import { PasskeyError } from './passkeys.ts'

/** Why a call failed, as a screen shows it. */
export interface Failure {
  readonly code: Code
  /** Reason of `hawser.fault.v1`; empty where the server gave none. */
  readonly reason: string
  /** A sentence for the operator. */
  readonly text: string
  /** Sentences by the field of the request that is not valid, in snake case. */
  readonly fields: Readonly<Record<string, string>>
}

/** The caller has no session, or it has ended. */
export function isSignedOut({ code }: Failure): boolean {
  return code === Code.Unauthenticated
}

/** Describes an error of a call. */
export function failureOf(error: unknown): Failure {
  if (error instanceof PasskeyError)
    return { code: Code.Aborted, reason: '', text: error.message, fields: {} }
  const failed = ConnectError.from(error)
  const [info] = failed.findDetails(ErrorInfoSchema)
  const violations = failed.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations)
  return {
    code: failed.code,
    reason: info?.reason ?? '',
    text: textOf(failed, info?.reason),
    fields: Object.fromEntries(violations.map(({ field, description }) => [field, description])),
  }
}

function textOf(failed: ConnectError, reason: string | undefined): string {
  const { failures } = texts
  if (reason && reason in failures.reasons) return failures.reasons[reason as keyof typeof failures.reasons]
  // Without a reason the answer is not the suite's own: that of a proxy, or none at all.
  if (reason && failed.rawMessage) return failed.rawMessage
  if (failed.code === Code.Canceled || failed.code === Code.DeadlineExceeded) return failures.late
  return failures.unreachable
}
