import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createKit } from '../testing/kit.ts'
import { closeAlert, raiseAlert } from './alert.ts'

const consoleError = vi.spyOn(console, 'error')

beforeEach(() => {
  consoleError.mockImplementation(() => undefined)
})

describe('an alert', () => {
  it('names the origin that is not allowed, on the console', () => {
    const { hawser } = createKit()
    raiseAlert(hawser, 'originNotAllowed', { origin: 'https://app.test' })
    expect(consoleError).toHaveBeenCalledExactlyOnceWith(
      '[hawser] Origin https://app.test not found on Allowlist - update the allowed origins of the project',
    )
    expect(hawser.alert.getState().open).toBe(false)
  })

  it('is shown on the page with the debug option, until it is closed', () => {
    const { hawser } = createKit({ debug: true })
    raiseAlert(hawser, 'invalidProjectId')
    expect(hawser.alert.getState()).toEqual({
      open: true,
      variant: 'error',
      message: 'Invalid App Configuration',
    })
    closeAlert(hawser)
    expect(hawser.alert.getState().open).toBe(false)
  })

  it('is raised when the site mounts without a project id', () => {
    createKit({ projectId: '' }).hawser.mount()
    expect(consoleError).toHaveBeenCalledExactlyOnceWith(
      '[hawser] Project ID Not Configured - update configuration',
    )
  })
})
