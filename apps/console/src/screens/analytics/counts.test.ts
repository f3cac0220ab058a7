import { expect, it } from 'vitest'
import { byDay, byDetail, byEvent, type Count, failuresOf, percentOf, totalOf } from './counts.ts'

const count = (day: string, event: string, times: number, detail = ''): Count => ({
  day,
  event,
  detail,
  count: BigInt(times),
})

const counts = [
  count('2026-02-02', 'MODAL_OPEN', 8),
  count('2026-02-02', 'CONNECT_SUCCESS', 3, 'browser'),
  count('2026-02-02', 'CONNECT_SUCCESS', 1, 'qrcode'),
  count('2026-01-31', 'MODAL_OPEN', 2),
  count('2026-01-31', 'CONNECT_SUCCESS', 1, 'qrcode'),
  count('2026-01-31', 'CONNECT_ERROR', 5),
  count('2026-01-31', 'ERROR_FETCH_TRANSACTIONS', 1),
]

it('every day has a row, also one without events', () => {
  const now = Date.UTC(2026, 1, 2, 23, 59)
  expect(byDay(counts, { opened: ['MODAL_OPEN'], connected: ['CONNECT_SUCCESS'] }, 3, now)).toEqual([
    { day: '2026-01-31', opened: 2, connected: 1 },
    { day: '2026-02-01', opened: 0, connected: 0 },
    { day: '2026-02-02', opened: 8, connected: 4 },
  ])
})

it('counts of several days and events are added', () => {
  expect(totalOf(counts, 'MODAL_OPEN', 'CONNECT_SUCCESS')).toBe(15)
  expect(byDetail(counts, 'CONNECT_SUCCESS')).toEqual([
    { name: 'browser', count: 3 },
    { name: 'qrcode', count: 2 },
  ])
  expect(byEvent(counts).map(({ name }) => name)).toEqual([
    'MODAL_OPEN',
    'CONNECT_ERROR',
    'CONNECT_SUCCESS',
    'ERROR_FETCH_TRANSACTIONS',
  ])
})

it('failures are the events whose name says so', () => {
  expect(failuresOf([...counts, count('2026-02-02', 'EMAIL_VERIFICATION_CODE_FAIL', 1)])).toEqual([
    { name: 'CONNECT_ERROR', count: 5 },
    { name: 'EMAIL_VERIFICATION_CODE_FAIL', count: 1 },
    { name: 'ERROR_FETCH_TRANSACTIONS', count: 1 },
  ])
})

it('a share of nothing is unknown', () => {
  expect(percentOf(1, 3)).toBe(33)
  expect(percentOf(0, 0)).toBeUndefined()
})
