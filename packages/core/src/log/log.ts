import { LOG_BYTES } from '../constants.ts'
import type { Clock, Log, LogFields, LogLevel } from '../types/environment.ts'

/** The instance's log: what connectors and the relay client did, for bug reports. It is sent nowhere. */
export interface LogBuffer {
  readonly write: Log
  /** Returns the entries as JSON lines, oldest first. */
  text(): string
}

/**
 * Creates a log that keeps the newest entries, at most 1,024,000 bytes of JSON. URIs, addresses, keys and other long
 * identifiers are redacted when an entry is written.
 */
export function createLog(clock: Clock, maxBytes = LOG_BYTES): LogBuffer {
  const lines: string[] = []
  let bytes = 0

  function write(level: LogLevel, message: string, fields: LogFields = {}): void {
    const entry = { at: clock.now(), level, message, ...fields }
    const line = `${JSON.stringify(entry, (_, value) => (typeof value === 'string' ? redact(value) : value))}\n`
    const size = byteLength(line)
    if (size > maxBytes) return
    lines.push(line)
    bytes += size
    while (bytes > maxBytes) bytes -= byteLength(lines.shift() ?? '')
  }

  return { write, text: () => lines.join('') }
}

/** Replaces what may identify a visitor or open a session. Long identifiers keep their first six characters. */
export function redact(text: string): string {
  return text
    .replace(/\bwc:\S+/g, 'wc:…')
    .replace(/\?[^\s"]*=[^\s"]*/g, '?…')
    .replace(/[^\s@"]+@[^\s@"]+\.[^\s@"]+/g, '…@…')
    .replace(/[A-Za-z0-9+/_=-]{32,}/g, (word) => `${word.slice(0, 6)}…`)
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
