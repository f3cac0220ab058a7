import { expect, it, vi } from 'vitest'
import { createEvents } from './events.ts'

it('calls every listener until it is removed', () => {
  const events = createEvents()
  const listener = vi.fn()
  const stops = [events.subscribe(listener), events.subscribe(listener)]
  events.emit({ event: 'CLICK_NETWORKS' })
  expect(listener).toHaveBeenCalledTimes(2)
  for (const stop of stops) stop()
  events.emit({ event: 'CLICK_NETWORKS' })
  expect(listener).toHaveBeenCalledTimes(2)
})

it('calls the other listeners after one failed', () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const events = createEvents()
  const listener = vi.fn()
  events.subscribe(() => {
    throw new Error('site bug')
  })
  events.subscribe(listener)
  events.emit({ event: 'CLICK_NETWORKS' })
  expect(listener).toHaveBeenCalledOnce()
  expect(report).toHaveBeenCalledOnce()
})
