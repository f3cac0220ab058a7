import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../testing/fakeClock.ts'
import { createLog, redact } from './log.ts'

describe('the log', () => {
  test('keeps entries in order, with their time and fields', () => {
    const clock = createFakeClock()
    const log = createLog(clock)
    log.write('info', 'connected', { attempts: 2 })
    log.write('warn', 'closed')
    const entries = log
      .text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(entries).toEqual([
      { at: clock.now(), level: 'info', message: 'connected', attempts: 2 },
      { at: clock.now(), level: 'warn', message: 'closed' },
    ])
  })

  test('drops the oldest entries beyond its size', () => {
    const log = createLog(createFakeClock(), 200)
    for (let at = 0; at < 50; at += 1) log.write('debug', `entry ${at}`)
    expect(new TextEncoder().encode(log.text()).length).toBeLessThanOrEqual(200)
    expect(log.text()).toContain('entry 49')
    expect(log.text()).not.toContain('entry 0"')
  })

  test('drops an entry that is larger than the whole log', () => {
    const log = createLog(createFakeClock(), 200)
    log.write('info', 'kept')
    log.write('info', 'x '.repeat(500))
    expect(log.text()).toContain('kept')
    expect(log.text()).not.toContain('x x')
  })

  test.each([
    [
      'a pairing URI',
      `pair wc:${'ab'.repeat(32)}@2?relay-protocol=irn&symKey=${'cd'.repeat(32)}`,
      'pair wc:…',
    ],
    ['an address', 'sent to 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'sent to 0xf39F…'],
    ['a topic', `topic ${'ab'.repeat(32)}`, 'topic ababab…'],
    ['a token', `auth ${'eyJh'.repeat(20)}`, 'auth eyJhey…'],
    ['a query', 'wss://relay.test/?projectId=123&auth=x closed', 'wss://relay.test/?… closed'],
    ['an email', 'mail alice@example.com', 'mail …@…'],
    ['plain text', 'closed with 1006 after 3 attempts', 'closed with 1006 after 3 attempts'],
  ])('redacts %s', (_, text, expected) => {
    expect(redact(text)).toBe(expected)
  })

  test('redacts the fields of an entry as well', () => {
    const log = createLog(createFakeClock())
    log.write('error', 'failed', { reason: `key ${'ef'.repeat(32)}` })
    expect(log.text()).not.toContain('ef'.repeat(16))
  })
})
